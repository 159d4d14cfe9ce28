import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numbered, transcriptLines, type Step } from "../../test/support/transcript-lines.ts";
import { tempProject, type TempProject } from "../testing/temp-project.ts";
import { assessReport, type AssessOptions } from "./assess-report.ts";
import type { Assessment } from "./assessment.ts";
import { finalText } from "./trust/final-text.ts";
import { ledgerBuilder, type Ledger } from "./evidence/ledger.ts";
import { binds, type VerdictClass } from "../contract/trust/verdict-classes.ts";
import { takeSnapshot } from "./evidence/snapshot.ts";
import { memoryReader } from "../source/reader.ts";
import { judgeRepair, repairPrompt } from "./repair.ts";
import { reportHeader } from "./report/report-header.ts";
import { toVerifiedReport } from "./report/to-verified-report.ts";
import { treeReader } from "../source/tree-reader.ts";

const auth = [
  "import { users } from './users';",
  "",
  "export async function login(email: string) {",
  "  const user = await users.find(email);",
  "  if (!user) throw new Error('unknown');",
  "  return sign(user);",
  "}",
  "",
].join("\n");
const jwt =
  "const JWT_SECRET = 'hardcoded-secret-key-123';\nexport const sign = (user) => token(user, JWT_SECRET);\n";
const reader = memoryReader({
  "src/auth.ts": auth,
  "src/jwt.ts": jwt,
  "src/users.ts": "export const users = new Map();\n",
});

function ledgerOf(steps: Step[], root = "/repo"): Ledger {
  const builder = ledgerBuilder({ root });
  for (const line of transcriptLines(steps, { cwd: root })) builder.add(line);
  return builder.ledger();
}

const read = (path: string, text: string): Step => ({
  tool: "Read",
  input: { file_path: path },
  output: numbered(text),
});
const ran = (command: string, output: string, exitCode = 0): Step => ({
  tool: "Bash",
  input: { command },
  output,
  ...(exitCode === 0 ? {} : { isError: true }),
  facts: { command, exitCode },
});

const report = ({
  status = "SUCCESS",
  findings = "",
  confidence = "95",
  more = "",
}: {
  status?: string;
  findings?: string;
  confidence?: string;
  more?: string;
}): string =>
  `## Security Auditor Result\n\n### Status\n${status}\n\n### Summary\nReviewed the login.\n\n### Findings\n\n${findings}\n\n### Confidence\n${confidence}\n${more}\n`;

const issues = (...rows: string[]): string =>
  [
    "#### Issues Detected",
    "",
    "| ID | Issue | File:Line | Severity | Confidence |",
    "|----|-------|-----------|----------|------------|",
    ...rows,
  ].join("\n");
const secret =
  "| SEC-001 | Hardcoded JWT secret | `src/jwt.ts:1`: `const JWT_SECRET = 'hardcoded-secret-key-123';` | Critical | 98 |";
/** The same without the words that it accuses. */
const unquoted = "| SEC-001 | Hardcoded JWT secret `JWT_SECRET` | `src/jwt.ts:1` | Critical | 98 |";

