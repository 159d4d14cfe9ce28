import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lintReport } from "./lint-report.ts";
import { parseReport } from "../report/parse-report.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../test/data/reports/${name}.md`, import.meta.url), "utf8");
const broken = (text: string, level?: string): string[] =>
  lintReport(parseReport(text))
    .filter((violation) => level === undefined || violation.level === level)
    .map((violation) => violation.rule);

test.each([
  ["explorer", ["confidence-breakdown"]],
  ["architect", ["confidence-breakdown"]],
  ["auditor", ["blockers", "confidence-breakdown"]],
  ["backend", ["confidence-breakdown"]],
])("the contract's own example %s breaks the contract's own L1 rules", (name, rules) => {
  expect(broken(fixture(name), "L1")).toEqual(rules);
});

const good = `## Explore Result

### Status
SUCCESS

### Summary
The parser lives in one file.

### Findings
- The parser starts at \`src/parse.ts:3\`

### Confidence
80 - read it
- verified_confidence: 90
- inferred_confidence: 70

### Next Steps
1. Read it
`;

test("a report that keeps every rule has no violation", () => {
  expect(lintReport(parseReport(good))).toEqual([]);
});

test.each<[string, string, string]>([
  ["summary-budget", good.replace("The parser", "word ".repeat(700)), "L1"],
  ["confidence-justification", good.replace("80 - read it", "90 - read it"), "L2"],
  ["uncertainty", good.replace("80 - read it", "65 - guessed"), "L2"],
  ["clarification", good.replace("80 - read it", "50 - guessed"), "L2"],
  ["confidence", good.replace("80 - read it", "High"), "L2"],
  ["confidence-reason", good.replace("80 - read it", "80"), "L2"],
  ["blockers", good.replace("SUCCESS", "PARTIAL"), "L1"],
  ["blockers", good.replace("SUCCESS", "FAILED"), "L1"],
  ["sections", good.replace("SUCCESS", "FAILED"), "L1"],
  ["sections", good.replace(/### Findings\n.*\n/, ""), "L1"],
  [
    "sections",
    good.replace(
      /- The parser.*/,
      "| ID | Issue | File:Line | Severity |\n|---|---|---|---|\n| SEC-1 | open | | minor |",
    ),
    "L1",
  ],
  [
    "severity",
    good.replace(
      /- The parser.*/,
      "| ID | Issue | File:Line |\n|---|---|---|\n| SEC-1 | open | `a.ts:1` |",
    ),
    "L2",
  ],
  [
    "severity",
    good.replace(
      /- The parser.*/,
      "| ID | Issue | File:Line | Severity |\n|---|---|---|---|\n| A | a | `a.ts:1` | minor |\n| B | b | `a.ts:2` | |",
    ),
    "L2",
  ],
  [
    "raw-output",
    good.replace("### Findings\n", `### Findings\n\`\`\`\n${"src/a.ts\n".repeat(60)}\`\`\`\n`),
    "L2",
  ],
  [
    "raw-output",
    good.replace(
      "### Findings\n",
      `### Findings\n\n| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(80)}\n`,
    ),
    "L2",
  ],
  [
    "trade-offs",
    good.replace(
      "- The parser",
      "#### Implementation Map\n\n| Component | File | Action |\n|---|---|---|\n| a | `src/a.ts` | Create |\n\n- The parser",
    ),
    "L3",
  ],
  [
    "patterns",
    good.replace(
      "- The parser",
      "#### Files Created\n\n| File | Purpose |\n|---|---|\n| `a.ts` | x |\n\n- The parser",
    ),
    "L3",
  ],
  ["summary-length", good.replace("one file.", "one file. It is long. It is old. It works."), "L3"],
  [
    "locations",
    good.replace(
      /- The parser.*/,
      "| ID | Issue | File:Line | Severity |\n|---|---|---|---|\n| SEC-1 | open | | minor |",
    ),
    "L2",
  ],
  ["recovery-options", good.replace("SUCCESS", "FAILED"), "L3"],
  ["next-steps", good.replace("1. Read it", ""), "L3"],
  ["standard-format", good.replace("### Status\nSUCCESS\n", ""), "L1"],
  [
    "counts",
    good
      .replace(
        "- The parser starts at `src/parse.ts:3`",
        "| Issue | File | Severity |\n|---|---|---|\n| a | `a.ts:1` | Critical |",
      )
      .replace("The parser lives", "Found 2 critical issues; the parser lives"),
    "L1",
  ],
])("names %s", (rule, text, level) => {
  expect(broken(text, level)).toContain(rule);
});

test("what the run really did speaks too", () => {
  const report = parseReport(good);
  expect(lintReport(report, { toolUses: 0, deniedCalls: 0, failedCalls: 0 })).toMatchObject([
    { rule: "actions-need-tools" },
  ]);
  expect(lintReport(report, { toolUses: 3, deniedCalls: 1, failedCalls: 2 })).toMatchObject([
    {
      rule: "success-despite-failures",
      message: "SUCCESS, although 1 call was denied and 2 failed",
    },
  ]);
});
