// How long a provider asks us to wait: `retry-after-ms`, or `retry-after` as seconds or as an HTTP
// date.

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Milliseconds to wait, never negative; undefined if no header can be read. `wallNow` is the wall
 * clock, needed for dates only.
 */
export function retryAfterMs(
  headers: ResponseHeaders,
  wallNow: number = Date.now(),
): number | undefined {
  const exact = numberOf(headerOf(headers, "retry-after-ms"));
  if (exact !== undefined) return exact;
  const given = headerOf(headers, "retry-after")?.trim();
  if (!given) return undefined;
  const seconds = numberOf(given);
  if (seconds !== undefined) return seconds * 1000;
  const date = /[a-z]/i.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallNow);
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,12}(\.\d{1,9})?\s*$/.test(text) ? Number(text) : undefined;
}
