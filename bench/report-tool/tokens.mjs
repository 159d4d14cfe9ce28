// What a report of twenty findings costs by the tool, and as Markdown with the repair that it would need.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const functions = 20;
const source = Array.from(
  { length: functions },
  (_, index) =>
    `export function step${index}(input) {\n  const checked = validate${index}(input);\n  if (!checked) return undefined;\n  return store.write(checked, ${index});\n}\n`,
).join("\n");

/** The same findings both ways; one place of five is two lines off, as models count. */
export async function tokenFigures({
  checkReportInput,
  assessReport,
  repairPrompt,
  treeReader,
  countTokens,
  contractInBrief,
  createReportTool,
}) {
  const folder = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  try {
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "src/steps.js"), source);
    const report = toolReport();
    const world = { reader: treeReader(folder), agent: "auditor" };
    const answer = await checkReportInput(report, world);
    if (!answer.ok) throw new Error(JSON.stringify(answer.problems));
    const wrong = markdownReport();
    const assessment = await assessReport(wrong, {
      reader: treeReader(folder),
      contract: "report",
    });
    const open = assessment.repair?.rows.length ?? 0;
    const table = assessment.repair ?? { rows: [], problems: [] };
    const toolTokens = countTokens(JSON.stringify(report));
    const prompt = countTokens(repairPrompt(table, "report"));
    const markdown = countTokens(wrong);
    const { inputSchema, description } = createReportTool({ contract: "report" }, () => undefined);
    const schema = countTokens(JSON.stringify(inputSchema) + description);
    const brief = (byTool) => countTokens(contractInBrief("report", { byTool }));
    return [
      "",
      `a report of ${functions} findings (estimated tokens, one counter for all):`,
      `  by the tool: ${toolTokens} written by the model, accepted at once`,
      `  as Markdown: ${markdown} written, ${open} places to put right, repair message ${prompt}, written again ${markdown}: ${2 * markdown + prompt} in all`,
      `the contract in the system prompt: ${brief(false)} tokens before, ${brief(true)} with the tool, whose schema has ${schema}`,
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const toolReport = () => ({
  status: "SUCCESS",
  summary: "Looked at the twenty steps of the store.",
  findings: Array.from({ length: functions }, (_, index) => ({
    title: `step${index} hides a failed check`,
    kind: "present",
    statement: "A failed check returns undefined, and the caller takes it for an empty result.",
    path: "src/steps.js",
    quote: "if (!checked) return undefined;",
    near: `step${index}`,
    severity: "important",
    category: "correctness",
    confidence: 80,
  })),
  confidence: { verified: 80, inferred: 74, justification: "Read the file" },
  next_steps: ["Throw where a check fails"],
});

/** As short as the contract allows: one row a finding, the quotation beside its place. */
const markdownReport = () => {
  const rows = Array.from({ length: functions }, (_, index) => {
    const line = index * 6 + 3 + (index % 5 === 0 ? 2 : 0);
    return `| F${index + 1} | step${index} hides a failed check: a failed check returns undefined, and the caller takes it for an empty result | \`src/steps.js:${line}\` \`if (!checked) return undefined;\` | Important | 80 |`;
  });
  return [
    "## Auditor Result\n\n### Status\nSUCCESS\n\n### Summary\nLooked at the twenty steps of the store.",
    `\n### Findings\n| ID | Issue | File:Line | Severity | Confidence |\n|---|---|---|---|---|\n${rows.join("\n")}`,
    "\n### Confidence\n77 - Read the file\n- verified_confidence: 80\n- inferred_confidence: 74",
    "\n### Next Steps\n1. Throw where a check fails\n",
  ].join("\n");
};
