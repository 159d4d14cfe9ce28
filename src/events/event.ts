// The one event union. A fact is recorded before any listener gets it; a signal is only for
// watching and is never stored.
import type { JsonObject } from "../base/data/json.ts";
import type { Message } from "../model/message.ts";
import type { FailureKind, StopReason, Usage } from "../model/model.ts";
import type { JudgedAnswer, VerificationSummary } from "./judged-answer.ts";
import type { RunOutcome } from "./outcome.ts";
import type { RunSpec } from "./run-spec.ts";

/** The origin of a message that no model wrote and no person typed. */
export type MessageOrigin =
  | "prompt"
  | "tool_results"
  | "nudge"
  | "interrupted"
  | "notification"
  | "hook"
  | "reply";

export type MessageFact = {
  type: "message";
  origin: MessageOrigin;
  message: Message;
  /** With `reply`: what the provider reported about it. */
  reply?: { id?: string; model: string; stop_reason: StopReason; usage: Usage };
  /** With `tool_results`: the tools' facts by tool_use id, for the evidence ledger. */
  toolFacts?: Record<string, JsonObject>;
};

export type Fact =
  | { type: "run-start"; spec: RunSpec }
  | MessageFact
  | {
      type: "permission-decision";
      toolUseId: string;
      tool: string;
      behavior: "allow" | "deny";
      layer: string;
      rule?: string;
      reason: string;
    }
  | {
      type: "hook-end";
      event: string;
      hook: string;
      outcome: "ok" | "blocked" | "failed" | "timeout";
      durationMs: number;
      detail?: string;
    }
  /** The conversation from here on: the summary, then the newest `kept` messages. */
  | {
      type: "compaction";
      trigger: "auto" | "overflow";
      preTokens: number;
      summary: string;
      kept: number;
    }
  | {
      type: "verification";
      result: VerificationSummary & Pick<JudgedAnswer, "report" | "content">;
    }
  /** A person is asked about a call. Without a later decision the call has not begun. */
  | { type: "asked"; toolUseId: string; tool: string; question: string }
  /** Tool calls that were open when an earlier process of this run ended. */
  | { type: "interruption"; toolUseIds: string[] }
  | { type: "run-end"; outcome: RunOutcome };

export type Signal =
  | { type: "turn-start"; turn: number }
  | { type: "reply-delta"; kind: "text" | "thinking"; text: string }
  | { type: "model-wait"; kind: FailureKind; delayMs: number; attempt: number; message?: string }
  | { type: "tool-start"; toolUseId: string; tool: string; input: unknown }
  | { type: "tool-progress"; toolUseId: string; text: string }
  | {
      type: "tool-end";
      toolUseId: string;
      tool: string;
      isError: boolean;
      summary: string;
      durationMs: number;
    }
  | { type: "warning"; message: string };

/**
 * Set by the one writer of a run. `seq` counts facts (a signal has the number of the fact before
 * it); `time` (epoch milliseconds) is for people.
 */
export type Stamp = { agentId: string; runId: string; seq: number; time: number };

/** One event of a run. `type` says which; `agentId`, `runId` and `seq` say whose. */
export type RunEvent = (Fact | Signal) & Stamp;
export type RecordedFact = Fact & Stamp;

export type Listener = (event: RunEvent) => void;
