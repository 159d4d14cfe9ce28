// Before an agent goes to the background, a person is asked once for everything its definition
// needs; afterwards nobody is asked.
import { pathFacts } from "../../base/files/path-facts.ts";
import type { Policy } from "../../permissions/policy.ts";
import { toolsToAskFor } from "./tools-to-ask-for.ts";
import type { RunHandle } from "../run/run-handle.ts";
import type { Session } from "../session/session.ts";
import { unlessStopped } from "../run/tools/unless-stopped.ts";

/**
 * Adds what was approved to the run. A no, a stop or nobody there: it runs with what the rules
 * allow.
 */
export async function askUpFront(run: RunHandle, session: Session): Promise<void> {
  const { spec } = run;
  const rules = neededRules(spec.tools, spec.policy, session.home);
  if (rules.length === 0 || !session.ask || session.background.ask !== "upfront") return;
  const call = {
    toolUseId: spec.toolUseId ?? "",
    tool: "Agent",
    input: { subagent_type: spec.agentType, run_in_background: true, rules },
  };
  if (!session.approvals.has(call)) {
    const question = {
      agentId: spec.agentId,
      agentType: spec.agentType,
      toolUseId: call.toolUseId,
      tool: call.tool,
      input: call.input,
      reason:
        "it will run in the background, where nobody can be asked; what is not approved now will be denied",
      parts: [],
      offers: rules.map((rule) => [rule]),
      isUpFront: true as const,
    };
    const asking = Promise.resolve(question).then((asked) => session.ask!(asked, run.signal));
    const answer = await run
      .whileAsking(unlessStopped(run.signal, asking))
      .catch(() => "no" as const);
    if (typeof answer === "object" && answer.answer === "always")
      return void run.approved.push(...answer.rules.filter((rule) => rules.includes(rule)));
    if (answer !== "once" && answer !== "session") return;
    if (answer === "session") session.approvals.add(call);
  }
  run.approved.push(...rules);
}

/**
 * The allow rules that would make its tools usable: the brackets of its own entries where it has
 * any, else the whole tool.
 */
export function neededRules(tools: readonly string[], policy: Policy, home: string): string[] {
  // Without ceilings: an entry like `Bash(npm test)` refuses the ordinary use, and is itself the
  // rule that is wanted.
  const asked = toolsToAskFor(tools, { ...policy, ceilings: [] }, (path) =>
    pathFacts(path, policy.workspace.cwd, home),
  );
  const entries = policy.ceilings.flatMap((ceiling) => ceiling.tools);
  const rules = asked.flatMap((tool) => {
    const bracketed = entries.filter((entry) => entry.startsWith(`${tool}(`));
    return bracketed.length > 0 ? bracketed : [tool];
  });
  return [...new Set(rules)].filter((rule) => !policy.rules.allow.includes(rule));
}
