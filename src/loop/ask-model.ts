// Asks the model for the next reply, counts the reply, and decides when the conversation must be
// shortened first.
import { limits } from "../base/limits.ts";
import {
  totalTokens,
  type ModelCall,
  type ModelRequest,
  type ModelResult,
  type Reply,
  type ToolSchema,
} from "../model/model.ts";
import type { AssistantBlock, Message } from "../model/message.ts";
import { compact, estimateMessageTokens } from "./compact.ts";
import type { Run } from "./run.ts";
import { countReply } from "./tally.ts";

export function askModel(run: Run): Promise<ModelResult> {
  const { spec, ports } = run;
  const request: ModelRequest = {
    system: spec.system,
    messages: run.messages,
    tools: offered(run),
    maxOutputTokens: spec.window.maxOutputTokens,
  };
  if (spec.effort) request.effort = spec.effort;
  if (spec.webSearch) request.webSearch = true;
  return ports.send(request, (run.call ??= modelCall(run)));
}

/** The same for all turns of a run. */
function modelCall(run: Run): ModelCall {
  const { ports, signal } = run;
  const { beforeRequest } = ports;
  const onWait: ModelCall["onWait"] = (wait) => {
    run.lastError = wait.message ?? run.lastError;
    ports.signal?.({ type: "model-wait", ...wait });
  };
  if (!ports.signal) return { signal, onWait, ...(beforeRequest ? { beforeRequest } : {}) };
  return {
    signal,
    ...(beforeRequest ? { beforeRequest } : {}),
    onDelta: (delta) => {
      if (delta.kind !== "tool")
        ports.signal?.({ type: "reply-delta", kind: delta.kind, text: delta.text });
    },
    onWait,
  };
}

/** The reply with unique tool_use ids; its usage is added to the tally. */
export function countedReply(run: Run, given: Reply): Reply {
  const reply = withUsableCalls(given, run.toolUseIds);
  run.lastError = undefined;
  run.tally.turns += 1;
  countReply(run.tally, reply.usage, run.spec.price);
  run.contextTokens = totalTokens(reply.usage);
  run.measured = run.messages.length + 1;
  return reply;
}

function offered({ ports, schemas }: Run): readonly ToolSchema[] {
  const isWithheld = ports.hooks?.withheld?.();
  return isWithheld ? schemas.filter(({ name }) => !isWithheld(name)) : schemas;
}

/**
 * Whether the window is nearly full. Only messages after the provider's last count are estimated,
 * and only if their plain length could matter.
 */
export function needsCompaction(run: Run): boolean {
  if (run.messages.length < 3) return false;
  const { contextTokens, compactionPercent } = run.spec.window;
  const threshold = (contextTokens * compactionPercent) / 100;
  if (run.contextTokens + roughSize(run.messages, run.measured) < threshold) return false;
  return run.contextTokens + estimateMessageTokens(run.messages.slice(run.measured)) >= threshold;
}

/** Characters, which are never fewer than tokens. Media are left out here and counted below. */
function roughSize(messages: readonly Message[], from: number): number {
  let size = 0;
  for (let index = from; index < messages.length; index++) {
    const { content } = messages[index]!;
    if (typeof content === "string") size += content.length;
    else
      for (const block of content)
        size +=
          block.type === "tool_result" && typeof block.content === "string"
            ? block.content.length + 64
            : JSON.stringify(block).length;
  }
  return size * 1.2;
}

export async function shorten(run: Run, trigger: "auto" | "overflow"): Promise<void> {
  const preTokens = run.contextTokens + estimateMessageTokens(run.messages.slice(run.measured));
  const shorter = await compact(run.messages, { trigger, preTokens }, run);
  run.messages = shorter.messages;
  run.contextTokens = shorter.tokens;
  run.measured = run.messages.length;
}

/**
 * The id itself, or a free one if it is taken: an earlier process may have used the same number for
 * its own repeats.
 */
function freeId(id: string, seen: ReadonlySet<string>): string {
  let free = id;
  for (let number = seen.size; seen.has(free); number++) free = `${id}_repeat_${number}`;
  return free;
}

/**
 * A repeated tool_use id would make the history invalid, and an input that is nested too deeply
 * could not be written down: such a call gets a new id or an empty input, and an error result, and
 * does not run.
 */
function withUsableCalls(reply: Reply, seen: Set<string>): Reply {
  let repeats: Record<string, string> | undefined;
  let content: AssistantBlock[] | undefined;
  for (const [index, block] of reply.content.entries()) {
    if (block.type !== "tool_use") continue;
    const id = freeId(block.id, seen);
    seen.add(id);
    const isDeep = isTooDeep(block.input);
    if (id === block.id && !isDeep) continue;
    const why = isDeep
      ? `the input is nested more than ${deepestInput} levels deep`
      : `the tool_use id ${block.id} was used before`;
    repeats = { ...repeats, [id]: why };
    (content ??= [...reply.content])[index] = isDeep
      ? { ...block, id, input: {} }
      : { ...block, id };
  }
  return content
    ? { ...reply, content, invalid_inputs: { ...reply.invalid_inputs, ...repeats } }
    : reply;
}

const deepestInput = limits.run.inputDepth;

/** Level by level, because a function that calls itself would fail on just these. */
function isTooDeep(input: unknown): boolean {
  let level: unknown[] = typeof input === "object" ? [input] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestInput) return true;
    const below: unknown[] = [];
    for (const value of level)
      for (const key in value as object) {
        const item = (value as Record<string, unknown>)[key];
        if (typeof item === "object" && item !== null) below.push(item);
      }
    level = below;
  }
  return false;
}
