// `if` of a hook: a permission rule such as `Edit(*.ts)` that must fit the call, or the hook does
// not run. Where that cannot be told, it runs.
import { homeDir } from "../../base/files/home-dir.ts";
import { isObject } from "../../base/data/json.ts";
import { pathFacts } from "../../base/files/path-facts.ts";
import { parseRule } from "../../base/rule-grammar.ts";
import { canonicalToolName, foreignTools } from "../../base/tool-names.ts";
import { decide } from "../../permissions/decide.ts";
import { createPolicy } from "../../permissions/policy.ts";
import type { HookInput } from "../hook-event.ts";

export type HookCondition = (input: HookInput) => boolean;

/**
 * Throws with the reason where the rule can never match. Events without a tool call never fit, as
 * in Claude Code.
 */
export function compileCondition(text: string): HookCondition {
  const parsed = parseRule(text, { tools: foreignTools });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const { rule } = parsed;
  return (input) => {
    const { tool_name: name, tool_input: given, cwd } = input;
    if (typeof name !== "string") return false;
    const tool = canonicalToolName(name);
    // A rule about files says nothing of commands that touch them: whoever means those writes a
    // rule for Bash.
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
