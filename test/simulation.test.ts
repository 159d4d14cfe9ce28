import { afterAll, beforeAll, expect, test } from "vitest";
import { openSimulation, type Simulation } from "./simulation/simulate.ts";

let simulation: Simulation;
beforeAll(() => void (simulation = openSimulation()));
afterAll(() => simulation.close());

test("every promise holds in 200 worlds of faults, crashes and resumes", async () => {
  const totals: Record<string, number> = {};
  const problems: string[] = [];
  for (let seed = 1; seed <= 200; seed++) {
    const report = await simulation.run(seed);
    problems.push(...report.problems);
    for (const [what, times] of Object.entries(report.counts))
      totals[what] = (totals[what] ?? 0) + times;
  }
  // A failing seed replays with `npm run bench -- simulate --seed N`.
  expect(problems).toEqual([]);
  // The worlds must have met what they are for.
  const met = (...names: string[]): number =>
    Object.entries(totals).reduce(
      (sum, [name, times]) => (names.some((start) => name.startsWith(start)) ? sum + times : sum),
      0,
    );
  expect(met("crash:")).toBeGreaterThan(80);
  expect(met("crash:in a write", "crash:before a write", "crash:after a write")).toBeGreaterThan(
    30,
  );
  expect(met("crash:tool", "crash:model", "crash:hook")).toBeGreaterThan(5);
  for (const fault of ["disk:ENOSPC", "disk:short write", "disk:EIO", "disk:shrink"])
    expect(met(fault), fault).toBeGreaterThan(3);
  for (const end of [
    "end:completed",
    "end:stopped",
    "end:failed storage",
    "end:failed timeout",
    "end:failed max_turns",
    "end:failed network",
    "end:failed refusal",
    "end:failed empty",
    "end:failed budget",
  ])
    expect(met(end), end).toBeGreaterThan(3);
  for (const act of [
    "resume",
    "message",
    "background",
    "moved",
    "repair",
    "stop",
    "rival",
    "race",
    "summary",
    "repeat of what a summary took",
    "output:running",
    "refused:running",
    "refused:limit",
  ])
    expect(met(act), act).toBeGreaterThan(5);
}, 300_000);

test("a seed tells the same story every time", async () => {
  for (const seed of [3, 14, 77]) {
    const [first, second] = [await simulation.run(seed), await simulation.run(seed)];
    const story = (trace: string[]): string[] =>
      trace.map((line) => line.replace(/a[0-9a-f]{16}|[0-9a-f]{6}\.jsonl/g, "ID"));
    expect(first.trace.length).toBeGreaterThan(20);
    expect(story(second.trace)).toEqual(story(first.trace));
  }
}, 120_000);
