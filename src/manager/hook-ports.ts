// The hooks of one run at the loop's seams: fired with Claude Code's input, put on record, and heard where they may decide.
import { resolve, sep } from "node:path";
import { limits } from "../base/limits.ts";
import type { RunHooks, RunLog } from "../executors/catalog.ts";
import type { RunSpec } from "../executors/run-spec.ts";
import type { HookVerdict } from "../hooks/fold-answers.ts";
import { hookInput, type HookEvent, type HookFacts, type HookFields } from "../hooks/hook-event.ts";
import type { Hook } from "../hooks/hook.ts";
import { matchHooks, runHooks } from "../hooks/run-hooks.ts";
import type { AfterTool, ToolCall } from "../loop/ports.ts";
import { sealMemory } from "../memory/read-memory.ts";
import type { ToolResult } from "../tool/tool.ts";
import type { RunOutcome } from "../events/outcome.ts";
import type { BeforeTool, GateParts } from "./gate.ts";
import type { LiveRun } from "./live-run.ts";
import { transcriptPath } from "./run-store.ts";
import type { Session } from "./session.ts";

export type FireHooks = <E extends HookEvent>(event: E, fields: HookFields[E], signal?: AbortSignal) => Promise<HookVerdict> | undefined;

export type HookPorts = Pick<GateParts, "beforeTool" | "answerInstead"> & RunHooks;

/** Whom the hooks belong to. A main thread has no live run; its mail are notices about finished agents. */
export type HookParts = { session: Session; spec: RunSpec; log: RunLog; live?: LiveRun | undefined; notices?: (() => string[]) | undefined };

/** Fires an event for this run; undefined when no hook listens, which costs nothing. */
export function hookFirer({ session, spec, log, live }: HookParts): FireHooks {
  const facts: HookFacts = {
    sessionId: session.id,
    transcriptPath: session.paths.main,
    cwd: spec.cwd,
    permissionMode: typeof spec.policy["mode"] === "string" ? spec.policy["mode"] : "default",
    ...(spec.isMain ? {} : { agentId: spec.agentId, agentType: spec.agentType }),
  };
  const run = async (event: HookEvent, input: ReturnType<typeof hookInput>, { hooks, signal }: { hooks: Hook[]; signal: AbortSignal | undefined }): Promise<HookVerdict> => {
    const verdict = await runHooks({ input, hooks, projectDir: session.root, environment: { ...session.env }, settingsEnv: session.settingsEnv, ...(signal ? { signal } : {}) });
    for (const { hook, outcome, durationMs, detail } of verdict.runs) log.record({ type: "hook-end", event, hook, outcome, durationMs: Math.round(durationMs), ...(detail === undefined ? {} : { detail }) });
    for (const message of [...verdict.warnings, ...verdict.systemMessages]) log.signal({ type: "warning", message });
    return verdict;
  };
  return (event, fields, signal = live?.signal) => {
    const hooks = session.hooks.hooksFor(spec.agentId);
    if (hooks.length === 0) return undefined;
    const input = hookInput(event, facts, fields);
    return matchHooks(hooks, input).length === 0 ? undefined : run(event, input, { hooks, signal });
  };
}

export function createHookPorts(parts: HookParts): HookPorts {
  const { session, spec } = parts;
  const fire = hookFirer(parts);
  return {
    inbox: mailOf(parts, fire),
    atEnd: (outcome) => tellEnd(parts, outcome, fire),
    beforeTool: (call, signal) => fire("PreToolUse", toolFields(call), signal)?.then(beforeTool),
    async answerInstead(call, signal) {
      const verdict = await fire("PermissionRequest", toolFields(call), signal);
      return verdict?.behavior === "allow" || verdict?.behavior === "deny" ? verdict.behavior : undefined;
    },
    afterTool: (call, result) => {
      if (!result.isError) sealOwnWrite(session, spec, call);
      return afterTool(fire, call, result);
    },
    beforeEnd: endObjector(parts, fire),
    async beforeCompact(trigger) {
      return (await fire("PreCompact", { trigger }))?.additionalContext.join("\n") || undefined;
    },
    async afterCompact(summary) {
      await fire("PostCompact", { trigger: "auto", summary });
    },
  };
}

