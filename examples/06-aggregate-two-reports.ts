// Two reviewers find the same fault. Their reports become one finding, surer than either, but never surer than its evidence.
import assert from "node:assert/strict";
import { aggregateReports, assessReport, toVerifiedReport, treeReader } from "../src/app/index.ts";
import { tempProject } from "../src/testing/index.ts";

const project = tempProject({
  "src/config.js":
    "export const limit = 5;\nexport const secret = process.env.JWT_SECRET ?? 'changeme';\n",
});

const review = (agent: string, row: string, confidence: number): string => `## ${agent} Result

### Status
SUCCESS

### Summary
Looked at the configuration.

### Findings

#### Issues Detected
| ID | Issue | File:Line | Severity | Confidence |
|---|---|---|---|---|
${row}

### Confidence
${confidence} - read the file
- verified_confidence: ${confidence}
- inferred_confidence: ${confidence}
`;
const quoted = "`src/config.js:2` `export const secret = process.env.JWT_SECRET ?? 'changeme';`";

const reports = [
  {
    agent: "security-auditor",
    text: review(
      "Security Auditor",
      `| SEC-001 | Secret with a default | ${quoted} | Critical | 80 |`,
      80,
    ),
  },
  {
    agent: "qa-engineer",
    text: review(
      "QA Engineer",
      `| SEC-009 | A default secret is used silently | ${quoted} | Critical | 70 |`,
      70,
    ),
  },
];
const verified = await Promise.all(
  reports.map(async ({ agent, text }, index) =>
    toVerifiedReport(await assessReport(text, { reader: treeReader(project.root) }), {
      task_id: `review-${index}`,
      agent_id: `agent-${index}`,
      agent_type: agent,
      model: null,
      required: true,
    }),
  ),
);

const { outcome, findings, conflicts } = aggregateReports(verified);
assert.equal(outcome, "SUCCESS");
assert.deepEqual(conflicts, []);
assert.equal(findings.length, 1);
assert.equal(findings[0]!.members.length, 2);
assert.ok(findings[0]!.confidence! > 80 && findings[0]!.confidence! <= 84); // 84 is the most for a quotation that matches and that no transcript shows as read
console.log(`${findings[0]!.title}: ${findings[0]!.confidence}`);

project.remove();
