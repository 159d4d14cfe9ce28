// What the runtime writes into a report by itself is not read as a claim; what the agent wrote stays.
import { expect, test } from "vitest";
import { readReportInput } from "../../contract/report-tool/report-input.ts";
import { renderToolReport } from "../../contract/report-tool/render-tool-report.ts";
import { knownChecks, unread } from "./known-checks.ts";

test("words of the runtime are blank, those of the agent stand where they stood", () => {
  const read = readReportInput({
    status: "SUCCESS",
    summary: "The queue is drained once.",
    findings: [],
    key_references: [],
    confidence: {
      verified: 90,
      inferred: 88,
      justification: "Every part was read.",
      blind_spots: "All tests pass.",
    },
  });
  if (!read.ok) throw new Error("the report cannot be read");
  const rendered = renderToolReport(read.report, { agent: "me", findings: [], references: [] });
  const prose = unread(rendered.text, knownChecks(rendered, { findings: [], key_references: [] }));
  expect(prose).toHaveLength(rendered.text.length);
  expect(prose.split("\n")).toHaveLength(rendered.text.split("\n").length);
  for (const own of ["No findings", "verified_confidence", "Verification Method", "[x]"]) {
    expect(rendered.text).toContain(own);
    expect(prose).not.toContain(own);
  }
  for (const said of ["The queue is drained once.", "Every part was read.", "All tests pass."])
    expect(prose.indexOf(said)).toBe(rendered.text.indexOf(said));
  expect(prose).toContain("### Verification Completed");
});
