// What is told as a success, held against what the model really said.
import { shortened, type AgentResult } from "../../src/manager/session/agent-result.ts";
import type { OpenProcess } from "./open-process.ts";
import { readTranscript } from "./read-disk.ts";
import { problem, type Agent, type AgentLife, type World } from "./world.ts";

/** A success is an answer of the model, and it is on disk. */
export function checkAnswer(
  result: AgentResult,
  { world, open, agent, life }: { world: World; open: OpenProcess; agent: Agent; life: AgentLife },
): void {
  const { kind, text = "" } = life.lastWord ?? {};
  if (kind !== "answer")
    problem(
      world,
      `P10: agent ${agent.index} completed although the model's last word was ${kind ?? "never said"}`,
    );
  // An answer in no form is checked too, and gets no word where nothing in it could be.
  if (life.contract !== "none" && result.verification === null)
    problem(
      world,
      `agent ${agent.index} is bound by ${life.contract} and its report was not checked`,
    );
  const isSame =
    life.contract === "none" && result.verification === null
      ? result.content === shortened(text, result.transcript)
      : life.answers.slice(-2).some((answer) => isMadeFrom(answer, result.content));
  if (!isSame)
    problem(
      world,
      `P10: agent ${agent.index} completed with another answer: ${result.content.slice(0, 200)}`,
    );
  const lines = readTranscript(open.transcript(agent.id)).lines;
  if (!lines.some((line) => line.runId === life.runId && line.subtype === "run_end"))
    problem(world, `P1: agent ${agent.index} was told as completed before that was on disk`);
}

/** A checked report may have been corrected and added to, but it is the one that was given. */
function isMadeFrom(answer: string, content: string): boolean {
  const marks = answer.slice(0, 30_000).match(/answer \d+ of \d+/g) ?? [];
  return (
    content.slice(0, 12) === answer.slice(0, 12) && marks.every((mark) => content.includes(mark))
  );
}