const toolFields = ({ tool, input, toolUseId }: ToolCall) => ({ tool_name: tool, tool_input: input, tool_use_id: toolUseId });

function beforeTool({ behavior, reason, updatedInput, stop }: HookVerdict): BeforeTool {
  const denied = stop === undefined ? behavior : "deny";
  const words = stop ?? reason;
  return { ...(denied ? { verdict: { behavior: denied, ...(words === undefined ? {} : { reason: words }) } } : {}), ...(updatedInput ? { input: updatedInput } : {}) };
}

/** What the agent itself wrote into its memory is its own from here on; what others write there is not. */
function sealOwnWrite(session: Session, spec: RunSpec, { tool, input }: ToolCall): void {
  const path = input["file_path"];
  if (spec.memoryDir === undefined || (tool !== "Write" && tool !== "Edit") || typeof path !== "string") return;
  if (resolve(spec.cwd, path).startsWith(spec.memoryDir + sep)) sealMemory(spec.memoryDir, session.configDir);
}

function afterTool(fire: FireHooks, call: ToolCall, result: ToolResult): Promise<AfterTool | undefined> | undefined {
  const fired = result.isError
    ? fire("PostToolUseFailure", { ...toolFields(call), error: typeof result.content === "string" ? result.content : JSON.stringify(result.content) })
    : fire("PostToolUse", { ...toolFields(call), tool_response: result.content });
  return fired?.then(({ behavior, reason, additionalContext }) => {
    const words = [...(behavior === "deny" && reason ? [reason] : []), ...additionalContext];
    return words.length > 0 ? { context: words.join("\n") } : undefined;
  });
}

/** What waits at the next turn. At an agent's first one that is what the SubagentStart hooks add; they cannot hold it up. */
function mailOf({ spec, live, notices }: HookParts, fire: FireHooks): NonNullable<RunHooks["inbox"]> {
  let isFirst = !spec.isMain && !spec.carried;
  return () => {
    const starting = isFirst ? fire("SubagentStart", {}) : undefined;
    isFirst = false;
    const waiting = (): string[] => [...(live?.takeMessages() ?? []), ...(notices?.() ?? [])];
    return starting ? starting.then(({ additionalContext }) => [...additionalContext, ...waiting()]) : waiting();
  };
}

/** Stop and SubagentStop: may send the agent on, a limited number of times. */
function endObjector({ session, spec, live }: HookParts, fire: FireHooks): NonNullable<RunHooks["beforeEnd"]> {
  let objections = 0;
  return async (answer) => {
    if (objections >= limits.hook.stopBlocks) return undefined;
    const active = objections > 0;
    const verdict = spec.isMain
      ? await fire("Stop", { last_assistant_message: answer, stop_hook_active: active })
      : await fire("SubagentStop", { agent_transcript_path: transcriptPath(session, spec), last_assistant_message: answer, stop_hook_active: active });
    if (verdict?.behavior !== "deny" || live?.signal.aborted) {
      if (live) live.hasToldItsEnd = true;
      return undefined;
    }
    objections += 1;
    return verdict.reason ?? "a hook wants you to go on";
  };
}

/** A stopped agent's hooks have this long: a stop is over within two seconds. */
const stoppedHooksMs = 1_000;

/** SubagentStop for every ending in which the agent was not asked: failed, stopped, out of turns. It cannot go on, so nobody listens. */
export async function tellEnd({ session, spec, live }: HookParts, outcome: RunOutcome, fire: FireHooks): Promise<void> {
  if (spec.isMain || !live || live.hasToldItsEnd) return;
  live.hasToldItsEnd = true;
  const signal = live.signal.aborted ? AbortSignal.timeout(stoppedHooksMs) : undefined;
  await fire("SubagentStop", { agent_transcript_path: transcriptPath(session, spec), last_assistant_message: outcome.content, stop_hook_active: false }, signal);
}
