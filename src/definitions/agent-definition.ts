// What an agent is: the fields of a definition, where it came from, and what is said about a bad
// one.
import type { PermissionModeName } from "../base/permission-modes.ts";
import type { JsonObject } from "../base/data/json.ts";
import type { Problem } from "../base/problem.ts";

/** A server by name; `config` makes it inline, `tools` narrows it. */
export type AgentMcpServer = { name: string; config?: Record<string, unknown>; tools?: string[] };

export type HookCommand = { type: "command"; command: string; timeout?: number; if?: string };
export type HookRule = { matcher?: string; hooks: HookCommand[] };
export type ScopedHooks = Partial<Record<"PreToolUse" | "PostToolUse" | "Stop", HookRule[]>>;

/** The fields that a file, `--agents` or the library may give. */
export type AgentFields = {
  name: string;
  description: string;
  /** The system prompt: the Markdown body of a file. */
  prompt: string;
  /**
   * Absent: inherit. Empty: none. Names are canonical; entries that name no known tool are kept and
   * match nothing.
   */
  tools?: string[];
  disallowedTools?: string[];
  model?: string;
  permissionMode?: PermissionModeName;
  mcpServers?: AgentMcpServer[];
  criticalSystemReminder_EXPERIMENTAL?: string;
  skills?: string[];
  maxTurns?: number;
  memory?: "user" | "project" | "local";
  hooks?: ScopedHooks;
  background?: boolean;
  isolation?: "worktree";
  effort?: string;
  color?: string;
  initialPrompt?: string;
  omitClaudeMd?: boolean;
  profile?: string;
  contract?: "report" | "handoff" | "none";
  /** JSON Schema of the data that the agent owes instead of a report. */
  outputSchema?: JsonObject;
  timeoutMs?: number;
  maxTokens?: number;
};

/**
 * A server of an agent: a session's by name, that with these tools only, or servers of its own by
 * name with their configuration.
 */
export type McpServerPlan =
  | string
  | { serverName: string; tools?: readonly string[] }
  | Readonly<Record<string, Readonly<McpServerConfig>>>
  | AgentMcpServer;

/** As in `.mcp.json`: a command that is started, or an address. */
export type McpServerConfig =
  | {
      type?: "stdio";
      command: string;
      args?: readonly string[];
      env?: Readonly<Record<string, string>>;
    }
  | { type?: "http"; url: string; headers?: Readonly<Record<string, string>> };

/** An agent as a program gives it, under its name: as in a file, with the same forms. */
export type AgentPlan = Omit<
  AgentFields,
  "name" | "tools" | "disallowedTools" | "skills" | "mcpServers" | "outputSchema"
> & {
  /** The data that the agent owes instead of a report: a Zod 4 type or a JSON Schema. */
  outputSchema?: JsonObject | { readonly _zod: { readonly output: unknown } };
  /**
   * Names and rules (`Bash(git log:*)`), as a list or with commas between. Absent: inherit all.
   * Empty: none.
   */
  tools?: string | readonly string[];
  disallowedTools?: string | readonly string[];
  skills?: readonly string[];
  mcpServers?: readonly McpServerPlan[];
};

export type AgentSource =
  | "managed"
  | "cli"
  | "library"
  | "project"
  | "user"
  | "plugin"
  | "built-in";

/**
 * Higher wins. Nested project folders stand between `project` and `project + 100`, the nearest
 * highest.
 */
export const sourcePriority: Readonly<Record<AgentSource, number>> = {
  managed: 600,
  cli: 500,
  library: 500,
  project: 400,
  user: 300,
  plugin: 200,
  "built-in": 100,
};

export type AgentDefinition = AgentFields & {
  source: AgentSource;
  priority: number;
  filePath?: string;
  /** Keys that mean nothing here, kept as they were. */
  unknownKeys?: Record<string, unknown>;
};

export type DefinitionProblem = Problem;

/** Where a definition is read from. */
export type DefinitionOrigin = {
  source: AgentSource;
  /** The file, or a label such as `--agents`. */
  path: string;
  priority?: number;
  /** The plugin's name; its agents are called `plugin:name`. */
  plugin?: string;
  /** Names of tools that are not built in. */
  tools?: Iterable<string>;
  known?: KnownNames;
};

/**
 * What only the whole set-up can tell: why a model or a skill of this name cannot be found.
 * Undefined: it can.
 */
export type KnownNames = { model?: NameCheck; skill?: NameCheck };
export type NameCheck = (name: string) => { message: string; suggestion?: string } | undefined;

const fieldNames: Readonly<Record<keyof AgentFields, true>> = {
  name: true,
  description: true,
  prompt: true,
  tools: true,
  disallowedTools: true,
  model: true,
  permissionMode: true,
  mcpServers: true,
  criticalSystemReminder_EXPERIMENTAL: true,
  skills: true,
  maxTurns: true,
  memory: true,
  hooks: true,
  background: true,
  isolation: true,
  effort: true,
  color: true,
  initialPrompt: true,
  omitClaudeMd: true,
  profile: true,
  contract: true,
  outputSchema: true,
  timeoutMs: true,
  maxTokens: true,
};

export const definitionKeys: ReadonlySet<string> = new Set(Object.keys(fieldNames));

/** Keys that neither name, guard nor limit: one that stands twice leaves the definition usable. */
const lightKeys = ["description", "model", "effort", "color", "initialPrompt", "omitClaudeMd"];
export const decisiveKeys: ReadonlySet<string> = new Set(
  [...definitionKeys].filter((key) => !lightKeys.includes(key)),
);

/**
 * What an agent of a folder that nobody has trusted cannot have: returns the rest and the names of
 * what was withheld. Restrictions stay.
 */
export function withoutTrust(definition: AgentDefinition): {
  definition: AgentDefinition;
  withheld: string[];
} {
  const { hooks, mcpServers, permissionMode, memory, ...rest } = definition;
  const named = mcpServers?.filter((server) => server.config === undefined);
  const wide = permissionMode === "acceptEdits" || permissionMode === "bypassPermissions";
  const withheld = [
    ...(hooks ? ["hooks"] : []),
    ...(mcpServers && named && named.length < mcpServers.length ? ["mcpServers"] : []),
    ...(wide ? [`permissionMode: ${permissionMode}`] : []),
    // What an agent of this name has learned elsewhere is the person's, to be read and to be
    // written.
    ...(memory === "user" ? ["memory: user"] : []),
  ];
  return {
    definition: {
      ...rest,
      ...(permissionMode && !wide && { permissionMode }),
      ...(named && { mcpServers: named }),
      ...(memory && memory !== "user" && { memory }),
    },
    withheld,
  };
}
