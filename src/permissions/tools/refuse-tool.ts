// Whether a run has a tool at all: every ceiling (profile, definition, parent) must admit the call.
import { splitRuleList } from "../../base/parse-rule.ts";
import {
  answeringTool,
  canonicalToolName,
  isKnownTool,
  isMcpToolName,
} from "../../base/tool-names.ts";
import type { PartVerdict } from "../decision.ts";
import type { Call, Policy, ToolCeiling } from "../policy.ts";

/** Small tools that come with any work; profiles do not list them. */
const companions: ReadonlySet<string> = new Set([
  "TodoWrite",
  "Skill",
  "AskUserQuestion",
  "TaskOutput",
  "TaskStop",
]);

/** Tools with which one agent starts or continues another. */
const spawning: ReadonlySet<string> = new Set(["Agent", "SendMessage"]);

/** Why the run does not have this tool; undefined when it has. */
export function refuseTool(tool: string, call: Call, policy: Policy): PartVerdict | undefined {
  if (!isKnownTool(tool) && !policy.customTools.includes(tool))
    return refuse(`there is no tool named ${JSON.stringify(tool)}`);
  if (spawning.has(tool) && !policy.mainThread)
    return refuse("a sub-agent cannot start other agents");
  if (isMcpToolName(tool) && policy.background && !policy.mcpInBackground)
    return refuse("MCP tools are not available in the background");
  for (const entry of policy.disallowed)
    if (takesAway(entry, tool)) return refuse(`${tool} is disallowed for this agent`);
  if (tool === answeringTool) return undefined;
  for (const ceiling of policy.ceilings) {
    if (!admits(ceiling, tool, call))
      return refuse(
        `${tool} is not among ${ceiling.isProfile ? `the tools of ${ceiling.from}` : ceiling.from}`,
      );
  }
  return undefined;
}

const refuse = (reason: string): PartVerdict => ({ behavior: "deny", layer: "tools", reason });

function takesAway(entry: string, tool: string): boolean {
  return (
    entry === "*" ||
    (isMcpToolName(entry)
      ? matchesMcp(entry, tool, { wide: true })
      : canonicalToolName(entry.trim()) === tool)
  );
}

function admits(ceiling: ToolCeiling, tool: string, { mcp }: Call): boolean {
  if (ceiling.isProfile && companions.has(tool)) return true;
  const isBarredFromWildcards = ceiling.guarded && mcp?.readOnly === false;
  for (const entry of ceiling.tools)
    if (admitsEntry(entry.trim(), tool, !isBarredFromWildcards)) return true;
  return false;
}

function admitsEntry(entry: string, tool: string, wildcards: boolean): boolean {
  if (entry === "*") return wildcards || !isMcpToolName(tool);
  if (isMcpToolName(entry))
    return matchesMcp(entry, tool, { wide: false }) && (wildcards || entry === tool);
  const name = canonicalToolName(entry.split("(")[0]!.trim());
  // A specifier narrows Bash and Agent, which look at it themselves; on other tools it would be
  // lost, so such an entry admits nothing.
  return name === tool && (!entry.includes("(") || tool === "Agent" || tool === "Bash");
}

/**
 * `mcp__server` and `mcp__server__*` are all of a server's tools, `mcp__server__tool` is one, `*`
 * at the end any rest. Refusals (`wide`) also take `mcp__a__b` for a server named `a__b`, and
 * compare without case.
 */
export function matchesMcp(rule: string, tool: string, { wide }: { wide: boolean }): boolean {
  const [pattern, name] = wide ? [rule.toLowerCase(), tool.toLowerCase()] : [rule, tool];
  if (pattern === name) return true;
  if (pattern.includes("*")) return matchesText(pattern, name);
  const isServer = !pattern.slice("mcp__".length).includes("__");
  return (isServer || wide) && name.startsWith(`${pattern}__`);
}

/** `*` is any text; everything else stands for itself. */
export function matchesText(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const [index, piece] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const found =
      isLast && piece !== ""
        ? name.length - piece.length >= at && name.endsWith(piece)
          ? name.length - piece.length
          : -1
        : name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return pattern.endsWith("*") || at === name.length;
}

/**
 * The agent types that the ceilings leave; undefined when none of them limits. Lists of one ceiling
 * add up, ceilings narrow.
 */
export function admittedTypes(policy: Policy): string[] | undefined {
  let left: string[] | undefined;
  for (const { tools } of policy.ceilings) {
    const lists = specifiersOf(tools, "Agent").map(splitRuleList);
    if (lists.length === 0) continue;
    const types = lists.flat();
    left = left?.filter((type) => types.includes(type)) ?? types;
  }
  return left;
}

/** What stands in the brackets of a tool's entries. */
export function specifiersOf(tools: readonly string[], tool: string): string[] {
  return tools.flatMap((entry) => {
    const found = /^([^(]*)\((.*)\)$/s.exec(entry.trim());
    return found && canonicalToolName(found[1]!.trim()) === tool ? [found[2]!] : [];
  });
}
