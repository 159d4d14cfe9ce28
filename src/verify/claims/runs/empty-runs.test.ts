// Runs without a test, options that allow them, and summaries of which a filter shows the numbers alone.
import { describe, expect, test } from "vitest";
import { transcriptLines, type Step } from "../../../../test/support/transcript-lines.ts";
import { memoryReader } from "../../../source/reader.ts";
import { assessReport } from "../../assess-report.ts";
import { ledgerBuilder } from "../../evidence/ledger.ts";

const files = {
  "go.mod": "module example.com/shop\n",
  "main.go": "package main\n\nfunc main() {}\n",
  "package.json": JSON.stringify({ scripts: { test: "node --test", build: "vite build" } }),
};

type Ran = [command: string, output: string, exitCode?: number];

async function verdicts(words: string, ...runs: Ran[]): Promise<string[]> {
  const builder = ledgerBuilder({ root: "/repo" });
  const steps = runs.map(([command, output, exitCode = 0]): Step => ({
    tool: "Bash",
    input: { command },
    output,
    ...(exitCode === 0 ? {} : { isError: true }),
    facts: { command, exitCode },
  }));
  for (const line of transcriptLines(steps, { cwd: "/repo" })) builder.add(line);
  const { checks } = await assessReport(words, {
    reader: memoryReader(files),
    ledger: builder.ledger(),
  });
  return checks.map(({ verdict, reason }) => `${verdict}: ${reason}`);
}

const none = "?   \texample.com/shop\t[no test files]\n";
const both = "go test ./... && go vet ./...";

const isFlagged = (one: string): boolean => !/^(?:verified|not_judged)/.test(one);

describe("a command that found no tests", () => {
  test.each([
    ["go vet is clean, and the build works.", both],
    ["go vet reports nothing.", both],
    ["The build succeeds.", "go test ./..."],
    ["There are no tests yet; go test exits with 0.", "go test ./..."],
    ["I ran go test: there are no test files.", "go test ./... ; echo exit=$?"],
  ])("says nothing against: %s", async (words, command) => {
    const output = command.includes("echo") ? `${none}exit=0` : none;
    const found = await verdicts(words, [command, output]);
    expect(found.filter(isFlagged)).toEqual([]);
    expect(found.join()).not.toContain("failed");
  });

  test.each(["All tests pass.", "All 4 tests pass.", "The tests pass, and no tests fail."])(
    "speaks against: %s",
    async (words) => {
      const found = await verdicts(words, [both, none]);
      expect(found.join()).toContain("altered");
      expect(found.join()).toContain("ran no tests");
    },
  );

  test("does not excuse what failed beside it", async () => {
    const vet = `${none}./main.go:3:2: undefined: total\n`;
    const found = await verdicts("go vet is clean.", [both, vet, 1]);
    expect(found.join()).toContain("failed");
  });
});

describe("an option means what its program means by it", () => {
  test.each([
    ["I committed the change.", "git commit --allow-empty -m wip", "[main 0a1b2c3] wip"],
    ["The build passes.", "npm run build --if-present", "✓ built in 1s"],
    ["All tests pass.", "ctest -V", "100% tests passed, 0 tests failed out of 4"],
    ["All tests pass.", "npx mocha --ui=tdd", "  4 passing (10ms)"],
    ["Lint is clean.", "ruff check --preview .", "All checks passed!"],
  ])("%s (%s)", async (words, command, output) => {
    const found = await verdicts(words, [command, output]);
    expect(found.map((one) => one.split(":")[0])).toEqual(["verified"]);
  });

  test("a run of tests that may be empty needs numbers", async () => {
    const found = await verdicts("All tests pass.", ["npx jest --passWithNoTests", ""]);
    expect(found.join()).toContain("ran no tests");
  });
});

describe("a filter that shows the summary", () => {
  const command = "npm test 2>&1 | grep -E '^# (pass|fail)'";

  test("its numbers count as they do behind tail", async () => {
    for (const words of ["2 tests pass, 0 fail.", "All tests pass."])
      expect((await verdicts(words, [command, "# pass 2\n# fail 0"])).join()).toMatch(/^verified/);
  });

  test("a failure among them speaks against the claim", async () => {
    const found = await verdicts("All tests pass.", [command, "# pass 1\n# fail 1"]);
    expect(found.join()).toMatch(/^altered/);
  });

  test("the tests that passed alone prove nothing", async () => {
    const found = await verdicts("All tests pass.", ["npm test | grep '^# pass'", "# pass 2"]);
    expect(found.join()).not.toMatch(/^verified/);
  });
});
