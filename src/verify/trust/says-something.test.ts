import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tempProject } from "../../testing/temp-project.ts";
import { assessReport } from "../assess-report.ts";
import { claimChecks } from "../claims/claim-checks.ts";
import { statementsOf } from "../claims/words/statements.ts";
import { ledgerOf } from "../evidence/ledger.ts";
import { memoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import { treeReader } from "../../source/tree-reader.ts";
import { onlyPlaces } from "./only-places.ts";
import { mayClaim, saysSomething } from "./says-something.ts";

const checkable = [
  "The limit is set in src/nope.js:3.",
  "See `total`.",
  "It stands in cart.js, line 3.",
  "The build succeeds and lint is clean.",
  "I ran the linter, and it found 0 errors.",
  "Created the file x.js.",
  "I deleted the old helper.",
  "total has no callers.",
  "I committed and pushed it.",
  "Coverage is 94 %.",
  "See [the cart](src/cart.js#L3).",
];
const sets = new URL("../../../bench/claims/sets/", import.meta.url);

/** Every text of the labelled sets, whoever wrote it and whatever it is. */
function allTexts(): string[] {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    // Longer ones are outputs of commands.
    if (typeof value === "string") texts.push(...(value.length < 3_000 ? [value] : []));
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  for (const name of readdirSync(sets).filter((file) => file.endsWith(".jsonl")))
    for (const line of readFileSync(new URL(name, sets), "utf8").split("\n").filter(Boolean)) {
      const { files: _contents, ...rest } = JSON.parse(line) as Record<string, unknown>;
      collect(rest);
    }
  return texts;
}

describe("the look that decides whether an answer is checked at all", () => {
  test.each([
    "All tests pass.",
    "Deployed to production.",
    "I ran it.",
    "Everything works now",
    "Lint clean",
    "该功能已完成",
    "The bug is gone ✅",
    "Pushed it.",
    "There are no TODOs left.",
    "See src/index.ts",
  ])("sees that %j may say something", (text) => {
    expect(saysSomething(text)).toBe(true);
  });

  test.each([
    "The parts add a number to a value, one number each, and nothing else.",
    "A queue hands each of its entries to one reader.",
    "No, that is not possible here.",
    "It sums what things cost.",
    "Yes, you can do that.",
    "Which of the two do you mean?",
  ])("sees that %j says nothing that could be compared", (text) => {
    expect(saysSomething(text)).toBe(false);
  });

  test("looks at whatever has something to check in it", async () => {
    using project = tempProject({ "src/cart.js": "export function total() {}\n" });
    const reader = treeReader(project.root);
    for (const text of checkable) {
      const { checks } = await assessReport(text, { reader, contract: "none" });
      if (checks.length > 0) expect(saysSomething(text), text).toBe(true);
    }
  });

  test("looks at a text in the form of a report, whatever it says", () => {
    expect(saysSomething("## X Result\n\n### Status\nSUCCESS\n")).toBe(true);
    expect(saysSomething("Status: SUCCESS")).toBe(true);
  });

  test("passes over no sentence of the sets in which something is found", async () => {
    const repo = new Repository(memoryReader({ "src/a.ts": "export const a = 1;\n" }));
    const evidence = { diff: undefined, ledger: undefined, readOnly: false };
    const files = { isListed: () => true, exists: () => true };
    const ledger = ledgerOf([], { root: "/repo" });
    const sentences = new Set(
      allTexts().flatMap((text) => statementsOf(text).map(({ span }) => text.slice(...span))),
    );
    const quiet = [...sentences].filter((one) => !mayClaim(one) || onlyPlaces(one));
    expect(quiet.length).toBeGreaterThan(200);
    const setting = {
      repo,
      evidence: { ...evidence, ...files },
      rerun: undefined,
      base: undefined,
      runners: [],
    };
    for (const record of [ledger, undefined]) {
      const found = await Promise.all(
        quiet.map((sentence) => claimChecks(sentence, { ...setting, ledger: record })),
      );
      expect(quiet.filter((_, index) => found[index]!.length > 0)).toEqual([]);
    }
  }, 120_000);
});
