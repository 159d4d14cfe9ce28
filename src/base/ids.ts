// Creates ids, and checks every id that becomes part of a path against a strict pattern.
import { createHash, randomUUID } from "node:crypto";

const agentIdPattern = /^a[0-9a-f]{16}$/;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Digits of a UUID that are random: Node has those at hand, single random bytes cost a call each. */
export function newAgentId(): string {
  const uuid = randomUUID();
  return `a${uuid.slice(0, 8)}${uuid.slice(9, 13)}${uuid.slice(32)}`;
}
/** The agent that a call of a run starts: the same one when the call is made once more. */
export const childAgentId = (parentRunId: string, toolUseId: string): string =>
  `a${createHash("sha256").update(`${parentRunId}\n${toolUseId}`).digest("hex").slice(0, 16)}`;
export function newUuid(): string {
  const uuid = randomUUID();
  // It comes as a tree of its pieces, ten times as large, and becomes one text when it is read.
  uuid.charCodeAt(0);
  return uuid;
}

const shortNumbers = Array.from({ length: 4_096 }, (_, number) =>
  number.toString(16).padStart(3, "0"),
);
let stem = "";
let used = shortNumbers.length;

/** For things of which there are many, such as lines: random but for its last digits, which count. */
export function nextUuid(): string {
  if (used === shortNumbers.length) {
    stem = `${randomUUID().slice(0, 24)}000000000`;
    used = 0;
  }
  return stem + shortNumbers[used++]!;
}
export const isAgentId = (value: unknown): value is string =>
  typeof value === "string" && agentIdPattern.test(value);
export const isUuid = (value: unknown): value is string =>
  typeof value === "string" && uuidPattern.test(value);
