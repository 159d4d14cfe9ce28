// The fields of an agent definition, its source, and the problems of a bad one.
import type { PermissionModeName } from "../base/permission-modes.ts";
import type { JsonObject } from "../base/data/json.ts";
import type { Problem } from "../base/problem.ts";

/** A server by name; `config` defines it here, `tools` narrows it. */
export type AgentMcpServer = { name: string; config?: Record<string, unknown>; tools?: string[] };

/** With `args` the program is started directly; without, the command is a line for the shell. */
export type HookCommand = {
  type: "command";
  command: string;
  args?: string[];
  timeout?: number;
  if?: string;
};
export type HookRule = { matcher?: string; hooks: HookCommand[] };
export type ScopedHooks = Partial<Record<"PreToolUse" | "PostToolUse" | "Stop", HookRule[]>>;

/** The fields that a file, `--agents` or the library may give. */
export type AgentFields = {
  name: string;
  description: string;
  /** The system prompt: the Markdown body of a file. */
  prompt: string;
  /**
   * Absent: inherit all. Empty: none. Names are canonical; entries that name no known tool are kept
   * and match nothing.
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
 * A server of an agent: one of the session by name, the same with some of its tools only, or its
 * own servers by name with their configuration.
 */
export type McpServerPlan =
  | string
  | { serverName: string; tools?: readonly string[] }
  | Readonly<Record<string, Readonly<McpServerConfig>>>
  | AgentMcpServer;

/** As in `.mcp.json`: a command to start, or a URL. */
export type McpServerConfig =
  | {
      type?: "stdio";
      command: string;
      args?: readonly string[];
      env?: Readonly<Record<string, string>>;
    }
  | { type?: "http"; url: string; headers?: Readonly<Record<string, string>> };

/** An agent as a program gives it, under its name: the same fields and forms as in a file. */
export type AgentPlan = Omit<
  AgentFields,
  "name" | "tools" | "disallowedTools" | "skills" | "mcpServers" | "outputSchema"
> & {
  /** The data that the agent owes instead of a report: a Zod 4 type or a JSON Schema. */
  outputSchema?: JsonObject | { readonly _zod: { readonly output: unknown } };
  /**
   * Names and rules (`Bash(git log:*)`), as a list or separated by commas. Absent: inherit all.
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
 * The higher number wins. Nested project folders have numbers between `project` and `project +
 * 100`, the nearest the highest.
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

/** An agent as it was read: its fields, and where it comes from. */
export type AgentDefinition = AgentFields & {
  source: AgentSource;
  priority: number;
  filePath?: string;
  /** Keys that mean nothing here, kept unchanged. */
  unknownKeys?: Record<string, unknown>;
};

/** A mistake in a definition, with its file and line. */
export type DefinitionProblem = Problem;

/** Where a definition was read. */
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
 * Why a model or a skill of this name cannot be found; undefined if it can. Only the whole set-up
 * knows this.
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

/** Keys that neither name, guard nor limit: a definition in which one stands twice stays usable. */
const lightKeys = ["description", "model", "effort", "color", "initialPrompt", "omitClaudeMd"];
export const decisiveKeys: ReadonlySet<string> = new Set(
  [...definitionKeys].filter((key) => !lightKeys.includes(key)),
);

/**
 * The definition without what an untrusted folder may not give, and the names of what was withheld.
 * Restrictions stay.
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
    // The notes that an agent of this name made elsewhere belong to the person: they may not be
    // read or written.
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
