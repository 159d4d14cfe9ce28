import { expect, test } from "vitest";
import { tempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";

test("the tour comes out as promised: research checked, a made-up reference caught and put right, the test green", async () => {
  using project = tempProject();
  const finished = await retinue(["demo"], { project });
  expect(finished.stdout).toMatch(/sends the report back: \| `src\/discount-steps\.js:41` \| missing[\s\S]*tests: passed[\s\S]*one context[\s\S]*Repaired, checked, tested\./);
  expect(finished).toMatchObject({ code: 0, stderr: "" });
});
