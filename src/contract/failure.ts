// What an agent says about its own failure, as data: what blocks it, what would remove that, and
// the error that ended its work. A failure in an unusual form is still read as a failure.
import * as z from "zod";
import { isObject } from "../base/data/json.ts";

const words = z.string().max(10_000);

export const blockerSchema = z.object({
  description: words,
  resolution: words.nullable().default(null),
});
export type Blocker = z.output<typeof blockerSchema>;

/** `recoverable`: whether another try may succeed; null where that is not said. */
export const errorDetailsSchema = z.object({
  type: words.nullable().default(null),
  message: words.nullable().default(null),
  occurredAt: words.nullable().default(null),
  recoverable: z.boolean().nullable().default(null),
});
export type ErrorDetails = z.output<typeof errorDetailsSchema>;

export type Failure = { blockers?: Blocker[]; error?: ErrorDetails };

/** From the fields `blockers` and `error` of a response; what has no form at all is left out. */
export function readFailure(response: Readonly<Record<string, unknown>>): Failure {
  const given = response["blockers"];
  const blockers = (Array.isArray(given) ? given : [given]).flatMap(readBlocker).slice(0, 100);
  const error = readError(response["error"]);
  return { ...(blockers.length > 0 ? { blockers } : {}), ...(error ? { error } : {}) };
}

function readBlocker(value: unknown): Blocker[] {
  if (typeof value === "string")
    return isSaid(value) ? [{ description: value.trim(), resolution: null }] : [];
  if (!isObject(value)) return [];
  const description = firstText(value, ["description", "blocker", "issue", "title", "reason"]);
  if (description === null) return [];
  return [{ description, resolution: firstText(value, ["resolution", "needs", "needed"]) }];
}

function readError(value: unknown): ErrorDetails | undefined {
  if (typeof value === "string" && isSaid(value))
    return { type: null, message: value.trim(), occurredAt: null, recoverable: null };
  if (!isObject(value)) return undefined;
  const error = {
    type: firstText(value, ["type", "name", "code"]),
    message: firstText(value, ["message", "reason"]),
    occurredAt: firstText(value, ["occurredAt", "occurred_at", "at", "step"]),
    recoverable: readYesNo(value["recoverable"]),
  };
  return Object.values(error).some((part) => part !== null) ? error : undefined;
}

/** A yes or no, as data or as a word; null for anything else. */
export function readYesNo(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  const word =
    typeof value === "string" ? /^\W*(true|yes|false|no)\b/i.exec(value)?.[1] : undefined;
  return word === undefined ? null : /true|yes/i.test(word);
}

function firstText(
  value: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): string | null {
  const found = keys.map((key) => value[key]).find((one) => typeof one === "string" && isSaid(one));
  return typeof found === "string" ? found.trim().slice(0, 10_000) : null;
}

const isSaid = (text: string): boolean => !/^(?:none|n\/?a|null|-)?\.?$/i.test(text.trim());

/** In one sentence each, for a person. */
export const blockerWords = ({ description, resolution }: Blocker): string =>
  resolution === null ? description : `${description} (what is needed: ${resolution})`;

export function errorWords({ type, message, occurredAt }: ErrorDetails): string {
  const what = [type, message].filter((part) => part !== null).join(": ");
  return `${what || "an error"}${occurredAt === null ? "" : ` at ${occurredAt}`}`;
}
