// Writes one recorded fact as a line of the transcript: messages in Claude Code's envelope, the
// rest as `system` lines.
import { toJson } from "../base/data/jsonl.ts";
import type { MessageFact, RecordedFact } from "../events/event.ts";
import { maskedJson, maskedOnce } from "./masked-json.ts";

export type Envelope = {
  isSidechain: boolean;
  agentId?: string;
  userType: "external";
  cwd: string;
  sessionId: string;
  version: string;
  gitBranch?: string;
};

/**
 * What differs from line to line, with repeated parts prepared as text. `parent`: JSON of the uuid
 * of the message (or boundary) before this line, or `null`. `end`: closes every line of a run.
 * `secrets`: literal values that no line may contain.
 */
export type LinePosition = {
  uuid: string;
  parent: string;
  promptId: string;
  end: string;
  secrets: readonly string[];
};

export type TranscriptLine = { type: string; [key: string]: unknown };

/** `boot` lets the clean-up find a file's true age after the clock was changed. */
export type Header = { agentId: string; uuid: string; timestamp: string; boot: Boot };
export type Boot = { id: string | null; uptimeSeconds: number };

export const formatVersion = 1;

export function headerLine(
  envelope: Envelope,
  { agentId, uuid, timestamp, boot }: Header,
): TranscriptLine {
  const { isSidechain, userType, cwd, sessionId, version, gitBranch } = envelope;
  return {
    type: "system",
    subtype: "retinue_session",
    version: formatVersion,
    isSidechain,
    agentId,
    userType,
    cwd,
    sessionId,
    gitBranch,
    retinueVersion: version,
    uuid,
    timestamp,
    boot,
  };
}

/** What is the same in every line of a run. */
export const lineEnd = (runId: string, envelope: Envelope): string =>
  `,${toJson({ runId, ...envelope }).slice(1)}\n`;

/**
 * The line of a fact with its secrets masked. This runs for every fact: parts that need no escaping
 * are inserted as they are.
 */
export function factLine(
  fact: RecordedFact,
  { uuid, parent, promptId, end, secrets }: LinePosition,
): string {
  const place = `"uuid":"${uuid}","timestamp":"${isoTime(fact.time)}","seq":${fact.seq}`;
  if (fact.type !== "message")
    return `{"type":"system",${systemPart(fact, parent, secrets)},${place}${end}`;
  const { message, reply, origin, toolFacts } = fact;
  const facts =
    toolFacts === undefined
      ? ""
      : isEmpty(toolFacts)
        ? ',"toolFacts":{}'
        : `,"toolFacts":${toJson(maskedOnce(toolFacts, secrets))}`;
  const body = maskedJson(reply ? withReply(message, reply) : message, secrets);
  const head = `{"type":"${message.role}","parentUuid":${parent},"promptId":"${promptId}"`;
  return `${head},"message":${body},${place},"origin":"${origin}"${facts}${end}`;
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

let second = Number.NaN;
let untilSecond = "";

/** Like Date.toISOString; most lines of a run share their second. */
export function isoTime(time: number): string {
  const whole = Math.trunc(time);
  const at = Math.floor(whole / 1_000);
  if (at !== second) {
    untilSecond = new Date(at * 1_000).toISOString().slice(0, -4);
    second = at;
  }
  const milliseconds = whole - at * 1_000;
  return `${untilSecond}${milliseconds < 10 ? "00" : milliseconds < 100 ? "0" : ""}${milliseconds}Z`;
}

function withReply(
  { role, content }: MessageFact["message"],
  { id, model, stop_reason, usage }: NonNullable<MessageFact["reply"]>,
): Record<string, unknown> {
  return { id, type: "message", role, content, model, stop_reason, usage };
}

function systemPart(
  fact: Exclude<RecordedFact, { type: "message" }>,
  parent: string,
  secrets: readonly string[],
): string {
  const { subtype, ...own } = systemFields(fact);
  const parents =
    fact.type === "compaction"
      ? `"parentUuid":null,"logicalParentUuid":${parent}`
      : `"parentUuid":${parent}`;
  const text = maskedJson(own, secrets);
  return `"subtype":"${subtype}",${parents}${text === "{}" ? "" : `,${text.slice(1, -1)}`}`;
}

function systemFields(fact: Exclude<RecordedFact, { type: "message" }>): {
  subtype: string;
  [field: string]: unknown;
} {
  switch (fact.type) {
    case "run-start":
      return { subtype: "spawn", spec: fact.spec };
    case "permission-decision": {
      const { toolUseId, tool, behavior, layer, rule, reason } = fact;
      return { subtype: "permission_decision", toolUseId, tool, behavior, layer, rule, reason };
    }
    case "hook-end": {
      const { event, hook, outcome, durationMs, detail } = fact;
      return { subtype: "hook", event, hook, outcome, durationMs, detail };
    }
    case "compaction": {
      // A boundary starts a new chain; viewers that know boundaries find the old chain in
      // logicalParentUuid.
      const { trigger, preTokens, kept, summary } = fact;
      return {
        subtype: "compact_boundary",
        content: "Conversation compacted",
        compactMetadata: { trigger, preTokens, kept },
        summary,
      };
    }
    case "verification":
      return { subtype: "verification", result: fact.result };
    case "asked": {
      const { toolUseId, tool, question } = fact;
      return { subtype: "asked", toolUseId, tool, question };
    }
    case "interruption":
      return { subtype: "interrupted", toolUseIds: fact.toolUseIds };
    default:
      return { subtype: "run_end", outcome: fact.outcome };
  }
}
