// Marks: one environment variable by which every process of a host, a run or a command can be found
// again, however it detached itself.
import { randomBytes } from "node:crypto";

export const markVariable = "RETINUE_MARK";

let host: string | undefined;

/**
 * The mark of this process as a host: above all that it starts, and below the mark that it carries
 * itself where another host started it.
 */
export function hostMark(): string {
  const carried = process.env[markVariable];
  host ??= carried !== undefined && isMark(carried) ? `${carried}:${word()}` : word();
  return host;
}

/**
 * A new mark below `parent`; a mark covers itself and everything below it (`a1:b2` covers
 * `a1:b2:c3`).
 */
export function newMark(parent: string = hostMark()): string {
  return `${parent}:${word()}`;
}

const word = (): string => randomBytes(6).toString("hex");

/** Marks reach a regular expression and a shell: nothing but hex digits and colons. */
export const isMark = (value: string): boolean => /^[0-9a-f]+(?::[0-9a-f]+)*$/.test(value);

export const covers = (mark: string, other: string): boolean =>
  other === mark || other.startsWith(`${mark}:`);
