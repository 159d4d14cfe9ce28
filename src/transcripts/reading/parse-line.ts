// Parses one line of a transcript to an object; undefined if it is none. Never throws.
import { isObject } from "../../base/data/json.ts";

export function parseLine(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
