// A result that holds while the run weakened its tests is something to tell, also in an answer without a form.
import { expect, test } from "vitest";
import { transcriptLines } from "../../../test/support/transcript-lines.ts";
import { memoryReader } from "../../source/reader.ts";
import { assessReport } from "../assess-report.ts";
import type { Assessment } from "../assessment.ts";
import { ledgerBuilder } from "../evidence/ledger.ts";
import { flagLines, stampWords } from "../report/report-header.ts";

const path = "test/auth.test.js";
const before = 'test("login", () => {\n  expect(login()).toBe(1);\n});\n';
const skipped = before.replace("test(", "test.skip(");

async function assess(words: string, after: string): Promise<Assessment> {
  const builder = ledgerBuilder({ root: "/repo" });
  const steps = [
    {
      tool: "Write",
      input: { file_path: path, content: after },
      output: "The file has been updated.",
      facts: { path: `/repo/${path}`, created: false },
    },
    {
      tool: "Bash",
      input: { command: "npx vitest run" },
      output: "      Tests  3 passed (3)",
      facts: { command: "npx vitest run", exitCode: 0 },
    },
  ];
  for (const line of transcriptLines(steps, { cwd: "/repo" })) builder.add(line);
  return assessReport(words, {
    reader: memoryReader({ [path]: after }),
    base: memoryReader({ [path]: before }),
    ledger: builder.ledger(),
  });
}

test("a weakened result alone has a trust word, MIXED at best, and is told", async () => {
  const assessment = await assess("All tests pass.", skipped);
  expect(assessment.trust).toBe("MIXED");
  expect(assessment.tally).toMatchObject({ weakened: 1, results: { of: 1, onRecord: 1 } });
  expect(stampWords(assessment, "made")).toBe(
    "results 1 of 1 on record · 1 result weakened · trust MIXED",
  );
  expect(flagLines(assessment).join()).toContain("weakened: All tests pass.");
});

test("where nothing was weakened it is verified", async () => {
  const { trust, tally } = await assess("All tests pass.", before);
  expect(trust).toBe("VERIFIED");
  expect(tally.weakened).toBe(0);
});
