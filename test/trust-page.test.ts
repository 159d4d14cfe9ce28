// docs/trust.md prints a real report with its header; this test makes both and fails when the page tells something else.
import {
  binds,
  bindsBy,
  lowerBound,
  verdictClasses,
  type VerdictClass,
} from "../src/contract/trust/verdict-classes.ts";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempProject } from "../src/testing/temp-project.ts";
import { assessReport } from "../src/verify/assess-report.ts";
import { finalText } from "../src/verify/trust/final-text.ts";
import { ledgerBuilder } from "../src/verify/evidence/ledger.ts";
import { takeSnapshot } from "../src/verify/evidence/snapshot.ts";
import { judgeRepair, repairPrompt } from "../src/verify/repair.ts";
import { reportHeader } from "../src/verify/report/report-header.ts";
import { treeReader } from "../src/source/tree-reader.ts";
import { numbered, transcriptLines } from "./support/transcript-lines.ts";

const cart = [
  "import { priceOf } from './prices.js';",
  "",
  "export function total(items) {",
  "  return items.reduce((sum, item) => sum + priceOf(item), 0);",
  "}",
  "",
  "export function discount(sum, percent) {",
  "  return sum - sum * percent;",
  "}",
  "",
].join("\n");

const draft = `## Qa Engineer Result

### Status
SUCCESS

### Summary
Reviewed the cart. All tests pass. Found 3 issues.

### Findings

| ID | Issue | File:Line | Severity | Confidence |
|----|-------|-----------|----------|------------|
| QA-1 | Percent is not divided by 100 | \`src/cart.js:7\`: \`return sum - sum * percent;\` | Important | 95 |
| QA-2 | An empty cart is never refused | \`src/cart.js:9\` (\`total\`) | Minor | 80 |
| QA-3 | Prices are cached for ever | \`src/cache.js:12\` | Minor | 70 |

### Confidence
92 - read the whole module
`;
const second = draft
  .replace("src/cart.js:9", "src/cart.js:3")
  .replace(/\| QA-3.*\n/, "")
  .replace("Found 3 issues", "Found 2 issues");

test("the report on the page is what the verifier makes of it", async () => {
  using place = tempProject({
    "src/cart.js": cart,
    "src/prices.js": "export const priceOf = (item) => item.price;\n",
  });
  const before = takeSnapshot(place.root);
  const builder = ledgerBuilder({ root: place.root });
  const steps = [
    { tool: "Read", input: { file_path: place.path("src/cart.js") }, output: numbered(cart) },
    {
      tool: "Bash",
      input: { command: "npm test" },
      output: "# tests 4\n# pass 4\n# fail 0",
      facts: { command: "npm test", exitCode: 0 },
    },
  ];
  for (const line of transcriptLines(steps, { cwd: place.root })) builder.add(line);
  const options = {
    reader: treeReader(place.root),
    ledger: builder.ledger(),
    snapshots: { before, after: takeSnapshot(place.root) },
    readOnly: true,
    contract: "report" as const,
  };
  const first = await assessReport(draft, options);
  const { assessment } = judgeRepair(first, await assessReport(second, options));
  const shown = `${reportHeader(assessment, { agentId: "a3f09c2e4b7d81506", tokens: 18_204, toolUses: 2, durationMs: 21_400 })}\n\n${finalText(assessment)}`;
  const page = readFileSync("docs/trust.md", "utf8");
  expect(page).toContain(
    repairPrompt(first.repair!)
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .join("\n"),
  );
  expect(page).toContain(shown.trim());
});

test("the page has the classes of verdicts with their figures", () => {
  const rows = verdictClasses.map(({ name, means, basis }) => {
    const figures =
      basis === null
        ? "not measured"
        : basis === "structure"
          ? "nothing to misread"
          : `${basis.right} of ${basis.judged} right, lower bound ${(100 * lowerBound(basis)).toFixed(1)} % (${basis.on})`;
    return `| ${name} | ${means} | ${binds(name) ? "binds" : "warns"} | ${figures} |`;
  });
  const table = ["| class | what it is | today | figures |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
  expect(readFileSync("docs/trust.md", "utf8"), `write this table:\n${table}`).toContain(table);
});

test("a class binds from a lower bound of 90 % on", () => {
  const on = "a set";
  expect(bindsBy({ basis: { right: 50, judged: 50, on } })).toBe(true);
  expect(bindsBy({ basis: { right: 30, judged: 30, on } })).toBe(false);
  expect(bindsBy({ basis: { right: 95, judged: 100, on } })).toBe(false);
  expect(bindsBy({ basis: { right: 240, judged: 250, on } })).toBe(true);
  expect(bindsBy({ basis: null })).toBe(false);
  expect(
    ["unreadable decision", "failed check", "lost outcome"].every((name) =>
      binds(name as VerdictClass),
    ),
  ).toBe(true);
});
