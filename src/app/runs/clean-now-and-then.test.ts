import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newAgentId, newUuid } from "../../base/ids.ts";
import { tempProject, type TempProject } from "../../testing/temp-project.ts";
import { sessionPaths } from "../../transcripts/paths.ts";
import { openTranscript } from "../../transcripts/transcript-writer.ts";
import { noKnownSecrets } from "../../base/secrets/find-secrets.ts";
import { cleanNowAndThen } from "./clean-now-and-then.ts";

const dayMs = 86_400_000;
const now = Date.now();
let project: TempProject;
beforeEach(() => void (project = tempProject()));
afterEach(() => project.remove());

/** A main thread that was last written so many days ago, before this machine started. */
function session(days: number): string {
  const id = newUuid();
  const { main: path } = sessionPaths(join(project.home, ".claude", "projects", "-p"), id);
  const time = now - days * dayMs;
  const writer = openTranscript({
    path,
    sessionId: id,
    agentId: newAgentId(),
    isMain: true,
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
    agentId: "a",
    runId: "r",
    seq: 1,
    time,
  });
  writer.close();
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(
      /"boot":\{[^}]*\}/,
      '"boot":{"id":"another","uptimeSeconds":0}',
    ),
  );
  utimesSync(path, time / 1_000, time / 1_000);
  return path;
}

const clean = (afterDays: number): Promise<void> =>
  cleanNowAndThen({ HOME: project.home }, project.root, now + afterDays * dayMs);

test("old sessions go once a day, and the first day only begins the count", async () => {
  const [old, fresh] = [session(31), session(20)];
  await clean(0);
  await clean(0.9);
  expect([old, fresh].map((path) => existsSync(path))).toEqual([true, true]);
  await clean(1.1);
  expect([old, fresh].map((path) => existsSync(path))).toEqual([false, true]);
});

test("the user's period counts, a repository's does not", async () => {
  const young = session(5);
  project.write(".claude/settings.json", JSON.stringify({ cleanupPeriodDays: 1 }));
  await clean(0);
  await clean(1.1);
  expect(existsSync(young)).toBe(true);
  writeFileSync(
    join(project.home, ".claude", "settings.json"),
    JSON.stringify({ cleanupPeriodDays: 2 }),
  );
  await clean(2.2);
  expect(existsSync(young)).toBe(false);
});

test("a clock that was set back removes nothing, and a home that cannot be written fails nobody", async () => {
  const old = session(31);
  await clean(400);
  await clean(0);
  expect(existsSync(old)).toBe(true);
  await expect(cleanNowAndThen({ HOME: "/proc/nowhere" }, project.root)).resolves.toBeUndefined();
});
