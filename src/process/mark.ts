// Marks: an environment variable by which every process of a host, a run or a command can be found,
// also if it has detached itself.
import { randomBytes } from "node:crypto";

export const markVariable = "RETINUE_MARK";

let host: string | undefined;

/**
 * The mark of this process as a host: above everything that it starts, and below its own mark if
 * another host started it.
 */
export function hostMark(): string {
  const carried = process.env[markVariable];
  host ??= carried !== undefined && isMark(carried) ? `${carried}:${word()}` : word();
  return host;
}

/**
 * A new mark below `parent`. A mark covers itself and everything below it (`a1:b2` covers
 * `a1:b2:c3`).
 */
export function newMark(parent: string = hostMark()): string {
  return `${parent}:${word()}`;
}

/**
 * The mark of a run's processes. Its own part stands in the run's transcript as the run's id, so
 * that whoever finds the run without its host finds its processes too.
 */
export function runMark(runId: string): string {
  const part = runPart(runId);
  return part === undefined ? newMark() : `${hostMark()}:${part}`;
}

export function runPart(runId: string): string | undefined {
  const part = runId.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(part) ? part : undefined;
}

const word = (): string => randomBytes(6).toString("hex");

/**
 * Marks become part of regular expressions and shell commands: only hex digits and colons are
 * allowed.
 */
export const isMark = (value: string): boolean => /^[0-9a-f]+(?::[0-9a-f]+)*$/.test(value);

export const covers = (mark: string, other: string): boolean =>
  other === mark || other.startsWith(`${mark}:`);
