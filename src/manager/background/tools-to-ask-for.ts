// What a run would have to ask a person for: told before it starts in the background, as one
// question.
import { decide } from "../../permissions/decide.ts";
import type { FactsOf, Policy } from "../../permissions/policy.ts";
import { join } from "node:path";

/**
 * The tools of `tools` whose ordinary use the policy would ask about; each name is also the rule
 * that allows it.
 */
export function toolsToAskFor(tools: readonly string[], policy: Policy, facts: FactsOf): string[] {
  const foreground = { ...policy, background: false };
  return tools.filter((tool) => {
    const input = ordinaryUse(tool, policy.workspace.cwd);
    return input !== undefined && decide({ tool, input }, foreground, facts).behavior === "ask";
  });
}

/** One harmless call of its kind; undefined for tools that never ask. */
function ordinaryUse(tool: string, cwd: string): Record<string, unknown> | undefined {
  switch (tool) {
    case "Bash":
      return { command: "make" };
    case "Edit":
    case "Write":
      return { file_path: join(cwd, "file.txt"), content: "", old_string: "a", new_string: "b" };
    case "WebFetch":
      return { url: "https://example.com/", prompt: "" };
    case "Read":
    case "Grep":
    case "Glob":
    case "AskUserQuestion":
      return undefined;
    default:
      return {};
  }
}
