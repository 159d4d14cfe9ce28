// A request as JSON text that every provider accepts: half a surrogate pair, which JSON can write but providers refuse, becomes a replacement sign.

type WellFormed = { toWellFormed(): string };

export function toBody(value: object): string {
  const body = JSON.stringify(value);
  // JSON writes only lone surrogates as \ud…; the rare false alarm costs a second pass.
  if (!body.includes("\\ud")) return body;
  return JSON.stringify(value, (_, item: unknown) => (typeof item === "string" ? (item as unknown as WellFormed).toWellFormed() : item));
}
