// Parses permission rules and tool lists: `Tool`, `Tool(specifier)`, `mcp__server`,
// `mcp__server__*`, `Agent(type)`, `WebFetch(domain:host)`. A rule that can never match is
// reported, never ignored.
import { limits } from "./limits.ts";
import {
  builtInTools,
  canonicalToolName,
  foreignTools,
  isKnownTool,
  isMcpToolName,
} from "./tool-names.ts";
import { suggest } from "./text/suggest.ts";

export type ParsedRule = {
  /** As it was written, for messages. */
  text: string;
  /** Canonical tool name, `*`, or an `mcp__…` pattern. */
  tool: string;
  /** The text between the brackets, trimmed; absent for a rule about the whole tool. */
  specifier?: string;
};

export type RuleProblem = { rule: string; message: string; suggestion?: string };
export type RuleParse = { ok: true; rule: ParsedRule } | { ok: false; problem: RuleProblem };
export type RuleListName = "allow" | "ask" | "deny";

/**
 * The list that holds the rule (an allow list refuses `*`), and the names of tools that are not
 * built in.
 */
export type RuleContext = { list?: RuleListName; tools?: Iterable<string> };

const { ruleCharacters: maxRuleCharacters, ruleAlternatives: maxBraceAlternatives } =
  limits.permissions;
const contentFields: ReadonlyMap<string, string> = new Map([
  ["Bash", "command"],
  ["Read", "file_path"],
  ["Edit", "file_path"],
  ["Write", "file_path"],
  ["Agent", "subagent_type"],
  ["Skill", "skill"],
]);
const pathTools: ReadonlySet<string> = new Set(["Read", "Write", "Edit", "Grep", "Glob"]);

/** Parses one rule; the problem says why the rule can never match. */
export function parseRule(text: unknown, context: RuleContext = {}): RuleParse {
  if (typeof text !== "string")
    return fail(JSON.stringify(text) ?? String(text), "a rule is a text such as `Bash(git log:*)`");
  const rule = text.trim();
  if (rule === "") return fail(rule, "an empty rule matches nothing; remove it");
  if (rule.length > maxRuleCharacters)
    return fail(`${rule.slice(0, 60)}…`, `a rule has at most ${maxRuleCharacters} characters`);
  if (rule.includes("\0"))
    return fail(rule.replaceAll("\0", "\\0"), "a rule cannot contain a NUL character");
  const open = rule.indexOf("(");
  if (open < 0)
    return rule.includes(")")
      ? fail(rule, "the closing bracket has no opening one")
      : parseName(rule, rule, context);
  if (!rule.endsWith(")")) return fail(rule, "the bracket is not closed at the end of the rule");
  const named = parseName(rule, rule.slice(0, open), context);
  return named.ok ? withSpecifier(named.rule, rule.slice(open + 1, -1).trim(), context) : named;
}

function parseName(text: string, name: string, context: RuleContext): RuleParse {
  if (name === "*")
    return context.list === "allow"
      ? fail(text, "`*` cannot be allowed; the mode bypassPermissions says that")
      : { ok: true, rule: { text, tool: "*" } };
  if (isMcpToolName(name)) return parseMcpName(text, name, context);
  const extra = isKnownTool(name) ? [] : [...(context.tools ?? [])];
  if (isKnownTool(name) || extra.includes(name))
    return { ok: true, rule: { text, tool: canonicalToolName(name) } };
  const near = suggest(name.trim(), [...builtInTools, ...extra]);
  return fail(
    text,
    `there is no tool named ${JSON.stringify(name)}${near ? `; did you mean ${near}?` : ""}`,
    near,
  );
}

/** Only deny and ask rules may leave the server open: `mcp__*` means every tool of every server. */
function parseMcpName(text: string, name: string, { list }: RuleContext): RuleParse {
  const rest = name.slice("mcp__".length);
  if (
    (list === "deny" || list === "ask") &&
    rest.split("__")[0]!.includes("*") &&
    /^[\w.*:@/-]+$/.test(rest)
  )
    return { ok: true, rule: { text, tool: name } };
  if (rest === "" || rest.startsWith("_") || rest.startsWith("*"))
    return fail(
      text,
      "an MCP rule names its server: `mcp__server`, `mcp__server__*` or `mcp__server__tool`",
    );
  if (!/^[\w.*:@/-]+$/.test(rest))
    return fail(text, "an MCP tool name has letters, digits, `_`, `-` and `.` only");
  if (rest.split("__")[0]!.includes("*"))
    return fail(text, "the server's name in an MCP rule cannot be a wildcard");
  return { ok: true, rule: { text, tool: name } };
}

