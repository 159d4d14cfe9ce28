// The one permission decision: tools · hook · deny · ask · protected · mode · allow · the asker.
// Pure: the same call, policy and facts give the same answer.
import { limits } from "../base/limits.ts";
import { parameterIn, type ParsedRule } from "../base/parse-rule.ts";
import {
  canonicalToolName,
  coordinationTools,
  isKnownTool,
  isMcpToolName,
} from "../base/tool-names.ts";
import { worse, type CallDecision, type Step, type PartVerdict } from "./decision.ts";
import { createJudge, type Judge } from "./judge.ts";
import { judgeCoordination, judgeSpawn } from "./tools/judge-spawn.ts";
import { judgeBash, type Part } from "./bash/judge-bash.ts";
import { judgeFile, judgeGlob, judgeGrep, staysInMemory } from "./paths/judge-file.ts";
import { bareRule } from "./paths/refuse-access.ts";
import { matchesMcp, matchesText, refuseTool } from "./tools/refuse-tool.ts";
import { judgeFetch } from "./tools/judge-fetch.ts";
import type { Call, FactsOf, Policy } from "./policy.ts";

/** Judges one call. Never throws for any input; what cannot be judged is asked or denied. */
export function decide(call: Call, policy: Policy, facts: FactsOf): CallDecision {
  const tool = canonicalToolName(call.tool);
  const judge = createJudge(policy, facts);
  const missing = refuseTool(tool, call, policy);
  if (missing && !staysInMemory(tool, call.input, judge))
    return decided(missing, [{ part: tool, verdict: missing }]);
  if (call.hook?.behavior === "deny") {
    const verdict: PartVerdict = {
      behavior: "deny",
      layer: "hook",
      reason: call.hook.reason ?? "a hook denied it",
    };
    return decided(verdict, [{ part: tool, verdict }]);
  }
  const parts = wholeTool(tool, call, judge);
  for (const part of partsOf(tool, call, judge)) parts.push(part);
  let worst = parts[0]!.verdict;
  for (const { verdict } of parts) worst = worse(worst, verdict);
  return decided(answer(worst, call, policy), parts);
}

/**
 * Whether every input of this tool gets the same answer, as long as no hook and no MCP server has
 * anything to say: so it is for a tool of the library's user, unless a rule refuses by a parameter.
 */
export function isJudgedByName(tool: string, policy: Policy, facts: FactsOf): boolean {
  if (isKnownTool(tool) || !policy.customTools.includes(tool)) return false;
  const { rules } = createJudge(policy, facts);
  return refusing.every(
    (list) => !rules[list].some((rule) => rule.tool === tool && rule.specifier !== undefined),
  );
}

function decided(verdict: PartVerdict, parts: Part[]): CallDecision {
  // Of very many parts those that speak against the call are kept first.
  const { steps: maxSteps } = limits.permissions;
  const kept =
    parts.length > maxSteps
      ? [...parts.filter((part) => part.verdict.behavior !== "allow"), ...parts].slice(0, maxSteps)
      : parts;
  const steps = kept.map(({ part, verdict: { behavior, layer, rule, reason } }): Step => ({
    part,
    layer,
    behavior,
    reason,
    ...(rule === undefined ? {} : { rule }),
  }));
  return { ...verdict, steps };
}

/** The hook's word where a person would be asked, and nobody's where there is nobody. */
function answer(verdict: PartVerdict, { hook }: Call, { mode, background }: Policy): PartVerdict {
  let result = verdict;
  if (hook?.behavior === "ask")
    result = worse(
      {
        behavior: "ask",
        layer: "hook",
        reason: hook.reason ?? "a hook wants a person to be asked",
      },
      result,
    );
  const isOpen =
    result.behavior === "ask" && (result.layer === "default" || result.layer === "mode");
  if (hook?.behavior === "allow" && isOpen)
    return { behavior: "allow", layer: "hook", reason: hook.reason ?? "a hook allowed it" };
  if (result.behavior !== "ask" || (mode !== "dontAsk" && !background)) return result;
  return {
    ...result,
    behavior: "deny",
    reason: `${result.reason}; ${background ? "in the background" : "in dontAsk mode"} nobody is asked`,
  };
}

const refusing = ["deny", "ask"] as const;

/**
 * Rules about the tool as a whole, and rules that cannot be read: a broken refusal refuses
 * everything.
 */
