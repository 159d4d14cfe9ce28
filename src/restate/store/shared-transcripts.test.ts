import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { MemoryJournal, type Crash } from "../../../test/support/memory-journal.ts";
import { runSpec } from "../../../test/support/run-spec.ts";
import { startS3, type S3Server } from "../../../test/support/s3-server.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { newUuid } from "../../base/ids.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { Catalog } from "../../executors/catalog.ts";
import { createDurableExecutor } from "../../executors/local.ts";
import { RunHandle } from "../../manager/run/run-handle.ts";
import type { Session } from "../../manager/session/session.ts";
import { scriptedModel, type ScriptLine } from "../../testing/scripted-model.ts";
import { tempProject } from "../../testing/temp-project.ts";
import { defineZodTool } from "../../tool/define-tool.ts";
import { noJudgedPath } from "../../tool/tool.ts";
import { sessionPaths } from "../../transcripts/paths.ts";
import { loadTranscript } from "../../transcripts/reading/load-transcript.ts";
import { fetchLines, fetchTranscript } from "./fetch-transcript.ts";
import { folderStore } from "./folder-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { openStore } from "./open-store.ts";
import { sharedTranscripts } from "./shared-transcripts.ts";
import { findTranscript } from "./stored-transcript.ts";

const project = tempProject();
let s3: S3Server;
beforeAll(async () => {
  mkdirSync(project.path("s3"));
  s3 = await startS3(project.path("s3"));
});
afterAll(async () => {
  await s3.close();
  project.remove();
});

let count = 0;
const newFolder = (): string => {
  const folder = project.path(`folder-${(count += 1)}`);
  mkdirSync(folder);
  return folder;
};

/** A model's script and a tool that answers with as many characters as it is asked for. */
const script: ScriptLine[] = [
  { tools: [{ name: "Say", input: { size: 10 }, id: "t1" }] },
  { tools: [{ name: "Say", input: { size: 400_000 }, id: "t2" }] },
  "done",
];
const say = defineZodTool({
  name: "Say",
  description: "says",
  input: z.object({ size: z.number() }),
  readOnly: true,
  run: async ({ size }) => ({ content: "x".repeat(size) }),
});
const because = { judgedPath: noJudgedPath, layer: "allow", reason: "test" };

type Machine = {
  spec: RunSpec;
  store: ObjectStore;
  attempt: number;
  journal: MemoryJournal;
  crash?: Crash;
  lines?: ScriptLine[];
  trouble?: string[];
};

const newSpec = (more: Partial<RunSpec> = {}): RunSpec =>
  runSpec({ runId: newUuid(), session: { id: newUuid() }, prompt: "go", tools: ["Say"], ...more });

/** Drives the spec as a machine with a disk of its own. */
function drive(machine: Machine): { done: Promise<RunOutcome>; run: RunHandle } {
  const { spec, store, attempt, journal, crash, lines = script, trouble = [] } = machine;
  const session = {
    id: spec.session.id,
    persist: true,
    version: "test",
    fsync: "never",
    secrets: ["hidden-word"],
    paths: sessionPaths(newFolder(), spec.session.id),
  } as unknown as Session;
  const transcripts = sharedTranscripts({
    store,
    attempt: () => attempt,
    onTrouble: (message) => trouble.push(message),
  });
  const run = new RunHandle(spec);
  // Replies that are kept are not asked for again.
  const asked = [...journal.kept.keys()].filter((key) => key.startsWith("reply/")).length;
  const model = scriptedModel(lines.slice(asked));
  const catalog: Catalog = {
    model: () => model,
    tools: () => ({ tools: [say], close: async () => undefined }),
    gate: () => ({
      judge: (call) => ({ call, behavior: "allow", ...because }),
      ask: async () => ({}),
      conclude: () => ({ behavior: "allow", ...because }),
    }),
    store: () => transcripts.open(session, run),
    journal: () => journal.open(crash),
  };
  const done = createDurableExecutor(catalog).execute(spec, { signal: run.signal });
  return { done, run };
}

const agentOf = ({ session, agentId }: RunSpec) => ({ sessionId: session.id, agentId });

