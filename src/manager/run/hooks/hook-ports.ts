// The hooks of one run at the loop's seams: fired with Claude Code's input, put on record, and
// heard where they may decide.
import { isObject, type JsonObject } from "../../../base/data/json.ts";
import { limits } from "../../../base/limits.ts";
import { isMcpToolName } from "../../../base/tool-names.ts";
import type { RunHooks } from "../../../executors/catalog.ts";
import type { FoldedAnswers } from "../../../hooks/fold-answers.ts";
import type {
  AfterTool,
  AnswerCheck,
  AnswerMoment,
  GateDecision,
  RequestedCall,
} from "../../../loop/ports.ts";
import type { ToolResult } from "../../../tool/tool.ts";
import type { RunOutcome } from "../../../events/outcome.ts";
import { afterTool, beforeTool, sealOwnWrite, toldAfter, toolFields } from "./tool-fields.ts";
import { fire, hasHooks, type FiringParts } from "./fire.ts";
import type { BeforeTool, GateParts } from "../gate.ts";
import type { ReportVerifier } from "../report-verifier.ts";
import type { Opening } from "../run-handle.ts";
import type { Orchestrator } from "../tools/orchestrator.ts";
import { transcriptPath } from "../transcripts-on-disk.ts";

/** Whom the hooks belong to. */
export type HookParts = FiringParts & {
  /** News for a main thread: agents that have finished. */
  notices?: (() => string[]) | undefined;
  /** In delegate mode. */
  guard?: Orchestrator | undefined;
  /** Checks its answer; undefined where nothing does, and before its tools are there. */
  verifier?(): ReportVerifier | undefined;
};

/**
 * The loop's and the gate's seams of one run. One object with its parts, because there is one for
 * every agent that runs.
 */
