// The question that a person is asked about one judged call: the call itself, why it is asked, its
// parts, where its path leads, and the rules that would answer it.
import { absolutePath } from "../../base/files/path-facts.ts";
import type { CallDecision } from "../../permissions/decision.ts";
import type { FactsOf, McpFacts, Policy } from "../../permissions/policy.ts";
import type { RequestedCall } from "../../loop/ports.ts";
import type { JudgedPath } from "../../tool/tool.ts";
import type { PermissionQuestion } from "../session/asker.ts";
import { offerRules } from "./offer-rules.ts";

type Asking = {
  agentId: string;
  agentType: string;
  policy: () => Policy;
  facts: FactsOf;
  mcpFacts: (tool: string) => McpFacts | undefined;
};

export function questionAbout(
  {
    call,
    decision,
    judgedPath,
  }: { call: RequestedCall; decision: CallDecision; judgedPath: JudgedPath },
  asking: Asking,
): PermissionQuestion {
  const { agentId, agentType, facts } = asking;
  const { toolUseId, tool, input } = call;
  const { reason, rule, steps } = decision;
  const policy = asking.policy();
  const mcp = asking.mcpFacts(tool);
  const written = input["file_path"];
  const { cwd, home } = policy.workspace;
  const leadsTo =
    typeof written === "string" && judgedPath !== absolutePath(written, cwd, home)
      ? judgedPath
      : null;
  return {
    agentId,
    agentType,
    toolUseId,
    tool,
    input,
    reason,
    ...(rule === undefined ? {} : { rule }),
    parts: steps.map(({ part, behavior, reason: why }) => ({ part, behavior, reason: why })),
    ...(leadsTo === null ? {} : { leadsTo }),
    offers: offerRules({ tool, input, ...(mcp ? { mcp } : {}) }, { steps, policy, facts }),
  };
}
