import { describe, expect, test } from "vitest";
import { memoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import { isFlagged } from "../verdict.ts";
import { verifyReport } from "../verify-report.ts";

const filler = Array.from({ length: 40 }, (_, index) => `const filler${index} = ${index};`);
const cart = [
  "export function addItem(cart, item) {",
  "  cart.items.push(item);",
  "}",
  ...filler,
  "export function checkoutTotal(cart) {",
  "  return cart.items.reduce((sum, item) => sum + item.price, 0);",
  "}",
  ...filler,
  "const CHECKOUT_TOTAL_LIMITS = [10, 20];",
  "export function applyDiscount(cart, code) {",
  "  return cart.total * discounts[code];",
  "}",
].join("\n");

const repo = new Repository(
  memoryReader({
    "src/cart.ts": cart,
    "src/audio_track_state.ts": `${filler.join("\n")}\n${cart}`,
  }),
);
const flags = (text: string, document: string | undefined): string[] =>
  verifyReport(text, { reader: repo, ...(document === undefined ? {} : { document }) })
    .checks.filter(({ verdict }) => isFlagged(verdict))
    .map(({ text: place }) => place);

describe("a document", () => {
  test("is told of a name that stands elsewhere", () => {
    const text = "The sum is made by `checkoutTotal` (`src/cart.ts:5`).";
    expect(flags(text, "docs/review.md")).toEqual(["`src/cart.ts:5`"]);
  });

  test("that defines an agent shows places as patterns", () => {
    const text =
      "---\nname: finder\ndescription: Finds code.\n---\n\nAnswer: `checkoutTotal` (`src/cart.ts:5`).";
    expect(flags(text, "notes/finder.md")).toEqual([]);
    expect(flags(text.replace("name:", "title:"), "notes/finder.md")).toHaveLength(1);
  });

  test("whose words fit what stands there is not accused by another name of a row", () => {
    const row = (line: number): string =>
      `| What | Place | Test |\n|---|---|---|\n| Apply a discount code to the cart | \`src/cart.ts:${line}\` | \`test_discount_rate\` |`;
    expect(flags(row(89), "docs/qa.md")).toEqual([]);
  });

  test("that names a file by what it holds gives its lines freely", () => {
    const text = "See [AudioTrackState](src/audio_track_state.ts#L12) for it.";
    expect(flags(text, "docs/review.md")).toEqual([]);
  });

  test("that spells a name otherwise is not accused", () => {
    const text = "| Model | Place |\n|---|---|\n| `checkoutTotalLimits` | `src/cart.ts:87` |";
    expect(flags(text, "docs/review.md")).toEqual([]);
  });

  test("that tells what a line became claims the new one alone", () => {
    const text = "In `src/cart.ts`, `checkoutTotal` `:5` → `:44` was moved.";
    expect(flags(text, "docs/audit.md")).toEqual([]);
  });

  test("is told of a doubtful reading only where another place of the file moved by as many lines", () => {
    const listed = "Prices (`src/cart.ts:49`, `src/cart.ts:50`) go through `applyDiscount`.";
    const otherwise = listed.replaceAll(":49", ":20").replaceAll(":50", ":30");
    const sure = "The sum is made by `checkoutTotal` (`src/cart.ts:5`).";
    const told = flags(`${sure}\n\n${listed}`, "docs/review.md");
    expect(flags(listed, "docs/review.md")).toEqual([]);
    expect(told).toEqual(["`src/cart.ts:5`", "`src/cart.ts:49`", "`src/cart.ts:50`"]);
    expect(flags(`${sure}\n\n${otherwise}`, "docs/review.md")).toEqual(["`src/cart.ts:5`"]);
    expect(flags(`${sure}\n\n${listed}`, "docs/plan.md")).toEqual(["`src/cart.ts:5`"]);
    expect(flags(`${sure}\n\n${listed}`, undefined)).toHaveLength(1);
  });

  test("is told why a flag that is mostly wrong in documents is not judged", () => {
    const text = "Code match: `return cart.total * discount[code];` in src/cart.ts:89";
    const [check] = verifyReport(text, { reader: repo, document: "docs/review.md" }).checks;
    expect(check).toMatchObject({
      verdict: "exists_only",
      reason: expect.stringContaining("often said of something else"),
    });
    expect(flags(text, undefined)).toHaveLength(1);
  });

  test("is not told of a short path that any project may have", () => {
    const text = (path: string): string => `The total is rounded (\`${path}:12\`).`;
    expect(flags(text("src/totals.ts"), "docs/review.md")).toEqual([]);
    expect(flags(text("src/totals.ts"), undefined)).toHaveLength(1);
  });

  test("claims nothing in a part of what shall be", () => {
    const text =
      "<acceptance_criteria>\n- src/cart.ts contains `const cartLimits = [`\n</acceptance_criteria>\n";
    expect(flags(text, "plans/one.md")).toEqual([]);
  });
});

/** Other places of the file that are wrong as well. */
const company = [1, 3, 5, 7]
  .map((line) => `\n\nThe sum is made by \`checkoutTotal\` (\`src/cart.ts:${line}\`).\n`)
  .join("");
const besides = (text: string, document: string): number =>
  flags(`${text}\n${company}`, document).length - flags(company, document).length;

test("how many lines a file has is not a line of it, and where a name is defined is meant exactly", () => {
  const text = (word: string): string => `**File**: \`src/cart.ts\`\n**${word}**: 448`;
  expect(besides(text("Lines"), "docs/audit-2025-01-02.md")).toBe(0);
  expect(besides(text("Line"), "docs/audit-2025-01-02.md")).toBe(1);
  expect(flags("`checkoutTotal` is defined at `src/cart.ts:46`.", "docs/audit.md")).toHaveLength(1);
});

test("a document that says that what it speaks of is over is not held to it", () => {
  const text = `The sum is made by \`checkoutTotal\` (\`src/cart.ts:5\`).`;
  expect(besides(text, "docs/audit.md")).toBe(1);
  expect(flags(text + company, "docs/archive/audit.md")).toEqual([]);
  const plan = (status: string): string => `# Plan\n\n**Status**: ${status}\n\n${text}${company}`;
  expect(flags(plan("in progress, not complete"), "docs/plan.md")).not.toEqual([]);
  expect(flags(plan("✅ COMPLETE"), "docs/plan.md")).toEqual([]);
  const finding = (state: string): string =>
    `## PERF-001: a slow sum\n\n${text}\n\n## Order of work\n\n- PERF-001 ${state}\n\n## Rest`;
  expect(besides(finding("is next"), "docs/audit.md")).toBe(1);
  expect(besides(finding("FIXED in the last week"), "docs/audit.md")).toBe(0);
  const named = (state: string): string =>
    `The code is taken by \`applyDiscount\` (\`src/cart.ts:5\`).\n\n## Later\n\n- \`applyDiscount()\` ${state}`;
  expect(besides(named("was looked at"), "docs/audit.md")).toBe(1);
  expect(besides(named("was removed: ✅ RESOLVED"), "docs/audit.md")).toBe(0);
});

test("lines that a file has not are told of a document that is wrong in other places of it, too", () => {
  const text = "The total is rounded in `src/cart.ts:120-250`.";
  expect(flags(text, "docs/audit.md")).toEqual([]);
  expect(besides(text, "docs/audit.md")).toBe(1);
});

describe("the state that a document speaks of", () => {
  const told = "The total is rounded in `src/deep/rounding.ts:12` and again in `src/cart.ts`.";
  const paths = (text: string): string[] =>
    verifyReport(text, { reader: repo, document: "docs/audit.md" }).checks.map(
      ({ reason }) => reason,
    );

  test.each([
    "**Archivos eliminados (2):**\n\n- `src/deep/rounding.ts`\n- `src/other.ts`",
    "## Removed\n\n- `src/deep/rounding.ts`",
    "- Create: `src/deep/rounding.ts`",
    "| File | Action |\n|---|---|\n| `src/deep/rounding.ts` | Delete |",
    "`src/deep/rounding.ts` was renamed.",
    "`src/deep/rounding.ts` → `src/sums/rounding.ts`",
  ])("is without a file that it tells to be gone or still to come: %s", (said) => {
    const meant = "there is no src/deep/rounding.ts; nothing says that it is here";
    expect(paths(`# Sums\n\n${told}`)).not.toContain(meant);
    expect(paths(`# Sums\n\n${told}\n\n# Later\n\n${said}\n`)).toContain(meant);
  });

  test("is not that of the tree where an address names a commit", () => {
    const link = (at: string): string =>
      `\`checkoutTotal\` ([src/cart.ts:5](https://github.com/a/b/blob/${at}/src/cart.ts#L5)).`;
    expect(flags(link("main"), "docs/review.md")).toHaveLength(1);
    expect(flags(link("0123456789abcdef"), "docs/review.md")).toEqual([]);
  });

  test("has the lines that a plan gives, but for the end of a range that is counted roughly", () => {
    const text = (end: number): string => `**File**: \`src/cart.ts:80-${end}\`\n`;
    expect(besides(`# Audit\n\n${text(120)}`, "docs/audit.md")).toBe(1);
    expect(besides(`# Plan\n\n${text(250)}`, "docs/plan.md")).toBe(1);
    expect(besides(`# Audit\n\n${text(93)}`, "docs/audit.md")).toBe(0);
  });
});

describe("a log of several commits", () => {
  const part = (commit: string): string =>
    `## Run\n\n**Scan commit:** \`${commit}\`\n\nThe sum is made by \`checkoutTotal\` (\`src/cart.ts:5\`).\n`;
  test("tells of states that are not the tree", () => {
    expect(flags(`# Log\n\n${part("0b03b4f")}\n${part("16f51b3")}`, "docs/log.md")).toEqual([]);
    const undated = part("0b03b4f").replace(/^.*Scan commit.*$/m, "");
    expect(flags(`# Log\n\n${undated}`, "docs/log.md")).toEqual(["`src/cart.ts:5`"]);
  });
});

describe("what was dealt with", () => {
  const wrong = "the sum is made by `checkoutTotal` (`src/cart.ts:5`).";
  test.each([
    ["in a ticked box", `# Review\n\n## High\n\n- [x] **H1** ${wrong}\n`],
    ["under a title that says so", `# Review\n\n## H1 Sums (FIXED)\n\nHere ${wrong}\n`],
  ])("%s is left open", (_, text) => {
    expect(flags(text, "docs/review.md")).toEqual([]);
    const open = text.replace("[x]", "[ ]").replace(" (FIXED)", "");
    expect(flags(open, "docs/review.md")).toEqual(["`src/cart.ts:5`"]);
  });
});

describe("a finding that the document calls mended", () => {
  const place = "The sum is made by `checkoutTotal` (`src/cart.ts:5`).";
  test.each([
    ["by its title", `# Audit\n\n### 5.1 Sums ✅ 已修复\n\n**Place**: ${place}`],
    ["in the same row", `| Place | State |\n|---|---|\n| ${place} | ✅ Fixed: counts |`],
    [
      "in a list of ids",
      `# Audit\n\n- **SUM-05** ${place}\n\n**Fixed in this change:**\nSUM-04, SUM-05\n`,
    ],
    [
      "under its number",
      `# Audit\n\n### BUG-05: Sums\n\n**Location:**\n- ${place}\n\n### BUG-04/05/06 ✅ FIXED\n`,
    ],
    ["in a cell of its row", `| Place | State |\n|---|---|\n| ${place} | fixed |`],
    ["on another branch", `# Audit\n\n- In the \`next\` branch: ${place}`],
    ["with all others", `# Audit\n\n> Status: all 16 bugs fixed on Friday\n\n- ${place}\n`],
    [
      "of another commit",
      `# Log\n\n## Round 1 (commit \`32a3a55\`)\n\n${place}\n\n## Round 2, tip \`bfc8baf\`\n\nNothing.`,
    ],
    [
      "at the head",
      `# Audit\n\nThe findings are retained for historical reference.\n\n- ${place}\n`,
    ],
  ])("%s is not held against it", (_, text) => {
    expect(flags(text, "docs/audit.md")).toEqual([]);
  });

  test.each([
    ["a mark before the place is of what stands there", `| ✅ Fixed | ${place} |`],
    ["another number", `### BUG-05: Sums\n\n- ${place}\n\n### BUG-04/06 ✅ FIXED\n`],
    ["a label that says it is open", `- **SUM-05** ${place}\n\n**Not fixed:**\nSUM-05\n`],
  ])("%s leaves it a finding", (_, text) => {
    expect(flags(`# Audit\n\n${text}`, "docs/audit.md")).toEqual(["`src/cart.ts:5`"]);
  });
});

test("the number of a finding is no line", () => {
  const heading = "### L7. `src/cart.ts`: `checkoutTotal` forgets the rest\n";
  const row = "| File | Line | Note |\n|---|---|---|\n| `src/cart.ts` | 44 | L7: `checkoutTotal` |";
  for (const text of [heading, row]) expect(flags(text, "docs/audit.md")).toEqual([]);
});
