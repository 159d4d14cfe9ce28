// Creates ids, and checks every id that becomes part of a path against a strict pattern.
import { randomBytes, randomUUID } from "node:crypto";

const agentIdPattern = /^a[0-9a-f]{16}$/;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const newAgentId = (): string => `a${randomBytes(8).toString("hex")}`;
export const newUuid = (): string => randomUUID();
export const isAgentId = (value: unknown): value is string =>
  typeof value === "string" && agentIdPattern.test(value);
export const isUuid = (value: unknown): value is string =>
  typeof value === "string" && uuidPattern.test(value);
