// The questions of all runs of this user, wherever they were asked, and answering one of them.
import { join } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { oneLine } from "../../base/text/printable.ts";
import {
  giveAnswer,
  isQuestionId,
  readQuestions,
  type QuestionRecord,
  type RecordedAnswer,
} from "../../manager/asking/open-question.ts";
import type { Environment } from "../../manager/session/session.ts";
import { sessionPaths } from "../../transcripts/paths.ts";
import {
  foldersIn,
  listRuns,
  sessionsIn,
  type RunOnDisk,
} from "../../transcripts/reading/list-runs.ts";
import { projectsDir } from "./find-run.ts";

type Place = { project: string; sessionId: string; folder: string };
export type PlacedQuestion = QuestionRecord & { place: Place };

/**
 * Without an answer, in time, and of a run that has not ended; oldest first. `sessions`: only of
 * these, where somebody knows which ones matter.
 */
export function openQuestions(
  env: Environment,
  { now = Date.now(), sessions }: { now?: number; sessions?: ReadonlySet<string> } = {},
): PlacedQuestion[] {
  return allQuestions(env, sessions)
    .filter((question) => whyClosed(question, runOfQuestion(question, env), now) === undefined)
    .sort((a, b) => (a.asked_at < b.asked_at ? -1 : 1));
}

/** The run that waits for the answer; its holder is undefined where its process is gone. */
export function runOfQuestion(
  { agent_id, place }: PlacedQuestion,
  env: Environment,
): RunOnDisk | undefined {
  const { project, sessionId } = place;
  return listRuns(projectsDir(env), { project, sessionId }).find(
    ({ agentId }) => agentId === agent_id,
  );
}

/**
 * Throws `unknown_task` for an id that names no question. With `refusal` nothing was changed; the
 * run goes on by itself where it has a process.
 */
export function answerQuestion(
  id: string,
  answer: (question: PlacedQuestion) => RecordedAnswer,
  env: Environment,
): { question: PlacedQuestion; run: RunOnDisk | undefined; refusal?: string } {
  const question = isQuestionId(id)
    ? allQuestions(env).find((record) => record.id === id)
    : undefined;
  if (!question)
    throw new RetinueError(
      "unknown_task",
      `there is no question ${oneLine(id, 60)}. \`retinue asks\` lists the open ones; the id of ` +
        'a question is "q" and 16 hex digits.',
    );
  const run = runOfQuestion(question, env);
  const closed = whyClosed(question, run, Date.now());
  if (closed !== undefined) return { question, run, refusal: closed };
  const isFirst = giveAnswer(question.place.folder, id, answer(question));
  return isFirst ? { question, run } : { question, run, refusal: "somebody else was first" };
}

function allQuestions(env: Environment, only?: ReadonlySet<string>): PlacedQuestion[] {
  const projects = projectsDir(env);
  if (only?.size === 0) return [];
  return foldersIn(projects).flatMap((project) =>
    sessionsIn(join(projects, project)).flatMap((sessionId) => {
      if (only && !only.has(sessionId)) return [];
      const folder = sessionPaths(join(projects, project), sessionId).asks;
      return readQuestions(folder).map((record) => ({
        ...record,
        place: { project, sessionId, folder },
      }));
    }),
  );
}

function whyClosed(
  { answer, deadline }: QuestionRecord,
  run: RunOnDisk | undefined,
  now: number,
): string | undefined {
  if (answer) return `it was answered with ${answer.answer} at ${answer.at}`;
  if (now >= Date.parse(deadline)) return `its time was over at ${deadline}`;
  if (!run) return "its run is gone";
  return run.state === "running" || run.reason === "lost" ? undefined : "its run has ended";
}
