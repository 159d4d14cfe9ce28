// One line of a transcript as an object, or nothing: what a line holds is never a reason to throw.
import { isObject } from "../../base/data/json.ts";

export function parseLine(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
