// Reports matchers that can never match: a guard that never fires must not look like one that does.
import { parseRule } from "../../base/parse-rule.ts";
import { suggest } from "../../base/text/suggest.ts";
import { builtInTools, foreignTools, isKnownTool, rightlyCased } from "../../base/tool-names.ts";
import { toolEvents, type HookEvent } from "../hook-event.ts";
import { namesIn, type Matcher } from "./matcher.ts";

export type MatcherProblem = { message: string; suggestion?: string };

/** Only for events about a tool; `tools` are the names of tools that are not built in. */
export function matcherProblem(
  event: HookEvent,
  matcher: string,
  { matches, tools }: { matches: Matcher; tools: readonly string[] },
): MatcherProblem | undefined {
  if (!toolEvents.has(event)) return undefined;
  const names = namesIn(matcher);
  const known = [...builtInTools, ...tools];
  const server = names?.find((name) => /^mcp__[^_]+(?:_[^_]+)*$/.test(name));
  if (server !== undefined)
    return {
      message:
        `the matcher ${shown(server)} is compared with whole names of tools and is none, so ` +
        `it never matches; for every tool of that server write \`${server}__.*\``,
      suggestion: `${server}__.*`,
    };
  const misspelt = names
    ?.map((name) => ({ name, near: nearestTool(name, known) }))
    .find(({ near }) => near !== undefined);
  if (misspelt)
    return {
      message: `no tool is named ${shown(misspelt.name)}, so that part of the matcher never matches`,
      suggestion: misspelt.near!,
    };
  if (known.some((tool) => matches(tool))) return undefined;
  const rule = writtenAsRule(matcher);
  // The tools of a server are known only while the server runs.
  if (
    rule === "" &&
    (names ? names.some((name) => name.startsWith("mcp__")) : /mcp|\.[*+]/.test(matcher))
  )
    return undefined;
  if (foreignTools.some((tool) => matches(tool)))
    return {
      message:
        `the matcher ${shown(matcher)} names only tools of Claude Code that do not exist ` +
        "here: its hooks never run",
    };
  return { message: `the matcher ${shown(matcher)} fits no tool, so its hooks never run${rule}` };
}

function nearestTool(name: string, known: readonly string[]): string | undefined {
  if (isKnownTool(name) || known.includes(name) || foreignTools.includes(name)) return undefined;
  return rightlyCased(name, known) ?? suggest(name, [...known]);
}

/**
 * Advice for `Bash(git commit*)`: that is a permission rule; as a regular expression no tool's name
 * matches it. Empty for other matchers.
 */
export function writtenAsRule(matcher: string): string {
  const parsed = parseRule(matcher, { tools: foreignTools });
  if (!parsed.ok || parsed.rule.specifier === undefined) return "";
  return (
    `: a matcher is the name of a tool; for single calls write "matcher": ` +
    `"${parsed.rule.tool}" and in the hook "if": ${JSON.stringify(matcher.trim())}`
  );
}

const shown = (text: string): string =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 99)}…` : text);
