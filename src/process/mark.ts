// Marks: one environment variable by which every process of a host, a run or a command can be found again, however it detached itself.
import { randomBytes } from "node:crypto";

export const markVariable = "RETINUE_MARK";

/** A new mark below `parent`; a mark covers itself and everything below it (`a1:b2` covers `a1:b2:c3`). Without a parent it lies below the mark this process carries, if any. */
export function newMark(parent: string | undefined = process.env[markVariable]): string {
  const own = randomBytes(6).toString("hex");
  return parent !== undefined && isMark(parent) ? `${parent}:${own}` : own;
}

/** Marks reach a regular expression and a shell: nothing but hex digits and colons. */
export const isMark = (value: string): boolean => /^[0-9a-f]+(?::[0-9a-f]+)*$/.test(value);

export const covers = (mark: string, other: string): boolean => other === mark || other.startsWith(`${mark}:`);