describe("evidence decides what a number is worth", () => {
  test("a quote that the agent never saw is capped at 84, one that it saw at 94", async () => {
    const text = report({ findings: issues(secret) });
    const unseen = await assessReport(text, {
      reader,
      ledger: ledgerOf([read("src/auth.ts", auth)]),
      contract: "report",
    });
    expect(unseen).toMatchObject({
      trust: "VERIFIED",
      confidence: { claimed: 95, cap: 84, combined: 84, overclaim: 11 },
      findings: [{ id: "SEC-001", grade: "E2" }],
    });
    const seen = await assessReport(text, {
      reader,
      ledger: ledgerOf([read("src/jwt.ts", jwt)]),
      contract: "report",
    });
    expect(seen).toMatchObject({
      trust: "VERIFIED",
      confidence: { cap: 94 },
      findings: [{ grade: "E3" }],
    });
  });

  test("a line that stood elsewhere when the agent read it still counts as seen; one that has changed since does not", async () => {
    const moved = memoryReader({ "src/jwt.ts": `// head\n${jwt}` });
    const minor = (row: string): string => row.replace("Critical", "Minor");
    const text = report({
      findings: issues("| SEC-001 | Hardcoded secret `JWT_SECRET` | `src/jwt.ts:2` | Minor | 98 |"),
    });
    expect(
      (await assessReport(text, { reader: moved, ledger: ledgerOf([read("src/jwt.ts", jwt)]) }))
        .findings[0]!.grade,
    ).toBe("E3");
    const changed = memoryReader({ "src/jwt.ts": "const JWT_SECRET = 'another-secret-value';\n" });
    expect(
      (
        await assessReport(report({ findings: issues(minor(unquoted)) }), {
          reader: changed,
          ledger: ledgerOf([read("src/jwt.ts", jwt)]),
        })
      ).findings[0]!.grade,
    ).toBe("E2");
  });

  test("what matched when the agent read it and no longer does is stale", async () => {
    const now = memoryReader({
      "src/auth.ts": "export const nothing = 1;\n// two\n// three\n",
      "src/jwt.ts": jwt,
    });
    const text = report({
      findings: issues(
        "| BUG-1 | Throws for unknown users | `src/auth.ts:5`: `if (!user) throw new Error('unknown');` | Important | 90 |",
      ),
    });
    const assessment = await assessReport(text, {
      reader: now,
      ledger: ledgerOf([read("src/auth.ts", auth)]),
    });
    expect(assessment.checks[0]).toMatchObject({
      verdict: "stale",
      grade: "E1",
      reason: expect.stringContaining("when the agent read it"),
    });
  });

  test("zero tool calls with claims of action is INVALID, and so is a run whose every call was denied", async () => {
    const text = report({ findings: issues(secret) });
    const idle = await assessReport(text, {
      reader,
      ledger: ledgerOf([{ say: "done" }]),
      contract: "report",
    });
    expect(idle).toMatchObject({
      outcome: {
        claimed: "SUCCESS",
        value: "INVALID",
        reasons: ["it claims actions, but no tool was used"],
      },
      decision: { decision: "STOP" },
    });
    const denied = await assessReport(text, {
      reader,
      ledger: ledgerOf([{ tool: "Read", input: {}, output: "permission denied", isError: true }]),
      contract: "report",
    });
    expect(denied.outcome.value).toBe("INVALID");
    const told = await assessReport("I ran `npm test` and all tests pass.", {
      reader,
      ledger: ledgerOf([]),
      contract: "none",
    });
    expect(told, "an answer in no form has no outcome").toMatchObject({
      is_free: true,
      trust: binds("result never run (plainly said)") ? "CONTRADICTED" : "UNVERIFIED",
      tally: { results: { onRecord: 0 } },
      outcome: { claimed: null },
    });
  });

  test("a critical finding without the words that it accuses is as good as its place", async () => {
    const at = async (row: string): Promise<Assessment> =>
      assessReport(report({ findings: issues(row) }), {
        reader,
        ledger: ledgerOf([read("src/jwt.ts", jwt)]),
        contract: "report",
      });
    expect(await at(unquoted)).toMatchObject({
      trust: "UNVERIFIED",
      findings: [{ grade: "E1" }],
      confidence: { cap: 74 },
    });
    expect((await at(unquoted.replace("Critical", "Important"))).findings[0]!.grade).toBe("E3");
    expect((await at(secret)).findings[0]!.grade).toBe("E3");
  });

  test("the computed confidence is never above the agent's own number", async () => {
    const assessed = await assessReport(
      report({ findings: issues(secret), confidence: "70 - a guess\n- inferred_confidence: 70" }),
      { reader, ledger: ledgerOf([read("src/jwt.ts", jwt)]), contract: "report" },
    );
    expect(assessed.confidence).toMatchObject({ claimed: 70, combined: 70, verified: 94 });
  });

  test("a contradicted critical finding caps at 20 and lowers the outcome; it overrides PROCEED once its class binds", async () => {
    const text = report({
      findings: issues(
        "| SEC-001 | Missing check in `verifyToken` | `src/jwt.ts:40` | Critical | 98 |",
      ),
      more: "\n### Decision\nPROCEED\n\n### Verification Completed\n- [x] **File References Valid**: yes\n- [x] **Evidence Documented**: yes\n- [ ] **Code Snippets Accurate**",
    });
    const assessment = await assessReport(text, { reader, contract: "report" });
    expect(assessment).toMatchObject({
      trust: "CONTRADICTED",
      confidence: { cap: 20, combined: 0, overclaim: 95 },
      outcome: { claimed: "SUCCESS", value: "PARTIAL" },
      objections: [{ class: "reference out_of_range", binds: binds("reference out_of_range") }],
      decision: {
        decision: binds("reference out_of_range") ? "STOP" : "PROCEED",
        claimed: "PROCEED",
      },
    });
    expect(
      assessment.lint.filter(({ rule }) => rule === "false-tick").map(({ message }) => message),
    ).toEqual([
      '"File References Valid" is ticked, and the files contradict it',
      '"Evidence Documented" is ticked, and the files contradict it',
    ]);
  });

  test("a claim that the report itself calls uncertain is inferred, never contradicted", async () => {
    const text = report({
      findings: issues(
        "| F-1 | Perhaps `verifyToken` is missing (uncertain) | `src/jwt.ts:40` | Critical | 50 |",
      ),
    });
    const assessment = await assessReport(text, { reader });
    expect(assessment.findings[0]!.grade).toBe("E0");
    expect(assessment.trust).not.toBe("CONTRADICTED");
  });

  test("a run in one folder shows nothing of what was changed in another after it", async () => {
    const lint: Step = {
      tool: "Bash",
      input: { command: "cd packages/web && npx eslint ." },
      output: "",
    };
    const editOf = (path: string): Step => ({
      tool: "Edit",
      input: { file_path: path, old_string: "a", new_string: "b" },
      output: `The file ${path} has been updated.`,
    });
    const verdictOf = async (message: string, ...steps: Step[]) => {
      const ledger = ledgerOf(steps);
      const { checks } = await assessReport(message, { reader, ledger, contract: "none" });
      return checks.map(({ verdict }) => verdict);
    };
    const api = editOf("packages/api/src/b.ts");
    expect(await verdictOf("Lint is clean.", api, lint)).toEqual(["verified"]);
    expect(await verdictOf("Lint is clean.", lint, api)).toEqual(["not_judged"]);
    expect(await verdictOf("Lint is clean in web.", lint, api)).toEqual(["verified"]);
  });

  test("a message with the title of a report and none of its fields is free text", async () => {
    const titled =
      "## Investigation Report: sign-in\n\n### 1. Where it is\n\n`login` stands at src/auth.ts:3.";
    const free = await assessReport(titled, { reader, contract: "auto" });
    expect(free).toMatchObject({ is_free: true, lint: [] });
    expect(free.outcome.value).not.toBe("INVALID");
    const withStatus = `${titled}\n\n### Status\n\nall good`;
    expect(await assessReport(withStatus, { reader, contract: "auto" })).toMatchObject({
      is_free: false,
    });
  });

  test("nothing that could be read as a report is INVALID", async () => {
    expect(await assessReport("", { reader, contract: "report" })).toMatchObject({
      outcome: { claimed: null, value: "INVALID" },
      decision: { decision: "STOP" },
      trust: "UNVERIFIED",
    });
  });
});

