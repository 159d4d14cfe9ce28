// What goes wrong between machines, each once; RETINUE_FAILURES says how often instead. Counted:
// calls that write run at most once, and what was cut is told.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCluster, type Cluster } from "./support/cluster/cluster.ts";
import { withEngine } from "./support/cluster/with-engine.ts";
import { failureNames, floods, flooding, tryFailure } from "./support/cluster/try-failure.ts";

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
      60_000 + 20_000 * times,
    );

  test("the engine gives no run up, however long its workers are away", async () => {
    for (const service of ["RetinueRun", "RetinuePlace", "RetinueQueue"]) {
      const answer = await fetch(`${cluster.engine.admin}/services/${service}`);
      const { retry_policy } = (await answer.json()) as { retry_policy: { max_attempts: number } };
      // One a second for ten years.
      expect(retry_policy.max_attempts).toBeGreaterThan(300_000_000);
    }
  });

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
});
