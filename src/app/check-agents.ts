// Definitions that a program gives, checked before they count.
import { isObject } from "../base/data/json.ts";
import { RetinueError } from "../base/errors.ts";
import { oneLine } from "../base/text/printable.ts";
import { definitionKeys, type AgentPlan } from "../definitions/agent-definition.ts";
import { isAiSdkModel } from "../model/ai-sdk/ai-sdk-model.ts";
import { inWords, refuseUnknown } from "./refuse-unknown.ts";

export const expectedAgents = "an object of agents by name: { reviewer: { description, prompt } }";

export const isModel = (value: unknown): boolean =>
  isAiSdkModel(value) ||
  (isObject(value) && typeof value["send"] === "function" && typeof value["name"] === "string");

const hintFor = (key: string, value: unknown): string =>
  key === "model" && isModel(value)
    ? '. Give it as options.models: { mine: model }, and say model: "mine" here'
    : "";

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

/**
 * In a file an unknown key is kept and a bad value may be left out, with a warning; in code both
 * are slips: an agent with `tool: ["Read"]` would have all tools.
 */
export function checkAgents(agents: Readonly<Record<string, AgentPlan>>, where: string): void {
  if (!isObject(agents))
    throw new RetinueError("usage", `${where}: expected ${expectedAgents}, got ${inWords(agents)}`);
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
          `${place}.${key}: expected a text, got ${inWords(value)}${hintFor(key, value)}`,
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