/** A claim that nothing supports is held against its agent where its class binds. */
const graded = (name: VerdictClass): string => `unsupported ${binds(name) ? "X" : "E0"}`;
const unsupported = graded("result never run (plainly said)");

describe("tests and commands", () => {
  const edit: Step = {
    tool: "Edit",
    input: { file_path: "src/auth.ts" },
    output: "ok",
    facts: { path: "/repo/src/auth.ts" },
  };
  const passing = ran("npm test", "Tests: 5 passed, 5 total");
  const check = async (claim: string, steps: Step[]): Promise<string> => {
    const { checks } = await assessReport(report({ findings: claim }), {
      reader,
      ledger: ledgerOf(steps),
    });
    return checks
      .filter(({ kind }) => kind === "test" || kind === "command")
      .map(({ verdict, grade }) => `${verdict} ${grade}`)
      .join(", ");
  };

  test.each<[string, string, Step[], string]>([
    ["a recorded, fresh, matching run", "All tests pass.", [edit, passing], "verified E4"],
    ["the numbers", "5 tests passed", [passing], "verified E4"],
    ["other numbers", "7 tests passed", [passing], "altered X"],
    ["a share", "5/5 tests passing", [passing], "verified E4"],
    ["an edit after the run", "All tests pass.", [passing, edit], "stale E1"],
    [
      "a command that writes after the run",
      "All tests pass.",
      [passing, ran("sed -i s/a/b/ src/auth.ts", "")],
      "stale E1",
    ],
    [
      "a note after the run",
      "All tests pass.",
      [passing, { ...edit, facts: { path: "/repo/NOTES.md" } }],
      "verified E4",
    ],
    ["no run at all", "All tests are passing.", [edit], unsupported],
    [
      "a failed run",
      "All tests pass.",
      [ran("npm test", "Tests: 1 failed, 4 passed, 5 total", 1)],
      "altered X",
    ],
    [
      "a failed suite behind a small one that passes",
      "All tests pass.",
      [
        ran("npx vitest run", " Tests  1 failed | 9 passed (10)", 1),
        ran("npx vitest run src/a", " Tests  2 passed (2)"),
      ],
      "altered X",
    ],
    [
      "a failed suite that was put right",
      "All tests pass.",
      [
        ran("npx vitest run", " Tests  1 failed | 9 passed (10)", 1),
        edit,
        ran("npx vitest run", " Tests  10 passed (10)"),
      ],
      "verified E4",
    ],
    ["a runner that nobody knows", "All tests pass.", [ran("make test", "fine")], "verified E4"],
    ["a suite", "The test suite passes.", [passing], "verified E4"],
    ["all of them with their number", "All 5 tests have passed.", [passing], "verified E4"],
    ["the wrong number of all", "All 9 tests pass.", [passing], "altered X"],
    ["a count and its end", "5 tests, all passing", [passing], "verified E4"],
    ["passed and failed", "Result: 5 passed, 0 failed", [passing], "verified E4"],
    ["a hope", "The tests should pass now.", [], ""],
    ["a condition", "If tests pass, merge it.", [], ""],
    [
      "numbers that the agent printed itself",
      "All tests pass.",
      [ran("echo 'Tests: 5 passed, 5 total'", "Tests: 5 passed, 5 total")],
      unsupported,
    ],
    [
      "numbers that a script was told to print",
      "All tests pass.",
      [ran("node -e \"console.log('Tests: 5 passed, 5 total')\"", "Tests: 5 passed, 5 total")],
      unsupported,
    ],
    [
      "numbers out of an old file",
      "All tests pass.",
      [ran("cat results.txt", "Tests: 5 passed, 5 total")],
      unsupported,
    ],
    [
      "a test command that was only named",
      "All tests pass.",
      [ran("echo npm test", "npm test")],
      unsupported,
    ],
    [
      "a runner that was asked for help",
      "All tests pass.",
      [ran("npx vitest --help", "usage")],
      unsupported,
    ],
    [
      "an end that was swallowed",
      "All tests pass.",
      [ran("make test || true", "boom")],
      `unsupported ${binds("result against the record (plainly said)") ? "X" : "E0"}`,
    ],
    [
      "numbers behind a pipe",
      "All tests pass.",
      [ran("npm test 2>&1 | tail -5", "Tests: 5 passed, 5 total")],
      "verified E4",
    ],
    ["an aim", "Make sure that all tests pass.", [], ""],
    ["a denial", "Not all tests pass.", [], ""],
    ["a command that succeeded", "Ran `npm run lint`.", [ran("npm run lint", "")], "verified E4"],
    [
      "a command that failed",
      "`npm run lint` passes.",
      [ran("npm run lint", "bad", 1)],
      "altered X",
    ],
    [
      "a failure that is told",
      "Ran `npm run lint`: it fails with 3 errors.",
      [ran("npm run lint", "3 errors", 1)],
      "verified E4",
    ],
    [
      "a command that never ran",
      "Verified with `npm run build`.",
      [passing],
      graded("result never run"),
    ],
    [
      "a command whose end is hidden by a pipe",
      "`npm run build` succeeded.",
      [ran("npm run build | tail -3", "")],
      "verified E4",
    ],
    [
      "a chain, told as it ran",
      "`npm run lint && npm test` passes.",
      [ran("cd /repo && npm run lint && npm run test", "")],
      "verified E4",
    ],
    [
      "a command with more arguments",
      "Ran `npm test`.",
      [ran("npm test -- src/a", "")],
      "verified E1",
    ],
    [
      "a command by its short name",
      "Ran `tsc --noEmit`.",
      [ran("npx tsc --noEmit", "")],
      "verified E4",
    ],
    [
      "a denied command",
      "Ran `npm run build`.",
      [
        {
          tool: "Bash",
          input: { command: "npm run build" },
          output: "permission denied",
          isError: true,
        },
      ],
      unsupported,
    ],
  ])("%s", async (_name, claim, steps, expected) =>
    expect(await check(claim, steps)).toBe(expected),
  );

  test("without a record nothing is said about them", async () => {
    const { checks } = await assessReport("All tests pass.", { reader });
    expect(checks).toMatchObject([{ kind: "test", verdict: "not_judged", grade: "E0" }]);
  });

  test("a printed result is compared with the recorded one; a re-run decides over the record", async () => {
    const text = report({ findings: "#### Test Results\n```\nTests: 5 passed, 5 total\n```" });
    expect(
      (await assessReport(text, { reader, ledger: ledgerOf([passing, edit]) })).checks[0],
    ).toMatchObject({
      kind: "test",
      verdict: "stale",
      reason: expect.stringContaining("src/auth.ts was changed after that run"),
    });
    const rerun = async (): Promise<{ exitCode: number; output: string }> => ({
      exitCode: 1,
      output: "Tests: 2 failed, 3 passed, 5 total",
    });
    expect(
      (await assessReport(text, { reader, ledger: ledgerOf([passing, edit]), rerun })).checks[0],
    ).toMatchObject({
      verdict: "altered",
      grade: "X",
      reason: expect.stringMatching(/^run again: .* failed: 3 passed, 2 failed/),
    });
  });
});

