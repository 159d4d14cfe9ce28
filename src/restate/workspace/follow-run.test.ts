import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { MemoryJournal, type Crash } from "../../../test/support/memory-journal.ts";
import { runSpec } from "../../../test/support/run-spec.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { newAgentId, newUuid } from "../../base/ids.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { Catalog } from "../../executors/catalog.ts";
import { createDurableExecutor } from "../../executors/local.ts";
import { createPolicy } from "../../permissions/policy.ts";
import { scriptedModel, type ScriptLine } from "../../testing/scripted-model.ts";
import { tempProject } from "../../testing/temp-project.ts";
import { defineZodTool } from "../../tool/define-tool.ts";
import { noJudgedPath } from "../../tool/tool.ts";
import { followRun, type FollowedRun } from "./follow-run.ts";
import { gitWorkspaces } from "./git-workspaces.ts";

const project = tempProject({ "log.txt": "begun\n", "sub/x": "x\n" });
const remote = join(dirname(project.root), "remote.git");
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
beforeAll(() => {
  git(project.root, "init", "-q");
  git(project.root, "add", ".");
  git(project.root, "commit", "-qm", "first");
  git(project.root, "clone", "-q", "--bare", ".", remote);
});
afterAll(() => project.remove());

const call = (text: string): ScriptLine => ({
  tools: [{ name: "Put", input: { text }, id: `t-${text}` }],
});
const script: ScriptLine[] = [call("1"), call("2"), "done"];
const because = { judgedPath: noJudgedPath, layer: "allow", reason: "test" };

let machines = 0;
type Machine = { spec: RunSpec; attempt: number; journal: MemoryJournal; crash?: Crash };
type Told = { ran: string[]; trouble: string[] };

/** Drives the spec on a machine that shares nothing with the others but the remote. */
async function drive(
  { spec, attempt, journal, crash }: Machine,
  { ran, trouble }: Told,
): Promise<{ outcome: RunOutcome; followed: FollowedRun }> {
  const workspaces = gitWorkspaces({
    folder: join(dirname(project.root), `machine-${(machines += 1)}`),
    remote,
    setup: null,
    onTrouble: (message) => trouble.push(message),
  });
  const onTrouble = (message: string): void => void trouble.push(message);
  const followed = await followRun(spec, {
    workspaces,
    journal: journal.open(crash),
    attempt,
    onTrouble,
  });
  const put = defineZodTool({
    name: "Put",
    description: "puts",
    input: z.object({ text: z.string() }),
    readOnly: false,
    run: async ({ text }) => {
      ran.push(text);
      appendFileSync(join(followed.tree.path, "log.txt"), `${text}\n`);
      return { content: `wrote ${text}` };
    },
  });
  const asked = [...journal.kept.keys()].filter((key) => key.startsWith("reply/")).length;
  const model = scriptedModel(script.slice(asked));
  const catalog: Catalog = {
    model: () => model,
    tools: () => ({ tools: [put], close: async () => undefined }),
    gate: () => ({
      judge: (requested) => ({ call: requested, behavior: "allow", ...because }),
      ask: async () => ({}),
      conclude: () => ({ behavior: "allow", ...because }),
    }),
    store: () => ({ history: [], lastSeq: 0, append: () => undefined, close: () => undefined }),
    journal: () => followed.journal,
  };
  const executor = createDurableExecutor(followed.watched(catalog));
  const { signal } = new AbortController();
  return { outcome: await executor.execute(followed.spec, { signal }), followed };
}

const newSpec = (): RunSpec => {
  const { root, home } = project;
  return runSpec({
    runId: newUuid(),
    agentId: newAgentId(),
    session: { id: newUuid() },
    prompt: "go",
    tools: ["Put"],
    place: { cwd: join(root, "sub") },
    system: `Working directory: ${root}/sub\nRoot: ${root}, not ${root}-other or /x${root}`,
    policy: createPolicy({ workspace: { cwd: join(root, "sub"), root, home } }),
  });
};
const branchOf = ({ session, agentId }: RunSpec): string => `refs/retinue/${session.id}/${agentId}`;

