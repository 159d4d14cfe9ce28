// Puts what the verifier found into a run's result: the corrected text, the report as data, trust, and the header that the parent sees.
import type { RunOutcome } from "../../events/outcome.ts";
import { shortened, type AgentResult, type RunVerification } from "../session/agent-result.ts";
import type { JudgedReport } from "./judged-report.ts";
import type { Session } from "../session/session.ts";

/** A run that did not complete, or is bound by no contract, has nothing to add. */
export function withVerification(
  result: AgentResult,
  session: Pick<Session, "judged">,
): AgentResult {
  const judged = takeJudged(session, result.agent_id);
  if (!judged || result.state !== "completed") return result;
  const { tokens_used: tokens, tool_uses: toolUses, duration_ms: durationMs } = result.metrics;
  const header = judged.header({ agentId: result.agent_id, tokens, toolUses, durationMs });
  return {
    ...result,
    content: shortened(judged.content, result.transcript),
    report: judged.report,
    verification: { ...judged.verification, header },
  };
}

/** The same for a main thread's outcome. */
export function verifiedOutcome(
  outcome: RunOutcome,
  agentId: string,
  session: Pick<Session, "judged">,
): { outcome: RunOutcome; verification: RunVerification | null } {
  const judged = takeJudged(session, agentId);
  if (!judged || outcome.state !== "completed") return { outcome, verification: null };
  const { tokens_used: tokens, tool_uses: toolUses, duration_ms: durationMs } = outcome.metrics;
  return {
    outcome: { ...outcome, content: judged.content },
    verification: {
      ...judged.verification,
      header: judged.header({ agentId, tokens, toolUses, durationMs }),
    },
  };
}

function takeJudged(
  { judged }: Pick<Session, "judged">,
  agentId: string,
): JudgedReport | undefined {
  const found = judged.get(agentId);
  judged.delete(agentId);
  return found;
}