function wholeTool(tool: string, { input }: Call, judge: Judge): Part[] {
  const parts: Part[] = [];
  for (const { list, rule, message } of judge.rules.problems) {
    if (list !== "allow")
      parts.push({
        part: tool,
        verdict: {
          behavior: "deny",
          layer: list,
          rule,
          reason: `${message}; until it is repaired everything is denied`,
        },
      });
  }
  for (const list of refusing) {
    const rule =
      bareRule(list, judge, tool) ??
      mcpRule(list, tool, judge) ??
      parameterRule(judge.rules[list], tool, input);
    if (rule !== undefined)
      parts.push({
        part: tool,
        verdict: { behavior: list, layer: list, rule, reason: `${tool} is covered by ${rule}` },
      });
  }
  return parts;
}

function mcpRule(
  list: "allow" | "ask" | "deny",
  tool: string,
  { rules }: Judge,
): string | undefined {
  if (!isMcpToolName(tool)) return undefined;
  return rules[list].find(
    (rule) =>
      rule.specifier === undefined &&
      isMcpToolName(rule.tool) &&
      matchesMcp(rule.tool, tool, { wide: list !== "allow" }),
  )?.text;
}

/**
 * `Agent(model:opus)`, `Bash(run_in_background:true)`: a call that gives this parameter this value.
 */
function parameterRule(
  rules: readonly ParsedRule[],
  tool: string,
  input: Call["input"],
): string | undefined {
  return rules.find((rule) => {
    const wanted =
      rule.specifier !== undefined &&
      (rule.tool === tool ||
        (isMcpToolName(rule.tool) && matchesMcp(rule.tool, tool, { wide: true })))
        ? parameterIn(rule.specifier)
        : undefined;
    const given = wanted && Object.hasOwn(input, wanted.name) ? input[wanted.name] : undefined;
    const text =
      typeof given === "string" || typeof given === "boolean" || typeof given === "number"
        ? String(given).trim().toLowerCase()
        : undefined;
    return (
      wanted !== undefined && text !== undefined && matchesText(wanted.value.toLowerCase(), text)
    );
  })?.text;
}

function partsOf(tool: string, call: Call, judge: Judge): Part[] {
  const { input } = call;
  switch (tool) {
    case "Bash":
      return judgeBash(input, judge);
    case "Read":
    case "Write":
    case "Edit":
      return whole(tool, judgeFile(tool, input, judge));
    case "Grep":
      return whole(tool, judgeGrep(input, judge));
    case "Glob":
      return whole(tool, judgeGlob(input, judge));
    case "WebFetch":
      return whole(tool, judgeFetch(input, judge));
    case "Agent":
      return whole(tool, judgeSpawn(input, judge));
    default:
      return whole(
        tool,
        coordinationTools.has(tool)
          ? judgeCoordination(tool, input, judge)
          : judgeOther(tool, call, judge),
      );
  }
}

const whole = (tool: string, verdict: PartVerdict): Part[] => [{ part: tool, verdict }];

/** WebSearch, MCP tools and tools of the library's user. */
function judgeOther(tool: string, { mcp }: Call, judge: Judge): PartVerdict {
  const { mode, ceilings } = judge.policy;
  const readOnly = tool === "WebSearch" || mcp?.readOnly === true;
  if (mcp?.changed)
    return {
      behavior: "ask",
      layer: "protected",
      reason: `${tool} has changed since it was approved`,
    };
  if (mode === "delegate")
    return {
      behavior: "deny",
      layer: "mode",
      reason: `delegate mode coordinates and does not use ${tool}`,
    };
  if (mode === "plan" && !readOnly)
    return {
      behavior: "deny",
      layer: "mode",
      reason: `plan mode writes nothing, and ${tool} is not known to be read-only`,
    };
  if (mode === "bypassPermissions")
    return {
      behavior: "allow",
      layer: "mode",
      reason: "bypassPermissions allows what no rule and no protection stops",
    };
  if (tool === "WebSearch" && ceilings.some((ceiling) => ceiling.isProfile))
    return { behavior: "allow", layer: "mode", reason: "the profile has WebSearch" };
  const rule = bareRule("allow", judge, tool) ?? mcpRule("allow", tool, judge);
  if (rule !== undefined)
    return { behavior: "allow", layer: "allow", rule, reason: `${tool} is covered by ${rule}` };
  return { behavior: "ask", layer: "default", reason: `no rule allows ${tool}` };
}
