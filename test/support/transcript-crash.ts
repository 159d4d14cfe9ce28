// Kills a process that writes a transcript at random moments and checks the promise: no acknowledged line is lost, every file loads.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { textOf } from "../../src/model/message.ts";
import { loadTranscript } from "../../src/transcripts/reading/load-transcript.ts";
import { lockTranscript } from "../../src/transcripts/lock/lock.ts";
import { crashContent } from "./transcript-crash-content.ts";

export type CrashReport = {
  kills: number;
  acknowledged: number;
  torn: number;
  lost: string[];
  problems: string[];
};

/** Every third kill hits a process that continues the file of the one killed before it. */
export async function crashTranscripts(kills: number, childSource: string): Promise<CrashReport> {
  const dir = mkdtempSync(join(tmpdir(), "retinue-crash-"));
  const child = join(dir, "child.mjs");
  buildSync({
    entryPoints: [childSource],
    outfile: child,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const report: CrashReport = { kills, acknowledged: 0, torn: 0, lost: [], problems: [] };
  try {
    let path = "";
    let next = 1;
    for (let index = 0; index < kills; index++) {
      if (index % 3 === 0)
        [path, next] = [join(dir, `run${index}`, "subagents", "agent-a0123456789abcdef.jsonl"), 1];
      const acknowledged = await runUntilKilled(child, path, next);
      next = (await check({ path, from: next, acknowledged, report })) + 1;
    }
    return report;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The highest number that the child acknowledged before SIGKILL. */
function runUntilKilled(child: string, path: string, first: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [child, path, "a0123456789abcdef", String(first)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    let isTimed = false;
    running.stdout.setEncoding("latin1").on("data", (text: string) => {
      output += text;
      if (!isTimed) setTimeout(() => running.kill("SIGKILL"), Math.random() * 12);
      isTimed = true;
    });
    running.on("error", reject);
    running.on("close", (_, signal) => {
      if (signal === "SIGKILL")
        resolve(Number(output.slice(0, output.lastIndexOf("\n")).split("\n").at(-1)));
      else reject(new Error("the writer ended before it was killed"));
    });
  });
}

/** Returns the highest number in the file. */
async function check({
  path,
  from,
  acknowledged,
  report,
}: {
  path: string;
  from: number;
  acknowledged: number;
  report: CrashReport;
}): Promise<number> {
  const lock = lockTranscript(path);
  const loaded = await loadTranscript(path, { repairTail: lock });
  lock.release();
  const found = new Set<number>();
  for (const { content } of loaded.messages) {
    const text = textOf(content);
    const number = Number(text.slice(0, text.indexOf(":")));
    if (text === crashContent(number)) found.add(number);
    else report.problems.push(`${path}: a message came back changed: ${text.slice(0, 60)}`);
  }
  for (let seq = from; seq <= acknowledged; seq++)
    if (!found.has(seq)) report.lost.push(`${path}: ${seq} was acknowledged and is not there`);
  report.acknowledged += acknowledged - from + 1;
  for (const problem of loaded.problems) {
    if (problem.code === "torn") report.torn++;
    else report.problems.push(`${path}:${problem.line} ${problem.message}`);
  }
  return Math.max(acknowledged, loaded.lastSeq);
}
