import { expect, test } from "vitest";
import { tempProject } from "../../testing/temp-project.ts";
import { assessReport } from "../assess-report.ts";
import { treeReader } from "../../source/tree-reader.ts";
import { finalText } from "./final-text.ts";

async function told(text: string): Promise<string> {
  using project = tempProject({ "src/cart.js": "export function total() {}\n" });
  return finalText(
    await assessReport(text, { reader: treeReader(project.root), contract: "none" }),
  );
}

test("a reference that failed carries its verdict where it stands", async () => {
  expect(await told("The limit is in `src/nope.js:3`, the sum in `src/cart.js:1`.")).toMatch(
    /^The limit is in `src\/nope\.js:3` \[missing: [^\]]+\], the sum in `src\/cart\.js:1`\.$/,
  );
});

test("an answer that is JSON is left as it is", async () => {
  const answer = JSON.stringify({ where: "src/nope.js:3", list: ["see `src/cart.js:40`"] });
  expect(await told(answer)).toBe(answer);
  expect(await told(`[${answer}]\n`)).toBe(`[${answer}]\n`);
});

test("a block of JSON keeps its content beside a sentence that is marked", async () => {
  const block = '```json\n{\n  "where": "src/nope.js:3"\n}\n```';
  const text = await told(`Here it is:\n\n${block}\n\nThe limit is in \`src/nope.js:3\`.`);
  expect(text).toContain(block);
  expect(text).toMatch(/The limit is in `src\/nope\.js:3` \[missing: [^\]]+\]\.$/);
});

test("several claims of one sentence each carry their verdict, also where one holds the other", async () => {
  using project = tempProject({ "src/cart.js": "export function total() {}\n" });
  const text = "See `src/nope.js:3`, and nothing else.";
  const reader = treeReader(project.root);
  const assessment = await assessReport(text, { reader, contract: "none" });
  const [missing] = assessment.checks;
  const whole = { ...missing!, id: "c2", span: [0, text.length - 1] as [number, number] };
  const shown = finalText({ ...assessment, checks: [whole, missing!] });
  expect(shown).toMatch(
    /`src\/nope\.js:3` \[missing: [^\]]+\], and nothing else \[missing: [^\]]+\]\.$/,
  );
});
