// One case of `retinue permissions check`: a line of JSON becomes a call and a policy, or a
// sentence about what is wrong with it.
import { RetinueError } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import { splitRuleList } from "../base/parse-rule.ts";
import { canonicalToolName } from "../base/tool-names.ts";
import { decide } from "./decide.ts";
import type { CallDecision } from "./decision.ts";
import { specifiersOf } from "./tools/refuse-tool.ts";
import { isPermissionMode, unknownMode, type PermissionMode } from "./mode.ts";
import { isWithin, normalise } from "./paths/written-path.ts";
import {
  applyProfile,
  applyTools,
  createPolicy,
  type Call,
  type FactsOf,
  type Policy,
} from "./policy.ts";
import { resolveProfile, type Profile } from "./profile.ts";
import type { RuleLists } from "./rules.ts";

/** What a case does not say itself. */
export type CheckDefaults = {
  cwd: string;
  home: string;
  profiles?: readonly Profile[];
  /** Folders that no mode writes without a person, besides those that are known by name. */
  protectedPaths: string[];
  storeDirectories?: string[];
  /** Agent types that exist in a folder; without it the question is left open. */
  agentTypes?: (cwd: string, home: string) => readonly string[];
  /** The definition of an agent that a case names; without it names are refused. */
  agent?: (name: string, cwd: string, home: string) => Fields | undefined;
};

export type CaseResult =
  | { ok: true; id: unknown; call: Call; policy: Policy }
  | { ok: false; id: unknown; problem: string };

type Fields = Record<string, unknown>;

const wrong = (message: string): never => {
  throw new RetinueError("usage", message);
};

/**
 * Reads one case. `agent` is the caller; where `parent` has a mode, rules or a profile, the parent
 * is the caller and `agent` the child.
 */
export function readCase(value: unknown, defaults: CheckDefaults): CaseResult {
  const id = isObject(value) ? (value["id"] ?? null) : null;
  try {
    if (!isObject(value))
      return { ok: false, id, problem: "a case is a JSON object: {id, tool, input, …}" };
    const policy = policyOf(value, defaults);
    return { ok: true, id, call: callOf(value), policy };
  } catch (error) {
    if (error instanceof RetinueError) return { ok: false, id, problem: error.message };
    throw error;
  }
}

export type CheckAnswer = {
  id: unknown;
  decision: CallDecision["behavior"];
  reason: string;
  rule: string | null;
  layer: CallDecision["layer"];
};

/** The answer to a case in the shape that `check` prints. */
export function answerCase(
  { id, call, policy }: Extract<CaseResult, { ok: true }>,
  facts: FactsOf,
): CheckAnswer {
  const { behavior, reason, rule, layer } = decide(call, policy, facts);
  return { id, decision: behavior, reason, rule: rule ?? null, layer };
}

function callOf(fields: Fields): Call {
  const { tool, input = {}, mcp, hook } = fields;
  if (typeof tool !== "string" || tool === "") return wrong("tool: the name of a tool is expected");
  if (!isObject(input)) return wrong("input: an object is expected");
  const call: Call = { tool, input };
  if (isObject(mcp))
    call.mcp = {
      ...(typeof mcp["readOnly"] === "boolean" ? { readOnly: mcp["readOnly"] } : {}),
      ...(mcp["changed"] === true ? { changed: true } : {}),
    };
  if (!isObject(hook)) return call;
  const { behavior, reason } = hook;
  if (behavior !== "allow" && behavior !== "ask" && behavior !== "deny")
    return wrong("hook.behavior: allow, ask or deny is expected");
  return { ...call, hook: { behavior, ...(typeof reason === "string" ? { reason } : {}) } };
}

