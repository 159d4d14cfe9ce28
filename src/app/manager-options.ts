// What a program gives to createManager, checked before it counts: JavaScript has no compiler that
// says so, and a slip would be a rule or a guard that nobody keeps.
import { RetinueError } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import { builtInTools, canonicalToolName } from "../base/tool-names.ts";
import type { AgentPlan } from "../definitions/agent-definition.ts";
import type { RunEvent } from "../events/event.ts";
import type { Catalog } from "../executors/catalog.ts";
import type { Executor } from "../executors/executor.ts";
import type { Hook } from "../hooks/hook.ts";
import type { Answerer, Asker } from "../manager/session/asker.ts";
import type { LimitSource } from "../manager/run/settle/resolve-limits.ts";
import type { Environment } from "../manager/session/session.ts";
import type { AiSdkModel } from "../model/ai-sdk/ai-sdk-model.ts";
import type { Model } from "../model/model.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import type { Tool } from "../tool/tool.ts";
import { checkAgents, expectedAgents, isModel } from "./check-agents.ts";
import { inWords, refuseUnknown } from "./refuse-unknown.ts";

/** Permission rules and mode of a manager, as in settings files. */
export type PermissionOptions = {
  mode?: PermissionMode;
  allow?: readonly string[];
  ask?: readonly string[];
  deny?: readonly string[];
  additionalDirectories?: readonly string[];
};

/** What `createManager` takes. Every option may be left out. */
export type ManagerOptions = {
  /** Definitions of your own, by name; they hide those of files. */
  agents?: Readonly<Record<string, AgentPlan>>;
  /** Where the agents work; the present directory without it. */
  cwd?: string;
  /**
   * For agents that name none: `provider:id`, an alias, a key of `models`, or a model itself (the
   * AI SDK's too).
   */
  model?: string | Model | AiSdkModel;
  /** Models of your own, by name. */
  models?: Readonly<Record<string, Model | AiSdkModel>>;
  /**
   * Of your own, made with `defineTool`; agents have them beside the built-in ones, as far as their
   * `tools` and the rules say.
   */
  tools?: readonly Tool[];
  /** They add to those of the settings; a deny rule of either holds. */
  permissions?: PermissionOptions;
  /** Made with `functionHook`; they add to those of the settings. */
  hooks?: readonly Hook[];
  /** Decides what the rules leave open; without it that is denied. */
  ask?: Asker;
  /** Answers questions that agents ask; without it they have no AskUserQuestion. */
  answer?: Answerer;
  /**
   * For every agent of this manager; `maxUsd` for all of them together. Those of the settings
   * without it.
   */
  limits?: LimitSource & { idleTimeoutMs?: number };
  /** Where the output files of background runs go, instead of the session's folder. */
  outputDir?: string;
  /** Takes the place of `~/.claude/projects/{project}`. */
  transcriptDir?: string;
  /**
   * False keeps nothing on disk: no transcripts and no output files. Answers are verified all the
   * same; nothing can be resumed, and no other process sees the agents.
   */
  persist?: boolean;
  /**
   * Runs what the manager has settled: `local`, `durable` (every step is kept, and an agent whose
   * process died goes on by `resume`) or one of your own. What the settings say without it.
   */
  executor?: "local" | "durable" | ((catalog: Catalog) => Executor);
  /**
   * What binds agents whose definition names none; `report` without it, and every report is
   * verified.
   */
  contract?: "report" | "handoff" | "none";
  /** Whether final answers are checked, as `--no-verify` switches it off; true without it. */
  verify?: boolean;
  /** Goes on with an earlier session: its agents can be read and resumed. */
  sessionId?: string;
  /** Uses what an untrusted folder brings, for this manager. */
  trust?: boolean;
  /** The environment; that of the process without it. */
  env?: Environment;
  /** Hears the events of all agents; what it throws changes nothing. */
  onEvent?: (event: RunEvent) => unknown;
  /** Picks up changed definitions while it runs; on unless false. */
  watch?: boolean;
};

const permissionNames: Readonly<Record<keyof PermissionOptions, true>> = {
  mode: true,
  allow: true,
  ask: true,
  deny: true,
  additionalDirectories: true,
};
const limitNames: Readonly<Record<keyof NonNullable<ManagerOptions["limits"]>, true>> = {
  maxTurns: true,
  timeoutMs: true,
  maxTokens: true,
  maxUsd: true,
  maxConcurrent: true,
  idleTimeoutMs: true,
};
const listNames = ["allow", "ask", "deny", "additionalDirectories"] as const;

