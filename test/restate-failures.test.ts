// What goes wrong between machines, each once; RETINUE_FAILURES says how often instead. Counted:
// calls that write run at most once, and what was cut is told.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ManagerOptions } from "../src/app/manager-options.ts";
import { startCluster, type Cluster } from "./support/cluster/cluster.ts";
import { withEngine } from "./support/cluster/with-engine.ts";
import { allowed, failureNames, tryFailure } from "./support/cluster/failures.ts";

const times = Number(process.env["RETINUE_FAILURES"] ?? 1);

withEngine("failures between machines", () => {
  let cluster: Cluster;
  beforeAll(async () => (cluster = await startCluster()), 60_000);
  afterAll(() => cluster.close());

  for (const name of failureNames)
    test(
      `${name}: the run goes on, nothing that writes runs twice, and what was cut is told`,
      async () => {
        for (let time = 0; time < times; time += 1) {
          const account = await tryFailure(cluster, name);
          expect(account, JSON.stringify(account)).toMatchObject({
            twice: 0,
            untold: 0,
            problems: [],
          });
        }
      },
      30_000 + 20_000 * times,
    );

  const flood = {
    name: "Flood",
    description: "gives a large result",
    inputSchema: { type: "object" as const, properties: { mebibytes: { type: "number" } } },
    readOnly: true,
    parse: (value: unknown) => ({ ok: true as const, value: value as Record<string, unknown> }),
    execute: async () => ({ content: "never here" }),
  };
  const flooding: ManagerOptions = {
    contract: "none",
    permissions: { mode: "acceptEdits", allow: ["Flood"] },
    tools: [flood],
  };
  const floods = (turn: number, mebibytes: number) => ({
    tools: [{ id: `t${turn}`, name: "Flood", input: { mebibytes } }],
  });

  test("a result of 40 MiB goes to the store, and the run goes on", async () => {
    cluster.thinker.tell("flood", ({ turn, last }) =>
      turn === 1 ? floods(1, 40) : `It said ${last}.`,
    );
    const manager = cluster.manager(cluster.project(), flooding);
    const result = await manager.spawn({ description: "f", prompt: "flood" }).done;
    expect(result).toMatchObject({ state: "completed", content: "It said flooded." });
    await manager.close();
  }, 60_000);

  test("a run whose journal is full goes on in another one, with all that it had used", async () => {
    cluster.thinker.tell("full", ({ turn }) =>
      turn <= 12 ? floods(turn, 0.8) : `It took ${turn} turns.`,
    );
    const manager = cluster.manager(cluster.project(), flooding);
    const result = await manager.spawn({ description: "m", prompt: "full" }).done;
    expect(result).toMatchObject({ state: "completed", content: "It took 13 turns." });
    expect(result.metrics.tool_uses).toBe(12);
    const lives = await cluster.engine.sql(
      "select target_service_key as life from sys_invocation where target_service_name = 'RetinueRun' and target_handler_name = 'run'",
    );
    expect(lives.filter(({ life }) => !String(life).endsWith(".0"))).toHaveLength(1);
    await manager.close();
  }, 60_000);

  test("a call that is longer than the engine's time-outs is told as interrupted and not made again", async () => {
    const project = cluster.project();
    cluster.thinker.tell("long", ({ turn }) =>
      turn === 1
        ? { tools: [{ id: "t1", name: "Bash", input: { command: "echo x >> log.txt; sleep 4" } }] }
        : "The call was cut.",
    );
    const setTimeouts = (inactivity: string, abort: string) =>
      fetch(`${cluster.engine.admin}/services/RetinueRun`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ inactivity_timeout: inactivity, abort_timeout: abort }),
      });
    expect((await setTimeouts("1s", "1s")).ok).toBe(true);
    try {
      const manager = cluster.manager(project, { ...allowed, contract: "none" });
      const result = await manager.spawn({ description: "l", prompt: "long" }).done;
      expect(result).toMatchObject({ state: "completed", content: "The call was cut." });
      expect(project.read("log.txt")).toBe("x\n");
      await manager.close();
    } finally {
      await setTimeouts("10m", "2h");
    }
  }, 60_000);
});
