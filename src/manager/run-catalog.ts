// Brings specs of a session to life: the model by name, the tools that the spec lists, the gate over its policy, the transcript.
import { pathFacts } from "../base/path-facts.ts";
import { secretValues } from "../base/secret-scan.ts";
import { isMcpToolName } from "../base/tool-names.ts";
import type { Catalog, RunHooks, RunLog, ToolSet } from "../executors/catalog.ts";
import type { RunSpec } from "../executors/run-spec.ts";
import type { McpTool } from "../mcp/mcp-tool.ts";
import { mayRead } from "../permissions/may-read.ts";
import type { FactsOf, McpFacts, Policy } from "../permissions/policy.ts";
import { newMark } from "../process/mark.ts";
import type { Skill } from "../skills/skill.ts";
import { createSkillTool } from "../skills/skill-tool.ts";
import { createTools } from "../tools/create-tools.ts";
import type { Shells } from "../tools/shells.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { boundedTool } from "./bounded-tool.ts";
import { createGate } from "./gate.ts";
import { guardedSearch } from "./guarded-search.ts";
import { createHookPorts, type HookPorts } from "./hook-ports.ts";
import type { LiveRun } from "./live-run.ts";
import { markedRead } from "./marked-read.ts";
import { openOrchestrator, type Children, type Orchestrator } from "./orchestrator.ts";
import type { ReportVerifier } from "./report-verifier.ts";
import { admittedTools } from "./resolve-policy.ts";
import { openRunSandbox } from "./run-sandbox.ts";
import { openRunStore, transcriptPath } from "./run-store.ts";
import type { Session } from "./session.ts";

/** What a run keeps open besides its spec. */
type Life = {
  ports?: HookPorts;
  mcp: Map<string, McpTool>;
  /** Allow rules that skills brought with them. */
  allowed: string[];
  /** Where the run is bound by a contract: made with its tools, because it looks at the tree before they are used. */
  verifierFor?: (log: RunLog) => ReportVerifier;
  verifier?: ReportVerifier;
  /** In delegate mode: what its rules need to know of the run so far. */
  orchestrator?: Orchestrator;
};

/** What the manager adds to a run. */
export type CatalogParts = {
  /** The run while it lives: its mail, its stop, whether it has moved to the background. */
  live?: (agentId: string) => LiveRun | undefined;
  /** The Agent family, over the run's own background shells. */
  tools?: (spec: RunSpec, shells: Shells) => readonly Tool[];
  /** News for a main thread: agents that have finished. */
  notices?: (spec: RunSpec) => string[];
  /** The agents of a main thread, for its rules. */
  children?: Children;
};

export function createRunCatalog(session: Session, { live, tools: extra, notices, children }: CatalogParts = {}): Catalog {
  const factsOf = (spec: RunSpec): FactsOf => (path) => pathFacts(path, spec.cwd, session.home);
  const lives = new WeakMap<RunSpec, Life>();
  const lifeOf = (spec: RunSpec): Life => {
    const known = lives.get(spec);
    if (known) return known;
    const life: Life = { mcp: new Map(), allowed: [] };
    if (spec.policy["mode"] === "delegate") life.orchestrator = openOrchestrator({ spec, transcript: transcriptPath(session, spec), facts: factsOf(spec), children: spec.isMain ? children : undefined });
    lives.set(spec, life);
    return life;
  };
  const portsOf = (spec: RunSpec, log: RunLog): HookPorts => (lifeOf(spec).ports ??= createHookPorts({ session, spec, log, live: live?.(spec.agentId), notices: spec.isMain && notices ? () => notices(spec) : undefined }));
  return {
    model: (spec) => session.model(spec.model),
    tools: (spec) => openTools(session, spec, { facts: factsOf(spec), life: lifeOf(spec), extra }),
    gate: (spec, log) => {
      const { beforeTool, answerInstead } = portsOf(spec, log);
      const run = live?.(spec.agentId);
      return createGate({
        agentId: spec.agentId,
        agentType: spec.agentType,
        policy: () => policyOf(spec, { allowed: [...lifeOf(spec).allowed, ...(run?.approved ?? [])], background: session.inBackground.has(spec.agentId), onlyLooking: lifeOf(spec).verifier?.isRepairing() }),
        facts: factsOf(spec),
        mcpFacts: (tool) => mcpFacts(lifeOf(spec).mcp.get(tool)),
        approvals: session.approvals,
        ...(lifeOf(spec).orchestrator ? { guard: lifeOf(spec).orchestrator } : {}),
        ...(session.ask ? { ask: session.ask } : {}),
        ...(beforeTool ? { beforeTool } : {}),
        ...(answerInstead ? { answerInstead } : {}),
      });
    },
    hooks: (spec, log) => {
      const { beforeTool: _before, answerInstead: _answer, ...rest } = portsOf(spec, log);
      // The report is put right first; a Stop hook sees what the parent will see.
      const beforeEnd = async (answer: string): Promise<string | undefined> => {
        const life = lifeOf(spec);
        life.verifier ??= life.verifierFor?.(log);
        return (await life.verifier?.beforeEnd(answer)) ?? rest.beforeEnd?.(answer);
      };
      return { ...rest, ...guardPorts(lifeOf(spec).orchestrator, rest), beforeEnd, withheld: () => (session.inBackground.has(spec.agentId) ? isMcpToolName : undefined), isMoving: () => session.moves.get(spec.agentId)?.host.then((pid) => pid !== undefined) ?? false };
    },
    store: (spec) => openRunStore(session, spec),
  };
}

