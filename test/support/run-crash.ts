// Kills `retinue run` with kill -9 at random moments, goes on with --resume, kills again, and checks what was promised: no line that a
// reader saw is lost, every transcript loads, no tool call runs twice, no process is left.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findProcesses } from "../../src/process/find-processes.ts";
import {
  startMockProvider,
  type MockAnswer,
  type MockProvider,
} from "../../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../../src/testing/temp-project.ts";
import { loadTranscript } from "../../src/transcripts/reading/load-transcript.ts";

export type RunCrashReport = {
  kills: number;
  /** Sessions that were killed again and again, then finished. */
  sessions: number;
  /** Complete lines on disk at the moment of a kill. */
  linesSeen: number;
  toolCalls: number;
  /** Calls that were under way when the process died. */
  interrupted: number;
  /** Marked processes that were alive when the process died. */
  orphans: number;
  /** Lives on record: a run that goes on from its journal stays in the same one. */
  lives: number;
  problems: string[];
};

export type CrashOptions = { executor: "local" | "durable" };

const killsPerSession = 5;
/** Most of a life is waiting, so two stories are told at a time. */
const lanes = 2;
const sweepDeadlineMs = 2_000;

export async function crashRuns(
  kills: number,
  entry: string,
  { executor }: CrashOptions = { executor: "local" },
): Promise<RunCrashReport> {
  const report: RunCrashReport = {
    kills: 0,
    sessions: 0,
    linesSeen: 0,
    toolCalls: 0,
    interrupted: 0,
    orphans: 0,
    lives: 0,
    problems: [],
  };
  let planned = 0;
  const lane = async (): Promise<void> => {
    while (planned < kills) {
      const next = Math.min(killsPerSession, kills - planned);
      planned += next;
      await oneSession(next, { entry, executor }, report);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return report;
}

type Place = {
  project: TempProject;
  server: MockProvider;
  entry: string;
  executor: CrashOptions["executor"];
  mark: string;
  report: RunCrashReport;
};

async function oneSession(
  kills: number,
  { entry, executor }: Pick<Place, "entry" | "executor">,
  report: RunCrashReport,
): Promise<void> {
  const project = tempProject({ "notes.txt": "END\n" });
  const agent = { calls: 0, finishing: false };
  const server = await startMockProvider({ reply: () => nextCall(project, agent) });
  const mark = `c0de${report.sessions.toString(16).padStart(4, "0")}${process.pid.toString(16)}`;
  const place: Place = { project, server, entry, executor, mark, report };
  report.sessions += 1;
  try {
    let seen: Buffer = Buffer.alloc(0);
    for (let kill = 0; kill < kills; kill++) {
      seen = await liveAndDie(place, seen);
      report.kills += 1;
    }
    agent.finishing = true;
    await finish(place, seen);
    report.toolCalls += agent.calls;
  } finally {
    await server.close();
    project.remove();
  }
}

/** Every call carries a number of its own, and each kind leaves that number somewhere each time it runs. */
function nextCall(project: TempProject, agent: { calls: number; finishing: boolean }): MockAnswer {
  if (agent.finishing) return "done";
  const n = ++agent.calls;
  const id = `toolu_${n}`;
  const log = `echo ${n} >> log.txt`;
  const edit = {
    name: "Edit",
    id,
    input: { file_path: project.path("notes.txt"), old_string: "END", new_string: `${n}\nEND` },
  };
  const kinds: MockAnswer[] = [
    { text: "log", tools: [{ name: "Bash", id, input: { command: log } }] },
    {
      text: "edit",
      tools: [
        { name: "Read", id: `${id}_read`, input: { file_path: project.path("notes.txt") } },
        edit,
      ],
    },
    {
      text: "write",
      tools: [
        {
          name: "Write",
          id,
          input: { file_path: project.path(`out/${n}.txt`), content: "x".repeat(20_000) },
        },
      ],
    },
    // A process that leaves its group and its session, and a command that is still busy: both must be gone soon after the kill.
    {
      text: "linger",
      tools: [{ name: "Bash", id, input: { command: `${log}; setsid sleep 31 & sleep 0.3` } }],
    },
  ];
  return kinds[n % kinds.length]!;
}

const transcriptOf = (project: TempProject): string | undefined => {
  const root = join(project.home, ".claude", "projects");
  if (!existsSync(root)) return undefined;
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    /^[^/]+\/[0-9a-f-]{36}\.jsonl$/.test(path),
  );
  // A process that died between making the file and writing its first line has left no session.
  return names.map((name) => join(root, name)).find((path) => readFileSync(path).includes(0x0a));
};

function start({ project, server, entry, executor, mark }: Place, prompt: string): ChildProcess {
  const path = transcriptOf(project);
  const session = path === undefined ? [] : ["--resume", /([0-9a-f-]{36})\.jsonl$/.exec(path)![1]!];
  const args = [
    "run",
    "--output-format",
    "stream-json",
    "--allowedTools",
    "Bash(*)",
    "Write",
    "Edit",
    "--max-turns",
    "500",
    "--settings",
    JSON.stringify({ retinue: { executor } }),
    ...session,
    prompt,
  ];
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: project.home,
    ANTHROPIC_API_KEY: "sk-ant-test",
    ANTHROPIC_BASE_URL: server.url,
    RETINUE_MARK: mark,
  };
  return spawn(process.execPath, [entry, ...args], {
    cwd: project.root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Starts or resumes the session, kills it at a random moment, and returns what a reader had seen of the transcript by then. */
async function liveAndDie(place: Place, before: Buffer): Promise<Buffer> {
  const { project, server, report } = place;
  const child = start(place, "go on");
  let printed = "";
  let complaint = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const closed = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on("close", (_code, signal) => resolve(signal)),
  );
  const asked = server.requests.length;
  // One in eight dies while it starts; the others somewhere in their first turns.
  if (Math.random() < 0.875)
    while (server.requests.length === asked && child.exitCode === null) await sleep(5);
  await sleep(Math.random() * 600);
  const seen = completeLines(project);
  child.kill("SIGKILL");
  report.orphans += findProcesses({ mark: place.mark }).filter((pid) => pid !== child.pid).length;
  const gone = nothingLeft(place, child.pid!);
  if ((await closed) !== "SIGKILL")
    report.problems.push(
      `the run ended by itself: ${complaint.slice(0, 500)} ${printed.slice(-300)}`,
    );
  await gone;
  await check(place, { before, seen, printed });
  return seen;
}

/** The bytes up to the last line end, as any reader of the file would have them. */
function completeLines(project: TempProject): Buffer {
  const path = transcriptOf(project);
  if (path === undefined) return Buffer.alloc(0);
  const bytes = readFileSync(path);
  return bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
}

async function nothingLeft({ mark, report }: Place, host: number): Promise<void> {
  const until = performance.now() + sweepDeadlineMs;
  let left: number[] = [];
  do {
    left = findProcesses({ mark }).filter((pid) => pid !== host);
    if (left.length === 0) return;
    await sleep(20);
  } while (performance.now() < until);
  report.problems.push(`${left.length} processes were alive ${sweepDeadlineMs} ms after the kill`);
}

async function check(
  { project, report }: Place,
  { before, seen, printed }: { before: Buffer; seen: Buffer; printed: string },
): Promise<void> {
  const path = transcriptOf(project);
  if (path === undefined) {
    if (printed) report.problems.push("something was printed before there was a transcript");
    return;
  }
  const bytes = readFileSync(path);
  if (
    !bytes.subarray(0, seen.length).equals(seen) ||
    !seen.subarray(0, before.length).equals(before)
  )
    report.problems.push(
      `${path}: lines that were complete before the kill have changed or are gone`,
    );
  report.linesSeen += seen.subarray(before.length).toString("latin1").split("\n").length - 1;
  const text = bytes.toString("utf8");
  for (const id of toolUseIds(printed))
    if (!text.includes(`"${id}"`))
      report.problems.push(`${id} was printed and is not in the transcript`);
  const loaded = await loadTranscript(path);
  for (const problem of loaded.problems)
    if (problem.code !== "torn") report.problems.push(`${path}:${problem.line} ${problem.message}`);
  checkLogs(project, text, report);
}

const toolUseIds = (text: string): string[] =>
  [...text.matchAll(/"id":"(toolu_\d+)"/g)].map((match) => match[1]!);

/** A number stands in a log at most once, and only if its call is on record. */
function checkLogs(project: TempProject, transcript: string, report: RunCrashReport): void {
  for (const name of ["log.txt", "notes.txt"]) {
    if (!existsSync(project.path(name))) continue;
    const numbers = project
      .read(name)
      .split("\n")
      .filter((line) => /^\d+$/.test(line));
    if (new Set(numbers).size !== numbers.length)
      report.problems.push(`${name}: a call ran twice: ${numbers.join(" ")}`);
    for (const number of numbers)
      if (!transcript.includes(`"toolu_${number}"`))
        report.problems.push(`${name}: toolu_${number} ran and is not in the transcript`);
  }
}

/** The last life: it ends well, and every call of the whole story has exactly one result. */
async function finish(place: Place, seen: Buffer): Promise<void> {
  const { project, report, mark } = place;
  const child = start(place, "finish");
  let printed = "";
  let complaint = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== 0)
    report.problems.push(
      `the last life ended with ${code}: ${complaint.slice(0, 500)} ${printed.slice(-300)}`,
    );
  await nothingLeft({ ...place, mark }, child.pid!);
  await check(place, { before: seen, seen: completeLines(project), printed });
  const path = transcriptOf(project)!;
  const { messages } = await loadTranscript(path);
  const uses = new Set<string>();
  const results: string[] = [];
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const block of content) {
      if (block.type === "tool_use") uses.add(block.id);
      else if (block.type === "tool_result") results.push(block.tool_use_id);
    }
  }
  if (results.length !== uses.size || !results.every((id) => uses.has(id)))
    report.problems.push(`${path}: ${uses.size} calls have ${results.length} results`);
  report.lives += readFileSync(path, "utf8").split('"subtype":"spawn"').length - 1;
  report.interrupted += readFileSync(path, "utf8").split('"subtype":"interrupted"').length - 1;
}
