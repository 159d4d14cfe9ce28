import { expect, test } from "vitest";
import { transcriptLines, type Step } from "../../../../test/support/transcript-lines.ts";
import { memoryReader } from "../../../source/reader.ts";
import { Repository } from "../../../source/repository.ts";
import { fileEvidence } from "../../collect-checks.ts";
import { ledgerBuilder } from "../../evidence/ledger.ts";
import { isFlagged } from "../../verdict.ts";
import { claimCandidates, claimChecks, type ClaimSetting } from "../claim-checks.ts";
import { weighFlags, type WeighedFlag } from "./hold-flags.ts";

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
const green = "# tests 3\n# pass 3\n# fail 0";

function settingOf(steps: Step[]): ClaimSetting {
  const builder = ledgerBuilder({ root: "/repo" });
  for (const line of transcriptLines([edit, ...steps], { cwd: "/repo" })) builder.add(line);
  const ledger = builder.ledger();
  const repo = Repository.over(
    memoryReader({
      "src/cart.js": "export const total = 1;\n",
      "package.json": '{"scripts":{"test":"node --test"}}',
    }),
  );
  const evidence = fileEvidence({ ledger }, repo);
  return { ledger, repo, evidence, rerun: undefined, base: undefined, runners: [] };
}

async function weighed(words: string, steps: Step[]): Promise<WeighedFlag[]> {
  const { checks, setting } = await claimCandidates(words, settingOf(steps));
  return [...weighFlags(words, checks, setting).values()];
}

test("a flag carries its judge, and is plain where nothing doubts it", async () => {
  const [flag] = await weighed("All tests pass.", []);
  expect(flag).toMatchObject({ flag: { judge: "result", verdict: "unsupported" }, doubts: [] });
  expect(flag!.marks).toMatchObject({ result: 1, "result never_run": 1, noneOwn: 1 });
  expect(flag!.plain).toBeGreaterThan(0.9);
});

test("what a doubt holds back is weighed as the accusation that it would be", async () => {
  const [flag] = await weighed("The build succeeds.", [ran("./tool.sh", "done")]);
  expect(flag).toMatchObject({ flag: { verdict: "unsupported", cause: "never_run" }, plain: 0 });
  expect(flag!.doubts[0]).toMatchObject({ doubt: "unknown run" });
  expect(flag!.marks).toMatchObject({ "doubt unknown run": 1 });
});

test("a clause that names what the record has not is a candidate", async () => {
  const words = "The tests pass. Credo and Dialyzer report no warnings.";
  const found = await weighed(words, [ran("npm test", green)]);
  expect(found.map(({ flag }) => flag.reason).join()).toMatch(/(?:names|runs) dialyzer/i);
});

test("what only prints leaves no trace of what it prints", async () => {
  const marksOf = async (command: string): Promise<number> =>
    (await weighed("The 1742 checks went well.", [ran(command, "1742 checks: ok")]))
      .map(({ marks }) => marks["figures"] ?? 0)
      .reduce((most, one) => Math.max(most, one), -1);
  expect(await marksOf("cat notes.log")).toBe(-1);
});

test("neither judges nor accusations that were dropped leave the room", async () => {
  const words = "All tests pass. The build succeeds. Everything is fine on Windows, too.";
  const checks = await claimChecks(words, settingOf([ran("./tool.sh", "done")]));
  expect(checks.length).toBeGreaterThan(0);
  for (const check of checks) {
    expect(check).not.toHaveProperty("judge");
    expect(check).not.toHaveProperty("instead");
    if (!isFlagged(check.verdict)) expect(check).not.toHaveProperty("plain");
  }
});
