// One recorded fact as the line that stands in the transcript: Claude Code's envelope for messages, `system` lines for the rest.
import { toJson } from "../base/jsonl.ts";
import type { MessageFact, RecordedFact } from "../events/event.ts";

export type Envelope = { isSidechain: boolean; agentId?: string; userType: "external"; cwd: string; sessionId: string; version: string; gitBranch?: string };

/** What changes from line to line. `parentUuid` is the message (or boundary) that this line follows. */
export type LinePosition = { uuid: string; parentUuid: string | null; promptId: string; timestamp: string };

export type TranscriptLine = { type: string; [key: string]: unknown };

/** `boot` lets clean-up tell a file's true age when the clock has jumped. */
export type Header = { agentId: string; uuid: string; timestamp: string; boot: Boot };
export type Boot = { id: string | null; uptimeSeconds: number };

export const formatVersion = 1;

export function headerLine(envelope: Envelope, header: Header): TranscriptLine {
  const { version, ...rest } = envelope;
  return { type: "system", subtype: "retinue_session", version: formatVersion, ...rest, retinueVersion: version, ...header };
}

/** The text of a fact's line. `envelopeText` is the JSON of what is the same in every line of a file, made once: this runs at every fact. */
export function factLine(fact: RecordedFact, envelopeText: string, position: LinePosition): string {
  return `${toJson(ownPart(fact, position)).slice(0, -1)},${envelopeText.slice(1)}\n`;
}

function ownPart(fact: RecordedFact, { uuid, parentUuid, promptId, timestamp }: LinePosition): TranscriptLine {
  const { seq, runId } = fact;
  if (fact.type !== "message") return { type: "system", ...systemPart(fact, parentUuid), uuid, timestamp, seq, runId };
  const { message, reply, origin, toolFacts } = fact;
  return { type: message.role, parentUuid, promptId, message: reply ? withReply(message, reply) : message, uuid, timestamp, seq, runId, origin, toolFacts };
}

function withReply({ role, content }: MessageFact["message"], { id, model, stop_reason, usage }: NonNullable<MessageFact["reply"]>): Record<string, unknown> {
  return { id, type: "message", role, content, model, stop_reason, usage };
}

function systemPart(fact: Exclude<RecordedFact, { type: "message" }>, parentUuid: string | null): Record<string, unknown> {
  switch (fact.type) {
    case "run-start":
      return { subtype: "spawn", parentUuid, spec: fact.spec };
    case "permission-decision": {
      const { toolUseId, tool, behavior, layer, rule, reason } = fact;
      return { subtype: "permission_decision", parentUuid, toolUseId, tool, behavior, layer, rule, reason };
    }
    case "hook-end": {
      const { event, hook, outcome, durationMs, detail } = fact;
      return { subtype: "hook", parentUuid, event, hook, outcome, durationMs, detail };
    }
    case "compaction": {
      const { trigger, preTokens, kept, summary } = fact;
      // A boundary starts a new chain; viewers that know it look for the old one in logicalParentUuid.
      return { subtype: "compact_boundary", parentUuid: null, logicalParentUuid: parentUuid, content: "Conversation compacted", compactMetadata: { trigger, preTokens, kept }, summary };
    }
    case "verification":
      return { subtype: "verification", parentUuid, result: fact.result };
    case "interruption":
      return { subtype: "interrupted", parentUuid, toolUseIds: fact.toolUseIds };
    default:
      return { subtype: "run_end", parentUuid, outcome: fact.outcome };
  }
}