describe("file claims against the tree before and after", () => {
  const made = (path: string): string =>
    `#### Files Created\n| File | Purpose |\n|---|---|\n| \`${path}\` | new |`;
  const changed = (path: string): string =>
    `#### Files Modified\n| File | Change |\n|---|---|\n| \`${path}\` | edited |`;

  async function judge(
    findings: string,
    work: (place: TempProject) => void,
    more: Partial<AssessOptions> = {},
  ): Promise<Assessment> {
    using place = tempProject({ "src/old.ts": "old\n", "src/same.ts": "same\n" });
    const before = takeSnapshot(place.root);
    work(place);
    return assessReport(report({ findings }), {
      reader: treeReader(place.root),
      snapshots: { before, after: takeSnapshot(place.root) },
      ...more,
    });
  }

  test.each<[string, string, (place: TempProject) => void, Partial<AssessOptions>, string]>([
    [
      "created",
      made("src/new.ts"),
      (place) => place.write("src/new.ts", "n\n"),
      {},
      "created_ok verified E3",
    ],
    [
      "created, but it was there before",
      made("src/old.ts"),
      (place) => place.write("src/old.ts", "n\n"),
      {},
      "existed_before altered X",
    ],
    ["created, but it is not there", made("src/new.ts"), () => {}, {}, "undefined missing X"],
    [
      "modified",
      changed("src/old.ts"),
      (place) => place.write("src/old.ts", "n\n"),
      {},
      "modified_ok verified E3",
    ],
    ["modified, but it is the same", changed("src/same.ts"), () => {}, {}, "not_changed altered X"],
    [
      "created, in a sentence",
      "Created `src/new.ts` with the parser.",
      (place) => place.write("src/new.ts", "n\n"),
      {},
      "created_ok verified E3",
    ],
    [
      "updated, in a list",
      "- Updated `src/same.ts` to be faster",
      () => {},
      {},
      "not_changed altered X",
    ],
    [
      "what others did",
      "A colleague created `src/old.ts` last year.",
      () => {},
      {},
      "undefined exists_only E1",
    ],
    [
      "deleted",
      "#### Files Deleted\n- `src/old.ts`",
      (place) => rmSync(place.path("src/old.ts")),
      {},
      "deleted_ok verified E3",
    ],
    [
      "deleted, but it is still there",
      "#### Files Deleted\n- `src/old.ts`",
      () => {},
      {},
      "not_changed altered X",
    ],
    [
      "created by a run that could not write",
      made("src/old.ts"),
      () => {},
      { readOnly: true },
      "read_only altered X",
    ],
  ])("%s", async (_name, findings, work, more, expected) => {
    const { checks } = await judge(findings, work, more);
    expect(
      checks.map(({ file_claim, verdict, grade }) => `${file_claim} ${verdict} ${grade}`),
    ).toEqual([expected]);
  });

  test("a read-only run that claims Created is contradicted; its plan to create is not", async () => {
    const claimed = await judge(made("src/new.ts"), () => {}, { readOnly: true });
    expect(claimed).toMatchObject({ trust: "CONTRADICTED", outcome: { value: "PARTIAL" } });
    const planned = await judge(
      "#### Implementation Map\n| Component | File | Action |\n|---|---|---|\n| New | `src/new.ts` | Create |",
      () => {},
      { readOnly: true },
    );
    expect(planned.checks.map(({ verdict }) => verdict)).toEqual(["unverifiable"]);
  });

  test("without snapshots the run's own writes decide, and a run with commands is not accused", async () => {
    const judged = async (steps: Step[]): Promise<string[]> =>
      (
        await assessReport(report({ findings: made("src/auth.ts") }), {
          reader,
          ledger: ledgerOf(steps),
        })
      ).checks.map(({ verdict, grade }) => `${verdict} ${grade}`);
    const write = (created: boolean): Step => ({
      tool: "Write",
      input: { file_path: "src/auth.ts" },
      output: "ok",
      facts: { path: "/repo/src/auth.ts", created },
    });
    expect(await judged([write(true)])).toEqual(["verified E3"]);
    expect(await judged([write(false)])).toEqual(["altered X"]);
    expect(await judged([read("src/auth.ts", auth)])).toEqual(["altered X"]);
    expect(await judged([ran("node generate.js", "")])).toEqual(["not_judged E0"]);
    expect(await judged([{ ...write(true), output: "permission denied", isError: true }])).toEqual([
      "altered X",
    ]);
  });

  test("an edit of a file that is still there does not show that it was deleted", async () => {
    const edit: Step = {
      tool: "Edit",
      input: { file_path: "src/auth.ts" },
      output: "ok",
      facts: { path: "/repo/src/auth.ts", created: false },
    };
    const findings = "#### Files Deleted\n- `src/auth.ts`";
    const { checks } = await assessReport(report({ findings }), {
      reader,
      ledger: ledgerOf([edit]),
    });
    expect(checks).toMatchObject([
      { verdict: "not_judged", grade: "E0", reason: "src/auth.ts is still there" },
    ]);
  });

  test("a short name of a file that the run moved away is not missing", async () => {
    using place = tempProject({ "data/demo.csv": "a,b\n" });
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
    ])
      spawnSync("git", ["-C", place.root, ...args]);
    // Git's list still has the old name.
    renameSync(place.path("data/demo.csv"), place.path("data/small.csv"));
    const text =
      "I renamed `data/demo.csv` to `data/small.csv`. No reference to `demo.csv` is left.";
    const { checks } = await assessReport(text, {
      reader: treeReader(place.root),
      ledger: ledgerOf([ran("mv data/demo.csv data/small.csv", "")], place.root),
    });
    expect(checks.filter(({ verdict }) => verdict === "missing")).toEqual([]);
  });

  test("changed and not declared is named, and goes back to the agent", async () => {
    const assessment = await judge(made("src/new.ts"), (place) => {
      place.write("src/new.ts", "n\n");
      place.write("src/old.ts", "quietly\n");
    });
    expect(assessment.undeclared).toEqual([{ path: "src/old.ts", change: "modified" }]);
    expect(assessment.trust).toBe("MIXED");
    expect(assessment.repair!.rows).toEqual([
      {
        text: "(not in the report)",
        verdict: "undeclared_change",
        actual: "src/old.ts was modified in this run",
        nearest: "declare it",
      },
    ]);
    expect(reportHeader(assessment, { agentId: "a0123456789abcdef" })).toContain(
      "undeclared: src/old.ts was modified and is not in the report",
    );
  });

  test("a change that the run cannot have made is not held against it", async () => {
    const assessment = await judge(
      "nothing",
      (place) => place.write("src/old.ts", "by a person\n"),
      { ledger: ledgerOf([read("src/old.ts", "old\n")]) },
    );
    expect(assessment.undeclared).toEqual([]);
  });

  test("a free answer owes nobody a list of the files that it changed", async () => {
    using place = tempProject({ "src/old.ts": "old\n" });
    const before = takeSnapshot(place.root);
    place.write("src/old.ts", "fixed\n");
    const options = {
      reader: treeReader(place.root),
      ledger: ledgerOf([ran("node fix.js", "")]),
      snapshots: { before, after: takeSnapshot(place.root) },
    };
    const undeclared = async (text: string): Promise<number> =>
      (await assessReport(text, options)).undeclared.length;
    expect(await undeclared("Done, it works now.")).toBe(0);
    expect(await undeclared(report({ findings: "nothing" }))).toBe(1);
  });

  test("an implementation whose files and tests hold is VERIFIED", async () => {
    const assessment = await judge(
      `${made("src/new.ts")}\n\nAll tests pass.`,
      (place) => place.write("src/new.ts", "n\n"),
      {
        ledger: ledgerOf([
          {
            tool: "Write",
            input: { file_path: "src/new.ts" },
            output: "ok",
            facts: { path: "/repo/src/new.ts", created: true },
          },
          ran("npm test", "Tests: 1 passed, 1 total"),
        ]),
      },
    );
    expect(assessment).toMatchObject({
      trust: "VERIFIED",
      confidence: { cap: 100 },
      outcome: { value: "SUCCESS" },
    });
  });
});

