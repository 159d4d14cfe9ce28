import { mkdirSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { tempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";

test("the tour comes out as promised: research checked, a made-up reference caught and put right, the test green; it removes what a killed one left, and Ctrl+C ends it", async () => {
  using project = tempProject();
  const TMPDIR = project.path("tmp");
  mkdirSync(TMPDIR);
  const left = (): string[] =>
    readdirSync(TMPDIR).filter((name) => name.startsWith("retinue-demo-"));
  const killed = await retinue(["demo"], {
    project,
    env: { TMPDIR },
    onStart: (child) => child.stdout?.once("data", () => child.kill("SIGKILL")),
  });
  expect(killed.signal).toBe("SIGKILL");
  expect(left()).toHaveLength(1);
  const interrupted = await retinue(["demo"], {
    project,
    env: { TMPDIR },
    onStart: (child) => child.stdout?.once("data", () => child.kill("SIGINT")),
  });
  expect([interrupted.code, interrupted.stdout.includes("3 Validate"), left()]).toEqual([
    130,
    false,
    [],
  ]);
  const finished = await retinue(["demo"], { project, env: { TMPDIR } });
  expect(finished.stdout).toMatch(
    /sends the report back: \| `src\/discount-steps\.js:41` \| missing[\s\S]*tests: passed[\s\S]*one context[\s\S]*Repaired, checked, tested\./,
  );
  expect(finished).toMatchObject({ code: 0, stderr: "" });
  expect(left()).toEqual([]);
});
