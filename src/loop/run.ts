// The state of a run in progress, which the files of the loop share.
import type { Message } from "../model/message.ts";
import type { ModelCall, ToolSchema } from "../model/model.ts";
import type { LoopPorts, LoopSpec } from "./ports.ts";
import { newRepeatGuard, type RepeatGuard } from "./repeat-guard.ts";
import { newTally, type Tally } from "./tally.ts";
import { toolSchemas } from "./tool-schemas.ts";

export type Run = {
  spec: LoopSpec;
  ports: LoopPorts;
  signal: AbortSignal;
  /** The schemas of its tools, for the model. */
  schemas: readonly ToolSchema[];
  messages: Message[];
  /** The ids of all tool calls in this conversation. */
  toolUseIds: Set<string>;
  /**
   * Tokens of the first `measured` messages: the provider's count or, after a compaction, an
   * estimate.
   */
  contextTokens: number;
  measured: number;
  tally: Tally;
  guard: RepeatGuard;
  /** The text of replies that were cut and continued. */
  answer: string;
  nudges: { empty: number; cut: number };
  /** What the model is told besides the request; made for the first turn. */
  call?: ModelCall;
  /** The provider's last error, while the model has not answered since. */
  lastError?: string | undefined;
};

/** `usedIds` are ids of calls that a summary has removed from the messages. */
export type LoopWorld = {
  ports: LoopPorts;
  signal: AbortSignal;
  usedIds?: ReadonlySet<string>;
  /** The last reply has open calls, some of which have not begun; `prompt` comes after them. */
  open?: { unbegun: ReadonlySet<string>; prompt: string };
};

export function newRun(
  spec: LoopSpec,
  messages: readonly Message[],
  { ports, signal, usedIds }: LoopWorld,
): Run {
  const toolUseIds = new Set<string>(usedIds);
  for (const message of messages) {
    if (message.role === "assistant")
      for (const block of message.content) if (block.type === "tool_use") toolUseIds.add(block.id);
  }
  return {
    spec,
    ports,
    signal,
    schemas: toolSchemas(ports.tools),
    messages: [...messages],
    toolUseIds,
    contextTokens: 0,
    measured: 0,
    tally: newTally(ports.now(), spec.carried),
    guard: newRepeatGuard(),
    answer: "",
    nudges: { empty: 0, cut: 0 },
  };
}
