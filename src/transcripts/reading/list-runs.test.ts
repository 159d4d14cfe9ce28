import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newAgentId, newUuid } from "../../base/ids.ts";
import type { RunState } from "../../events/outcome.ts";
import { noUsage } from "../../model/model.ts";
import { cpuMs } from "../../testing/cpu-ms.ts";
import { listRuns } from "./list-runs.ts";
import { lockPathOf } from "../lock/lock.ts";
import { readMeta, writeMeta } from "../meta.ts";
import { claudeConfigDir } from "../../base/files/project-folders.ts";
import { projectDir, projectName, sessionPaths } from "../paths.ts";
import { noKnownSecrets } from "../../base/secrets/find-secrets.ts";
import { runSpec } from "../../../test/support/run-spec.ts";
import { openTranscript, type TranscriptWriter } from "../transcript-writer.ts";

let projects: string;
const open: TranscriptWriter[] = [];

beforeEach(() => (projects = mkdtempSync(join(tmpdir(), "retinue-list-"))));
afterEach(() => {
  for (const writer of open.splice(0)) writer.close();
  rmSync(projects, { recursive: true, force: true });
});

function run({
  agentId = newAgentId(),
  sessionId = newUuid(),
  isMain = false,
  project = "-p",
  ending = undefined as RunState | undefined,
  filler = 0,
}) {
  const paths = sessionPaths(join(projects, project), sessionId);
  const path = isMain ? paths.main : paths.agent(agentId);
  const writer = openTranscript({
    path,
    sessionId,
    agentId,
    isMain,
    cwd: "/p",
    version: "0",
    secrets: noKnownSecrets,
    fsync: "never",
    now: () => 0,
    newUuid,
  });
  const stamp = { agentId, runId: "r", time: 0 };
  writer.append({ type: "run-start", spec: runSpec(), ...stamp, seq: 1 });
  for (let seq = 2; seq < 2 + filler; seq++)
    writer.append({
      type: "message",
      origin: "prompt",
      message: { role: "user", content: "y".repeat(20_000) },
      ...stamp,
      seq,
    });
  const metrics = {
    turns: 1,
    tool_uses: 0,
    tokens_used: 0,
    duration_ms: 1,
    cost_usd: null,
    usage: noUsage,
  };
  if (ending)
    writer.append({
      type: "run-end",
      outcome: { state: ending, content: "done", metrics, permission_denials: [] },
      ...stamp,
      seq: 99,
    });
  return { agentId, sessionId, paths, path, writer };
}

test("tells ended, running and lost runs apart", () => {
  const ended = run({ ending: "completed" });
  ended.writer.close();
  const running = run({});
  open.push(running.writer);
  const busy = run({ filler: 60 });
  open.push(busy.writer);
  const lost = run({ isMain: true });
  lost.writer.close();
  const states = new Map(listRuns(projects).map((item) => [item.agentId, item]));
  expect(states.get(ended.agentId)).toMatchObject({
    state: "completed",
    outcome: { content: "done" },
    isMain: false,
  });
  expect(states.get(running.agentId)).toMatchObject({
    state: "running",
    holder: { pid: process.pid },
  });
  expect(states.get(busy.agentId)).toMatchObject({ state: "running" });
  expect(states.get(lost.agentId)).toMatchObject({ state: "failed", reason: "lost", isMain: true });
});

test.each([
  ["a folder", (path: string) => mkdirSync(path)],
  ["a pipe", (path: string) => void spawnSync("mkfifo", [path])],
])("%s where a lock belongs keeps nobody from listing: no process holds it", (_what, put) => {
  const odd = run({});
  odd.writer.close();
  put(lockPathOf(odd.path));
  const running = run({});
  open.push(running.writer);
  const states = new Map(listRuns(projects).map(({ agentId, state }) => [agentId, state]));
  expect(states).toEqual(
    new Map([
      [odd.agentId, "failed"],
      [running.agentId, "running"],
    ]),
  );
});

test("asked for what lives or changed since, it gives a quiet run that is locked, and leaves out what was over before", () => {
  const [over, quiet, fresh] = [run({ ending: "completed" }), run({}), run({ isMain: true })];
  over.writer.close();
  open.push(quiet.writer);
  fresh.writer.close();
  for (const { path } of [over, quiet]) utimesSync(path, 1_000, 1_000);
  expect(
    listRuns(projects, { liveOrSinceMs: Date.now() - 60_000 })
      .map(({ agentId }) => agentId)
      .sort(),
  ).toEqual([quiet.agentId, fresh.agentId].sort());
});

