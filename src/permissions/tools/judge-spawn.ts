// Calls that coordinate: starting agents, asking, task tools, skills.
import { oneLine } from "../../base/text/printable.ts";
import { splitRuleList, type ParsedRule } from "../../base/parse-rule.ts";
import type { PartVerdict } from "../decision.ts";
import type { Judge } from "../judge.ts";
import { admittedTypes } from "./refuse-tool.ts";
import { childMode, isPermissionMode, unknownMode } from "../mode.ts";

type Input = Record<string, unknown>;

export const defaultAgentType = "general-purpose";

/**
 * A spawn: the type must exist, be within the caller's lists and not be denied; a mode in the call
 * may only narrow.
 */
export function judgeSpawn(input: Input, judge: Judge): PartVerdict {
  const type = input["subagent_type"] ?? defaultAgentType;
  const refuse = (reason: string): PartVerdict => ({ behavior: "deny", layer: "tools", reason });
  if (typeof type !== "string" || type.trim() === "")
    return refuse("subagent_type is the name of an agent");
  const name = oneLine(type, 100);
  const denied = findRule(judge.rules.deny, "Agent", type);
  if (denied)
    return {
      behavior: "deny",
      layer: "deny",
      rule: denied.text,
      reason: `the agent ${name} is covered by ${denied.text}`,
    };
  const { agentTypes } = judge.policy;
  if (agentTypes !== undefined && !agentTypes.includes(type))
    return refuse(`unknown subagent_type: ${name}`);
  const admitted = admittedTypes(judge.policy);
  if (admitted !== undefined && !admitted.includes(type))
    return refuse(
      `${name} is not among the agents that this one may start (${admitted.join(", ") || "none"})`,
    );
  return refuseMode(input["mode"], judge) ?? byRuleOrMode("Agent", type, judge);
}

function refuseMode(mode: unknown, { policy }: Judge): PartVerdict | undefined {
  if (mode === undefined) return undefined;
  if (!isPermissionMode(mode))
    return { behavior: "deny", layer: "mode", reason: unknownMode(mode) };
  const child = childMode({ parent: policy.mode, input: mode, trusted: false, viaTool: true });
  return child.ok ? undefined : { behavior: "deny", layer: "mode", reason: child.reason };
}

/** Every other tool that coordinates. */
export function judgeCoordination(tool: string, input: Input, judge: Judge): PartVerdict {
  const { mode, background } = judge.policy;
  if (tool === "AskUserQuestion" && background)
    return { behavior: "deny", layer: "mode", reason: "nobody can be asked in the background" };
  if (tool !== "Skill") return byRuleOrMode(tool, undefined, judge);
  if (mode === "delegate")
    return {
      behavior: "deny",
      layer: "mode",
      reason: "delegate mode coordinates and loads no skills",
    };
  const skill = input["skill"] ?? input["command"] ?? input["name"];
  const name = typeof skill === "string" ? skill.trim().replace(/^\//, "") : "";
  const denied = findRule(judge.rules.deny, "Skill", name);
  if (denied)
    return {
      behavior: "deny",
      layer: "deny",
      rule: denied.text,
      reason: `the skill ${oneLine(name, 100)} is covered by ${denied.text}`,
    };
  return byRuleOrMode(tool, name, judge);
}

function byRuleOrMode(tool: string, name: string | undefined, { rules }: Judge): PartVerdict {
  const asked = name === undefined ? undefined : findRule(rules.ask, tool, name);
  if (asked)
    return {
      behavior: "ask",
      layer: "ask",
      rule: asked.text,
      reason: `${oneLine(name!, 100)} is covered by ${asked.text}`,
    };
  return {
    behavior: "allow",
    layer: "mode",
    reason: `${tool} coordinates and is allowed in every mode`,
  };
}

/** Refusals compare names without case and outer blanks. */
function findRule(rules: ParsedRule[], tool: string, name: string): ParsedRule | undefined {
  const covers =
    tool === "Skill"
      ? coversSkill
      : (specifier: string) =>
          splitRuleList(specifier).some((item) => item === "*" || fold(item) === fold(name));
  return rules.find(
    (rule) => rule.tool === tool && rule.specifier !== undefined && covers(rule.specifier, name),
  );
}

/**
 * `deploy`; `deploy *` and `deploy:*`, which are that skill with whatever it is given, and every
 * skill of a plugin of that name; `deploy*`, which is every name that begins so.
 */
function coversSkill(specifier: string, name: string): boolean {
  return specifier.split(",").some((item) => {
    const [, written = "", rest = ""] = /^\/?(.*?)(\s+\*|:\*|\*)?$/s.exec(item.trim())!;
    const [wanted, given] = [fold(written), fold(name)];
    return (
      given === wanted ||
      (rest === "*" ? given.startsWith(wanted) : rest !== "" && given.startsWith(`${wanted}:`))
    );
  });
}

const fold = (text: string): string => text.trim().normalize("NFKC").toLowerCase();