describe("repair", () => {
  const row = (id: string, title: string, place: string): string =>
    `| ${id} | ${title} | ${place} | Important | 90 |`;
  const good = row("A-0", "Hardcoded secret `JWT_SECRET`", "`src/jwt.ts:1`");
  const bad = report({
    findings: issues(
      good,
      row("A-1", "Token", "`src/auth.ts:1` (`sign`)"),
      row("A-2", "Lookup", "`src/users.ts:1` (`login`)"),
      row("A-3", "Checks", "`src/gone.ts:9`"),
    ),
  });
  const options: AssessOptions = { reader, contract: "report" };

  test("three wrong references, two put right, one withdrawn: accepted in one turn, the withdrawal stays visible", async () => {
    const before = await assessReport(bad, options);
    expect(before.repair!.rows.map(({ verdict }) => verdict)).toEqual([
      "wrong_symbol",
      "wrong_symbol",
      "missing",
    ]);
    expect(repairPrompt(before.repair!)).toContain("| `src/auth.ts:1` | wrong_symbol |");
    const answer = report({
      findings: issues(
        good,
        row("A-1", "Token", "`src/jwt.ts:2` (`sign`)"),
        row("A-2", "Lookup", "`src/auth.ts:3` (`login`)"),
      ),
    });
    const repair = judgeRepair(before, await assessReport(answer, options));
    expect(repair).toMatchObject({
      accepted: true,
      fixed: 2,
      failing: 0,
      withdrawn: [{ text: "`src/gone.ts:9`" }],
    });
    expect(repair.assessment).toMatchObject({ trust: "VERIFIED", outcome: { value: "SUCCESS" } });
    expect(finalText(repair.assessment)).toContain(
      "### Withdrawn\n- `src/gone.ts:9` (withdrawn after the check:",
    );
    expect(reportHeader(repair.assessment, { agentId: "a0123456789abcdef" })).toContain(
      "withdrawn: `src/gone.ts:9`",
    );
  });

  test("what still fails is X and makes it PARTIAL", async () => {
    const before = await assessReport(bad, options);
    const answer = bad
      .replace("`src/auth.ts:1`", "`src/jwt.ts:2`")
      .replace("`src/users.ts:1`", "`src/auth.ts:3`");
    const repair = judgeRepair(before, await assessReport(answer, options));
    expect(repair).toMatchObject({ accepted: true, fixed: 2, failing: 1, withdrawn: [] });
    expect(repair.assessment.outcome).toMatchObject({ claimed: "SUCCESS", value: "PARTIAL" });
  });

  test.each<[string, (text: string) => string, RegExp]>([
    [
      "deleting the places",
      (text) =>
        text
          .replace("`src/auth.ts:1` (`sign`)", "")
          .replace("`src/users.ts:1` (`login`)", "")
          .replace("`src/gone.ts:9`", ""),
      /evidence was deleted/,
    ],
    ["a placeholder", (text) => text.replace("`src/auth.ts:1` (`sign`)", "TBD"), /placeholder/],
    [
      "deleting what held",
      () => report({ findings: issues(row("A-2", "Lookup", "`src/auth.ts:3` (`login`)")) }),
      /references that held are gone/,
    ],
    ["no report at all", () => "Sorry.", /no report/],
  ])("%s is no repair: the first report stands", async (_name, change, problem) => {
    const before = await assessReport(bad, options);
    const repair = judgeRepair(before, await assessReport(change(bad), options));
    expect(repair).toMatchObject({
      accepted: false,
      problem: expect.stringMatching(problem),
      failing: 3,
    });
    expect(repair.assessment).toBe(before);
  });

  test("a unique relocation is corrected without asking, the original kept", async () => {
    const text = report({
      findings: issues(
        row("A-1", "Throws", "`src/auth.ts:2`: `if (!user) throw new Error('unknown');`"),
      ),
    });
    const assessment = await assessReport(text, { reader });
    expect(assessment).toMatchObject({
      repair: null,
      text,
      checks: [{ verdict: "relocated", corrected: "`src/auth.ts:5`", lines: [2, 2] }],
      findings: [
        { path: "src/auth.ts", lines: [5, 5], line_text: "if (!user) throw new Error('unknown');" },
      ],
      outcome: { value: "SUCCESS" },
    });
    expect(assessment.corrected).toBe(text.replace("src/auth.ts:2", "src/auth.ts:5"));
  });
});

