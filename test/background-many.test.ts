import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { managerBench, task } from "./support/manager-bench.ts";

test("a thousand background agents in one process all finish, each with its own transcript and a whole output file, and none stays in memory", async () => {
  const bench = managerBench(
    ({ turn, prompt }) =>
      turn === 1
        ? { text: `working on ${prompt}`, tools: [{ name: "TodoWrite", input: { todos: [] } }] }
        : `done with ${prompt}`,
    { limits: { maxConcurrent: 1_000 } },
  );
  const { manager } = bench;
  const runs = Array.from({ length: 1_000 }, (_, n) =>
    manager.spawn(task(`job ${n};`, { run_in_background: true })),
  );
  expect(manager.list()).toHaveLength(1_000);
  const results = await Promise.all(runs.map((run) => run.done));
  for (const [n, { state, content, output_file, agent_id }] of results.entries()) {
    expect({ state, content }).toEqual({ state: "completed", content: `done with job ${n};` });
    expect(readFileSync(output_file!, "utf8")).toMatch(
      new RegExp(
        `^working on job ${n};\\n\\[tool\\] TodoWrite ok.*\\ndone with job ${n};\\n\\[retinue\\] state=completed agent=${agent_id}\\n$`,
      ),
    );
  }
  expect(new Set(results.map(({ transcript }) => transcript)).size).toBe(1_000);
  expect(manager.list()).toEqual([]);
  await bench.close();
}, 120_000);
