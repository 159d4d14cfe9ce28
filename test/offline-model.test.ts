import { cpSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";

const open: TempProject[] = [];
afterEach(() => open.splice(0).forEach((project) => project.remove()));

function shop(): TempProject {
  const project = tempProject();
  open.push(project);
  cpSync("assets/demo-project", project.root, { recursive: true });
  return project;
}

const ask = async (project: TempProject, prompt: string, flags: string[] = []): Promise<string> =>
  (await retinue(["run", "--model", "offline", ...flags, "--", prompt], { project })).stdout;

test.each([
  ["where is volumeDiscount defined?", "src/discounts.js:11"],
  ["Where does `percentOf` come from?", "src/money.js:18"],
  ["show me the class `Cart`", "src/cart.js:7"],
  ["what is in discounts.js", "src/discounts.js:1"],
  ["how is the best discount chosen", "src/discounts.js"],
])("%s", async (question, expected) => {
  const answer = await ask(shop(), question);
  expect(answer.slice(answer.indexOf("### Key References"))).toContain(expected);
});

test("its references hold against the files", async () => {
  const project = shop();
  const answer = await ask(project, "where is bestDiscount defined and used?", [
    "--agent",
    "Explore",
  ]);
  const verified = await retinue(["verify", "-", "--format", "json"], { project, stdin: answer });
  expect(JSON.parse(verified.stdout)).toMatchObject({
    counts: { flagged: 0, total: expect.any(Number) },
  });
  expect(verified.code).toBe(0);
});

test("says what it is, and what it could not find", async () => {
  const answer = await ask(shop(), "where is `frobnicate` defined?");
  expect(answer).toMatch(/Nothing was found\. Searched for: frobnicate[\s\S]*no language model/);
});

test("needs no key and no network, and changes nothing", async () => {
  const project = shop();
  const finished = await retinue(
    ["run", "--model", "offline", "--output-format", "json", "where is toCents?"],
    { project },
  );
  expect(JSON.parse(finished.stdout)).toMatchObject({
    subtype: "success",
    total_cost_usd: 0,
    permission_denials: [],
  });
});