/** What the store has, brought to a new machine: each line without what differs between two tries. */
async function storyOf(store: ObjectStore, spec: RunSpec): Promise<string[]> {
  const path = join(newFolder(), "story.jsonl");
  await fetchTranscript(store, agentOf(spec), path);
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const { type, subtype, seq, message } = JSON.parse(line) as Record<string, unknown>;
      const content = JSON.stringify((message as { content?: unknown } | undefined)?.content ?? "");
      return `${String(seq)} ${String(type)} ${String(subtype)} ${content.slice(0, 300)}`;
    });
}

/** Lets writes through until it dies; what came later arrives when it wakes. */
function mortal(store: ObjectStore): { store: ObjectStore; die(): void; wake(): Promise<void> } {
  let isDead = false;
  const late: (() => Promise<void>)[] = [];
  return {
    store: {
      ...store,
      put: (key, bytes) =>
        isDead
          ? new Promise((resolve) => late.push(() => store.put(key, bytes).then(resolve)))
          : store.put(key, bytes),
    },
    die: () => void (isDead = true),
    wake: async () => {
      isDead = false;
      for (const write of late) await write();
    },
  };
}

describe.each([
  ["a folder", () => folderStore(newFolder())],
  ["S3", () => openStore(`s3://retinue-test/t${(count += 1)}`, s3.env)],
])("over %s", (_, open) => {
  test("a run is whole in the store when it has ended, and another machine resumes it", async () => {
    const store = open();
    const spec = newSpec();
    const { done } = drive({ spec, store, attempt: 1, journal: new MemoryJournal() });
    expect((await done).state).toBe("completed");
    const found = await findTranscript(store, agentOf(spec));
    expect(found.lastSeq).toBe(found.chunks.at(-1)!.last);
    expect(found.end).toMatch(/\/00000001\/end\.json$/);
    const end = JSON.parse(String(await store.get(found.end!))) as { outcome: RunOutcome };
    expect(end).toMatchObject({ runId: spec.runId, outcome: { state: "completed" } });
    // The long result spilled; on a machine that never saw it, it is read back.
    const paths = sessionPaths(newFolder(), spec.session.id);
    await fetchTranscript(store, agentOf(spec), paths.agent(spec.agentId));
    const loaded = await loadTranscript(paths.agent(spec.agentId));
    expect(loaded.problems).toEqual([]);
    expect(JSON.stringify(loaded.messages)).toContain("x".repeat(400_000));

    const next = newSpec({ session: spec.session, prompt: "and now?", startedAt: Date.now() });
    const second = drive({
      spec: next,
      store,
      attempt: 1,
      journal: new MemoryJournal(),
      lines: ["again"],
    });
    expect((await second.done).content).toBe("again");
    const story = await storyOf(store, next);
    expect(story.filter((line) => line.includes("spawn"))).toHaveLength(2);
    expect(story.map((line) => parseInt(line, 10)).slice(1)).toEqual(
      story.slice(1).map((_line, index) => index + 1),
    );
    const { text, isEnded } = await fetchLines(store, agentOf(spec), found.lastSeq);
    expect(text.trim().split("\n")).toHaveLength(story.length - found.lastSeq - 1);
    expect(isEnded).toBe(true);
  });
});

test("a machine that dies at any step leaves nothing out, and its late writes change nothing", async () => {
  const whole = folderStore(newFolder());
  const wholeSpec = newSpec();
  await drive({ spec: wholeSpec, store: whole, attempt: 1, journal: new MemoryJournal() }).done;
  const expected = await storyOf(whole, wholeSpec);
  expect(expected.length).toBeGreaterThan(8);
  let crashes = 0;
  for (const when of ["before", "after"] as const)
    for (let at = 1; ; at += 1) {
      const store = folderStore(newFolder());
      const spec = newSpec();
      const journal = new MemoryJournal();
      const first = mortal(store);
      let died = false;
      const die = (): void => {
        died = true;
        first.die();
      };
      const one = drive({
        spec,
        store: first.store,
        attempt: 1,
        journal,
        crash: { at, when, die },
      });
      await Promise.race([waitUntil(() => died), one.done]);
      if (!died) break;
      crashes += 1;
      const two = drive({ spec, store, attempt: 2, journal });
      expect((await two.done).state).toBe("completed");
      // It woke up and wrote what it had: lines, and perhaps an end of its own.
      await first.wake();
      await one.done;
      expect(await storyOf(store, spec)).toEqual(expected);
      const { end } = await findTranscript(store, agentOf(spec));
      expect(end).toMatch(/\/00000002\/end\.json$/);
    }

  expect(crashes).toBeGreaterThan(10);
});