type Check = readonly [fits: (value: unknown) => boolean, expected: string];

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isSwitch = (value: unknown): boolean => typeof value === "boolean";
const isFunction = (value: unknown): boolean => typeof value === "function";
const aModel = "a model (one of the AI SDK's, or an object with name and send)";

/** One row for every option: what it has to be, in the words that a mistake is told with. */
const optionChecks: Readonly<Record<keyof ManagerOptions, Check>> = {
  agents: [isObject, expectedAgents],
  cwd: [isText, "the path of a folder"],
  model: [
    (value) => isText(value) || isModel(value),
    `a name such as "sonnet" or "provider:id", or ${aModel}`,
  ],
  models: [isObject, "an object of models by name"],
  tools: [Array.isArray, "a list"],
  permissions: [isObject, `an object with ${Object.keys(permissionNames).join(", ")}`],
  hooks: [Array.isArray, "a list"],
  ask: [isFunction, "a function"],
  answer: [isFunction, "a function"],
  limits: [isObject, `an object with ${Object.keys(limitNames).join(", ")}`],
  outputDir: [isText, "the path of a folder"],
  transcriptDir: [isText, "the path of a folder"],
  persist: [isSwitch, "true or false"],
  executor: [
    (value) => value === "local" || value === "durable" || isFunction(value),
    '"local", "durable" or a function',
  ],
  verify: [isSwitch, "true or false"],
  contract: [
    (value) => value === "report" || value === "handoff" || value === "none",
    '"report", "handoff" or "none"',
  ],
  sessionId: [isText, "the id of a session, as `manager.sessionId` gives it"],
  trust: [isSwitch, "true or false"],
  env: [isObject, "an object of texts, such as process.env"],
  onEvent: [isFunction, "a function"],
  watch: [isSwitch, "true or false"],
};

/** Throws a RetinueError that names the option, what was given and what is expected. */
export function checkOptions(options: ManagerOptions): void {
  refuseUnknown(options, optionChecks, "options");
  for (const [name, check] of Object.entries(optionChecks))
    expect(options[name as keyof ManagerOptions], check, name);
  const {
    permissions = {},
    limits = {},
    tools = [],
    hooks = [],
    models = {},
    agents = {},
  } = options;
  refuseUnknown(permissions, permissionNames, "options.permissions");
  refuseUnknown(limits, limitNames, "options.limits");
  for (const name of listNames)
    expect(
      permissions[name],
      [
        (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
        "a list of texts",
      ],
      `permissions.${name}`,
    );
  for (const [name, value] of Object.entries(limits))
    expect(
      value,
      name === "maxUsd"
        ? [(number) => typeof number === "number" && number > 0, "a number above 0"]
        : [
            (number) => Number.isSafeInteger(number) && (number as number) > 0,
            "a whole number above 0",
          ],
      `limits.${name}`,
    );
  tools.forEach((tool, index) =>
    expect(
      tool,
      [isTool, "a tool, made with defineTool({ name, description, input, readOnly, run })"],
      `tools[${index}]`,
    ),
  );
  refuseTakenNames(tools);
  hooks.forEach((hook, index) =>
    expect(
      hook,
      [isHook, "a hook, made with functionHook({ event, matcher, run })"],
      `hooks[${index}]`,
    ),
  );
  for (const [name, value] of Object.entries(models))
    expect(value, [isModel, aModel], `models.${name}`);
  checkAgents(agents, "options.agents");
}

/**
 * Two tools of one name would both be sent to the model, and the rules for a built-in one would be
 * the other's.
 */
function refuseTakenNames(tools: readonly Tool[]): void {
  const taken = new Set<string>(builtInTools);
  for (const { name } of tools) {
    const canonical = canonicalToolName(name);
    if (name.startsWith("mcp__"))
      throw new RetinueError(
        "usage",
        `options.tools: the name "${name}" is one of a server's tools; choose one that does not begin with mcp__`,
      );
    if (taken.has(canonical))
      throw new RetinueError(
        "usage",
        "options.tools: there is already a tool named " +
          `${canonical}${canonical === name ? "" : ` (which ${name} stands for)`}; choose ` +
          "another name",
      );
    taken.add(name);
  }
}

function expect(value: unknown, [fits, expected]: Check, name: string): void {
  if (value !== undefined && !fits(value))
    throw new RetinueError("usage", `options.${name}: expected ${expected}, got ${inWords(value)}`);
}

const isTool = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["name"] === "string" &&
  /^[\w-]{1,64}$/.test(value["name"]) &&
  typeof value["execute"] === "function" &&
  typeof value["parse"] === "function";
const isHook = (value: unknown): boolean =>
  isObject(value) && typeof value["matches"] === "function" && typeof value["type"] === "string";
