// Brings specs of a session to life: the model by name, the tools that the spec lists, the gate over its policy, the transcript.
import { pathFacts } from "../base/path-facts.ts";
import type { Catalog, RunLog, ToolSet } from "../executors/catalog.ts";
import type { RunSpec } from "../executors/run-spec.ts";
import { mayRead } from "../permissions/may-read.ts";
import type { FactsOf, Policy } from "../permissions/policy.ts";
import { newMark } from "../process/mark.ts";
import { createTools } from "../tools/create-tools.ts";
import { createGate } from "./gate.ts";
import { createHookPorts, type HookPorts } from "./hook-ports.ts";
import { openRunStore } from "./run-store.ts";
import type { Session } from "./session.ts";

export function createRunCatalog(session: Session): Catalog {
  // Relative paths mean the run's folder, which a worktree sets apart from the session's.
  const factsOf = (spec: RunSpec): FactsOf => (path) => pathFacts(path, spec.cwd, session.home);
  const ports = new WeakMap<RunSpec, HookPorts>();
  const judged = new WeakMap<RunSpec, Map<string, string>>();
  const judgedOf = (spec: RunSpec): Map<string, string> => {
    const known = judged.get(spec) ?? new Map<string, string>();
    judged.set(spec, known);
    return known;
  };
  const portsOf = (spec: RunSpec, log: RunLog): HookPorts => {
    const made = ports.get(spec) ?? createHookPorts(session, spec, log);
    ports.set(spec, made);
    return made;
  };
  return {
    model: (spec) => session.model(spec.model),
    tools: (spec) => openTools(session, spec, { facts: factsOf(spec), judged: judgedOf(spec) }),
    gate: (spec, log) => {
      const { beforeTool, answerInstead } = portsOf(spec, log);
      return createGate({ agentId: spec.agentId, agentType: spec.agentType, policy: () => policyOf(spec), facts: factsOf(spec), noteJudged: (id, real) => void judgedOf(spec).set(id, real), approvals: session.approvals, ...(session.ask ? { ask: session.ask } : {}), ...(beforeTool ? { beforeTool } : {}), ...(answerInstead ? { answerInstead } : {}) });
    },
    hooks: (spec, log) => {
      const { beforeTool: _before, answerInstead: _answer, ...rest } = portsOf(spec, log);
      return rest;
    },
    store: (spec) => openRunStore(session, spec),
  };
}

const policyOf = (spec: RunSpec): Policy => spec.policy as unknown as Policy;

function openTools(session: Session, spec: RunSpec, { facts, judged }: { facts: FactsOf; judged: ReadonlyMap<string, string> }): ToolSet {
  const model = session.model(spec.model);
  const policy = policyOf(spec);
  const set = createTools({
    cwd: spec.cwd,
    home: session.home,
    additionalDirectories: session.additionalDirectories,
    spillDir: session.paths.spill,
    mark: newMark(),
    env: session.settingsEnv,
    mayRead: mayRead(policy, facts),
    judged: (id) => judged.get(id),
    takesImages: model.takesImages,
    takesDocuments: model.takesDocuments,
  });
  const wanted = new Set(spec.tools);
  return { tools: [...set.tools, ...session.tools].filter((tool) => wanted.has(tool.name)), close: () => set.close() };
}
