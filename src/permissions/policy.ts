// What a run may do, as plain data: it travels in a run's spec and is settled once. `decide` reads
// it, nothing changes it.
import type { PathFacts } from "../base/files/path-facts.ts";
import type { PermissionMode } from "./mode.ts";
import { joinRules, type Profile } from "./profile.ts";
import type { RuleLists } from "./rules.ts";

/**
 * One ceiling over the tools. A call must be admitted by every ceiling of its policy: profile,
 * definition, parent.
 */
export type ToolCeiling = {
  /** For messages: "the profile read-only", "the agent's tools". */
  from: string;
  /** Tool entries: names, `mcp__server__*`, `Agent(a, b)`, `*`. */
  tools: string[];
  /**
   * Binds children too, and admits the small tools that come with work (TodoWrite, TaskOutput…)
   * unlisted. False for an agent's own list of tools.
   */
  isProfile: boolean;
  /** Wildcards do not admit MCP tools that are known to write. */
  guarded: boolean;
};

export type Workspace = {
  /** Absolute. Relative paths and `./` rules start here. */
  cwd: string;
  /** `/` rules start here; the folder of the settings, else `cwd`. */
  root: string;
  home: string;
  additionalDirectories: string[];
  /** Further paths that no mode writes without a person's yes. */
  protectedPaths: string[];
  /** The agent's own memory: readable and writable even where the agent has no Write. */
  memoryDirectory?: string;
  /** Transcripts and output files: never written by a tool. */
  storeDirectories: string[];
};

export type Policy = {
  ceilings: ToolCeiling[];
  mode: PermissionMode;
  rules: RuleLists;
  /** Deny rules of this agent alone (`disallowedTools`). */
  disallowed: string[];
  /** Tools that are neither built in nor from MCP servers; rules may name them. */
  customTools: string[];
  workspace: Workspace;
  /** False for a sub-agent: it cannot spawn. */
  mainThread: boolean;
  /** Nobody is asked, and MCP tools are not there unless `mcpInBackground` says so. */
  background: boolean;
  mcpInBackground: boolean;
  /** Key and credential files are not read. */
  hidesSecrets: boolean;
  /** Shell commands that are known to only read run without a rule. */
  readOnlyCommands: boolean;
  /** Agent types that exist; undefined leaves that question to the manager. */
  agentTypes?: string[];
};

/** What is known of an MCP tool besides its name. */
export type McpFacts = {
  /** `annotations.readOnlyHint`. */
  readOnly?: boolean;
  /** The server's configuration or the tool's schema changed after it was approved. */
  changed?: boolean;
};

/** The verdict of the PreToolUse hooks. */
export type HookVerdict = { behavior: "allow" | "ask" | "deny"; reason?: string };

export type Call = {
  tool: string;
  input: Record<string, unknown>;
  hook?: HookVerdict;
  mcp?: McpFacts;
};

/**
 * What stands behind an absolute path, `..` kept as written. `folder`: what the same decision
 * has found about the folder around it.
 */
export type FactsOf = (path: string, folder?: PathFacts) => PathFacts;

export type PolicyInput = Partial<Omit<Policy, "workspace">> & {
  workspace: Pick<Workspace, "cwd" | "home"> & Partial<Workspace>;
};

/** A policy with the usual values for what is not given. */
export function createPolicy({ workspace, ...rest }: PolicyInput): Policy {
  return {
    ceilings: [],
    mode: "default",
    rules: { allow: [], ask: [], deny: [] },
    disallowed: [],
    customTools: [],
    mainThread: true,
    background: false,
    mcpInBackground: false,
    hidesSecrets: false,
    readOnlyCommands: true,
    ...rest,
    workspace: {
      root: workspace.cwd,
      additionalDirectories: [],
      protectedPaths: [],
      storeDirectories: [],
      ...workspace,
    },
  };
}

/** The policy under the profile's ceiling. `trusted: false` drops the profile's allow rules. */
export function applyProfile(
  policy: Policy,
  profile: Profile,
  { trusted }: { trusted: boolean },
): Policy {
  const { allow = [], ask = [], deny = [] } = profile.rules ?? {};
  const guarded = profile.guarded === true;
  return {
    ...policy,
    ceilings: [
      ...policy.ceilings,
      { from: `the profile ${profile.name}`, tools: profile.tools, isProfile: true, guarded },
    ],
    rules: joinRules(policy.rules, {
      allow: trusted ? allow : [],
      ask,
      deny: [...deny, ...(profile.deny ?? [])],
    }),
    hidesSecrets: policy.hidesSecrets || guarded,
  };
}

/** The policy under a definition's `tools` and `disallowedTools`. */
export function applyTools(
  policy: Policy,
  {
    tools,
    disallowedTools = [],
  }: { tools?: string[] | undefined; disallowedTools?: string[] | undefined },
): Policy {
  const ceilings =
    tools === undefined
      ? []
      : [{ from: "the agent's tools", tools, isProfile: false, guarded: false }];
  return {
    ...policy,
    ceilings: [...policy.ceilings, ...ceilings],
    disallowed: [...policy.disallowed, ...disallowedTools],
  };
}

/**
 * The child below its parent: the parent's profiles, deny and ask rules and guards stay. Its own
 * list of tools does not (an orchestrator without Write delegates writing); its mode is settled by
 * `childMode`.
 */
export function underParent(child: Policy, parent: Policy): Policy {
  return {
    ...child,
    ceilings: [
      ...parent.ceilings
        .filter((ceiling) => ceiling.isProfile)
        .map((ceiling) => ({ ...ceiling, from: `${ceiling.from} of the parent` })),
      ...child.ceilings,
    ],
    rules: joinRules({ ask: parent.rules.ask, deny: parent.rules.deny }, child.rules),
    hidesSecrets: child.hidesSecrets || parent.hidesSecrets,
    readOnlyCommands: child.readOnlyCommands && parent.readOnlyCommands,
    background: child.background || parent.background,
    mainThread: false,
  };
}
