// `if` of a hook: a permission rule such as `Edit(*.ts)`. The hook runs only for calls that fit the
// rule, and for calls about which the rule cannot tell.
import { homeDir } from "../../base/files/home-dir.ts";
import { isObject } from "../../base/data/json.ts";
import { pathFacts } from "../../base/files/path-facts.ts";
import { parseRule } from "../../base/parse-rule.ts";
import { canonicalToolName, foreignTools } from "../../base/tool-names.ts";
import { decide } from "../../permissions/decide.ts";
import { createPolicy } from "../../permissions/policy.ts";
import type { HookInput } from "../hook-event.ts";

export type HookCondition = (input: HookInput) => boolean;

/**
 * Throws with the reason if the rule can never match. Events without a tool call never fit, as in
 * Claude Code.
 */
export function compileCondition(text: string): HookCondition {
  const parsed = parseRule(text, { tools: foreignTools });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const { rule } = parsed;
  return (input) => {
    const { tool_name: name, tool_input: given, cwd } = input;
    if (typeof name !== "string") return false;
    const tool = canonicalToolName(name);
    // A rule about files does not cover commands that touch them: a rule for Bash does.
    if ((tool === "Bash") !== (rule.tool === "Bash")) return rule.tool === "*";
    const home = homeDir();
    const policy = createPolicy({
      workspace: { cwd, home },
      mode: "bypassPermissions",
      rules: { allow: [], ask: [], deny: [rule.text] },
      customTools: [...foreignTools],
    });
    const { steps } = decide({ tool, input: isObject(given) ? given : {} }, policy, (path) =>
      pathFacts(path, cwd, home),
    );
    return steps.some(
      (step) => step.rule === rule.text || (tool === "Bash" && step.behavior === "ask"),
    );
  };
}
