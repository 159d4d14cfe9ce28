// What the keys of `retinue top` do in the world: the same as the commands `stop`, `send`, `answer`
// and `resume`, for runs of any process. Each comes back with a sentence for the bottom line.
import { setTimeout as sleep } from "node:timers/promises";
import {
  answerQuestion,
  openQuestions,
  type PlacedQuestion,
} from "../../app/runs/open-questions.ts";
import { lookAgain } from "../../app/runs/find-run.ts";
import { stopRun } from "../../app/runs/stop-run.ts";
import { claudeConfigDir } from "../../base/files/project-folders.ts";
import { toRecorded } from "../../manager/asking/recorded-asker.ts";
import type { RecordedAnswer } from "../../manager/asking/open-question.ts";
import { requestBackground } from "../../manager/background/background-requests.ts";
import type {
  PermissionQuestion,
  QuestionPart,
  UserQuestion,
} from "../../manager/session/asker.ts";
import type { RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { answerTerminal } from "../asking/answer-terminal.ts";
import { askTerminal } from "../asking/ask-terminal.ts";
import type { Io } from "../io.ts";
import { goOnAnswered } from "../running/go-on-answered.ts";
import { resumeSubAgent } from "../running/resume-sub-agent.ts";
import { sendToAgent } from "../running/send-to-agent.ts";

export type TopActions = {
  stop(run: RunOnDisk): Promise<string>;
  message(run: RunOnDisk, text: string): Promise<string>;
  resume(run: RunOnDisk, text: string): Promise<string>;
  background(run: RunOnDisk): Promise<string>;
  /** On the usual screen, which the caller has made free: a long diff needs room to scroll. */
  answer(run: RunOnDisk): Promise<string>;
};

/** The other process hears of it within this time. */
const heardMs = 2_000;
const pollMs = 30;
const inBackground = { outputFormat: "text" as const, background: true };

export function topActions(io: Io): TopActions {
  return {
    async stop(run) {
      const { result } = await stopRun(lookAgain(run), io.env);
      return `${run.agentId} ${stopWords[result]}`;
    },
    message: (run, text) =>
      told(io, (quiet) => sendToAgent(lookAgain(run), text, { flags: inBackground, io: quiet })),
    resume: (run, text) =>
      told(io, async (quiet) => {
        const flags = { ...inBackground, resume: run.agentId };
        if (!run.isMain) return resumeSubAgent(lookAgain(run), text, { flags, io: quiet });
        return (await import("../commands/run.ts")).run(text, flags, quiet);
      }),
    background: (run) => toBackground(run, io),
    answer: (run) => answerHere(run, io),
  };
}

const stopWords = {
  stopped: "was stopped",
  over: "is over already",
  killed: "did not react; its host was ended",
  deaf: "did not react and still runs",
} as const;

/** What a command would print becomes one sentence. */
async function told(io: Io, act: (quiet: Io) => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const keep = (text: string): void => void lines.push(text);
  await act({ ...io, out: keep, err: keep, interactive: false, paint: plain, paintErr: plain });
  return lines.join(" ");
}

const plain: Io["paint"] = (_style, text) => text;

async function toBackground(run: RunOnDisk, io: Io): Promise<string> {
  const request = requestBackground(claudeConfigDir(io.env), run.agentId);
  const until = performance.now() + heardMs;
  try {
    while (!request.isTaken() && performance.now() < until) await sleep(pollMs);
    return request.isTaken()
      ? `${run.agentId} goes to the background at the end of its turn`
      : `${run.agentId} runs in process ${run.holder?.pid ?? "?"}, which cannot move it`;
  } finally {
    request.withdraw();
  }
}

async function answerHere(run: RunOnDisk, io: Io): Promise<string> {
  const sessions = new Set([run.sessionId]);
  const question = openQuestions(io.env, { sessions }).find(
    ({ agent_id }) => agent_id === run.agentId,
  );
  if (!question) return `${run.agentId} has no open question any more`;
  const answer = await askedHere(question, io);
  if (!answer) return "not answered";
  const { refusal, run: now } = answerQuestion(question.id, () => answer, io.env);
  if (refusal !== undefined) return `not counted: ${refusal}`;
  if (!now || now.holder) return `${question.id} answered: ${answer.answer}`;
  return told(io, (quiet) => goOnAnswered(now, question, quiet));
}

async function askedHere(question: PlacedQuestion, io: Io): Promise<RecordedAnswer | undefined> {
  const pause = (): (() => void) => () => undefined;
  if (question.tool !== "AskUserQuestion") {
    const said = await askTerminal(io, pause)(asAsked(question), io.signal);
    return io.signal.aborted ? undefined : toRecorded(said);
  }
  const texts = await answerTerminal(io, pause)(questionsOf(question), io.signal);
  return texts && { answer: "yes", texts, at: new Date().toISOString(), by: "terminal" };
}

const asAsked = (question: PlacedQuestion): PermissionQuestion => ({
  agentId: question.agent_id,
  agentType: question.agent_type,
  toolUseId: question.tool_use_id,
  tool: question.tool,
  input: question.input,
  reason: question.reason,
  ...(question.rule === undefined ? {} : { rule: question.rule }),
  parts: question.parts.map((part) => ({ ...part, behavior: behaviorOf(part.behavior) })),
  ...(question.leads_to === undefined ? {} : { leadsTo: question.leads_to }),
  offers: question.offers,
});

/** A record is a file: a word that is none of ours is one more reason to ask. */
const behaviorOf = (word: string): QuestionPart["behavior"] =>
  word === "allow" || word === "deny" ? word : "ask";

const questionsOf = ({ input }: PlacedQuestion): UserQuestion[] =>
  Array.isArray(input["questions"]) ? (input["questions"] as UserQuestion[]) : [];