/** An orchestrator's delegations are counted, and its answer waits for them. */
function guardPorts(orchestrator: Orchestrator | undefined, { afterTool }: RunHooks): Pick<RunHooks, "afterTool" | "gateAnswer"> {
  if (!orchestrator) return {};
  return {
    gateAnswer: (signal) => orchestrator.gateAnswer(signal),
    afterTool: (call, result) => {
      orchestrator.noteResult(call, result);
      return afterTool?.(call, result);
    },
  };
}

/** The spec's policy with what has come to it since: rules of skills and approvals, and the background. */
function policyOf(spec: RunSpec, { allowed = [], background = false, onlyLooking = false }: { allowed?: readonly string[]; background?: boolean; onlyLooking?: boolean | undefined } = {}): Policy {
  const policy = spec.policy as unknown as Policy;
  if (allowed.length === 0 && !background && !onlyLooking) return policy;
  return { ...policy, ...(onlyLooking ? { mode: "plan" as const } : {}), background: policy.background || background, rules: { ...policy.rules, allow: [...policy.rules.allow, ...allowed] } };
}

function mcpFacts(tool: McpTool | undefined): McpFacts | undefined {
  return tool && { readOnly: tool.readOnly, changed: tool.mcp.hasChanged() };
}

async function openTools(session: Session, spec: RunSpec, from: { facts: FactsOf; life: Life; extra: CatalogParts["tools"] }): Promise<ToolSet> {
  const model = session.model(spec.model);
  const policy = policyOf(spec);
  const wanted = new Set(spec.tools);
  const sandbox = session.sandbox.enabled && wanted.has("Bash") ? await openRunSandbox(session, { cwd: spec.cwd, policy, facts: from.facts }) : undefined;
  const environment: ToolEnvironment = {
    cwd: spec.cwd,
    home: session.home,
    additionalDirectories: [...session.additionalDirectories, ...(spec.memoryDir === undefined ? [] : [spec.memoryDir])],
    spillDir: session.paths.spill,
    mark: newMark(),
    env: session.settingsEnv,
    secrets: () => secretValues({ ...session.env, ...session.settingsEnv }),
    mayRead: mayRead(policy, from.facts),
    ...(sandbox ? { sandbox: sandbox.wrap } : {}),
    takesImages: model.takesImages,
    takesDocuments: model.takesDocuments,
  };
  const set = createTools(environment, wanted);
  if (spec.contract !== "none") from.life.verifierFor = (await import("./report-verifier.ts")).prepareVerifier(session, spec);
  // A skill's own allow rules count only where its author may widen anything.
  const onLoad = ({ source, allowedTools = [] }: Skill): void => void (source === "project" && !session.isTrusted ? undefined : from.life.allowed.push(...allowedTools));
  const skill = wanted.has("Skill") ? [createSkillTool({ skills: session.skills().skills, onLoad })] : [];
  const lease = spec.mcpServers.length > 0 ? await (await session.mcp()).acquire(spec.mcpServers) : undefined;
  for (const tool of lease?.tools ?? []) from.life.mcp.set(tool.name, tool);
  const admitted = new Set(admittedTools([...from.life.mcp.keys()], policy, (name) => mcpFacts(from.life.mcp.get(name))));
  const close = async (): Promise<void> => {
    await Promise.all([set.close(), lease?.release()]);
    await sandbox?.close();
  };
  const { orchestrator } = from.life;
  const builtIn = set.tools.map((tool) => {
    if (tool.name === "Read") return markedRead(tool, session, spec.cwd);
    return orchestrator && (tool.name === "Grep" || tool.name === "Glob") ? guardedSearch(tool, orchestrator, spec.cwd) : tool;
  });
  const own = [...builtIn, ...skill, ...(from.extra?.(spec, set.shells) ?? []), ...session.tools.map((tool) => boundedTool(tool))].filter((tool) => wanted.has(tool.name));
  return { tools: [...own, ...[...from.life.mcp.values()].filter((tool) => admitted.has(tool.name))], close };
}
