// Runs on several machines: a real engine, two worker processes, a gateway process, all on loopback.
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentRun } from "../src/manager/agents/agent-run.ts";
import { restateBinary } from "./support/cluster/restate-server.ts";
import { startCluster, type Cluster } from "./support/cluster/cluster.ts";

const hasEngine = restateBinary() !== undefined;
if (!hasEngine && process.env["CI"] === "true")
  throw new Error("under CI the engine's package must be installed");

describe.skipIf(!hasEngine)("runs on several machines", () => {
  let cluster: Cluster;
  beforeAll(async () => (cluster = await startCluster()), 60_000);
  afterAll(() => cluster.close());

  const bash = (id: string, command: string) => ({
    tools: [{ id, name: "Bash", input: { command } }],
  });
  const allowed = { permissions: { mode: "acceptEdits" as const, allow: ["Bash"] } };

  test("an agent runs elsewhere and comes back with its answer, its events and its transcript", async () => {
    const { thinker } = cluster;
    const project = cluster.project({ "notes.txt": "one\n" });
    thinker.tell("count", ({ turn, last }) =>
      turn === 1 ? bash("t1", "cat notes.txt; echo ran >> log.txt") : `It says: ${last}`,
    );
    const manager = cluster.manager(project, allowed);
    const run = manager.spawn({ description: "count", prompt: "count the lines" });
    const types: string[] = [];
    const watching = (async () => {
      for await (const event of run.events()) types.push(event.type);
    })();
    const result = await run.done;
    await watching;
    expect(result).toMatchObject({ state: "completed" });
    expect(result.content).toContain("one");
    expect(project.read("log.txt")).toBe("ran\n");
    expect(types.filter((type) => type === "message")).toHaveLength(4);
    expect(types).toContain("tool-end");
    expect(types.at(-1)).toBe("run-end");
    expect(existsSync(result.transcript)).toBe(true);
    expect(readFileSync(result.transcript, "utf8")).toContain('"subtype":"run_end"');
    expect(await manager.getOutput(run.id)).toMatchObject({ state: "completed" });
  });

  /** Ten commands that each leave a line, with a pause in which a test can act. */
  const steady = (word: string, turns = 10): void =>
    cluster.thinker.tell(word, ({ turn }) =>
      turn <= turns ? bash(`t${turn}`, `echo ${turn} >> log.txt`) : "All lines are written.",
    );

  const linesOf = (text: string): string[] => text.split("\n").filter(Boolean);

  /** Settles when the run has made so many calls. */
  const afterCalls = async (run: AgentRun, count: number): Promise<void> => {
    let calls = 0;
    for await (const event of run.events())
      if (event.type === "tool-end" && ++calls === count) return;
  };

  test("kill -9 of the worker that runs it: it goes on elsewhere, and nothing that writes runs twice", async () => {
    const project = cluster.project();
    steady("steady");
    const run = cluster.manager(project, allowed).spawn({ description: "s", prompt: "steady" });
    await afterCalls(run, 3);
    const victim = await cluster.workerOf(run.id);
    await cluster.removeWorker(victim);
    const result = await run.done;
    await cluster.addWorker();
    expect(result).toMatchObject({ state: "completed", content: "All lines are written." });
    const lines = linesOf(project.read("log.txt"));
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.length).toBeGreaterThanOrEqual(9);
    const transcript = readFileSync(result.transcript, "utf8");
    expect(transcript.includes("interrupted")).toBe(lines.length < 10);
    const seqs = linesOf(transcript)
      .map((line) => (JSON.parse(line) as { seq?: number }).seq)
      .filter((seq) => seq !== undefined);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  test("kill -9 of the engine: the run goes on when it is back", async () => {
    const project = cluster.project();
    steady("engine");
    const run = cluster.manager(project, allowed).spawn({ description: "s", prompt: "engine" });
    await afterCalls(run, 3);
    await cluster.engine.kill();
    await cluster.engine.start();
    const result = await run.done;
    expect(result).toMatchObject({ state: "completed" });
    const lines = linesOf(project.read("log.txt"));
    expect(new Set(lines).size).toBe(lines.length);
  });

  test("a stop ends a long command at once", async () => {
    const project = cluster.project();
    cluster.thinker.tell("sleepy", () => bash("t1", "sleep 30; echo woke >> log.txt"));
    const manager = cluster.manager(project, allowed);
    const run = manager.spawn({ description: "s", prompt: "sleepy" });
    for await (const event of run.events()) if (event.type === "tool-start") break;
    expect(await manager.stop(run.id)).toMatchObject({ stopped: true });
    expect(await run.done).toMatchObject({ state: "stopped", reason: "cancelled" });
  });

  test("a message reaches a running agent, and a finished one goes on with another", async () => {
    const project = cluster.project();
    cluster.thinker.tell("listen", ({ turn, last }) =>
      turn < 4 && !last.includes("news")
        ? bash(`t${turn}`, "sleep 0.3")
        : `I heard: ${last.split("\n").at(-1)}`,
    );
    const manager = cluster.manager(project, allowed);
    const run = manager.spawn({ description: "l", prompt: "listen" });
    for await (const event of run.events()) if (event.type === "tool-start") break;
    manager.send(run.id, "news: it rains");
    const result = await run.done;
    expect(result.content).toContain("it rains");
    const again = await manager.resume(run.id, "more news").done;
    expect(again).toMatchObject({ state: "completed" });
    expect(again.content).toContain("more news");
  });

  test("a question waits while both workers are killed, and is answered afterwards", async () => {
    const project = cluster.project();
    cluster.thinker.tell("asker", ({ turn, last }) =>
      turn === 1 ? bash("t1", "touch asked.txt") : `Result: ${last}`,
    );
    let answer!: (said: "once") => void;
    const asked = new Promise<void>((resolve) => {
      const ask = () => {
        resolve();
        return new Promise<"once">((given) => (answer = given));
      };
      const manager = cluster.manager(project, { ask, permissions: { mode: "default" } });
      run = manager.spawn({ description: "q", prompt: "asker" });
    });
    await asked;
    while (cluster.workers[0]) await cluster.removeWorker(cluster.workers[0]);
    await cluster.addWorker();
    await cluster.addWorker();
    answer("once");
    const result = await run.done;
    expect(result).toMatchObject({ state: "completed", permission_denials: [] });
    expect(existsSync(project.path("asked.txt"))).toBe(true);
  });
  let run: AgentRun;
});
