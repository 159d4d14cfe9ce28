// Questions on disk, below their session: `asks/q….json`, answered once by whoever creates
// `q….answer` first, in this process or in another one. A record never runs anything: it is read by
// the run that asked.
import { linkSync, readdirSync, readFileSync, unlinkSync, watch, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { isObject } from "../../base/data/json.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { writeFileAtomic } from "../../base/files/write-file-atomic.ts";
import { newUuid } from "../../base/ids.ts";
import { masked } from "../../transcripts/masked-json.ts";
import { fileMode } from "../../transcripts/paths.ts";

export type RecordedAnswer = {
  answer: "yes" | "no" | "always";
  /** Told to the agent. */
  because?: string;
  /** With `always`: the rules that hold from now on; without any, this very call. */
  rules?: string[];
  keep?: "session" | "local";
  /** For questions of an agent: one text each. */
  texts?: string[];
  at: string;
  by: "terminal" | "command" | "deadline";
};

export type QuestionRecord = {
  version: 1;
  id: string;
  agent_id: string;
  agent_type: string;
  tool_use_id: string;
  tool: string;
  input: Record<string, unknown>;
  reason: string;
  rule?: string;
  parts: { part: string; behavior: string; reason: string }[];
  leads_to?: string;
  offers: string[][];
  asked_at: string;
  deadline: string;
  answer?: RecordedAnswer;
};

const idPattern = /^q[0-9a-f]{16}$/;
const pollMs = 500;

export const isQuestionId = (value: unknown): value is string =>
  typeof value === "string" && idPattern.test(value);

type NewQuestion = Omit<QuestionRecord, "version" | "id" | "answer">;

/**
 * The question of this call: the one on disk, where an earlier process asked it already, else a new
 * one. Throws where the disk refuses.
 */
export function openQuestion(
  folder: string,
  question: NewQuestion,
  secrets: readonly string[],
): QuestionRecord {
  const { agent_id, tool_use_id } = question;
  const found = readQuestions(folder).find(
    (record) => record.agent_id === agent_id && record.tool_use_id === tool_use_id,
  );
  if (found) return found;
  const record: QuestionRecord = {
    version: 1,
    id: `q${randomBytes(8).toString("hex")}`,
    ...question,
  };
  makePrivateDir(folder);
  writeFileAtomic(join(folder, `${record.id}.json`), asText(masked(record, secrets)), {
    mode: fileMode,
  });
  return record;
}

/** All questions of a session; what is no record is left out. */
export function readQuestions(folder: string): QuestionRecord[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".json") && isQuestionId(name.slice(0, -5)))
    .flatMap((name) => {
      const id = name.slice(0, -5);
      const record = readObject(join(folder, name));
      if (record?.["version"] !== 1 || record["id"] !== id) return [];
      const answer = readAnswerFile(folder, id);
      return [{ ...(record as QuestionRecord), ...(answer ? { answer } : {}) }];
    });
}

/** True for the one whose answer counts; false where another one was first. */
export function giveAnswer(folder: string, id: string, answer: RecordedAnswer): boolean {
  const temporary = join(folder, `${id}.${newUuid()}.tmp`);
  writeFileSync(temporary, asText(answer), { flag: "wx", mode: fileMode });
  try {
    // A link appears with its whole content, and only where there is none yet.
    linkSync(temporary, answerPath(folder, id));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(temporary);
  }
}

/**
 * Waits for the answer that counts. If nobody has answered at the deadline, the answer is no. Keeps
 * the process alive; rejects when the signal aborts.
 */
export function waitForAnswer(
  folder: string,
  { id, deadline }: Pick<QuestionRecord, "id" | "deadline">,
  signal: AbortSignal,
): Promise<RecordedAnswer> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const answer = readAnswerFile(folder, id);
      if (answer) {
        close();
        resolve(answer);
      } else if (Date.now() >= Date.parse(deadline)) giveAnswer(folder, id, unanswered(deadline));
    };
    const abort = (): void => {
      close();
      reject(new Error("the run was stopped"));
    };
    const timer = setInterval(look, pollMs);
    const watcher = watched(folder, look);
    const close = (): void => {
      clearInterval(timer);
      watcher?.close();
      signal.removeEventListener("abort", abort);
    };
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    else look();
  });
}

const unanswered = (deadline: string): RecordedAnswer => ({
  answer: "no",
  because: `nobody answered until ${deadline}`,
  at: new Date().toISOString(),
  by: "deadline",
});

const answerPath = (folder: string, id: string): string => join(folder, `${id}.answer`);

const asText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

function readAnswerFile(folder: string, id: string): RecordedAnswer | undefined {
  const value = readObject(answerPath(folder, id));
  return value && ["yes", "no", "always"].includes(String(value["answer"]))
    ? (value as RecordedAnswer)
    : undefined;
}

function readObject(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Where a folder cannot be watched, it is looked at now and then all the same. */
function watched(folder: string, look: () => void): { close(): void } | undefined {
  try {
    return watch(folder, { persistent: false }, look).on("error", () => undefined);
  } catch {
    return undefined;
  }
}
