import { expect, test } from "vitest";
import { transcriptLines } from "../../../../test/support/transcript-lines.ts";
import { ledgerOf, type Ledger } from "../../evidence/ledger.ts";
import { removerOf } from "./remover-of.ts";

function recordOf(command: string, exitCode = 0): Ledger {
  const step = { tool: "Bash", input: { command }, output: "", facts: { command, exitCode } };
  const lines = transcriptLines([exitCode === 0 ? step : { ...step, isError: true }], {
    cwd: "/repo",
  });
  return ledgerOf(lines, { root: "/repo" });
}

test.each([
  ["rm bin/old.sh && ls bin", "bin/old.sh"],
  ["git mv src/emiter.ts src/emitter.ts", "src/emiter.ts"],
  ["rm -rf src/legacy", "src/legacy/a.ts"],
  ["cd src && mv a.ts b.ts", "src/a.ts"],
])("%s took %s away", (command, path) => {
  expect(removerOf(path, recordOf(command))).toBeDefined();
});

test.each([
  ["rm bin/old.sh", 1, "bin/old.sh"],
  ["rm bin/old.sh", 0, "bin/older.sh"],
  ["rm -rf dist .", 0, "src/made-up.ts"],
  ["echo rm bin/old.sh", 0, "bin/old.sh"],
  ["grep -rn rm bin/old.sh", 0, "bin/old.sh"],
])("%s with exit code %i took no %s away", (command, exitCode, path) => {
  expect(removerOf(path, recordOf(command, exitCode))).toBeUndefined();
});
