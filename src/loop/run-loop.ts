// The one loop: ask the model, run its tool calls, ask again, until it answers or a limit is
// reached. It always resolves with an outcome.
import { limits } from "../base/limits.ts";
import type { RunOutcome } from "../events/outcome.ts";
import {
  textOf,
  toolUsesOf,
  withText,
  type AssistantBlock,
  type Message,
} from "../model/message.ts";
import { isCut, type Reply } from "../model/model.ts";
import { countedReply, needsCompaction, askModel, shorten } from "./ask-model.ts";
import {
  brokenOff,
  emptyReply,
  lastText,
  providerFailure,
  refused,
  stopped,
  type End,
} from "./ends.ts";
import type { LoopSpec } from "./ports.ts";
import { repeatedFailure } from "./repeat-guard.ts";
import { newRun, type LoopWorld, type Run } from "./run.ts";
import { runOpenCalls } from "./run-open-calls.ts";
import { refuse, runTools, type ToolRound } from "./run-tools.ts";
import { metricsOf, spentLimit } from "./tally.ts";

/**
 * Continues `messages`, which must end with a user message that is already recorded, or with a
 * reply whose open calls `world` names.
 */
export async function runLoop(
  spec: LoopSpec,
  messages: readonly Message[],
  world: LoopWorld,
): Promise<RunOutcome> {
  const run = newRun(spec, messages, world);
  let end: End | undefined;
  try {
    end = await finishReply(run, world.open);
    // One function for all turns: a function per turn would stay in memory for each of a thousand
    // waiting agents.
    while (!end) {
      const early = tooLate(run) ?? takeMail(run);
      end = early instanceof Promise ? await early : early;
      if (end) break;
      run.ports.signal?.({ type: "turn-start", turn: run.tally.turns + 1 });
      if (needsCompaction(run)) await shorten(run, "auto");
      let asked = await askModel(run);
      if (!asked.ok && asked.failure.kind === "overflow" && !run.signal.aborted) {
        await shorten(run, "overflow");
        asked = await askModel(run);
      }
      if (!asked.ok) {
        end = run.signal.aborted ? stopped(run) : providerFailure(run, asked.failure);
        break;
      }
      const reply = countedReply(run, asked.reply);
      recordReply(run, reply);
      const uses = toolUsesOf(reply.content);
      if (reply.stop_reason === "refusal") end = refused(reply);
      else if (uses.length === 0) end = await withoutTools(run, reply);
      else end = await afterTools(run, await runTools(uses, reply, run));
    }
  } catch (error) {
    end = brokenOff(run, error);
  }
  return {
    ...end,
    metrics: metricsOf(run.tally, run.ports.now()),
    permission_denials: run.tally.denials,
  };
}

/** First the open calls of the last reply, then what the run is told now. */
async function finishReply(run: Run, open: LoopWorld["open"]): Promise<End | undefined> {
  if (!open) return undefined;
  const end = await afterTools(run, await runOpenCalls(run, open.unbegun));
  if (!end) say(run, open.prompt, "prompt");
  return end;
}

function tooLate(run: Run): End | undefined {
  if (run.signal.aborted) return stopped(run);
  const spent = spentLimit(run.tally, run.spec);
  return spent && { state: "failed", ...spent, content: lastText(run) };
}

/**
 * Adds the messages that arrived since the last turn, and checks whether the run continues, and in
 * this process. Synchronous if there is nothing to wait for.
 */
function takeMail(run: Run): End | undefined | Promise<End | undefined> {
  const mail = run.ports.hooks?.inbox?.() ?? [];
  if (!Array.isArray(mail)) return mail.then((texts) => sayAll(run, texts));
  return sayAll(run, mail);
}

function sayAll(run: Run, texts: readonly string[]): End | undefined | Promise<End | undefined> {
  const ended = run.ports.hooks?.ended?.();
  if (ended !== undefined)
    return { state: "stopped", reason: "cancelled", error: ended, content: lastText(run) };
  for (const text of texts) say(run, text, "notification");
  // Asked after the new messages are recorded, and not in the middle of an answer in pieces: its
  // beginning is only in memory.
  const moving = run.answer === "" ? run.ports.hooks?.isMoving?.() : undefined;
  const moved = (isSo: boolean | undefined): End | undefined =>
    isSo ? { state: "stopped", reason: "moved", content: lastText(run) } : undefined;
  return moving instanceof Promise ? moving.then(moved) : moved(moving);
}

