// What a run keeps open besides its spec, and what its gate and its hooks read: one object for
// every agent that runs, so it holds little.
import { letStay } from "../../process/fence/held-paths.ts";
import { factsNear } from "../../base/files/path-facts.ts";
import type { RunLog } from "../../executors/catalog.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { RequestedCall } from "../../loop/ports.ts";
import type { McpTool } from "../../mcp/mcp-tool.ts";
import type { FactsOf, McpFacts, Policy } from "../../permissions/policy.ts";
import { recordedAsker, type QuestionPlace } from "../asking/recorded-asker.ts";
import type { Approvals, Asker } from "../session/asker.ts";
import type { BeforeTool, GateParts } from "./gate.ts";
import { HookPorts, type HookParts } from "./hooks/hook-ports.ts";
import type { RunHandle } from "./run-handle.ts";
import { openOrchestrator, type Children, type Orchestrator } from "./tools/orchestrator.ts";
import type { ReportVerifier } from "./report-verifier.ts";
import { transcriptPath } from "./transcripts-on-disk.ts";
import type { Session } from "../session/session.ts";

export type RunServiceParts = {
  session: Session;
  run: RunHandle;
  notices?: HookParts["notices"];
  children?: Children | undefined;
};

const none: readonly string[] = [];
const noLog: RunLog = { record: () => undefined, signal: () => undefined };

export class RunServices implements GateParts, HookParts {
  readonly session: Session;
  readonly run: RunHandle;
  readonly facts: FactsOf;
  readonly notices: HookParts["notices"];
  /** In delegate mode: what its rules need to know of the run so far. */
  readonly guard: Orchestrator | undefined;
  log: RunLog = noLog;
  mcp: ReadonlyMap<string, McpTool> | undefined;
  /**
   * Where the run is bound by a contract: made with its tools, because it looks at the tree before
   * they are used.
   */
  verifierFor: ((log: RunLog) => ReportVerifier) | undefined;
  #verifier: ReportVerifier | undefined;
  #hooks: HookPorts | undefined;
  #approvedPaths: Map<string, readonly string[]> | undefined;
  #allowed: readonly string[] = none;
  #widened: { for: string; policy: Policy } | undefined;

  constructor({ session, run, notices, children }: RunServiceParts) {
    const { spec } = run;
    this.session = session;
    this.run = run;
    this.notices = notices;
    this.facts = factsAt(spec.place.cwd, session.home);
    this.guard =
      spec.policy.mode === "delegate"
        ? openOrchestrator({
            spec,
            transcript: transcriptPath(session, spec),
            facts: this.facts,
            children,
          })
        : undefined;
  }

  get spec(): RunSpec {
    return this.run.spec;
  }

  get agentId(): string {
    return this.spec.agentId;
  }

  get agentType(): string {
    return this.spec.agentType;
  }

  /** Also for the clean-up of other commands: what a person allowed is nobody's plant. */
  noteApproved(toolUseId: string, paths: readonly string[]): void {
    (this.#approvedPaths ??= new Map()).set(toolUseId, paths);
    letStay(paths);
  }

  approvedPaths(toolUseId: string): readonly string[] {
    return this.#approvedPaths?.get(toolUseId) ?? none;
  }

  get approvals(): Approvals {
    return this.session.approvals;
  }

  /** In the background a question waits on disk, where the settings say so. */
  get ask(): Asker | undefined {
    const { session, run } = this;
    const person = run.isBackground ? undefined : session.ask;
    if (!session.persist) return person;
    return person || this.#isWaiting ? recordedAsker(this.questions, person) : undefined;
  }

  get #isWaiting(): boolean {
    const { run, session } = this;
    return run.isBackground && session.persist && session.background.ask === "wait";
  }

  get questions(): QuestionPlace {
    const { session, log } = this;
    return {
      folder: session.paths.asks,
      secrets: session.secrets,
      waitMs: session.background.waitMs,
      onAsked: ({ id, tool, tool_use_id }) =>
        log.record({ type: "asked", toolUseId: tool_use_id, tool, question: id }),
    };
  }

  get hooks(): HookPorts {
    return (this.#hooks ??= new HookPorts(this));
  }

  /**
   * What whoever watches should know, and whoever reads the result: something runs otherwise than
   * was asked for.
   */
  tell(message: string): void {
    this.log.signal({ type: "warning", message });
    this.run.notes.push(message);
  }

  /** Allow rules that a skill brings with it. */
  allow(rules: readonly string[]): void {
    if (rules.length > 0) this.#allowed = [...this.#allowed, ...rules];
  }

  /**
   * The spec's policy with what has come to it since: rules of skills and approvals, and the
   * background. The same policy until one of them changes, because its rules are prepared once for
   * each.
   */
  policy(): Policy {
    const own = this.spec.policy;
    const { approved, hasLeftForeground: background, isRepairing: onlyLooking } = this.run;
    const always = this.approvals.rules();
    const added = this.#allowed.length + approved.length + always.length;
    if (!background && !onlyLooking && added === 0) return own;
    // The lists only grow.
    const key = `${this.#allowed.length} ${approved.length} ${always.length} ${background} ${onlyLooking}`;
    if (this.#widened?.for !== key) {
      const rules = {
        ...own.rules,
        allow: [...own.rules.allow, ...this.#allowed, ...approved, ...always],
      };
      this.#widened = {
        for: key,
        policy: {
          ...own,
          ...(onlyLooking ? { mode: "plan" as const } : {}),
          background: own.background || (background && !this.#isWaiting),
          rules,
        },
      };
    }
    return this.#widened.policy;
  }

  mcpFacts(tool: string): McpFacts | undefined {
    const found = this.mcp?.get(tool);
    return found && { readOnly: found.readOnly, changed: found.mcp.hasChanged() };
  }

  beforeTool(call: RequestedCall, signal: AbortSignal): Promise<BeforeTool> | undefined {
    return this.hooks.beforeTool(call, signal);
  }

  answerInstead(call: RequestedCall, signal: AbortSignal): Promise<"allow" | "deny" | undefined> {
    return this.hooks.answerInstead(call, signal);
  }

  notifyQuestion(call: RequestedCall, signal: AbortSignal): Promise<void> {
    return this.hooks.notifyQuestion(call, signal);
  }

  whileAsking<T>(answer: Promise<T>): Promise<T> {
    return this.run.whileAsking(answer);
  }

  verifier(): ReportVerifier | undefined {
    return (this.#verifier ??= this.verifierFor?.(this.log));
  }
}

let latest: { cwd: string; home: string; facts: FactsOf } | undefined;

/** Most runs of a process work in one folder and share what looks at it. */
function factsAt(cwd: string, home: string): FactsOf {
  if (latest?.cwd !== cwd || latest.home !== home)
    latest = { cwd, home, facts: (path, folder) => factsNear(path, { cwd, home, folder }) };
  return latest.facts;
}
