import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { markVariable, runMark } from "./mark.ts";
import { sweepLostRun, sweepRun } from "./sweep.ts";

function left(runId: string): { isAlive: () => boolean } {
  const child = spawn("sleep", ["60"], {
    detached: true,
    stdio: "ignore",
    env: { ...process.env, [markVariable]: runMark(runId) },
  });
  return { isAlive: () => child.exitCode === null && child.signalCode === null };
}

test.skipIf(process.platform !== "linux")(
  "runs that are swept together lose what they left behind, and no other run does",
  async () => {
    const [one, two, other] = [randomUUID(), randomUUID(), randomUUID()];
    const [first, second, third] = [left(one), left(two), left(other)];
    await Promise.all([sweepLostRun(one), sweepLostRun(two), sweepLostRun("no run")]);
    // What is dead is told a moment later.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([first.isAlive(), second.isAlive(), third.isAlive()]).toEqual([false, false, true]);
    const late = left(one);
    await Promise.all([sweepLostRun(other), sweepLostRun(one)]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([third.isAlive(), late.isAlive()]).toEqual([false, false]);
    expect(await sweepRun(one)).toBe(0);
  },
);