export class HookPorts
  implements RunHooks, Pick<GateParts, "beforeTool" | "answerInstead" | "notifyQuestion">
{
  readonly #parts: HookParts;
  #hasStarted: boolean;
  #objections = 0;
  /** A hook said `continue: false`. */
  #ended: string | undefined;

  constructor(parts: HookParts) {
    this.#parts = parts;
    const { isMain, carried } = parts.run.spec;
    this.#hasStarted = isMain || carried !== undefined;
  }

  /**
   * What waits at the next turn. At an agent's first one that is what the SubagentStart hooks add;
   * they cannot hold it up.
   */
  inbox(): string[] | Promise<string[]> {
    const { run, log } = this.#parts;
    const { opening } = run;
    if (opening) {
      delete run.opening;
      for (const fact of opening.facts) log.record(fact);
      return [...opening.context, ...this.#waiting()];
    }
    const starting = this.#hasStarted ? undefined : fire(this.#parts, ["SubagentStart", {}]);
    this.#hasStarted = true;
    return starting
      ? starting.then(({ additionalContext }) => [...additionalContext, ...this.#waiting()])
      : this.#waiting();
  }

  ended(): string | undefined {
    return this.#ended;
  }

  /** `continue: false` ends the run before its next turn, whatever else the hook says. */
  async #heard(fired: Promise<FoldedAnswers> | undefined): Promise<FoldedAnswers | undefined> {
    const verdict = await fired;
    if (verdict?.stop !== undefined) this.#ended ??= `a hook ended the run: ${verdict.stop}`;
    return verdict;
  }

  #waiting(): string[] {
    const { run, notices } = this.#parts;
    const mail = run.takeMessages();
    const news = notices?.() ?? nothing;
    return news.length === 0 ? mail : [...mail, ...news];
  }

  /** In the background there are no MCP tools. */
  withheld(): ((tool: string) => boolean) | undefined {
    const { run, session } = this.#parts;
    return run.hasLeftForeground && !session.background.mcp ? isMcpToolName : undefined;
  }

  isMoving(): boolean | Promise<boolean> {
    return this.#parts.run.isMoving();
  }

  beforeTool(call: RequestedCall, signal: AbortSignal): Promise<BeforeTool> | undefined {
    if (!hasHooks(this.#parts)) return undefined;
    if (this.#ended !== undefined)
      return Promise.resolve({ verdict: { behavior: "deny", reason: this.#ended } });
    const fired = fire(this.#parts, ["PreToolUse", toolFields(call)], signal);
    return fired && this.#heard(fired).then((verdict) => beforeTool(verdict!));
  }

  async answerInstead(
    call: RequestedCall,
    signal: AbortSignal,
  ): Promise<"allow" | "deny" | undefined> {
    const verdict = await this.#heard(
      fire(this.#parts, ["PermissionRequest", toolFields(call)], signal),
    );
    if (verdict?.stop !== undefined) return "deny";
    return verdict?.behavior === "allow" || verdict?.behavior === "deny"
      ? verdict.behavior
      : undefined;
  }

  async notifyQuestion({ tool }: RequestedCall, signal: AbortSignal): Promise<void> {
    await this.#heard(
      fire(
        this.#parts,
        [
          "Notification",
          {
            message: `Your permission is needed to use ${tool}`,
            notification_type: "permission_prompt",
          },
        ],
        signal,
      ),
    );
  }

  afterTool(call: RequestedCall, result: ToolResult): Promise<AfterTool | undefined> | undefined {
    if (!result.isError) sealOwnWrite(this.#parts.session, this.#parts.run.spec, call);
    this.#parts.guard?.noteResult(call, result);
    const fired = hasHooks(this.#parts) ? afterTool(this.#parts, call, result) : undefined;
    return fired && this.#heard(fired).then((verdict) => toldAfter(verdict!));
  }

  /** An orchestrator's answer waits for its agents. */
  async gateAnswer(signal: AbortSignal): Promise<GateDecision | undefined> {
    return this.#parts.guard?.gateAnswer(signal);
  }

  /** The report is put right first; a Stop hook sees what the parent will see. */
  async beforeEnd(answer: string, at: AnswerMoment): Promise<AnswerCheck> {
    // A message that came during the last reply is not lost: the agent reads it, then answers.
    const mail = at.isLast ? nothing : this.#parts.run.takeMessages();
    if (mail.length > 0) return { mail };
    const check = (await this.#parts.verifier?.()?.beforeEnd(answer, at)) ?? {};
    if (check.objection !== undefined) return check;
    const objection = await this.#objection(answer);
    return objection === undefined ? check : { objection };
  }

  /** Stop and SubagentStop: may send the agent on, a limited number of times. */
  async #objection(answer: string): Promise<string | undefined> {
    if (this.#objections >= limits.hook.stopBlocks) return undefined;
    const { session, run } = this.#parts;
    const { spec } = run;
    const told = { last_assistant_message: answer, stop_hook_active: this.#objections > 0 };
    const verdict = spec.isMain
      ? await fire(this.#parts, ["Stop", told])
      : await fire(this.#parts, [
          "SubagentStop",
          { agent_transcript_path: transcriptPath(session, spec), ...told },
        ]);
    if (verdict?.behavior !== "deny" || verdict.stop !== undefined || run.signal.aborted) {
      run.hasToldItsEnd = true;
      return undefined;
    }
    this.#objections += 1;
    return verdict.reason ?? "a hook wants you to go on";
  }

  async beforeCompact(trigger: "auto" | "overflow"): Promise<string | undefined> {
    return (
      (await this.#heard(fire(this.#parts, ["PreCompact", { trigger }])))?.additionalContext.join(
        "\n",
      ) || undefined
    );
  }

  async afterCompact(trigger: "auto" | "overflow", summary: string): Promise<void> {
    await this.#heard(fire(this.#parts, ["PostCompact", { trigger, summary }]));
  }

  atEnd(outcome: RunOutcome): Promise<void> {
    return tellEnd(this.#parts, outcome);
  }

  memory(): JsonObject {
    const { run } = this.#parts;
    const report = this.#parts.verifier?.()?.memory?.();
    return {
      hasStarted: this.#hasStarted,
      objections: this.#objections,
      hasToldItsEnd: run.hasToldItsEnd,
      approved: [...run.approved],
      ...(this.#ended === undefined ? {} : { ended: this.#ended }),
      ...(run.opening ? { opening: run.opening as unknown as JsonObject } : {}),
      ...(report ? { report } : {}),
    };
  }

  /** What it had in mind in the process that ran it before. */
  remember(memory: JsonObject): void {
    const { hasStarted, objections, hasToldItsEnd, approved, ended, opening, report } = memory;
    const { run } = this.#parts;
    const rules = Array.isArray(approved) ? approved.map(String) : [];
    run.approved.push(...rules.filter((rule) => !run.approved.includes(rule)));
    this.#hasStarted = hasStarted === true;
    this.#objections = Number(objections) || 0;
    this.#ended = typeof ended === "string" ? ended : undefined;
    run.hasToldItsEnd = hasToldItsEnd === true;
    if (isObject(opening)) run.opening = opening as unknown as Opening;
    else delete run.opening;
    if (isObject(report)) this.#parts.verifier?.()?.remember?.(report);
  }

  recallTool(call: RequestedCall, result: ToolResult): void {
    this.#parts.guard?.noteResult(call, result);
  }
}

const nothing: string[] = [];

/** A stopped agent's hooks have this long: a stop is over within two seconds. */
export const stoppedHooksMs = 1_000;

/**
 * SubagentStop for every ending in which the agent was not asked: failed, stopped, out of turns. It
 * cannot go on, so nobody listens.
 */
export async function tellEnd(parts: HookParts, outcome: RunOutcome): Promise<void> {
  const { session, run } = parts;
  const { spec } = run;
  if (spec.isMain || run.hasToldItsEnd) return;
  run.hasToldItsEnd = true;
  const signal = run.signal.aborted ? AbortSignal.timeout(stoppedHooksMs) : undefined;
  await fire(
    parts,
    [
      "SubagentStop",
      {
        agent_transcript_path: transcriptPath(session, spec),
        last_assistant_message: outcome.content,
        stop_hook_active: false,
      },
    ],
    signal,
  );
}
