// Money in whole cents, so that sums are exact.

/** Turns "12.34" or 12.34 into 1234. */
export function toCents(amount) {
  const cents = Math.round(Number(amount) * 100);
  if (!Number.isFinite(cents)) throw new TypeError(`not an amount: ${amount}`);
  return cents;
}

/** Turns 1234 into "12.34". */
export function formatCents(cents) {
  const sign = cents < 0 ? "-" : "";
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A share of an amount in percent, rounded half up. */
export function percentOf(cents, percent) {
  return Math.round((cents * percent) / 100);
}
