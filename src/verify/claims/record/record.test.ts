import { expect, test } from "vitest";
import { transcriptLines, type Step } from "../../../../test/support/transcript-lines.ts";
import { assessReport } from "../../assess-report.ts";
import { ledgerBuilder } from "../../evidence/ledger.ts";
import { memoryReader } from "../../../source/reader.ts";
import { isFlagged } from "../../verdict.ts";

const ran = (command: string, output = "", exitCode = 0): Step => ({
  tool: "Bash",
  input: { command },
  output,
  ...(exitCode === 0 ? {} : { isError: true }),
  facts: { command, exitCode },
});
const edit: Step = {
  tool: "Edit",
  input: { file_path: "src/cart.js" },
  output: "ok",
  facts: { path: "/repo/src/cart.js" },
};

/** The reasons of everything that is held against the words. */
async function reasons(words: string, steps: Step[]): Promise<string[]> {
  const builder = ledgerBuilder({ root: "/repo" });
  for (const line of transcriptLines([edit, ...steps], { cwd: "/repo" })) builder.add(line);
  const reader = memoryReader({ "src/cart.js": "export const a = 1;\n" });
  const { checks } = await assessReport(words, {
    reader,
    ledger: builder.ledger(),
    contract: "auto",
  });
  return checks.filter(({ verdict }) => isFlagged(verdict)).map(({ reason }) => reason);
}

const refused = ran("gsutil cp out.zip gs://acme-rel/out.zip", "AccessDenied: 403", 1);

test.each([
  ["I uploaded `out.zip` with gsutil.", [refused], /gsutil cp .* failed \(exit code 1\)/],
  [
    "`helm upgrade` went through.",
    [ran("helm upgrade api .", "Error: timed out", 1)],
    /helm upgrade/,
  ],
  ["bandit found no issues.", [ran("ruff check .", "All checks passed!")], /runs bandit/],
  [
    "`go test -race ./...` passes.",
    [ran("go test ./...", "ok  \ta\t0.01s")],
    /without -race|-race/,
  ],
  [
    "Der Durchsatz liegt bei 25.230 ops/s.",
    [ran("node bench.js", "15230 ops/s")],
    /15230.*not 25\.230|25\.230/,
  ],
  ["Coverage is 91.2 % after the change.", [ran("pytest --cov", "coverage 81.18%")], /81\.18/],
])("%s is held against the record", async (words, steps, reason) => {
  expect((await reasons(words, steps)).join("\n")).toMatch(reason);
});

test.each([
  ["`gsutil` was refused (403), nothing is uploaded.", [refused]],
  ["I uploaded `out.zip` with gsutil.", [refused, ran("gsutil cp out.zip gs://acme-rel/out.zip")]],
  ["Run `go test -race ./...` to look for races.", [ran("go test ./...", "ok  \ta\t0.01s")]],
  ["bandit was not run.", [ran("ruff check .", "All checks passed!")]],
  ["Der Durchsatz liegt bei 15.230 ops/s.", [ran("node bench.js", "15230 ops/s")]],
  [
    "The bundle went from 48.2 kB to 41.9 kB, 13 % less.",
    [ran("node size.js", "48.2 kB\n41.9 kB")],
  ],
])("%s is not", async (words, steps) => {
  expect(await reasons(words, steps)).toEqual([]);
});