test("an attempt that others have overtaken does not begin, and a later life ends an earlier one", async () => {
  const store = folderStore(newFolder());
  const spec = newSpec();
  const journal = new MemoryJournal();
  await drive({ spec, store, attempt: 2, journal }).done;
  const late = await drive({ spec, store, attempt: 1, journal: new MemoryJournal() }).done;
  expect(late).toMatchObject({ state: "failed", reason: "storage" });
  expect(late.error).toContain("attempt 2");
  const before = await storyOf(store, spec);
  const next = newSpec({ session: spec.session });
  await drive({ spec: next, store, attempt: 1, journal: new MemoryJournal(), lines: ["x"] }).done;
  const zombie = await drive({ spec, store, attempt: 3, journal }).done;
  expect(zombie.error).toContain(next.runId);
  expect((await storyOf(store, spec)).slice(0, before.length)).toEqual(before);
});

test("while the store is down the run goes on, its lines wait on disk, and its end waits", async () => {
  const folder = newFolder();
  const store = folderStore(folder);
  const spec = newSpec();
  const trouble: string[] = [];
  let turns = 0;
  const watched: ObjectStore = {
    ...store,
    put: async (key, bytes) => {
      if (/\/lines-/.test(key) && (turns += 1) === 1) renameSync(folder, `${folder}-away`);
      return store.put(key, bytes);
    },
  };
  let isOver = false;
  const { done } = drive({
    spec,
    store: watched,
    attempt: 1,
    journal: new MemoryJournal(),
    trouble,
  });
  void done.then(() => (isOver = true));
  await waitUntil(() => trouble.length > 0);
  expect(trouble[0]).toContain("wait on this machine");
  expect(isOver).toBe(false);
  renameSync(`${folder}-away`, folder);
  expect((await done).state).toBe("completed");
  expect(trouble.at(-1)).toContain("takes lines again");
  const story = await storyOf(store, spec);
  expect(story.at(-1)).toContain("run_end");
  const { end } = await findTranscript(store, agentOf(spec));
  expect(end).toBeDefined();
});

test("a store that is down at the beginning is waited for; one that refuses is told", async () => {
  const folder = newFolder();
  renameSync(folder, `${folder}-away`);
  const trouble: string[] = [];
  const journal = new MemoryJournal();
  const { done } = drive({
    spec: newSpec(),
    store: folderStore(folder),
    attempt: 1,
    journal,
    trouble,
  });
  await waitUntil(() => trouble.length > 0);
  expect(journal.kept.size).toBe(0);
  renameSync(`${folder}-away`, folder);
  expect((await done).state).toBe("completed");
  const wrong = openStore("s3://no-such-bucket", s3.env);
  const refused = drive({
    spec: newSpec(),
    store: wrong,
    attempt: 1,
    journal: new MemoryJournal(),
  });
  expect((await refused.done).error).toContain("NoSuchBucket");
});

test("a chunk that was changed in the store is not taken for the transcript", async () => {
  const store = folderStore(newFolder());
  const spec = newSpec({ prompt: "the hidden-word" });
  await drive({ spec, store, attempt: 1, journal: new MemoryJournal() }).done;
  const { chunks } = await findTranscript(store, agentOf(spec));
  const bytes = String(await store.get(chunks[0]!.key));
  expect(bytes).not.toContain("hidden-word");
  await store.put(chunks[0]!.key, Buffer.from(bytes.replace("spawn", "spewn")));
  await expect(fetchTranscript(store, agentOf(spec), join(newFolder(), "x.jsonl"))).rejects.toThrow(
    "is damaged",
  );
});
