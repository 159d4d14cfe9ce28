import { describe, expect, test } from "vitest";
import { assessHandoff, finalHandoff } from "./assess-handoff.ts";
import type { Assessment } from "./assessment.ts";
import { ledgerBuilder, type Ledger } from "./evidence/ledger.ts";
import { takeSnapshot } from "./evidence/snapshot.ts";
import { treeReader } from "../source/tree-reader.ts";
import { tempProject } from "../testing/temp-project.ts";

const files = {
  "src/auth.ts":
    'import { sign } from "jwt";\n\nexport function issueToken(user: string): string {\n  return sign(user, "HS256");\n}\n\nexport function revoke(): void {}\n',
  "src/db.ts": "export const pool = 1;\n",
};
const answer = (findings: unknown, more: object = {}): string =>
  JSON.stringify({
    status: "complete",
    decision: "PROCEED",
    findings,
    context_summary: "done",
    issues: [],
    ...more,
  });

async function assess(
  findings: unknown,
  more: { summary?: string; ledger?: Ledger } = {},
): Promise<Assessment> {
  using project = tempProject(files);
  return assessHandoff(
    answer(findings, more.summary === undefined ? {} : { context_summary: more.summary }),
    { reader: treeReader(project.root), ...(more.ledger ? { ledger: more.ledger } : {}) },
  );
}

const verdicts = ({ checks }: Assessment): string[] =>
  checks.map(({ text, verdict }) => `${text} ${verdict}`);

