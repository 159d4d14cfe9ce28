import { expect, test } from "vitest";
import { lintReport, lintRules } from "../../../contract/lint/lint-report.ts";
import { parseReport } from "../../../contract/report/parse-report.ts";
import { contractInBrief } from "./contract-in-brief.ts";

const brief = contractInBrief("report", { byTool: false });

/** By rule: the words of the brief that ask for what the rule demands. */
const asked: Record<string, RegExp> = {
  "standard-format": /## NAME Result[^]*### Status[^]*### Summary/,
  sections: /### Findings[^]*### Key References[^]*### Confidence/,
  "summary-budget": /at most 500 tokens/,
  "summary-length": /Two or three sentences/,
  blockers: /With PARTIAL or FAILED, what is open or what blocks you/,
  locations: /every finding its place as `path:line`/,
  severity: /Severity \(critical, important, minor\)/,
  "raw-output": /do not paste raw output/,
  "report-budget": /Summarise/,
  "next-steps": /### Next Steps/,
  "recovery-options": /### Recovery Options/,
  "trade-offs": /### Trade-offs Considered/,
  patterns: /names the pattern of the project/,
  "confidence-breakdown": /From 75 on add the lines `verified_confidence:`/,
  "confidence-justification": /From 85 on add a section Confidence Justification/,
  confidence: /0 to 100/,
  "confidence-reason": /the reason in words/,
  uncertainty: /Below 70 add a section Uncertainty/,
  clarification: /below 60 also a question/,
};
/** What no brief can ask for: a decision is free to be left out, and the rest is what the run did. */
const unasked = /^(?:decision|counts|actions-need-tools|success-.*)$/;

test("the brief asks for exactly what the lint demands", () => {
  const rules = lintRules.map(({ rule }) => rule).filter((rule) => !unasked.test(rule));
  expect(Object.keys(asked).sort()).toEqual(rules.sort());
  for (const [rule, words] of Object.entries(asked)) expect(brief, rule).toMatch(words);
  expect(brief, "the runtime computes the ticks").not.toMatch(/Verification Completed|\[x\]/);
});

test("a report that follows the brief breaks no rule", () => {
  const report = `## Explorer Result
### Status
SUCCESS
### Summary
The cart adds prices in one place.
### Findings
| ID | Issue | File:Line | Severity | Confidence |
|---|---|---|---|---|
| QA-1 | Percent is not divided | \`src/cart.js:7\` | important | 90 |
### Key References
| Item | Location | Relevance |
|---|---|---|
| total | \`src/cart.js:3\` | adds the prices |
### Confidence
90 - read both callers
verified_confidence: 95
inferred_confidence: 85
### Confidence Justification
Score: 90
Evidence Count: 1
Verification Method: read the file
Potential Blind Spots: the callers of callers
### Next Steps
1. Divide it
`;
  expect(lintReport(parseReport(report))).toEqual([]);
});

test("a failure that follows the brief breaks no rule, and is data", () => {
  const report = parseReport(`## Explorer Result
### Status
FAILED
### Summary
Unable to look: the index is locked.
### Error Details
| Aspect | Value |
|---|---|
| Type | Locked |
| Message | index.lock exists |
| Occurred At | step 2 |
| Recoverable | false |
### Attempted Actions
1. Waited
### Root Cause Analysis
Another process holds the lock.
### Recovery Options
1. Remove it
### Blockers
- The index is locked | Resolution: remove index.lock
`);
  expect(lintReport(report)).toEqual([]);
  expect(report.error).toEqual({
    type: "Locked",
    message: "index.lock exists",
    occurredAt: "step 2",
    recoverable: false,
  });
  expect(report.blockers).toEqual([
    { description: "The index is locked", resolution: "remove index.lock" },
  ]);
});
