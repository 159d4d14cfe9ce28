// What a program gives to createManager, checked before it counts: JavaScript has no compiler that says so, and a slip would be a rule or a guard that nobody keeps.
import { RetinueError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import { oneLine } from "../base/printable.ts";
import { suggest } from "../base/suggest.ts";
import type { AgentFields } from "../definitions/agent-definition.ts";
import type { RunEvent } from "../events/event.ts";
import type { Catalog } from "../executors/catalog.ts";
import type { Executor } from "../executors/executor.ts";
import type { Hook } from "../hooks/hook.ts";
import type { Answerer, Asker } from "../manager/asker.ts";
import type { LimitSource } from "../manager/resolve-limits.ts";
import type { Environment } from "../manager/session.ts";
import { isAiSdkModel, type AiSdkModel } from "../model/ai-sdk-model.ts";
import type { Model } from "../model/model.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import type { Tool } from "../tool/tool.ts";

export type PermissionOptions = { mode?: PermissionMode; allow?: readonly string[]; ask?: readonly string[]; deny?: readonly string[]; additionalDirectories?: readonly string[] };

export type ManagerOptions = {
  /** Definitions of your own, by name; they hide those of files. */
  agents?: Readonly<Record<string, Partial<AgentFields>>>;
  /** Where the agents work; the present directory without it. */
  cwd?: string;
  /** For agents that name none: `provider:id`, an alias, a key of `models`, or a model itself (the AI SDK's too). */
  model?: string | Model | AiSdkModel;
  /** Models of your own, by name. */
  models?: Readonly<Record<string, Model | AiSdkModel>>;
  tools?: readonly Tool[];
  permissions?: PermissionOptions;
  hooks?: readonly Hook[];
  /** Decides what the rules leave open; without it that is denied. */
  ask?: Asker;
  /** Answers questions that agents ask; without it they have no AskUserQuestion. */
  answer?: Answerer;
  limits?: LimitSource & { idleTimeoutMs?: number };
  outputDir?: string;
  /** Takes the place of `~/.claude/projects/{project}`. */
  transcriptDir?: string;
  executor?: (catalog: Catalog) => Executor;
  contract?: "report" | "handoff" | "none";
  /** Goes on with an earlier session: its agents can be read and resumed. */
  sessionId?: string;
  /** Uses what an untrusted folder brings, for this manager. */
  trust?: boolean;
  /** The environment; that of the process without it. */
  env?: Environment;
  /** Hears the events of all agents. */
  onEvent?: (event: RunEvent) => void;
  /** Picks up changed definitions while it runs; on unless false. */
  watch?: boolean;
};

const optionNames: Readonly<Record<keyof ManagerOptions, true>> = { agents: true, cwd: true, model: true, models: true, tools: true, permissions: true, hooks: true, ask: true, answer: true, limits: true, outputDir: true, transcriptDir: true, executor: true, contract: true, sessionId: true, trust: true, env: true, onEvent: true, watch: true };
const permissionNames: Readonly<Record<keyof PermissionOptions, true>> = { mode: true, allow: true, ask: true, deny: true, additionalDirectories: true };
const limitNames: Readonly<Record<keyof NonNullable<ManagerOptions["limits"]>, true>> = { maxTurns: true, timeoutMs: true, maxTokens: true, maxUsd: true, maxConcurrent: true, idleTimeoutMs: true };
const listNames = ["allow", "ask", "deny", "additionalDirectories"] as const;

/** Throws a RetinueError that names the option, what was given and what is expected. */
export function checkOptions(options: ManagerOptions): void {
  refuseUnknown(options, optionNames, "options");
  const { permissions = {}, limits = {}, tools = [], hooks = [], model, models = {} } = options;
  refuseUnknown(permissions, permissionNames, "options.permissions");
  refuseUnknown(limits, limitNames, "options.limits");
  for (const name of listNames) expect(permissions[name], (value) => Array.isArray(value) && value.every((item) => typeof item === "string"), [`permissions.${name}`, "a list of texts"]);
  for (const [name, value] of Object.entries(limits)) expect(value, (number) => typeof number === "number" && (name === "maxUsd" ? number > 0 : Number.isSafeInteger(number) && number > 0), [`limits.${name}`, name === "maxUsd" ? "a number above 0" : "a whole number above 0"]);
  expect(tools, Array.isArray, ["tools", "a list"]);
  tools.forEach((tool, index) => expect(tool, isTool, [`tools[${index}]`, "a tool, made with defineTool({ name, description, input, readOnly, run })"]));
  expect(hooks, Array.isArray, ["hooks", "a list"]);
  hooks.forEach((hook, index) => expect(hook, isHook, [`hooks[${index}]`, "a hook, made with functionHook({ event, matcher, run })"]));
  expect(model, (value) => typeof value === "string" || isModel(value), ["model", "a name such as \"sonnet\" or \"provider:id\", or a model (one of the AI SDK's, or an object with name and send)"]);
  for (const [name, value] of Object.entries(models)) expect(value, isModel, [`models.${name}`, "a model (one of the AI SDK's, or an object with name and send)"]);
  for (const name of ["ask", "answer", "onEvent", "executor"] as const) expect(options[name], (value) => typeof value === "function", [name, "a function"]);
}

export function refuseUnknown(given: object, known: object, where: string): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const near = suggest(unknown, Object.keys(known));
  throw new RetinueError("usage", `${where}: there is no "${oneLine(unknown, 60)}"${near ? `; did you mean "${near}"?` : `. There are ${Object.keys(known).join(", ")}.`}`);
}

function expect(value: unknown, fits: (value: unknown) => boolean, [name, expected]: readonly [string, string]): void {
  if (value !== undefined && !fits(value)) throw new RetinueError("usage", `options.${name}: expected ${expected}, got ${inWords(value)}`);
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return "a list with something else in it";
  if (isObject(value)) return `an object with ${Object.keys(value).slice(0, 6).join(", ") || "no keys"}`;
  return typeof value === "function" ? "a function" : oneLine(JSON.stringify(value) ?? String(value), 60);
}

const isTool = (value: unknown): boolean => isObject(value) && typeof value["name"] === "string" && /^[\w-]{1,64}$/.test(value["name"]) && typeof value["execute"] === "function" && typeof value["parse"] === "function";
const isHook = (value: unknown): boolean => isObject(value) && typeof value["matches"] === "function" && typeof value["type"] === "string";
const isModel = (value: unknown): boolean => isAiSdkModel(value) || (isObject(value) && typeof value["send"] === "function" && typeof value["name"] === "string");
