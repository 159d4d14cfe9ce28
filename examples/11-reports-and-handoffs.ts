// Read, check and write reports and handoffs without running an agent.
import assert from "node:assert/strict";
import {
  assessReport,
  checkRequest,
  checkResponse,
  finalText,
  handoffJsonSchemas,
  lintReport,
  memoryReader,
  parseReport,
  renderReport,
  reportInputJsonSchema,
} from "../src/app/index.ts";

const text = `## Code Explorer Result

### Status
SUCCESS

### Summary
The total is computed in \`src/total.js:1\`. The tax is computed in \`src/tax.js:9\`.
`;

// A report as data, its faults of form, and the same report as text again.
const report = parseReport(text);
assert.equal(report.outcome, "SUCCESS");
assert.ok(lintReport(report).some(({ rule, message }) => rule !== "" && message !== ""));
assert.equal(parseReport(renderReport(report)).summary, report.summary);

// The same report against files in memory: the text to read names what does not exist.
const files = { "src/total.js": "export const total = 1;\n" };
const assessment = await assessReport(text, { reader: memoryReader(files) });
assert.deepEqual(
  assessment.checks.filter(({ verdict }) => verdict === "missing").map(({ path }) => path),
  ["src/tax.js"],
);
assert.notEqual(finalText(assessment), text);

// A handoff goes out, an answer comes back; both are checked before anybody uses them.
const request = checkRequest({
  task_id: "t1",
  phase: "research",
  context: { feature: "add a tax" },
  instructions: "Find where totals are computed.",
});
assert.ok(request.ok && request.request.expected_output === "structured_findings");
const answer = { status: "complete", decision: "PROCEED", context_summary: "In src/total.js." };
const response = checkResponse(answer, { task_id: "t1", phase: "research", tokens_used: 900 });
assert.ok(response.ok && response.response.task_id === "t1");

// For other programs: the same forms as JSON Schema.
assert.deepEqual(Object.keys(handoffJsonSchemas()), ["handoff-request", "handoff-response"]);
assert.equal(reportInputJsonSchema()["type"], "object");
