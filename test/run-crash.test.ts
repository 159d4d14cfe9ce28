import { expect, test } from "vitest";
import { entry } from "./retinue-process.ts";
import { crashRuns } from "./support/run-crash.ts";

test("kill -9 of 50 running agents loses no line, repeats no tool call and leaves no process", async () => {
  const report = await crashRuns(50, entry);
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ kills: 50 });
  // The kills must have hit something: lines on disk, calls under way, commands still running.
  expect(report.linesSeen).toBeGreaterThan(100);
  expect(report.interrupted).toBeGreaterThan(3);
  expect(report.orphans).toBeGreaterThan(3);
}, 180_000);

test("kill -9 of 12 durable runs: each goes on in the same life, repeats no call and loses no line", async () => {
  const report = await crashRuns(12, entry, { executor: "durable" });
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ kills: 12 });
  // A kill before a run's first line leaves no life; every later one is gone on with.
  expect(report.lives).toBe(report.sessions);
  expect(report.toolCalls).toBeGreaterThan(5);
}, 120_000);
