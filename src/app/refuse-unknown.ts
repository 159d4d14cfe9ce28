// A slip in a program's options: an unknown key is refused, with the nearest known one.
import { isObject } from "../base/data/json.ts";
import { RetinueError } from "../base/errors.ts";
import { oneLine } from "../base/text/printable.ts";
import { suggest } from "../base/text/suggest.ts";

export function refuseUnknown(given: object, known: object, where: string): void {
  if (!isObject(given))
    throw new RetinueError(
      "usage",
      `${where}: expected an object with ${Object.keys(known).join(", ")}; got ${inWords(given)}`,
    );
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const near = suggest(unknown, Object.keys(known));
  const hint = near ? `; did you mean "${near}"?` : `. There are ${Object.keys(known).join(", ")}.`;
  throw new RetinueError("usage", `${where}: there is no "${oneLine(unknown, 60)}"${hint}`);
}

/** A value as a mistake is told with it. */
export function inWords(value: unknown): string {
  if (Array.isArray(value))
    return value.every((item) => typeof item === "string")
      ? "a list"
      : "a list with something else in it";
  if (isObject(value))
    return `an object with ${Object.keys(value).slice(0, 6).join(", ") || "no keys"}`;
  if (typeof value === "number") return String(value);
  return typeof value === "function"
    ? "a function"
    : oneLine(JSON.stringify(value) ?? String(value), 60);
}