/** A tool's answer is the run's answer. Returns at once if no tool gave one. */
function afterTools(run: Run, round: ToolRound): End | undefined | Promise<End | undefined> {
  // Text that was cut before a tool call is not the beginning of the answer.
  run.answer = "";
  run.nudges.cut = 0;
  run.ports.record({
    type: "message",
    origin: "tool_results",
    message: round.message,
    toolFacts: round.facts,
  });
  run.messages.push(round.message);
  if (run.signal.aborted) return stopped(run);
  const repeated = repeatedFailure(run.guard, round.failedCalls);
  if (repeated === undefined)
    return round.answer === undefined ? undefined : answered(run, round.answer);
  return {
    state: "failed",
    reason: wasDenied(run, round) ? "permission" : "error",
    error: repeated,
    content: lastText(run),
  };
}

/** The newest denial belongs to this round: a rule stopped the run, not a fault. */
function wasDenied({ tally }: Run, { message }: ToolRound): boolean {
  const id = tally.denials.at(-1)?.tool_use_id;
  return (
    id !== undefined &&
    Array.isArray(message.content) &&
    message.content.some((block) => block.type === "tool_result" && block.tool_use_id === id)
  );
}

/**
 * A reply without tool calls is the answer, unless it is empty, cut or paused, or someone objects.
 */
async function withoutTools(run: Run, reply: Reply): Promise<End | undefined> {
  const text = textOf(reply.content);
  if (reply.stop_reason === "pause_turn") return undefined;
  if (isCut(reply)) {
    run.answer += text;
    if (run.nudges.cut === limits.run.cutReplies)
      return {
        state: "failed",
        reason: "error",
        error: `the answer was cut at the output limit ${limits.run.cutReplies + 1} times`,
        content: run.answer,
      };
    run.nudges.cut += 1;
    say(
      run,
      "Your reply was cut at the output limit. Continue exactly where it stopped, without repeating anything.",
      "nudge",
    );
    return undefined;
  }
  return text.trim() === "" ? nudgeOnce(run) : answered(run, run.answer + text);
}

/** Ends the run with this answer, unless someone objects. */
async function answered(run: Run, answer: string): Promise<End | undefined> {
  const held = await heldBack(run);
  const check =
    held === undefined
      ? await run.ports.hooks?.beforeEnd?.(answer, {
          isLast: spentLimit(run.tally, run.spec) !== undefined,
          metrics: metricsOf(run.tally, run.ports.now()),
        })
      : undefined;
  const objection = held ?? check?.objection;
  if (check?.mail) {
    run.answer = "";
    for (const text of check.mail) say(run, text, "notification");
    return undefined;
  }
  if (objection === undefined)
    return {
      state: "completed",
      content: answer,
      ...(check?.judged ? { judged: check.judged } : {}),
    };
  run.answer = "";
  say(run, objection, "hook");
  return undefined;
}

/**
 * An empty reply gets one more chance. After a cut the answer lacks its end, so the whole answer is
 * asked for.
 */
function nudgeOnce(run: Run): End | undefined {
  if (run.nudges.empty > 0)
    return {
      state: "failed",
      reason: "empty",
      error: "the model answered with nothing, twice",
      content: run.answer || lastText(run),
    };
  run.nudges.empty += 1;
  const wasCut = run.answer !== "";
  run.answer = "";
  say(
    run,
    wasCut
      ? "Your answer was cut at the output limit, and its continuation was empty. Give the " +
          "whole answer again, shorter."
      : "Your reply was empty. Finish the task, or say in words what keeps you from it.",
    "nudge",
  );
  return undefined;
}

/**
 * An answer that comes too early is refused like a call: recorded, listed among the denials, and
 * told to the model.
 */
async function heldBack(run: Run): Promise<string | undefined> {
  const decision = await run.ports.hooks?.gateAnswer?.(run.signal);
  if (decision?.behavior !== "deny") return undefined;
  refuse({ toolUseId: `answer-${run.tally.turns}`, tool: "answer", input: {} }, decision, run);
  return `permission denied: ${decision.reason}`;
}

function recordReply(run: Run, reply: Reply): void {
  const { id, model, stop_reason, usage } = reply;
  // Copied because arrays that grew item by item keep spare room, in every message of every run. A
  // provider rejects a history with an empty message, so an empty reply becomes a visible note.
  const told = reply.content.some(isBlank)
    ? reply.content.filter((block) => !isBlank(block))
    : reply.content;
  const content = told.length > 0 ? told.slice() : [{ type: "text" as const, text: emptyReply }];
  const message: Message = { role: "assistant", content };
  run.ports.record({
    type: "message",
    origin: "reply",
    message,
    reply: { id, model, stop_reason, usage },
  });
  run.messages.push(message);
}

const isBlank = (block: AssistantBlock): boolean =>
  block.type === "text" && block.text.trim() === "";

function say(run: Run, text: string, origin: "prompt" | "nudge" | "notification" | "hook"): void {
  const last = run.messages.at(-1);
  const message: Message = { role: "user", content: text };
  run.ports.record({ type: "message", origin, message });
  if (last?.role === "user") run.messages[run.messages.length - 1] = withText(last, text);
  else run.messages.push(message);
}
