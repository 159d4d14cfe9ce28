// What `retinue run` prints at its end: the answer with its trust and what it cost, or one JSON object
// for programs; and the exit code.
import type { OpenedSession } from "../../app/session/open-session.ts";
import type { MainRun } from "../../app/main/run-main-thread.ts";
import { counted } from "../../base/text/grouped.ts";
import { printable } from "../../base/text/printable.ts";
import type { Requirement } from "../../contract/trust/requirement.ts";
import { answerText } from "../../terminal/markdown/render-markdown.ts";
import { judgedWords, refusedBy, trustLines } from "../../terminal/view/trust-words.ts";
import type { ExitCode } from "../command.ts";
import type { Io } from "../io.ts";
import type { OutputFormat } from "../output-format.ts";
import { denialLines } from "./denial-lines.ts";
import { agentRow, runResult, type AgentRow, type RunResult } from "./run-result.ts";

type Reporting = {
  flags: { outputFormat: OutputFormat; require?: Requirement };
  io: Io;
  notices: readonly string[];
};

export function reportRun(
  run: MainRun,
  { session }: OpenedSession,
  { flags, io, notices }: Reporting,
): ExitCode {
  const { outcome, agentId, agentType, transcript, agents, totalCostUsd, verification } = run;
  const { tokens_used, tool_uses, duration_ms } = outcome.metrics;
  const main = {
    agent_id: agentId,
    agent_type: agentType,
    state: outcome.state,
    ...judgedWords(verification),
    tokens_used,
    tool_uses,
    duration_ms,
    transcript,
  };
  const result = runResult(outcome, {
    sessionId: session.id,
    agents: [main, ...agents.map(agentRow)],
    totalCostUsd,
    verification,
  });
  const refusal = session.verify ? refusedBy(verification, flags.require ?? null) : undefined;
  if (flags.outputFormat === "text") {
    printText(result, main, io);
    for (const line of trustLines(verification, session.verify))
      io.err(io.paintErr("dim", printable(line)));
    if (refusal !== undefined)
      io.err(`${io.paintErr("red", "not accepted")} ${printable(refusal)}`);
  } else io.out(JSON.stringify(notices.length > 0 ? { ...result, notices } : result));
  return result.is_error || refusal !== undefined ? 1 : 0;
}

function printText(result: RunResult, { agent_id, transcript }: AgentRow, io: Io): void {
  if (result.result) io.out(answerText(result.result, io));
  const cost = result.total_cost_usd === null ? "" : ` · $${result.total_cost_usd.toFixed(4)}`;
  // Of the whole tree, as the cost is.
  const tokens = result.agents.reduce((sum, agent) => sum + agent.tokens_used, 0);
  if (result.is_error)
    io.err(`${io.paintErr("red", result.subtype)} ${printable(result.error ?? "")}`);
  // Where the disk refused there may be nothing to go on with.
  if (result.is_error && result.reason !== "storage")
    io.err(io.paintErr("dim", `to go on with it: retinue resume ${agent_id} PROMPT`));
  for (const line of denialLines(result.permission_denials, io)) io.err(line);
  io.err(
    io.paintErr(
      "dim",
      `${counted(result.num_turns, "turn")} · ${counted(tokens, "token")}${cost} · ` +
        `${(result.duration_ms / 1000).toFixed(1)} s · ${transcript}`,
    ),
  );
}
