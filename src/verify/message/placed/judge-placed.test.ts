import { describe, expect, test } from "vitest";
import { memoryReader } from "../../../source/reader.ts";
import { isFlagged } from "../../verdict.ts";
import { verifyReport } from "../../verify-report.ts";

const names = ["openStore", "readEntry", "writeEntry", "evictOldest", "closeStore"];
/** Each function begins at line 10, 20, …. */
const store = [
  ...Array.from({ length: 9 }, (_, line) => `note(${line});`),
  ...names.flatMap((name) => [
    `export function ${name}(store) {`,
    "  return store.size;",
    "}",
    ...Array.from({ length: 7 }, (_, line) => `note(${line});`),
  ]),
].join("\n");
const reader = memoryReader({
  "src/store.ts": store,
  "src/later.ts": `${"\n".repeat(300)}export function retryLater() {}\n`,
  "src/limits.ts": "export const mostEntries = 500;\nexport const retryPause = 30;\n",
});
const flagged = (report: string) =>
  verifyReport(report, { reader })
    .checks.filter(({ verdict }) => isFlagged(verdict))
    .map(({ verdict, text }) => `${verdict} ${text}`);

const told = "The store (`src/store.ts`):\n\n- `openStore` 10, `readEntry` 20\n- `writeEntry` 30\n";

describe("numbers beside names in a message whose other ones are lines", () => {
  test.each([
    ["a line where the name is not", "- `evictOldest` 14", "wrong_symbol"],
    ["a line past the end", "- `evictOldest` 140", "wrong_symbol"],
    ["a comma between them", "Then `evictOldest`, 22.", "wrong_symbol"],
    ["brackets between them", "Then `evictOldest` (22).", "wrong_symbol"],
    ["a name that nothing has", "- `flushEntries` 40", "missing"],
    ["a name of another file", "- `mostEntries` 41", "wrong_symbol"],
    ["a member of what is everywhere", "Then `store.pending` (line 21).", "missing"],
    ["a member without a holder", "Then `#pending` (line 21).", "missing"],
    ["a line before the name", "It ends in two steps, line 14: `evictOldest`.", "wrong_symbol"],
    ["a line without a name", "It ends there (line 260).", "out_of_range"],
    ["a word between them", "`evictOldest` itself is on line 14.", "wrong_symbol"],
  ])("%s is flagged", (_, sentence, verdict) => {
    expect(flagged(told + sentence)).toEqual([expect.stringMatching(`^${verdict} `)]);
  });

  test.each([
    ["what is right", "- `evictOldest` 40, `closeStore` 50"],
    ["a value that the code has beside the name", "- `mostEntries` 500, `retryPause` 30"],
    ["a number beside code without a name", "Then `return store.size;` (31), `!store` (70)."],
    ["something that is counted", "- `evictOldest` 14 times, `closeStore` 22 ms"],
    ["a line of a file that is not named", "Then `retryLater` runs (line 260)."],
    ["a line that was there", "It was no longer needed on line 260."],
    ["what was there", "It was formerly `evictOldest` 14."],
  ])("%s is not", (_, sentence) => {
    expect(flagged(told + sentence)).toEqual([]);
  });

  test("a row that gives the file with the line is read by both", () => {
    const rows =
      "| Step | Where |\n|---|---|\n| `readEntry` | `src/store.ts:20` |\n| `evictOldest` | `src/store.ts:14` |\n";
    expect(flagged(rows)).toHaveLength(1);
    expect(flagged(rows.replace("14", "40"))).toEqual([]);
  });

  test("numbers of which few are lines are none", () => {
    expect(flagged("In `src/store.ts`:\n\n- `openStore` 10\n- `readEntry` 77\n")).toEqual([]);
  });
});