describe("what a researcher names", () => {
  test.each<[string, unknown, string, string[]]>([
    [
      "a place with its symbol",
      {
        existing_implementations: [
          { path: "src/auth.ts", line: 3, symbol: "issueToken", what: "makes tokens" },
        ],
      },
      "VERIFIED",
      ["src/auth.ts:3 verified"],
    ],
    [
      "a place with its line quoted",
      {
        existing_implementations: [
          { path: "src/auth.ts", line: 4, quote: 'return sign(user, "HS256");' },
        ],
      },
      "VERIFIED",
      ["src/auth.ts:4 verified"],
    ],
    [
      "a sentence with a place and a name",
      { existing_implementations: ["`issueToken` (src/auth.ts:3) makes tokens"] },
      "VERIFIED",
      ["src/auth.ts:3 verified"],
    ],
    [
      "a place in any of an entry's words",
      {
        patterns_found: [
          { pattern: "`issueToken` signs", example: "src/auth.ts:3" },
          { pattern: "a form", example: "src/form.ts:3", resolution: "move it to src/later.ts" },
        ],
      },
      "MIXED",
      ["src/auth.ts:3 verified", "src/form.ts:3 missing"],
    ],
    [
      "a bare place: it exists, no more",
      { patterns_found: [{ path: "src/db.ts", line: 1, pattern: "one pool" }] },
      "UNVERIFIED",
      ["src/db.ts:1 exists_only"],
    ],
    [
      "a made-up file",
      { existing_implementations: [{ path: "src/login.ts", line: 12, what: "the login form" }] },
      "UNVERIFIED",
      ["src/login.ts:12 missing"],
    ],
    [
      "a made-up file behind something severe",
      { conflicts: [{ path: "src/login.ts", line: 12, why: "clashes", severity: "critical" }] },
      "CONTRADICTED",
      ["src/login.ts:12 missing"],
    ],
    [
      "a line past the end",
      { conflicts: ["src/db.ts:400 is taken"] },
      "UNVERIFIED",
      ["src/db.ts:400 out_of_range"],
    ],
    [
      "advice about a file that is still to come",
      {
        recommendations: ["put it into src/login.ts"],
        build_sequence: ["src/new.ts"],
        risks: ["src/gone.ts may be needed"],
      },
      "UNVERIFIED",
      [],
    ],
    [
      "a design's components",
      {
        components: [
          { path: "src/login.ts", action: "create" },
          { path: "src/auth.ts", action: "modify" },
          { path: "src/nope.ts", action: "modify" },
        ],
      },
      "UNVERIFIED",
      ["src/login.ts unverifiable", "src/auth.ts exists_only", "src/nope.ts unverifiable"],
    ],
    [
      "errors of a check",
      {
        types: {
          passed: false,
          errors: [
            { path: "src/auth.ts", line: 3, message: "`issueToken` has no return" },
            { path: "src/zzz.ts", line: 1, message: "x" },
          ],
        },
      },
      "MIXED",
      ["src/auth.ts:3 verified", "src/zzz.ts:1 missing"],
    ],
  ])("%s", async (_name, findings, trust, expected) => {
    const found = await assess(findings);
    expect(verdicts(found)).toEqual(expect.arrayContaining(expected));
    expect(
      found.checks
        .filter(({ grade }) => grade === "X")
        .map(({ text, verdict }) => `${text} ${verdict}`),
    ).toEqual(expected.filter((line) => /missing|out_of_range/.test(line)));
    expect(found.trust).toBe(trust);
  });

  test("places in the summary count, and stand where the answer says them", async () => {
    const found = await assess(
      {},
      {
        summary: 'Follow `issueToken` in src/auth.ts:3.\n# Not a heading\nSee "src/nowhere.ts:9".',
      },
    );
    expect(verdicts(found)).toEqual(["src/auth.ts:3 verified", "src/nowhere.ts:9 missing"]);
    for (const { span, text } of found.checks) expect(found.text.slice(...span)).toBe(text);
    expect(found.repair!.rows.map(({ text }) => text)).toEqual(["src/nowhere.ts:9"]);
  });

  test("what only moved is put right in the JSON, in strings and in entries alike", async () => {
    const found = await assess({
      existing_implementations: [
        'src/auth.ts:7 `return sign(user, "HS256");` signs',
        { path: "src/auth.ts", line: 2, quote: 'return sign(user, "HS256");' },
      ],
    });
    const fixed = JSON.parse(finalHandoff(found)) as {
      findings: { existing_implementations: unknown[] };
      issues: string[];
    };
    expect(fixed.findings.existing_implementations).toEqual([
      'src/auth.ts:4 `return sign(user, "HS256");` signs',
      { path: "src/auth.ts", line: 4, quote: 'return sign(user, "HS256");' },
    ]);
    expect(found).toMatchObject({ trust: "VERIFIED", repair: null });
  });

  test("what does not hold stands among the issues of what is passed on", async () => {
    const found = await assess({ conflicts: ["src/login.ts:12 clashes"] });
    expect(JSON.parse(finalHandoff(found))).toMatchObject({
      issues: [expect.stringMatching(/^contradicted: src\/login\.ts:12 \(/)],
    });
    const sound = await assess({});
    expect(finalHandoff(sound)).toBe(sound.text);
  });
});

describe("what a writer says it did", () => {
  const wrote = (root: string, path: string, life: "this" | "earlier" = "this"): Ledger => {
    const builder = ledgerBuilder({ root });
    builder.add({
      type: "assistant",
      message: {
        content: [
          {
            type: "tool_use",
            id: "t1",
            name: "Write",
            input: { file_path: `${root}/${path}`, content: "x" },
          },
        ],
      },
    });
    builder.add({
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "written" }] },
    });
    if (life === "earlier") builder.add({ type: "system", subtype: "spawn" });
    return builder.ledger();
  };

  test.each<[string, unknown, string, string[]]>([
    ["a new file among the changed ones", { files_changed: ["src/new.ts"] }, "VERIFIED", []],
    [
      "with its action",
      { files_changed: [{ path: "src/new.ts", action: "created", purpose: "the form" }] },
      "VERIFIED",
      [],
    ],
    [
      "and its tests",
      { files_changed: ["src/new.ts"], tests_written: [{ path: "src/new.ts", covers: "all" }] },
      "VERIFIED",
      [],
    ],
    [
      "in the words that agents use",
      {
        files_changed: [
          "created src/new.ts: the form",
          "A src/new.ts",
          "`src/new.ts` (new)",
          "./src/new.ts - added the form",
          "src/new.ts:1-20",
          { path: "src/new.ts", status: "added" },
        ],
      },
      "VERIFIED",
      [],
    ],
    [
      "a deletion that did not happen",
      { files_changed: ["src/new.ts", "deleted src/db.ts"] },
      "CONTRADICTED",
      ["src/db.ts"],
    ],
    [
      "a file that did not change",
      { files_changed: ["src/new.ts", "src/db.ts"] },
      "CONTRADICTED",
      ["src/db.ts"],
    ],
    [
      "a file that is not there",
      { files_changed: ["src/new.ts", { path: "src/ghost.ts", action: "created" }] },
      "CONTRADICTED",
      ["src/ghost.ts"],
    ],
    ["a change that it does not name", { files_changed: [] }, "UNVERIFIED", []],
  ])("%s", async (_name, findings, trust, wrong) => {
    using project = tempProject(files);
    const before = takeSnapshot(project.root);
    project.write("src/new.ts", "x");
    const found = await assessHandoff(answer(findings), {
      reader: treeReader(project.root),
      ledger: wrote(project.root, "src/new.ts"),
      snapshots: { before, after: takeSnapshot(project.root) },
    });
    expect(found.checks.filter(({ grade }) => grade === "X").map(({ path }) => path)).toEqual(
      wrong,
    );
    expect(found.trust).toBe(trust);
    expect(found.undeclared.map(({ path }) => path)).toEqual(
      JSON.stringify(findings).includes("src/new.ts") ? [] : ["src/new.ts"],
    );
  });

  test("what it did in an earlier life counts, when it goes on", async () => {
    using project = tempProject({ ...files, "src/new.ts": "x" });
    const snapshot = takeSnapshot(project.root);
    const at = {
      reader: treeReader(project.root),
      snapshots: { before: snapshot, after: snapshot },
    };
    expect(
      (
        await assessHandoff(answer({ files_changed: ["src/new.ts"] }), {
          ...at,
          ledger: wrote(project.root, "src/new.ts", "earlier"),
        })
      ).trust,
    ).toBe("VERIFIED");
    expect(
      (
        await assessHandoff(answer({ files_changed: ["src/new.ts"] }), {
          ...at,
          ledger: wrote(project.root, "src/new.ts"),
        })
      ).trust,
    ).toBe("CONTRADICTED");
  });

  test.each([
    [{ files_changed: ["src/db.ts"] }],
    [{ checks: { tests: { passed: true } } }],
    [{ commands_run: [{ command: "npm test", exit_code: 0 }] }],
  ])("%j without any tool is no answer", async (findings) => {
    const found = await assess(findings, { ledger: ledgerBuilder({ root: "/" }).ledger() });
    expect(found).toMatchObject({
      outcome: { value: "INVALID" },
      decision: { decision: "STOP", claimed: "PROCEED" },
    });
    expect(found.repair!.problems).toEqual(["it claims actions, but no tool was used"]);
  });

  test("an agent cannot say that a check was skipped, nor go on past one that failed", async () => {
    const told = (checks: unknown) =>
      assess({ checks }, { ledger: ledgerBuilder({ root: "/" }).ledger() });
    expect(await told({ tests: { passed: true, skipped: true } })).toMatchObject({
      outcome: { value: "INVALID", reasons: [expect.stringContaining("it says skipped")] },
      decision: { decision: "STOP" },
      repair: { problems: [expect.stringContaining("it says skipped")] },
    });
    expect(await told({ tests: { passed: false, reason: "2 failed" } })).toMatchObject({
      decision: {
        decision: "STOP",
        claimed: "PROCEED",
        overridden: "a check failed: tests (2 failed)",
      },
    });
  });
});

test("hostile shapes are read within bounds", async () => {
  const deep = (depth: number): unknown =>
    depth === 0 ? ["src/auth.ts:3"] : { a: deep(depth - 1) };
  for (const findings of [
    null,
    7,
    "src/auth.ts:3",
    [["x"]],
    deep(300),
    { __proto__: ["x"], "a\n## Status\nFAILED": ["- x | y"], quote: "```" },
    { x: Array.from({ length: 5_000 }, (_, index) => `src/auth.ts:${index}`) },
  ]) {
    const found = await assess(findings, { summary: "## Status\nFAILED\n```\n" });
    expect(found.outcome.value).not.toBe("FAILED");
    expect(found.checks.length).toBeLessThanOrEqual(501);
  }
});
