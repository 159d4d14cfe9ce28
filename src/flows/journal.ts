// The journal of a flow: one line a phase, durable before the next phase starts, so that a flow
// continues after kill -9 without repeating what is done.
import { closeSync, constants, existsSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { RetinueError, errorText } from "../base/errors.ts";
import { toJsonLine } from "../base/data/jsonl.ts";
import { makePrivateDir } from "../base/files/make-private-dir.ts";
import type { VerifiedReport } from "../contract/aggregate/verified-report.ts";
import type { Decision } from "../contract/axes.ts";
import type { FlowTask, Phase, PhaseRecord } from "../patterns/flow.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import { lockHolder, lockTranscript } from "../transcripts/lock/lock.ts";

export type FlowPattern = "sequence" | "parallel" | "branch";
export type FlowHeader = {
  type: "retinue_flow";
  version: 1;
  flowId: string;
  sessionId: string;
  pattern: FlowPattern;
  task: FlowTask;
  phases: Phase[];
  cwd: string;
  model: string | null;
  /** At most so many second looks. */ secondLooks?: number;
  /** Absent in journals of before it was kept. */ begun?: FlowBegun;
  /** When it began. */ at?: string;
};

/** What the session of a flow was opened with, so that a resume has it again and never more. */
export type FlowBegun = {
  mode: PermissionMode;
  /** Definitions, settings, servers and folders as they were given. */ kept: {
    cliAgents?: unknown;
    settings?: string;
    mcpConfigs?: string[];
    pluginDirs?: string[];
    addDirs?: string[];
  };
  /** Hashes of what held a secret and is not kept. */ withheld: Record<string, string>;
  allowedTools: string[];
  disallowedTools: string[];
  askRules: string[];
};

export type Journal = {
  record: (entry: PhaseRecord, report?: VerifiedReport) => void;
  /** Answers of a person, which bind every later phase. */ answers: (
    given: readonly string[],
  ) => void;
  /** The flow has come to its end, whichever, with the questions that are open then. */
  end: (decision: Decision, questions?: readonly string[]) => void;
  close: () => void;
  /** The flow never began: nothing is left to go on with. */ discard: () => void;
};

/** Creates the journal with its header; the folder and the file are the user's alone. */
export function createJournal(path: string, header: FlowHeader): Journal {
  makePrivateDir(dirname(path));
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  return journalOn(path, { flags: O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, header });
}

/**
 * Goes on after `lines` lines. A torn last line is closed first, so that it cannot swallow the
 * next one.
 */
export function continueJournal(
  path: string,
  { lines, isTorn }: { lines: number; isTorn: boolean },
): Journal {
  return journalOn(path, {
    flags: constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW,
    lines,
    isTorn,
  });
}

/** Throws `running` while another process runs the flow. */
export function refuseRunningFlow(path: string, flowId: string): void {
  const holder = existsSync(path) ? lockHolder(path) : undefined;
  if (holder)
    throw new RetinueError(
      "running",
      `the flow ${flowId} is being run by process ${holder.pid}. Wait until it ends, or stop that process first.`,
    );
}

type Opening = { flags: number; header?: FlowHeader; lines?: number; isTorn?: boolean };

function journalOn(path: string, { flags, header, lines = 0, isTorn = false }: Opening): Journal {
  const lock = lockTranscript(path);
  let fd: number;
  try {
    fd = openSync(path, flags, 0o600);
  } catch (error) {
    lock.release();
    throw notWritten(errorText(error));
  }
  let seq = lines;
  const write = (value: object): void => writeDurably(fd, toJsonLine(value));
  try {
    if (isTorn) writeDurably(fd, "\n");
    if (header) write(header);
  } catch (error) {
    closeSync(fd);
    lock.release();
    throw error;
  }
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    try {
      closeSync(fd);
    } finally {
      lock.release();
    }
  };
  return {
    record: (entry, report) => write({ seq: ++seq, ...entry, ...(report ? { report } : {}) }),
    answers: (given) => write({ seq: ++seq, answers: given }),
    end: (decision, questions = []) =>
      write({ seq: ++seq, end: decision, ...(questions.length > 0 ? { questions } : {}) }),
    close,
    discard() {
      rmSync(path, { force: true });
      close();
    },
  };
}

const notWritten = (why: string): RetinueError =>
  new RetinueError("storage", `the flow's journal cannot be written: ${why}`);

function writeDurably(fd: number, line: string): void {
  let written: number;
  try {
    written = writeSync(fd, line);
    fsyncSync(fd);
  } catch (error) {
    throw notWritten(errorText(error));
  }
  if (written !== Buffer.byteLength(line)) throw notWritten("the disk is full");
}