test("takes as long for each of many sessions of one project as for each of a few", () => {
  const sample = run({ isMain: true, ending: "completed" });
  sample.writer.close();
  const text = readFileSync(sample.path, "utf8");
  const fill = (project: string, count: number): void => {
    mkdirSync(join(projects, project));
    for (let n = 0; n < count; n++)
      writeFileSync(join(projects, project, `${newUuid()}.jsonl`), text);
  };
  fill("-few", 200);
  fill("-many", 1600);
  const cost = (project: string): number => cpuMs(() => listRuns(projects, { project }));
  listRuns(projects);
  expect(cost("-many") / cost("-few")).toBeLessThan(16);
});

test("finds a run by agent id, by session and by project, with its meta file", () => {
  const wanted = run({ project: "-a", ending: "completed" });
  wanted.writer.close();
  run({ project: "-b", ending: "completed" }).writer.close();
  writeMeta(wanted.paths.meta(wanted.agentId), {
    agentType: "Explore",
    description: "look",
    spawnDepth: 1,
    finished: true,
  });
  for (const query of [
    { agentId: wanted.agentId },
    { sessionId: wanted.sessionId },
    { project: "-a" },
  ]) {
    expect(listRuns(projects, query)).toMatchObject([
      { agentId: wanted.agentId, transcript: wanted.path, meta: { agentType: "Explore" } },
    ]);
  }
  expect(listRuns(projects, { agentId: newAgentId() })).toEqual([]);
  expect(listRuns(join(projects, "none"))).toEqual([]);
});

test("passes over files of others, damaged ones and links", () => {
  const own = run({ ending: "completed" });
  own.writer.close();
  appendFileSync(own.path, '{"type":"us');
  writeFileSync(own.paths.main, '{"type":"user"}\n');
  writeFileSync(join(dirname(own.path), `agent-${newAgentId()}.jsonl`), "");
  symlinkSync(own.path, join(dirname(own.path), `agent-${newAgentId()}.jsonl`));
  expect(listRuns(projects)).toMatchObject([{ agentId: own.agentId, state: "completed" }]);
});

test("a meta file is replaced, a torn one counts as none, and a link is not followed", () => {
  const path = join(projects, "s", "agent-x.meta.json");
  mkdirSync(dirname(path));
  writeMeta(path, { agentType: "a", description: "one", spawnDepth: 1, finished: false });
  writeMeta(path, { agentType: "a", description: "two", spawnDepth: 1, finished: true, more: 1 });
  expect(readMeta(path)).toEqual({
    agentType: "a",
    description: "two",
    spawnDepth: 1,
    finished: true,
    more: 1,
  });
  expect(readdirSync(dirname(path))).toEqual(["agent-x.meta.json"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "{broken");
  expect(readMeta(path)).toBeUndefined();
  expect(readMeta(join(projects, "none"))).toBeUndefined();
  rmSync(path);
  symlinkSync(join(projects, "elsewhere"), path);
  const meta = { agentType: "a", description: "three", spawnDepth: 1, finished: true };
  expect(() => writeMeta(path, meta)).toThrow(/ELOOP/);
  expect(existsSync(join(projects, "elsewhere"))).toBe(false);
});

test("a run without a meta file is described by its first line", () => {
  const running = run({});
  expect(listRuns(projects)).toMatchObject([
    { agentId: running.agentId, meta: { agentType: "worker", finished: false } },
  ]);
  running.writer.close();
});

test.each([
  ["/home/me/My Project", "-home-me-My-Project"],
  ["/srv/a.b_c/ö", "-srv-a-b-c--"],
  ["/", "-"],
])("names the folder of %s %s", (cwd, expected) => {
  expect(projectName(cwd)).toBe(expected);
});

test("a very deep working directory still has a name that a disk accepts, of its own", () => {
  const deep = `/${"x".repeat(300)}`;
  expect(projectName(`${deep}/a`).length).toBeLessThan(255);
  expect(projectName(`${deep}/a`)).not.toBe(projectName(`${deep}/b`));
});

test("the configuration folder can be moved", () => {
  expect(claudeConfigDir({ CLAUDE_CONFIG_DIR: "/x/y" })).toBe("/x/y");
  expect(claudeConfigDir({ HOME: "/home/me" })).toBe("/home/me/.claude");
  expect(projectDir("/c", "/p q")).toBe("/c/projects/-p-q");
});

test.each([
  "",
  "..",
  "a/../b",
  "A0123456789abcdef",
  "a0123456789abcdeg",
  "11111111-2222-4333-8444-55555555555/",
])("refuses %j wherever an id becomes a path", (id) => {
  const unsafe = expect.objectContaining({ code: "unsafe_name" }) as Error;
  expect(() => sessionPaths("/p", id)).toThrow(unsafe);
  const paths = sessionPaths("/p", "11111111-2222-4333-8444-555555555555");
  expect(() => paths.agent(id)).toThrow(unsafe);
  expect(() => paths.meta(id)).toThrow(unsafe);
  if (/[^A-Za-z0-9_-]|^$/.test(id))
    expect(() => [paths.output(id), paths.flow(id)]).toThrow(unsafe);
});
