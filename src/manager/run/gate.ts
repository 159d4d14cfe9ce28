// The gate of one run: hooks first, then the policy, then a person where there is one. Whatever
// cannot be settled is a no with a reason.
import { resolve } from "node:path";
import { errorText } from "../../base/errors.ts";
import { absolutePath } from "../../base/files/path-facts.ts";
import type { GateDecision, LoopPorts, RequestedCall } from "../../loop/ports.ts";
import { decide } from "../../permissions/decide.ts";
import type { Decision } from "../../permissions/decision.ts";
import type { FactsOf, HookVerdict, McpFacts, Policy } from "../../permissions/policy.ts";
import { withGuard, type Refusal } from "../../permissions/orchestrator/orchestrator-guard.ts";
import { questionAbout } from "../asking/question-about.ts";
import { readAnswer } from "../asking/read-answer.ts";
import type { Approvals, Asker, nobodyToAsk } from "../session/asker.ts";
import { noJudgedPath, type JudgedPath } from "../../tool/tool.ts";
import { unlessStopped } from "./tools/unless-stopped.ts";

/** What the PreToolUse hooks said. A changed input is judged again, as if the model had sent it. */
export type BeforeTool = { verdict?: HookVerdict; input?: Record<string, unknown>; stop?: string };

export type GateParts = {
  agentId: string;
  agentType: string;
  /** Read at every call: moving a run to the background changes it. */
  policy: () => Policy;
  facts: FactsOf;
  /** What is known of an MCP server's tool: `noMcpTools` where the run has none. */
  mcpFacts: (tool: string) => McpFacts | undefined;
  /** Undefined when no hook listens. */
  beforeTool?: (call: RequestedCall, signal: AbortSignal) => Promise<BeforeTool> | undefined;
  /** PermissionRequest hooks: may answer instead of the person. */
  answerInstead?: (
    call: RequestedCall,
    signal: AbortSignal,
  ) => Promise<"allow" | "deny" | undefined>;
  /** Tells Notification hooks that a person is about to be asked. */
  notifyQuestion?: (call: RequestedCall, signal: AbortSignal) => Promise<void>;
  /**
   * The rules of an orchestrator, over what the run has done so far; `noGuard` outside of delegate
   * mode.
   */
  guard: CallGuard | typeof noGuard;
  /** Around every question: the run is `asking` as long as it is open. */
  whileAsking: <T>(answer: Promise<T>) => Promise<T>;
  /** The person; `nobodyToAsk` where there is none, and what would be asked is denied. */
  ask: Asker | typeof nobodyToAsk;
  approvals: Approvals;
  /**
   * Told which protected paths a person allowed this call to write: the sandbox leaves them open.
   */
  noteApproved(toolUseId: string, paths: readonly string[]): void;
};

export type CallGuard = {
  refuse(call: RequestedCall): Promise<Refusal | undefined>;
  /** The call is about to be made. */
  note(call: RequestedCall): void;
};

export const noGuard = undefined;

export const noMcpTools = (): undefined => undefined;

export function createGate(parts: GateParts): LoopPorts["gate"] {
  return (call, signal) => {
    const first = judge(call, parts);
    // A tool that the run does not have fires no hooks: the call never gets that far.
    if (first.decision.behavior === "deny" && first.decision.layer === "tools")
      return answered(first.decision, first);
    const hooks = parts.beforeTool?.(call, signal);
    if (hooks) return afterHooks(call, hooks, { parts, signal });
    if (parts.guard) return guarded(first, { parts, guard: parts.guard, signal });
    return first.decision.behavior === "ask"
      ? settle(first, { parts, signal }).then((settled) => answered(settled, first))
      : answered(first.decision, first);
  };
}

/** A call, the policy's word on it, and where its path led at that moment. */
type Judged = { call: RequestedCall; decision: Decision; judgedPath: JudgedPath };

/** A call that goes through is noted: the next one is judged by it. */
async function guarded(
  judged: Judged,
  { parts, guard, signal }: { parts: GateParts; guard: CallGuard; signal: AbortSignal },
): Promise<GateDecision> {
  const { call } = judged;
  const decision = withGuard(judged.decision, await guard.refuse(call));
  const answer = answered(
    decision.behavior === "ask"
      ? await settle({ ...judged, decision }, { parts, signal })
      : decision,
    judged,
  );
  if (answer.behavior === "allow") guard.note(call);
  return answer;
}

/** Hooks take time and may have changed the call or the world, so it is judged anew. */
async function afterHooks(
  call: RequestedCall,
  hooks: Promise<BeforeTool>,
  { parts, signal }: { parts: GateParts; signal: AbortSignal },
): Promise<GateDecision> {
  const { input, verdict } = await hooks;
  const changed: RequestedCall = input ? { ...call, input } : call;
  const judged = judge(changed, parts, verdict);
  const { decision } = judged;
  const answer = parts.guard
    ? await guarded(judged, { parts, guard: parts.guard, signal })
    : answered(
        decision.behavior === "ask" ? await settle(judged, { parts, signal }) : decision,
        judged,
      );
  return input ? { ...answer, input } : answer;
}

