// Permission rules as they stand in settings, and the same rules taken apart once for matching.
import { parseRule, type ParsedRule, type RuleProblem } from "../base/rule-grammar.ts";

export type RuleLists = { allow: string[]; ask: string[]; deny: string[] };

export type CompiledRules = { allow: ParsedRule[]; ask: ParsedRule[]; deny: ParsedRule[]; problems: (RuleProblem & { list: keyof RuleLists })[] };

const compiled = new WeakMap<RuleLists, CompiledRules>();
const lists = ["allow", "ask", "deny"] as const;

/** The rules taken apart; what can never match stands in `problems`. The same lists are compiled once. */
export function compileRules(rules: RuleLists): CompiledRules {
  const known = compiled.get(rules);
  if (known) return known;
  const result: CompiledRules = { allow: [], ask: [], deny: [], problems: [] };
  for (const list of lists) {
    for (const text of rules[list]) {
      const parsed = parseRule(text, { list });
      if (parsed.ok) result[list].push(parsed.rule);
      else result.problems.push({ ...parsed.problem, list });
    }
  }
  compiled.set(rules, result);
  return result;
}
