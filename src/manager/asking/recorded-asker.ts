// Asks through a record on disk: the person at this terminal, where there is one, and whoever
// answers from elsewhere. The first answer counts.
import type {
  Answerer,
  Asker,
  PermissionAnswer,
  PermissionQuestion,
  UserQuestion,
} from "../session/asker.ts";
import {
  giveAnswer,
  openQuestion,
  waitForAnswer,
  type QuestionRecord,
  type RecordedAnswer,
} from "./open-question.ts";

export type QuestionPlace = {
  /** The session's folder of questions. */
  folder: string;
  secrets: readonly string[];
  /** How long a question waits. */
  waitMs: number;
  /** Told once the question is on disk, before anybody can answer. */
  onAsked: (record: QuestionRecord) => void;
};

/** Where the disk refuses the record, only the person here can answer. */
export function recordedAsker(place: QuestionPlace, person: Asker | undefined): Asker {
  return async (question, signal) => {
    const record = recordOf(question, place);
    if (!record) return person ? person(question, signal) : "no";
    let said: { answer: PermissionAnswer } | undefined;
    const here =
      person &&
      (async (until: AbortSignal) =>
        toRecorded((said = { answer: await person(question, until) }).answer));
    const first = await firstAnswer(record, place, { here, signal });
    // Types do not bind every asker: what is no answer is a no on disk, and is told in its own words.
    return said && first.answer === "no" && first.by === "terminal"
      ? said.answer
      : fromRecorded(first);
  };
}

/** The same for questions of an agent, which are answered in words. */
export function recordedAnswerer(
  place: QuestionPlace,
  asking: { agentId: string; agentType: string; toolUseId: string },
): Answerer {
  return async (questions, signal) => {
    const record = recordOf(asQuestion(questions, asking), place);
    if (!record) return undefined;
    const { texts } = await firstAnswer(record, place, { here: undefined, signal });
    return texts;
  };
}

const asQuestion = (
  questions: readonly UserQuestion[],
  asking: { agentId: string; agentType: string; toolUseId: string },
): PermissionQuestion => ({
  ...asking,
  tool: "AskUserQuestion",
  input: { questions },
  reason: "the agent asks a person",
  parts: [],
  offers: [],
});

function recordOf(question: PermissionQuestion, place: QuestionPlace): QuestionRecord | undefined {
  const { agentId, agentType, toolUseId, tool, input, reason, rule, parts, leadsTo, offers } =
    question;
  const now = Date.now();
  try {
    const record = openQuestion(
      place.folder,
      {
        agent_id: agentId,
        agent_type: agentType,
        tool_use_id: toolUseId,
        tool,
        input,
        reason,
        ...(rule === undefined ? {} : { rule }),
        parts,
        ...(leadsTo === undefined ? {} : { leads_to: leadsTo }),
        offers,
        asked_at: new Date(now).toISOString(),
        deadline: new Date(now + place.waitMs).toISOString(),
      },
      place.secrets,
    );
    if (!record.answer) place.onAsked(record);
    return record;
  } catch {
    return undefined;
  }
}

type Waiting = {
  here: ((until: AbortSignal) => Promise<RecordedAnswer>) | undefined;
  signal: AbortSignal;
};

async function firstAnswer(
  record: QuestionRecord,
  { folder }: QuestionPlace,
  { here, signal }: Waiting,
): Promise<RecordedAnswer> {
  if (record.answer) return record.answer;
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const answered = waitForAnswer(folder, record, until);
  try {
    if (!here) return await answered;
    const given = here(until).then((answer) => {
      // A person who stopped the run has answered nothing.
      if (!signal.aborted && !over.signal.aborted) giveAnswer(folder, record.id, answer);
      return answered;
    });
    return await Promise.race([answered, given]);
  } finally {
    over.abort();
    answered.catch(() => undefined);
  }
}

/** As the answer of a person at a terminal is kept. */
export function toRecorded(answer: PermissionAnswer): RecordedAnswer {
  const from = { at: new Date().toISOString(), by: "terminal" as const };
  if (answer === "once") return { answer: "yes", ...from };
  if (answer === "session") return { answer: "always", ...from };
  if (typeof answer === "object" && answer.answer === "always")
    return { answer: "always", rules: answer.rules, keep: answer.keep, ...from };
  return {
    answer: "no",
    ...(typeof answer === "object" ? { because: answer.because } : {}),
    ...from,
  };
}

function fromRecorded({ answer, because, rules, keep, by }: RecordedAnswer): PermissionAnswer {
  if (answer === "yes") return "once";
  if (answer === "always")
    return rules ? { answer: "always", rules, keep: keep ?? "session" } : "session";
  return because === undefined
    ? "no"
    : { answer: "no", because, ...(by === "deadline" ? { by } : {}) };
}