function judge(call: RequestedCall, parts: GateParts, hook?: HookVerdict): Judged {
  const mcp = parts.mcpFacts(call.tool);
  const policy = parts.policy();
  const { facts, judgedPath } = lookedUp(call, parts.facts, policy.workspace);
  const decision = decide(
    { tool: call.tool, input: call.input, ...(hook ? { hook } : {}), ...(mcp ? { mcp } : {}) },
    policy,
    facts,
  );
  return { call, decision, judgedPath };
}

/**
 * The call's path is looked up once: what is judged and what the tool may open are the same place,
 * however fast a link changes.
 */
function lookedUp(
  { tool, input }: RequestedCall,
  facts: FactsOf,
  { cwd, home }: Policy["workspace"],
): { facts: FactsOf; judgedPath: JudgedPath } {
  const path = input[tool === "Grep" || tool === "Glob" ? "path" : "file_path"];
  if (typeof path !== "string") return { facts, judgedPath: noJudgedPath };
  const written = absolutePath(path, cwd, home);
  const found = facts(written);
  return {
    facts: (other) => (other === written ? found : facts(other)),
    judgedPath: found.real,
  };
}

type Settled = Pick<Decision, "layer" | "rule" | "reason"> & { behavior: "allow" | "deny" };

async function settle(
  { call, decision, judgedPath }: Judged,
  { parts, signal }: { parts: GateParts; signal: AbortSignal },
): Promise<Settled> {
  const { layer, rule, reason } = decision;
  const because = { layer, ...(rule === undefined ? {} : { rule }) };
  const place = asItLeads(call, judgedPath);
  if (parts.approvals.has(place)) {
    parts.noteApproved(call.toolUseId, protectedPaths(call, decision, parts));
    return { behavior: "allow", ...because, reason: "approved earlier in this session" };
  }
  const instead = await parts.answerInstead?.(call, signal);
  // A hook's yes stands for the person's where nothing speaks against the call; ask rules and
  // protected paths want the person.
  const mayAnswer =
    instead === "deny" || (layer !== "ask" && layer !== "protected" && layer !== "deny");
  if (instead && mayAnswer)
    return {
      behavior: instead,
      layer: "hook",
      reason: `a PermissionRequest hook answered: ${instead}`,
    };
  if (!parts.ask || parts.policy().background)
    return { behavior: "deny", ...because, reason: `${reason}; nobody is there to be asked` };
  const answer = await askPerson({ call, decision, judgedPath }, { parts, ask: parts.ask, signal });
  const given = readAnswer(answer);
  if (given.behavior === "deny") return { behavior: "deny", ...because, reason: given.reason };
  if (given.same) parts.approvals.add(place);
  if (given.rules.length > 0) parts.approvals.allow(given.rules, given.keep);
  parts.noteApproved(call.toolUseId, protectedPaths(call, decision, parts));
  return { behavior: "allow", ...because, reason: "a person said yes" };
}

/** What the person answered; an error where asking failed. Types do not bind every caller's asker. */
async function askPerson(
  judged: Judged,
  { parts, ask, signal }: { parts: GateParts; ask: Asker; signal: AbortSignal },
): Promise<unknown> {
  const { call } = judged;
  const { notifyQuestion } = parts;
  const question = questionAbout(judged, parts);
  try {
    const answering = unlessStopped<unknown>(signal, Promise.resolve(ask(question, signal)));
    return await whileTelling(
      notifyQuestion && ((until) => parts.notifyQuestion!(call, until)),
      parts.whileAsking(answering),
      signal,
    );
  } catch (error) {
    return error instanceof Error ? error : new Error(errorText(error));
  }
}

/** The protected paths that the person was asked about: as written and as they lead. */
function protectedPaths(
  { input }: RequestedCall,
  { steps }: Decision,
  { facts }: GateParts,
): string[] {
  const file = input["file_path"];
  const asked = steps
    .filter(({ layer, behavior }) => layer === "protected" && behavior !== "allow")
    .map(({ part }) => /^\w+ (\/.+)$/.exec(part)?.[1] ?? file)
    .filter((path) => typeof path === "string");
  return [...new Set(asked.flatMap((path) => [resolve(path), facts(path).real]))];
}

/**
 * A yes is for the file that the path led to: the same path as a link to another file is another
 * thing.
 */
function asItLeads(call: RequestedCall, judgedPath: JudgedPath): RequestedCall {
  return typeof call.input["file_path"] === "string"
    ? { ...call, input: { ...call.input, file_path: judgedPath } }
    : call;
}

/** Once the question is answered, those who are told of it have this long. */
const tellingMs = 1_000;

async function whileTelling<T>(
  tell: ((until: AbortSignal) => Promise<void>) | undefined,
  answering: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  if (!tell) return answering;
  const answered = new AbortController();
  // Telling decides nothing, so that its failure is none of the answer.
  const telling = tell(AbortSignal.any([signal, answered.signal])).catch(() => undefined);
  try {
    return await answering;
  } finally {
    const timer = setTimeout(() => answered.abort(), tellingMs);
    await telling;
    clearTimeout(timer);
  }
}

function answered(
  { behavior, layer, rule, reason }: Pick<Decision, "behavior" | "layer" | "rule" | "reason">,
  { judgedPath }: Judged,
): GateDecision {
  const because = { layer, reason, ...(rule === undefined ? {} : { rule }) };
  return behavior === "allow"
    ? { behavior, judgedPath, ...because }
    : { behavior: "deny", ...because };
}
