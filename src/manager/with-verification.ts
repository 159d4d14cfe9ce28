// Puts what the verifier found into a run's result: the corrected text, the report as data, trust, and the header that the parent sees.
import type { JsonObject } from "../base/json.ts";
import type { AgentResult } from "./agent-result.ts";
import { shortened } from "./agent-result.ts";
import { judgedText, verificationOf } from "./report-verifier.ts";
import type { Session } from "./session.ts";

/** A run that did not complete, or is bound by no contract, has nothing to add. */
export function withVerification(result: AgentResult, session: Pick<Session, "judged">): AgentResult {
  const judged = session.judged.get(result.agent_id);
  session.judged.delete(result.agent_id);
  if (!judged || result.state !== "completed") return result;
  const { tokens_used: tokens, tool_uses: toolUses, duration_ms: durationMs } = result.metrics;
  const { content, header } = judgedText(judged, { agentId: result.agent_id, tokens, toolUses, durationMs });
  const report = JSON.parse(JSON.stringify(judged.assessment.report)) as JsonObject;
  return { ...result, content: shortened(content, result.transcript), report, verification: { ...verificationOf(judged), header } };
}