describe("the example reports of the contract", () => {
  const fixture = (name: string): string =>
    readFileSync(join(import.meta.dirname, "../../test/data/reports", `${name}.md`), "utf8");

  test.each([["explorer"], ["architect"], ["auditor"], ["backend"], ["error"]])(
    "%s on an empty tree: every reference is told, nothing throws, nothing is believed",
    async (name) => {
      const assessment = await assessReport(fixture(name), {
        reader: memoryReader({}),
        contract: "report",
      });
      expect({
        trust: assessment.trust,
        outcome: assessment.outcome,
        confidence: assessment.confidence,
        checks: assessment.checks.map(
          ({ text, verdict, grade, finding }) =>
            `${verdict} ${grade} ${finding ?? "-"} ${text.split("\n")[0]}`,
        ),
      }).toMatchSnapshot();
    },
  );

  test("the auditor's report on a tree that has what it says", async () => {
    const lines = (count: number, at: Record<number, string>): string =>
      Array.from({ length: count }, (_, index) => at[index + 1] ?? `// ${index + 1}`).join("\n");
    const tree = memoryReader({
      "src/config/jwt.ts": lines(12, { 8: "const JWT_SECRET = 'hardcoded-secret-key-123';" }),
      "src/api/auth.ts": lines(60, { 45: "router.post('/login', loginHandler);" }),
      "src/services/auth.ts": lines(99, {
        89: "    throw new Error(`User ${email} not found in database`);",
      }),
    });
    const assessment = await assessReport(fixture("auditor"), { reader: tree, contract: "report" });
    expect(assessment).toMatchObject({
      trust: "VERIFIED",
      outcome: { claimed: "PARTIAL", value: "PARTIAL" },
      confidence: { claimed: 94, cap: 84 },
      findings: [
        { id: "SEC-001", grade: "E2", line_text: "const JWT_SECRET = '[masked secret]';" },
        { id: "SEC-002", grade: "E2" },
        { id: "SEC-003", grade: "E2" },
      ],
    });
    expect(
      toVerifiedReport(assessment, {
        task_id: "t",
        agent_id: "a",
        agent_type: "security-auditor",
        model: null,
        required: true,
      }),
    ).toMatchObject({
      findings: [
        { category: "sec", path: "src/config/jwt.ts", lines: [8, 8], confidence: 98 },
        {},
        {},
      ],
      assertions: [
        { subject: "OWASP A07 Auth Failures", verdict: "FAIL" },
        { subject: "OWASP A01 Access Control", verdict: "PASS" },
      ],
    });
  });
});

