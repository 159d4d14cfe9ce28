// The gate of one run: hooks first, then the policy, then a person where there is one. Whatever
// cannot be settled is a no with a reason.
import { resolve } from "node:path";
import { errorText } from "../../base/errors.ts";
import { absolutePath } from "../../base/files/path-facts.ts";
import type {
  GateDecision,
  JudgedCall,
  PersonAnswer,
  RequestedCall,
  SplitGate,
} from "../../loop/ports.ts";
import { decide, isJudgedByName } from "../../permissions/decide.ts";
import type { CallDecision } from "../../permissions/decision.ts";
import type { Call, FactsOf, HookVerdict, McpFacts, Policy } from "../../permissions/policy.ts";
import { withGuard, type Refusal } from "../../permissions/orchestrator/orchestrator-rules.ts";
import { questionAbout } from "../asking/question-about.ts";
import { readAnswer, type GivenAnswer } from "../asking/read-answer.ts";
import type { Approvals, Asker, PermissionQuestion, nobodyToAsk } from "../session/asker.ts";
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

export function createGate(parts: GateParts): SplitGate {
  return {
    judge(call, signal) {
      const first = judge(call, parts);
      // A tool that the run does not have fires no hooks: the call never gets that far.
      if (first.decision.behavior === "deny" && first.decision.layer === "tools")
        return asData(first);
      const hooks = parts.beforeTool?.(call, signal);
      if (hooks) return afterHooks(call, hooks, { parts, signal });
      if (parts.guard || first.decision.behavior === "ask") return settle(first, { parts, signal });
      return asData(first);
    },
    ask: (judged, signal) =>
      // The gate has said `ask` only where somebody is there.
      parts.ask ? askPerson(judged, { parts, ask: parts.ask, signal }) : Promise.resolve({}),
    conclude: (judged, answer) => conclude(judged, answer, parts),
  };
}

/** A call, the policy's word on it, and where its path led at that moment. */
type Judged = { call: RequestedCall; decision: CallDecision; judgedPath: JudgedPath };

/** Hooks take time and may have changed the call or the world, so it is judged anew. */
async function afterHooks(
  call: RequestedCall,
  hooks: Promise<BeforeTool>,
  { parts, signal }: { parts: GateParts; signal: AbortSignal },
): Promise<JudgedCall> {
  const { input, verdict } = await hooks;
  const changed: RequestedCall = input ? { ...call, input } : call;
  const settled = await settle(judge(changed, parts, verdict), { parts, signal });
  return input ? { ...settled, isChanged: true } : settled;
}

function judge(call: RequestedCall, parts: GateParts, hook?: HookVerdict): Judged {
  const mcp = parts.mcpFacts(call.tool);
  const policy = parts.policy();
  const { facts, judgedPath } = lookedUp(call, parts.facts, policy.workspace);
  const asked = { tool: call.tool, input: call.input };
  const decision =
    hook || mcp
      ? decide({ ...asked, ...(hook ? { hook } : {}), ...(mcp ? { mcp } : {}) }, policy, facts)
      : decideOnce(asked, policy, facts);
  return { call, decision, judgedPath };
}

/** Decisions that follow from the name of a tool, by policy. */
const byName = new WeakMap<Policy, Map<string, CallDecision>>();

