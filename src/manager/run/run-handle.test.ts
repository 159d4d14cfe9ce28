import { expect, test } from "vitest";
import { runSpec } from "../../../test/support/run-spec.ts";
import { agentResult, outcomeWithout } from "../session/agent-result.ts";
import { RunHandle } from "./run-handle.ts";

const ended = (run: RunHandle): void => {
  const outcome = outcomeWithout("stopped", "cancelled", "stopped");
  run.end(agentResult(run.spec, outcome, { transcript: "t" }));
};

test("a run is in one state at a time: running, asking, repairing, moving, ended", async () => {
  const run = new RunHandle(runSpec());
  expect(run.phase).toBe("running");
  let answer: (word: string) => void = () => undefined;
  const asking = run.whileAsking(new Promise<string>((resolve) => (answer = resolve)));
  expect(run.phase).toBe("asking");
  answer("once");
  expect(await asking).toBe("once");
  expect(run.phase).toBe("running");
  run.moveTo(Promise.resolve(42));
  expect(run.phase).toBe("moving");
  run.isRepairing = true;
  expect(run.phase).toBe("repairing");
  run.isRepairing = false;
  ended(run);
  expect(run.phase).toBe("ended");
  expect((await run.done).state).toBe("stopped");
});

test("a question that fails is over too", async () => {
  const run = new RunHandle(runSpec());
  await expect(run.whileAsking(Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(run.phase).toBe("running");
});

test("leaves only for a process that came up, and only when its report is put right", async () => {
  const run = new RunHandle(runSpec());
  expect(run.isMoving()).toBe(false);
  run.moveTo(Promise.resolve(undefined));
  expect(await run.isMoving()).toBe(false);
  expect([run.phase, lockGoesTo(run, true)]).toEqual(["running", "nobody"]);
  run.moveTo(Promise.resolve(42));
  run.isRepairing = true;
  expect(run.isMoving()).toBe(false);
  run.isRepairing = false;
  expect(await run.isMoving()).toBe(true);
  expect([lockGoesTo(run, true), lockGoesTo(run, false)]).toEqual([42, "nobody"]);
});

/** To whom a run's lock goes when it leaves. */
function lockGoesTo(run: RunHandle, isMoved: boolean): number | "nobody" {
  let owner: number | "nobody" = "nobody";
  run.passOn({ release: () => undefined, handTo: (pid) => void (owner = pid) }, isMoved);
  return owner;
}

test("nobody watches a run that is over, and it ends once", async () => {
  const run = new RunHandle(runSpec());
  const heard: string[] = [];
  run.listen(({ type }) => void heard.push(type));
  run.hear({ type: "warning", message: "m", agentId: "a", runId: "r", seq: 0, time: 0 });
  ended(run);
  run.hear({ type: "warning", message: "late", agentId: "a", runId: "r", seq: 0, time: 0 });
  run.end(agentResult(run.spec, outcomeWithout("failed", "error", "x"), { transcript: "t" }));
  expect(heard).toEqual(["warning"]);
  expect((await run.done).state).toBe("stopped");
});