describe("hostile input", () => {
  const piece = fc.constantFrom(
    "### Findings\n",
    "| ID | Issue | File:Line |\n|---|---|---|\n",
    "| A-1 | x | `src/auth.ts:3` |\n",
    "```\n",
    "All tests pass.\n",
    "Ran `npm test`.\n",
    "#### Files Created\n",
    "- `src/new.ts`\n",
    "A-1: ",
    "`src/auth.ts:9999`",
    "- [x] **Evidence**\n",
    "**Status**: SUCCESS\n",
    "\u0000",
    "\ud800",
    "| ",
    "\n",
  );
  const line = fc.constantFrom<Record<string, unknown>>(
    {
      type: "assistant",
      message: {
        content: [
          { type: "tool_use", id: "t1", name: "Read", input: { file_path: "src/auth.ts" } },
        ],
      },
    },
    {
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "999999999\tx" }] },
    },
    {
      type: "assistant",
      message: {
        content: [
          { type: "tool_use", id: "t2", name: "Bash", input: { command: "npm test | tee `x` $(" } },
        ],
      },
    },
    {
      type: "user",
      cwd: 7,
      message: {
        content: [
          {
            type: "tool_result",
            tool_use_id: "t2",
            content: [{ type: "text", text: "Tests: 1 passed, 1 total" }, null],
            is_error: 1,
          },
        ],
      },
      toolUseResult: "Error",
    },
    { type: "assistant", message: null },
    { type: "user", message: { content: {} } },
  );

  test("no report and no transcript makes it throw", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 30 })), { maxLength: 40 }),
        fc.array(line, { maxLength: 12 }),
        async (parts, lines) => {
          const builder = ledgerBuilder({ root: "/repo" });
          for (const one of lines) builder.add(one);
          const assessment = await assessReport(parts.join(""), {
            reader,
            ledger: builder.ledger(),
            contract: "report",
          });
          for (const { span } of assessment.checks)
            expect(span[0] >= 0 && span[1] >= span[0] && span[1] <= assessment.text.length).toBe(
              true,
            );
          expect(judgeRepair(assessment, assessment).withdrawn).toEqual([]);
          reportHeader(assessment, { agentId: "a0123456789abcdef" });
        },
      ),
      { numRuns: 120 },
    );
  });

  test("a report of many rows costs what its rows cost", async () => {
    const rows = (count: number): string =>
      report({
        findings: issues(
          ...Array.from(
            { length: count },
            (_, index) =>
              `| R-${index} | Secret ${index} | \`src/jwt.ts:${1 + (index % 2)}\` | Minor | 50 |`,
          ),
        ),
      });
    const time = async (count: number): Promise<number> => {
      const before = process.cpuUsage();
      const assessment = await assessReport(rows(count), { reader, contract: "report" });
      judgeRepair(assessment, assessment);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await time(300);
    const [small, large] = [await time(500), await time(4_000)];
    expect(large / small).toBeLessThan(32);
  });
});
