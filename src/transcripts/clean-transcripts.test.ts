import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newAgentId, newUuid } from "../base/ids.ts";
import { cleanTranscripts } from "./clean-transcripts.ts";
import { lockTranscript } from "./lock/lock.ts";
import { sessionPaths, type SessionPaths } from "./paths.ts";
import { noKnownSecrets } from "../base/secrets/find-secrets.ts";
import { openTranscript } from "./transcript-writer.ts";

const day = 86_400_000;
const now = Date.UTC(2026, 10, 1);
const otherBoot = { id: "another", uptimeSeconds: 0 };
let projects: string;
let project: string;

beforeEach(() => {
  projects = mkdtempSync(join(tmpdir(), "retinue-clean-"));
  project = join(projects, "-home-project");
});
afterEach(() => rmSync(projects, { recursive: true, force: true }));

/** A session with a main thread, a sub-agent and an output file, all written `age` days ago. */
function session(age: number): SessionPaths & { agentPath: string; id: string } {
  const id = newUuid();
  const paths = sessionPaths(project, id);
  const agentId = newAgentId();
  const agentPath = paths.agent(agentId);
  const time = now - age * day;
  for (const [path, isMain] of [
    [paths.main, true],
    [agentPath, false],
  ] as const) {
    const writer = openTranscript({
      path,
      sessionId: id,
      agentId,
      isMain,
      cwd: "/p",
      version: "0",
      secrets: noKnownSecrets,
      fsync: "never",
      now: () => time,
      newUuid,
    });
    writer.append({
      type: "message",
      origin: "prompt",
      message: { role: "user", content: "x" },
      agentId,
      runId: "r",
      seq: 1,
      time,
    });
    writer.close();
  }
  mkdirSync(dirname(paths.output(agentId)), { recursive: true });
  writeFileSync(paths.output(agentId), "text");
  for (const path of [paths.main, agentPath, paths.output(agentId)]) setAge(path, age);
  return { ...paths, agentPath, id };
}
const setAge = (path: string, age: number) =>
  utimesSync(path, new Date(now - age * day), new Date(now - age * day));
const clean = (more = {}) =>
  cleanTranscripts({ projects, days: 30, nowMs: now, boot: otherBoot, ...more });

test("removes an old session whole and says so; a young one stays", () => {
  const old = session(31);
  const young = session(29);
  const report = clean();
  expect(report.removed).toEqual([old.dir]);
  expect(report.kept).toEqual([{ session: young.dir, reason: "it is not old enough" }]);
  expect(existsSync(old.dir) || existsSync(old.main)).toBe(false);
  expect(existsSync(young.agentPath) && existsSync(young.main)).toBe(true);
});

test("a dry run removes nothing", () => {
  const old = session(31);
  expect(clean({ dryRun: true }).removed).toEqual([old.dir]);
  expect(existsSync(old.agentPath)).toBe(true);
});

test("TRANS-09 a session whose lock is held stays, however old it looks", () => {
  const old = session(90);
  const lock = lockTranscript(old.agentPath);
  expect(clean().kept).toMatchObject([{ reason: "it is being written" }]);
  lock.release();
  expect(existsSync(old.agentPath)).toBe(true);
});

test("TRANS-09 a session touched within the hour stays even with a period of 0 days", () => {
  session(0.01);
  expect(clean({ days: 0 }).removed).toEqual([]);
});

const doubts: [string, (old: ReturnType<typeof session>) => void][] = [
  ["its files were touched lately", (old) => setAge(old.agentPath, 1)],
  [
    "its lines are young although its files look old",
    (old) => {
      const young = session(1);
      renameSync(young.agentPath, old.agentPath);
      rmSync(young.main);
      rmSync(young.dir, { recursive: true });
      setAge(old.agentPath, 90);
    },
  ],
  [
    "its main transcript is somebody else's",
    (old) => {
      writeFileSync(
        old.main,
        `${JSON.stringify({ type: "user", timestamp: "2020-01-01T00:00:00Z" })}\n`,
      );
      setAge(old.main, 90);
    },
  ],
  [
    "a sub-agent's transcript in it is somebody else's",
    (old) => {
      const other = join(dirname(old.agentPath), "agent-other.jsonl");
      writeFileSync(other, "{}\n");
      setAge(other, 90);
    },
  ],
  [
    "its first line is damaged",
    (old) => {
      writeFileSync(old.main, readFileSync(old.main, "utf8").slice(1));
      setAge(old.main, 90);
    },
  ],
];

test.each(doubts)("keeps an old session when %s", (_, change) => {
  const old = session(90);
  change(old);
  expect(clean().removed).toEqual([]);
  expect(existsSync(old.agentPath)).toBe(true);
});

test("TRANS-10 a clock that jumped 40 days ahead removes nothing that was begun since the machine started", () => {
  const fresh = session(0);
  const { boot } = JSON.parse(readFileSync(fresh.main, "utf8").split("\n")[0]!) as {
    boot: { id: string; uptimeSeconds: number };
  };
  const later = { ...boot, uptimeSeconds: boot.uptimeSeconds + 60 };
  expect(clean({ nowMs: now + 40 * day, boot: later }).kept).toMatchObject([
    { reason: expect.stringContaining("clock") as string },
  ]);
  expect(
    clean({
      nowMs: now + 40 * day,
      boot: { ...boot, uptimeSeconds: boot.uptimeSeconds + 40 * 86_400 },
    }).removed,
  ).toEqual([fresh.dir]);
});

test("TRANS-10 a clock that jumped back removes nothing", () => {
  session(0);
  expect(clean({ nowMs: now - 400 * day }).removed).toEqual([]);
});

test("symbolic links are never followed", () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "retinue-else-"));
  const viaProject = session(90);
  const viaSession = session(90);
  renameSync(viaSession.dir, join(elsewhere, "session"));
  symlinkSync(join(elsewhere, "session"), viaSession.dir);
  const viaAgents = session(90);
  renameSync(dirname(viaAgents.agentPath), join(elsewhere, "subagents"));
  symlinkSync(join(elsewhere, "subagents"), dirname(viaAgents.agentPath));
  rmSync(viaProject.dir, { recursive: true });
  rmSync(viaProject.main);
  symlinkSync(elsewhere, join(projects, "linked"));
  expect(clean().removed).toEqual([]);
  expect(existsSync(viaSession.agentPath) && existsSync(viaAgents.agentPath)).toBe(true);
  rmSync(elsewhere, { recursive: true });
});

test("what others put into a session's folder stays", () => {
  const old = session(90);
  writeFileSync(join(old.dir, "notes.md"), "mine");
  expect(clean().removed).toEqual([old.dir]);
  expect(existsSync(join(old.dir, "notes.md"))).toBe(true);
});