function withSpecifier(rule: ParsedRule, written: string, { list }: RuleContext): RuleParse {
  const refuses = list === "deny" || list === "ask";
  const content = refuses && contentFields.get(rule.tool);
  // The tool's main parameter, written out: `Bash(command:ls)` means `Bash(ls)`.
  const specifier =
    content && written.startsWith(`${content}:`)
      ? written.slice(content.length + 1).trim()
      : written;
  // `Tool(*)` means `Tool`. Commands and paths give `*` a meaning of their own.
  if (specifier === "*" && rule.tool !== "Bash" && !pathTools.has(rule.tool))
    return { ok: true, rule };
  const problem = specifierProblem(rule.tool, specifier, refuses);
  return problem === undefined
    ? { ok: true, rule: { ...rule, specifier } }
    : fail(rule.text, problem);
}

/**
 * `model:opus` names a parameter of the call and its value, in which `*` is any text. Only deny and
 * ask rules are read in this way.
 */
export function parameterIn(specifier: string): { name: string; value: string } | undefined {
  const found = /^([A-Za-z_]\w*):(?!\*$)(.+)$/s.exec(specifier);
  return found ? { name: found[1]!, value: found[2]!.trim() } : undefined;
}

type SpecifierCheck = (specifier: string, refuses: boolean) => string | undefined;

/** The check of a specifier by tool; a tool without a row takes no specifier. */
const specifierChecks = new Map<string, SpecifierCheck>(
  Object.entries({
    ...Object.fromEntries([...pathTools].map((tool) => [tool, pathProblem])),
    Bash: (specifier) =>
      /^:\s*\*$/.test(specifier)
        ? "`:*` follows a command (`git log:*`); write `Bash` for every command"
        : undefined,
    WebFetch: (specifier, refuses) =>
      refuses && parameterIn(specifier) && !specifier.startsWith("domain:")
        ? undefined
        : domainProblem(specifier),
    Agent: (specifier) =>
      splitRuleList(specifier).length === 0
        ? "an Agent rule names agent types: `Agent(worker, researcher)`"
        : undefined,
    ...Object.fromEntries(["Skill", ...foreignTools].map((tool) => [tool, () => undefined])),
  } satisfies Record<string, SpecifierCheck>),
);

/** Why `specifier` can never match a call of `tool`; undefined when it can. */
function specifierProblem(tool: string, specifier: string, refuses: boolean): string | undefined {
  if (specifier === "")
    return `the brackets are empty; write \`${tool}\` for every call or name what is meant`;
  const check = specifierChecks.get(tool);
  if (check) return check(specifier, refuses);
  if (refuses && tool !== "*" && parameterIn(specifier)) return undefined;
  return isMcpToolName(tool) || tool === "*"
    ? `${tool} takes no specifier`
    : `${tool} takes no specifier; write \`${tool}\``;
}

function pathProblem(pattern: string): string | undefined {
  if (pattern.startsWith("!")) return "a path rule cannot be negated; use the other list";
  if (/^\.?\/*$/.test(pattern) && pattern !== "//") return undefined;
  if (/^~[^/]/.test(pattern))
    return "only `~/` (one's own home) is understood, not another user's home";
  return countAlternatives(pattern) > maxBraceAlternatives
    ? `the braces stand for more than ${maxBraceAlternatives} paths`
    : undefined;
}

function domainProblem(specifier: string): string | undefined {
  const host = /^domain:(.*)$/s.exec(specifier)?.[1]?.trim();
  if (host === undefined) return "a WebFetch rule is written `WebFetch(domain:host)`";
  if (host === "") return "the host is missing after `domain:`";
  if (/[/\\@?#\s]/.test(host)) return "`domain:` takes a host name, without scheme, path or user";
  return host.slice(1).includes("*") ||
    (host.startsWith("*") && host !== "*" && !host.startsWith("*."))
    ? "a host wildcard is written `*.example.com`"
    : undefined;
}

/** An upper bound of the number of paths that the braces of `pattern` stand for. */
function countAlternatives(pattern: string): number {
  let total = 1;
  for (const [group] of pattern.matchAll(/\{[^{}]*\}/g)) total *= group.split(",").length;
  const nested = /\{[^{}]*\{/.test(pattern);
  return nested ? total * Math.max(1, pattern.split(",").length) : total;
}

function fail(rule: string, reason: string, suggestion?: string): RuleParse {
  return {
    ok: false,
    problem: {
      rule,
      message: `the rule ${JSON.stringify(rule)} can never match: ${reason}`,
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  };
}

/** Splits `Read, Agent(a, b) Bash(git log *)` at commas and blanks outside brackets. */
export function splitRuleList(text: string): string[] {
  const items: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === "(") at = closingBracket(text, at);
    else if (char === undefined || char === "," || /\s/.test(char)) {
      if (at > start) items.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return items;
}

/**
 * The index of the bracket that closes the one at `open`. Quotes and inner brackets are respected;
 * if that finds nothing, the first `)` before a separator is taken.
 */
function closingBracket(text: string, open: number): number {
  let depth = 0;
  let quote = "";
  const end = Math.min(text.length, open + maxRuleCharacters);
  for (let at = open; at < end; at++) {
    const char = text[at]!;
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at;
  }
  const loose = /\)(?=\s*(?:,|$))/g;
  loose.lastIndex = open;
  return loose.exec(text)?.index ?? text.length - 1;
}