test("the run works in its own folder, and its spec says so", async () => {
  const spec = newSpec();
  const told = { ran: [], trouble: [] };
  const { outcome, followed } = await drive(
    { spec, attempt: 1, journal: new MemoryJournal() },
    told,
  );
  expect(outcome.state).toBe("completed");
  const { path } = followed.tree;
  expect(followed.spec.place).toEqual({ cwd: join(path, "sub") });
  expect(followed.spec.policy.workspace).toMatchObject({ cwd: join(path, "sub"), root: path });
  expect(followed.spec.system).toBe(
    `Working directory: ${path}/sub\nRoot: ${path}, not ${project.root}-other or /x${project.root}`,
  );
  expect(git(remote, "show", `${branchOf(spec)}:log.txt`)).toBe("begun\n1\n2");
  expect(project.read("log.txt")).toBe("begun\n");
  expect(await followed.workspace.look(followed.spec.place)).toMatchObject({ complete: true });
  await followed.tree.finish();
  expect(existsSync(path)).toBe(false);
  // A resume of the agent is a new life: it finds what the first one left.
  const next = { ...spec, runId: newUuid(), startedAt: spec.startedAt + 1 };
  await drive({ spec: next, attempt: 1, journal: new MemoryJournal() }, told);
  expect(git(remote, "show", `${branchOf(spec)}:log.txt`)).toBe("begun\n1\n2\n1\n2");
});

test("a machine dies at any step: the files are those of the kept calls, and no call is made twice", async () => {
  let crashes = 0;
  let interrupted = 0;
  for (const when of ["before", "after"] as const)
    for (let at = 1; ; at += when === "before" ? 1 : 3) {
      const spec = newSpec();
      const journal = new MemoryJournal();
      const told: Told = { ran: [], trouble: [] };
      let died = false;
      const crash = { at, when, die: () => void (died = true) };
      await drive({ spec, attempt: 1, journal, crash }, told).catch(() => undefined);
      if (!died) break;
      crashes += 1;
      const { outcome } = await drive({ spec, attempt: 2, journal }, told);
      expect(outcome.state).toBe("completed");
      expect(new Set(told.ran).size).toBe(told.ran.length);
      const kept = ["1", "2"].filter((text) =>
        journal.kept.get(`tool/t-${text}`)?.includes(`wrote ${text}`),
      );
      interrupted += 2 - kept.length;
      const log = kept.length === 0 ? "begun" : `begun\n${kept.join("\n")}`;
      const isThere = git(remote, "for-each-ref", branchOf(spec)) !== "";
      // What a call had written that nobody kept is gone with its machine.
      if (isThere) expect(git(remote, "show", `${branchOf(spec)}:log.txt`)).toBe(log);
      else expect(kept).toEqual([]);
    }
  expect(crashes).toBeGreaterThan(10);
  expect(interrupted).toBeGreaterThan(0);
}, 120_000);

test("a call waits for a remote that is down, and its files arrive when it is back", async () => {
  const spec = newSpec();
  const told: Told = { ran: [], trouble: [] };
  const journal = new MemoryJournal();
  mkdirSync(join(dirname(project.root), "elsewhere"));
  const away = join(dirname(project.root), "elsewhere", "remote.git");
  const driven = drive({ spec, attempt: 1, journal }, told);
  await waitUntil(() => told.ran.length === 1);
  renameSync(remote, away);
  await waitUntil(() => told.trouble.some((line) => line.includes("waits for its remote")));
  renameSync(away, remote);
  expect((await driven).outcome.state).toBe("completed");
  expect(git(remote, "show", `${branchOf(spec)}:log.txt`)).toBe("begun\n1\n2");
});
