// Permission rules as they stand in settings, and the same rules taken apart for matching.
import { foreignTools } from "../base/tool-names.ts";
import { parseRule, type ParsedRule, type RuleProblem } from "../base/parse-rule.ts";

export type RuleLists = { allow: string[]; ask: string[]; deny: string[] };

export type CompiledRules = {
  allow: ParsedRule[];
  ask: ParsedRule[];
  deny: ParsedRule[];
  problems: (RuleProblem & { list: keyof RuleLists })[];
};

const lists = ["allow", "ask", "deny"] as const;

/**
 * The rules taken apart; what can never match stands in `problems`. `tools` names tools that are
 * not built in.
 */
export function compileRules(rules: RuleLists, tools: readonly string[] = []): CompiledRules {
  const result: CompiledRules = { allow: [], ask: [], deny: [], problems: [] };
  const named = [...tools, ...foreignTools];
  for (const list of lists) {
    for (const text of rules[list]) {
      const parsed = parseRule(text, { list, tools: named });
      if (parsed.ok) result[list].push(parsed.rule);
      else result.problems.push({ ...parsed.problem, list });
    }
  }
  return result;
}
