import { describe, expect, test } from "vitest";
import { recognise } from "./recognise.ts";
import { readTestOutput } from "./read-test-output.ts";

const isTestCommand = (command: string): boolean =>
  recognise(command, "/repo", {
    root: "/repo",
    read: () => undefined,
    paths: () => [],
    runners: [],
  }).runs.some(({ subjects }) => subjects.includes("tests"));

describe("what a test runner printed", () => {
  test.each<[string, string, { passed: number; failed: number; total: number } | null]>([
    [
      "vitest",
      " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 8 passed | 2 skipped (11)\n   Start at  10:00:00",
      { passed: 8, failed: 1, total: 11 },
    ],
    [
      "vitest",
      "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m5 passed\u001b[39m\u001b[22m\u001b[90m (5)\u001b[39m",
      { passed: 5, failed: 0, total: 5 },
    ],
    [
      "jest",
      "Test Suites: 1 failed, 1 total\nTests:       2 failed, 1 skipped, 5 passed, 8 total\nTime: 1 s",
      { passed: 5, failed: 2, total: 8 },
    ],
    ["jest", "Tests: 5 passed, 5 total\nCoverage: 94%", { passed: 5, failed: 0, total: 5 }],
    [
      "node:test",
      "# tests 4\n# suites 0\n# pass 3\n# fail 1\n# cancelled 0",
      { passed: 3, failed: 1, total: 4 },
    ],
    [
      "node:test",
      "ℹ tests 2\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0",
      { passed: 2, failed: 0, total: 2 },
    ],
    [
      "pytest",
      "=========== 2 failed, 5 passed, 1 skipped, 3 warnings in 0.42s ===========",
      { passed: 5, failed: 2, total: 8 },
    ],
    ["pytest", "3 passed in 0.01s", { passed: 3, failed: 0, total: 3 }],
    ["pytest", "====== 1 error in 0.10s ======", { passed: 0, failed: 1, total: 1 }],
    [
      "go test",
      "--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.com/b\t0.003s\nok  \texample.com/a\t0.002s\n",
      { passed: 1, failed: 1, total: 2 },
    ],
    [
      "go test",
      "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\texample.com/a\t0.002s",
      { passed: 1, failed: 1, total: 2 },
    ],
    ["go test", "ok  \texample.com/a\t(cached)", { passed: 1, failed: 0, total: 1 }],
    [
      "cargo test",
      "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured",
      { passed: 6, failed: 2, total: 9 },
    ],
    ["mocha", "  5 passing (12ms)\n  1 pending\n  2 failing\n", { passed: 5, failed: 2, total: 8 }],
    ["", "everything is fine: 12 tests passed", null],
    ["", "", null],
  ])("%s: %j", (runner, output, expected) => {
    if (expected === null) expect(readTestOutput(output)).toBeNull();
    else expect(readTestOutput(output)).toMatchObject({ runner, ...expected });
  });

  test("the last summary of a log counts", () => {
    expect(readTestOutput("Tests: 1 failed, 1 total\n…\nTests: 1 passed, 1 total")).toMatchObject({
      passed: 1,
      failed: 0,
    });
  });

  test.each([
    "npm test",
    "npm run test -- x",
    "pnpm t",
    "npx vitest run",
    "cd a && pytest -q",
    "go test ./...",
    "cargo test",
    "node --test test/",
    "./gradlew test",
    "make test",
  ])("%s runs tests", (command) => expect(isTestCommand(command)).toBe(true));
  test.each([
    "npm run lint",
    "cat test.txt",
    "git commit -m tests",
    "ls test",
    "npm install vitest-less",
  ])("%s does not", (command) => expect(isTestCommand(command)).toBe(false));
});