function policyOf(fields: Fields, defaults: CheckDefaults): Policy {
  const cwd = folder(fields, "cwd") ?? defaults.cwd;
  const home = folder(fields, "home") ?? defaults.home;
  const parent = section(fields, "parent");
  const own =
    typeof fields["agent"] === "string"
      ? namedAgent(fields["agent"], defaults.agent?.(fields["agent"], cwd, home))
      : section(fields, "agent");
  const parentCalls = ["mode", "deny", "allow", "profile"].some((key) => parent[key] !== undefined);
  const caller = parentCalls ? parent : own;
  const rules = rulesOf(fields["rules"]);
  const memoryDirectory = parentCalls ? undefined : memoryOf(own, cwd, home);
  const base = createPolicy({
    mode: modeOf(caller["mode"] ?? fields["mode"] ?? caller["permissionMode"]),
    rules: {
      ...rules,
      allow: [...rules.allow, ...texts(caller, "allow")],
      deny: [...rules.deny, ...texts(caller, "deny")],
    },
    background: flag(fields, "background"),
    readOnlyCommands: fields["readOnlyCommands"] !== false,
    mainThread: !(typeof parent["depth"] === "number" && parent["depth"] > 0),
    workspace: {
      cwd,
      home,
      additionalDirectories: texts(fields, "additionalDirectories").map(normalise),
      protectedPaths: defaults.protectedPaths,
      storeDirectories: defaults.storeDirectories ?? [],
      ...(memoryDirectory === undefined ? {} : { memoryDirectory }),
    },
  });
  const tools = caller["tools"] === undefined ? undefined : texts(caller, "tools");
  const withTools = applyTools(base, { tools, disallowedTools: texts(caller, "disallowedTools") });
  const profiled = profile(withTools, caller["profile"] ?? fields["profile"], defaults.profiles);
  return withAgentTypes(profiled, fields, defaults);
}

function profile(policy: Policy, name: unknown, own: readonly Profile[] | undefined): Policy {
  if (name === undefined || name === null) return policy;
  if (typeof name !== "string") return wrong("profile: a name is expected");
  const found = resolveProfile(name, own);
  return found.ok
    ? applyProfile(policy, found.profile, { trusted: true })
    : wrong(`profile: ${found.problem}`);
}

/** Types that the case itself names count as existing beside those that are defined. */
function withAgentTypes(policy: Policy, fields: Fields, { agentTypes }: CheckDefaults): Policy {
  if (typeof fields["tool"] !== "string" || canonicalToolName(fields["tool"]) !== "Agent")
    return policy;
  const given = fields["agents"] === undefined ? undefined : texts(fields, "agents");
  const found = agentTypes?.(policy.workspace.cwd, policy.workspace.home);
  if (given === undefined && found === undefined) return policy;
  const listed = policy.ceilings.flatMap((ceiling) => specifiersOf(ceiling.tools, "Agent"));
  const named = [...listed, ...specifiersOf(policy.rules.allow, "Agent")].flatMap(splitRuleList);
  return { ...policy, agentTypes: [...new Set([...(given ?? []), ...(found ?? []), ...named])] };
}

function memoryOf(agent: Fields, cwd: string, home: string): string | undefined {
  const { name, memory } = agent;
  if (memory === undefined || memory === null) return undefined;
  const folders: Record<string, string> = {
    user: `${home}/.claude/agent-memory`,
    project: `${cwd}/.claude/agent-memory`,
    local: `${cwd}/.claude/agent-memory-local`,
  };
  const folder =
    typeof memory === "string" && Object.hasOwn(folders, memory)
      ? folders[memory]!
      : wrong("agent.memory: user, project or local is expected");
  if (typeof name !== "string" || !/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name))
    return wrong("agent.name: letters, digits and hyphens are expected where memory is used");
  return `${folder}/${name}`;
}

function rulesOf(value: unknown): RuleLists {
  if (value === undefined || value === null) return { allow: [], ask: [], deny: [] };
  if (!isObject(value)) return wrong("rules: an object {allow, ask, deny} is expected");
  return { allow: texts(value, "allow"), ask: texts(value, "ask"), deny: texts(value, "deny") };
}

function modeOf(value: unknown): PermissionMode {
  if (value === undefined || value === null) return "default";
  return isPermissionMode(value) ? value : wrong(`mode: ${unknownMode(value)}`);
}

const namedAgent = (name: string, found: Fields | undefined): Fields =>
  found ?? wrong(`agent: there is no agent named ${JSON.stringify(name)}`);

function section(fields: Fields, key: string): Fields {
  const value = fields[key];
  if (value === undefined || value === null) return {};
  return isObject(value) ? value : wrong(`${key}: an object is expected`);
}

function texts(fields: Fields, key: string): string[] {
  const value = fields[key];
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return splitRuleList(value);
  return Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value
    : wrong(`${key}: a list of texts is expected`);
}

function folder(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" &&
    isWithin(value, "/") &&
    value.startsWith("/") &&
    !value.includes("\0")
    ? normalise(value)
    : wrong(`${key}: an absolute path is expected`);
}

function flag(fields: Fields, key: string): boolean {
  const value = fields[key];
  return value === undefined || value === null || typeof value === "boolean"
    ? value === true
    : wrong(`${key}: true or false is expected`);
}
