const symbols: Record<string, string> = { EUR: "€", USD: "$", GBP: "£" };

export function formatPrice(cents: number, currency = "EUR"): string {
  const amount = (cents / 100).toFixed(2);
  return `${symbols[currency] ?? currency} ${amount}`;
}

export const parsePrice = (text: string): number | undefined => {
  const match = /(\d+)(?:[.,](\d{1,2}))?/.exec(text);
  if (!match) return undefined;
  const fraction = (match[2] ?? "0").padEnd(2, "0");
  return Number(match[1]) * 100 + Number(fraction);
};

export function splitEvenly(cents: number, people: number): number[] {
  const share = Math.floor(cents / people);
  const rest = cents - share * people;
  return Array.from({ length: people }, (_, index) => share + (index < rest ? 1 : 0));
}
