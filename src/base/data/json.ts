// The types of plain JSON data, and a copy of data as JSON would keep it, made without writing the JSON.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A non-null, non-array object: the shape that tool inputs and settings must have. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Like reading back what was written: no undefined fields, no numbers that JSON does not have. */
export function jsonCopy<T>(value: T): T;
export function jsonCopy(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => jsonCopy(isKept(item) ? item : null));
  if (!isPlain(value)) return JSON.parse(JSON.stringify(value));
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    // A field of this name is none to a plain assignment.
    if (key === "__proto__") return JSON.parse(JSON.stringify(value));
    const item = (value as Record<string, unknown>)[key];
    if (isKept(item)) copy[key] = typeof item === "string" ? item : jsonCopy(item);
  }
  return copy;
}

const isKept = (item: unknown): boolean =>
  item !== undefined && typeof item !== "function" && typeof item !== "symbol";

/** Others may write themselves in their own way, or inherit fields. */
const isPlain = (value: object): boolean =>
  Object.getPrototypeOf(value) === Object.prototype &&
  typeof (value as { toJSON?: unknown }).toJSON !== "function";