/** A decision that no input can change is made once. */
function decideOnce(call: Call, policy: Policy, facts: FactsOf): CallDecision {
  const known = byName.get(policy)?.get(call.tool);
  if (known) return known;
  const decision = decide(call, policy, facts);
  if (isJudgedByName(call.tool, policy, facts)) {
    const names = byName.get(policy) ?? new Map<string, CallDecision>();
    byName.set(policy, names.set(call.tool, decision));
  }
  return decision;
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

/** What the rules, the session's approvals and the hooks make of it; the rest is a question. */
async function settle(
  judged: Judged,
  { parts, signal }: { parts: GateParts; signal: AbortSignal },
): Promise<JudgedCall> {
  const { call } = judged;
  const decision = parts.guard
    ? withGuard(judged.decision, await parts.guard.refuse(call))
    : judged.decision;
  const data = asData({ ...judged, decision });
  if (decision.behavior !== "ask") return data;
  const { layer, reason } = decision;
  const opens = protectedPaths(call, decision, parts);
  if (await parts.approvals.has(asItLeads(data)))
    return { ...data, behavior: "allow", opens, reason: "approved earlier in this session" };
  const instead = await parts.answerInstead?.(call, signal);
  // A hook's yes stands for the person's where nothing speaks against the call; ask rules and
  // protected paths want the person.
  const mayAnswer =
    instead === "deny" || (layer !== "ask" && layer !== "protected" && layer !== "deny");
  if (instead && mayAnswer) {
    const { rule: _unused, ...rest } = data;
    const words = `a PermissionRequest hook answered: ${instead}`;
    return { ...rest, behavior: instead, layer: "hook", reason: words };
  }
  if (!parts.ask || parts.policy().background)
    return { ...data, behavior: "deny", reason: `${reason}; nobody is there to be asked` };
  return { ...data, opens, question: questionAbout({ ...judged, decision }, parts) };
}

/**
 * The decision, from data alone. What it notes besides is noted again in every process that goes on
 * with the run. A call that goes through is noted: the next one is judged by it.
 */
function conclude(
  judged: JudgedCall,
  answer: PersonAnswer | undefined,
  parts: GateParts,
): GateDecision {
  const { call, isChanged, opens, layer, rule } = judged;
  const given = judged.behavior === "ask" ? readAnswer(saidIn(answer ?? {})) : judged;
  const isYes = given.behavior === "allow";
  if ("same" in given) remember(judged, given, parts);
  const because = {
    layer,
    reason: "reason" in given ? given.reason : "a person said yes",
    ...(rule === undefined ? {} : { rule }),
    ...(isChanged ? { input: call.input } : {}),
  };
  if (!isYes) return { behavior: "deny", ...because };
  if (opens) parts.noteApproved(call.toolUseId, opens);
  parts.guard?.note(call);
  return { behavior: "allow", judgedPath: judged.judgedPath, ...because };
}

/** What a yes says about later calls. */
function remember(
  judged: JudgedCall,
  { same, rules, keep }: GivenAnswer & { behavior: "allow" },
  { approvals }: GateParts,
): void {
  if (same) approvals.add(asItLeads(judged));
  if (rules.length > 0) approvals.allow(rules, keep);
}

const saidIn = ({ said, failed }: PersonAnswer): unknown =>
  failed === undefined ? said : new Error(failed);

function asData({ call, decision, judgedPath }: Judged): JudgedCall {
  const { behavior, layer, rule, reason } = decision;
  const data: JudgedCall = { call, behavior, layer, reason, judgedPath };
  if (rule !== undefined) data.rule = rule;
  return data;
}

/** What the person answered, or why asking failed. Types do not bind every caller's asker. */
async function askPerson(
  { call, question }: JudgedCall,
  { parts, ask, signal }: { parts: GateParts; ask: Asker; signal: AbortSignal },
): Promise<PersonAnswer> {
  const { notifyQuestion } = parts;
  try {
    const asking = Promise.resolve(ask(question as PermissionQuestion, signal));
    const answering = unlessStopped<unknown>(signal, asking);
    const said = await whileTelling(
      notifyQuestion && ((until) => parts.notifyQuestion!(call, until)),
      parts.whileAsking(answering),
      signal,
    );
    return { said };
  } catch (error) {
    return { failed: errorText(error) };
  }
}

/** The protected paths that the person was asked about: as written and as they lead. */
function protectedPaths(
  { input }: RequestedCall,
  { steps }: CallDecision,
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
function asItLeads({ call, judgedPath }: JudgedCall): RequestedCall {
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
