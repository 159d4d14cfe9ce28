// What a program gives to createManager, checked before it counts: JavaScript has no compiler that says so, and a slip would be a rule or a guard that nobody keeps.
import { RetinueError } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";
import { oneLine } from "../base/text/printable.ts";
import { suggest } from "../base/text/suggest.ts";
import { builtInTools, canonicalToolName } from "../base/tool-names.ts";
import { definitionKeys, type AgentPlan } from "../definitions/agent-definition.ts";
import type { RunEvent } from "../events/event.ts";
import type { Catalog } from "../executors/catalog.ts";
import type { Executor } from "../executors/executor.ts";
import type { Hook } from "../hooks/hook.ts";
import type { Answerer, Asker } from "../manager/session/asker.ts";
import type { LimitSource } from "../manager/run/settle/resolve-limits.ts";
import type { Environment } from "../manager/session/session.ts";
import { isAiSdkModel, type AiSdkModel } from "../model/ai-sdk/ai-sdk-model.ts";
import type { Model } from "../model/model.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import type { Tool } from "../tool/tool.ts";

export type PermissionOptions = {
  mode?: PermissionMode;
  allow?: readonly string[];
  ask?: readonly string[];
  deny?: readonly string[];
  additionalDirectories?: readonly string[];
};

export type ManagerOptions = {
  /** Definitions of your own, by name; they hide those of files. */
  agents?: Readonly<Record<string, AgentPlan>>;
  /** Where the agents work; the present directory without it. */
  cwd?: string;
  /** For agents that name none: `provider:id`, an alias, a key of `models`, or a model itself (the AI SDK's too). */
  model?: string | Model | AiSdkModel;
  /** Models of your own, by name. */
  models?: Readonly<Record<string, Model | AiSdkModel>>;
  /** Of your own, made with `defineTool`; agents have them beside the built-in ones, as far as their `tools` and the rules say. */
  tools?: readonly Tool[];
  /** They add to those of the settings; a deny rule of either holds. */
  permissions?: PermissionOptions;
  /** Made with `functionHook`; they add to those of the settings. */
  hooks?: readonly Hook[];
  /** Decides what the rules leave open; without it that is denied. */
  ask?: Asker;
  /** Answers questions that agents ask; without it they have no AskUserQuestion. */
  answer?: Answerer;
  /** For every agent of this manager; `maxUsd` for all of them together. Those of the settings without it. */
  limits?: LimitSource & { idleTimeoutMs?: number };
  /** Where the output files of background runs go, instead of the session's folder. */
  outputDir?: string;
  /** Takes the place of `~/.claude/projects/{project}`. */
  transcriptDir?: string;
  /** Runs what the manager has settled; in this process without it. */
  executor?: (catalog: Catalog) => Executor;
  /** What binds agents whose definition names none; `report` without it, and every report is verified. */
  contract?: "report" | "handoff" | "none";
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
const isModel = (value: unknown): boolean =>
  isAiSdkModel(value) ||
  (isObject(value) && typeof value["send"] === "function" && typeof value["name"] === "string");
const aModel = "a model (one of the AI SDK's, or an object with name and send)";

/** One row for every option: what it has to be, in the words that a mistake is told with. */
const optionChecks: Readonly<Record<keyof ManagerOptions, Check>> = {
  agents: [isObject, "an object of agents by name: { reviewer: { description, prompt } }"],
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
  executor: [isFunction, "a function"],
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

/** Two tools of one name would both be sent to the model, and the rules for a built-in one would be the other's. */
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
        `options.tools: there is already a tool named ${canonical}${canonical === name ? "" : ` (which ${name} stands for)`}; choose another name`,
      );
    taken.add(name);
  }
}

/** Beside its own fields a definition that was loaded has these. */
const loadedKeys = ["source", "priority", "filePath", "unknownKeys"];
const agentKeys = Object.fromEntries([...definitionKeys].map((key) => [key, true]));
const textKeys = [
  "description",
  "prompt",
  "model",
  "permissionMode",
  "effort",
  "color",
  "initialPrompt",
  "profile",
  "memory",
  "contract",
  "isolation",
  "criticalSystemReminder_EXPERIMENTAL",
] as const;

/** In a file an unknown key is kept and a bad value may be left out, with a warning; in code both are slips: an agent with `tool: ["Read"]` would have all tools. */
export function checkAgents(agents: Readonly<Record<string, AgentPlan>>, where: string): void {
  if (!isObject(agents))
    throw new RetinueError(
      "usage",
      `${where}: expected ${optionChecks.agents[1]}, got ${inWords(agents)}`,
    );
  for (const [name, plan] of Object.entries(agents)) {
    const place = `${where}.${oneLine(name, 60)}`;
    if (!isObject(plan))
      throw new RetinueError(
        "usage",
        `${place}: expected an object { description, prompt }, got ${inWords(plan)}`,
      );
    refuseUnknown(
      Object.fromEntries(Object.entries(plan).filter(([key]) => !loadedKeys.includes(key))),
      agentKeys,
      place,
    );
    for (const key of textKeys) {
      const value: unknown = plan[key];
      if (value !== undefined && typeof value !== "string")
        throw new RetinueError(
          "usage",
          `${place}.${key}: expected a text, got ${inWords(value)}${key === "model" && isModel(value) ? '. Give it as options.models: { mine: model }, and say model: "mine" here' : ""}`,
        );
    }
    for (const key of ["background", "omitClaudeMd"] as const)
      if (plan[key] !== undefined && typeof plan[key] !== "boolean")
        throw new RetinueError(
          "usage",
          `${place}.${key}: expected true or false, got ${inWords(plan[key])}`,
        );
  }
}

export function refuseUnknown(given: object, known: object, where: string): void {
  if (!isObject(given))
    throw new RetinueError(
      "usage",
      `${where}: expected an object with ${Object.keys(known).join(", ")}; got ${inWords(given)}`,
    );
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const near = suggest(unknown, Object.keys(known));
  throw new RetinueError(
    "usage",
    `${where}: there is no "${oneLine(unknown, 60)}"${near ? `; did you mean "${near}"?` : `. There are ${Object.keys(known).join(", ")}.`}`,
  );
}

function expect(value: unknown, [fits, expected]: Check, name: string): void {
  if (value !== undefined && !fits(value))
    throw new RetinueError("usage", `options.${name}: expected ${expected}, got ${inWords(value)}`);
}

function inWords(value: unknown): string {
  if (Array.isArray(value))
    return value.every((item) => typeof item === "string")
      ? "a list"
      : "a list with something else in it";
  if (isObject(value))
    return `an object with ${Object.keys(value).slice(0, 6).join(", ") || "no keys"}`;
  if (typeof value === "number") return String(value);
  return typeof value === "function"
    ? "a function"
    : oneLine(JSON.stringify(value) ?? String(value), 60);
}

const isTool = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["name"] === "string" &&
  /^[\w-]{1,64}$/.test(value["name"]) &&
  typeof value["execute"] === "function" &&
  typeof value["parse"] === "function";
const isHook = (value: unknown): boolean =>
  isObject(value) && typeof value["matches"] === "function" && typeof value["type"] === "string";
