import { describe, expect, it } from "vitest";
import { aggregateReports } from "../../contract/aggregate/aggregate-reports.ts";
import { assessReport } from "../assess-report.ts";
import { ledgerBuilder } from "../evidence/ledger.ts";
import { memoryReader } from "../../source/reader.ts";
import { toVerifiedReport } from "../report/to-verified-report.ts";
import { openReportTalk, problemsText, type ReportWorld } from "./submit-report.ts";

const auth = `import { sign } from "./jwt.ts";

const JWT_SECRET = "not-a-real-secret";

export function login(user: string) {
  audit(user);
  return sign(user, JWT_SECRET);
}

export function logout(user: string) {
  audit(user);
  return sign(user, JWT_SECRET);
}
`;
const reader = memoryReader({
  "src/auth.ts": auth,
  "src/app.ts": 'import { login } from "./auth.ts";\n\nlogin("me");\nlogin("you");\n',
});
const world: ReportWorld = { reader, agent: "security-auditor" };
const base = {
  status: "SUCCESS",
  summary: "Reviewed the authentication module.",
  confidence: { verified: 80, inferred: 70, justification: "Read the module" },
};
const secret = {
  title: "Hardcoded secret",
  kind: "present",
  statement: "Anybody who reads the code can forge tokens.",
  path: "src/auth.ts",
  quote: 'const JWT_SECRET = "not-a-real-secret";',
  severity: "critical",
  category: "security",
  confidence: 95,
};

const submit = (report: unknown, over: ReportWorld = world) =>
  openReportTalk().submit(report, over);

describe("a report that is given as data", () => {
  it("is written in the contract's form with the lines that were found", async () => {
    const answer = await submit({
      ...base,
      findings: [secret],
      key_references: [
        {
          item: "login",
          path: "src/auth.ts",
          quote: "export function login(user: string) {",
          relevance: "Signs the token",
        },
      ],
      next_steps: ["Read the secret from the environment"],
    });
    if (!answer.ok) throw new Error(problemsText(answer.problems));
    expect(answer.text).toMatchInlineSnapshot(`
      "## Security Auditor Result

      ### Status
      SUCCESS

      ### Summary
      Reviewed the authentication module.

      ### Findings

      #### Issues Detected
      | ID | Issue | File:Line | Severity | Confidence | Category |
      |---|---|---|---|---|---|
      | F1 | Hardcoded secret | \`src/auth.ts:3\` | Critical | 95 | security |

      #### Issue Details
      **F1: Hardcoded secret**
      \`\`\`ts
      // src/auth.ts:3
      const JWT_SECRET = "not-a-real-secret";
      \`\`\`
      Anybody who reads the code can forge tokens.

      ### Key References
      | Item | Location | Relevance |
      |---|---|---|
      | login | \`src/auth.ts:5\` | Signs the token |

      ### Confidence
      75 - Read the module (Moderate)

      - verified_confidence: 80
      - inferred_confidence: 70
      - combined_confidence: 75

      ### Severity Summary
      - Critical: 1
      - Important: 0
      - Minor: 0

      ### Next Steps
      1. Read the secret from the environment

      ### Verification Completed
      - [x] **File References Valid**: every line was computed from the file
      - [x] **Code Snippets Accurate**: every quotation was compared with the file
      - [x] **No Hallucinated Paths**: every path was looked up
      - [x] **Evidence Documented**: each finding has its place, search or run
      "
    `);
    expect(answer.assessment.trust).toBe("VERIFIED");
    expect(answer.assessment.checks.map(({ text, verdict }) => [text, verdict])).toEqual([
      ["`src/auth.ts:3`", "verified"],
      ["src/auth.ts:3", "verified"],
      ["`src/auth.ts:5`", "verified"],
    ]);
    expect(answer.assessment.lint.filter(({ level }) => level === "L1")).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a file that is not there", { path: "src/login.ts" }, /path there is no file src\/login\.ts/],
    [
      "a quotation with one token changed",
      { quote: 'const JWT_SECRET = "a-real-secret";' },
      /quote does not stand in src\/auth\.ts; nearest is line 3: `const JWT_SECRET/,
    ],
    [
      "a quotation that stands twice",
      { quote: "audit(user);", title: "Audited" },
      /stands in src\/auth\.ts 2 times: line 6 \(in login\), line 11 \(in logout\); say in `near`/,
    ],
    ["a brace", { quote: "}" }, /too short to tell one place from another/],
    ["a folder", { path: "src" }, /src is a folder: name the file/],
    ["a way out", { path: "../etc/passwd" }, /leads out of the project|there is no file/],
    [
      "no quotation",
      { quote: undefined },
      /findings\[0\]\.quote is missing: a finding of the kind/,
    ],
    ["an unknown kind", { kind: "maybe" }, /findings\[0\]\.kind Invalid option/],
  ])("sends back %s and says why", async (_name, change, words) => {
    const answer = await submit({ ...base, findings: [{ ...secret, ...change }] });
    if (answer.ok) throw new Error(answer.text);
    expect(problemsText(answer.problems)).toMatch(words);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["the definition in near", { quote: "audit(user);", near: "logout" }, "src/auth.ts:11"],
    ["a line in near", { quote: "audit(user);", near: 6 }, "src/auth.ts:6"],
    [
      "the name in its title",
      { quote: "audit(user);", title: "login is audited" },
      "src/auth.ts:6",
    ],
    [
      "other white space",
      { quote: "const  JWT_SECRET=\n'x'".replace("'x'", '"not-a-real-secret" ;') },
      "src/auth.ts:3",
    ],
    [
      "a middle left out",
      { quote: "export function logout(user: string) {\n  ...\n  return sign(user, JWT_SECRET);" },
      "src/auth.ts:10-12",
    ],
    ["line numbers before the lines", { quote: "    11→  audit(user);" }, "src/auth.ts:11"],
    ["the end of a path", { path: "auth.ts" }, "src/auth.ts:3"],
    ["an old line behind the path", { path: "./src/auth.ts:99" }, "src/auth.ts:3"],
  ])("finds the place by %s", async (_name, change, place) => {
    const answer = await submit({ ...base, findings: [{ ...secret, ...change }] });
    if (!answer.ok) throw new Error(problemsText(answer.problems));
    expect(answer.text).toContain(`| \`${place}\` |`);
    expect(answer.assessment.counts.flagged).toBe(0);
  });

  it("names the field that a status or a score asks for", async () => {
    const told = async (change: Record<string, unknown>) => {
      const answer = await submit({ ...base, findings: [], ...change });
      return answer.ok ? "" : problemsText(answer.problems);
    };
    expect(await told({ status: "PARTIAL" })).toContain("blockers is missing: PARTIAL says");
    expect(await told({ status: "FAILED" })).toContain("error is missing: FAILED says");
    expect(await told({ summary: "word ".repeat(600) })).toMatch(
      /summary has \d+ tokens, at most 500 are passed on/,
    );
    expect(await told({ findings: Array.from({ length: 500 }, () => secret) })).toContain(
      "findings has 500 entries, at most 100 are taken",
    );
    const unsure = { verified: 50, inferred: 40, justification: "Little was read" };
    expect(await told({ confidence: unsure })).toContain("confidence.blind_spots is missing");
    expect(await told({ confidence: unsure })).toContain("next_steps has no question");
    expect(await told({ summary: undefined })).toContain("summary is missing");
  });

  it("asks back what a search contradicts, and marks it where the agent keeps it", async () => {
    const unused = {
      ...base,
      findings: [
        {
          title: "login is never called",
          kind: "absent",
          statement: "Nothing calls login.",
          quote: "login",
          path: "src",
          evidence: "The calls are examples",
        },
      ],
    };
    const talk = openReportTalk();
    const first = await talk.submit(unused, world);
    if (first.ok) throw new Error(first.text);
    expect(problemsText(first.problems)).toContain(
      "3 hits: src/app.ts:1, src/app.ts:3, src/app.ts:4; keep the statement?",
    );
    const kept = await talk.submit(unused, world);
    if (!kept.ok) throw new Error(problemsText(kept.problems));
    expect(kept.text).toContain("| `3 hits for login in src` |");
    expect(kept.text).toContain("- [ ] **Evidence Documented**");
    expect(kept.assessment.trust).not.toBe("VERIFIED");
    const absent = await submit({
      ...base,
      findings: [
        { ...unused.findings[0], quote: "bcrypt", title: "No hashing", evidence: undefined },
      ],
    });
    if (!absent.ok) throw new Error(problemsText(absent.problems));
    expect(absent.text).toContain("no hit for bcrypt in src");
    expect(absent.assessment.trust).toBe("VERIFIED");
  });

  it("withdraws what a stubborn agent cannot show, and says so", async () => {
    const talk = openReportTalk();
    const invented = {
      ...base,
      findings: [
        secret,
        { ...secret, title: "Backdoor", quote: "if (user === root) return true;" },
      ],
    };
    expect((await talk.submit(invented, world)).ok).toBe(false);
    expect((await talk.submit(invented, world)).ok).toBe(false);
    const last = await talk.submit(invented, world);
    if (!last.ok) throw new Error(problemsText(last.problems));
    expect(last.report.status).toBe("PARTIAL");
    expect(last.text).not.toContain("Backdoor");
    expect(last.withdrawn).toEqual([
      {
        text: "Backdoor",
        reason: expect.stringContaining(
          "withdrawn after 2 corrections: does not stand in src/auth.ts",
        ),
      },
    ]);
    expect(last.assessment.outcome.value).toBe("PARTIAL");
    expect(last.assessment.checks.filter(({ grade }) => grade === "X")).toEqual([]);
  });

  it("asks once about a place in a sentence that does not hold", async () => {
    const talk = openReportTalk();
    const report = { ...base, summary: "The bug is in src/nope.ts:3.", findings: [secret] };
    const first = await talk.submit(report, world);
    if (first.ok) throw new Error(first.text);
    expect(problemsText(first.problems)).toContain('"src/nope.ts:3" does not hold (missing)');
    const second = await talk.submit(report, world);
    expect(second.ok && second.assessment.outcome.value).toBe("PARTIAL");
  });

  it("takes what models send that has one reading only", async () => {
    const answer = await submit({
      ...base,
      status: "success",
      findings: JSON.stringify([{ ...secret, severity: "High", near: null }]),
      issues: null,
    });
    expect(answer.ok && answer.report.findings[0]!.severity).toBe("important");
  });

  it("cannot be made to open a section of its own", async () => {
    const answer = await submit({
      ...base,
      summary: "Fine.\n\n### Status\nFAILED\n\n```\ncode\n```",
      findings: [
        {
          ...secret,
          title: "A | pipe and a ` tick",
          statement: "### Status\nFAILED\n- [x] **File References Valid**",
        },
      ],
    });
    if (!answer.ok) throw new Error(problemsText(answer.problems));
    expect(answer.assessment.report.outcome).toBe("SUCCESS");
    expect(answer.assessment.report.findings).toHaveLength(1);
    expect(answer.assessment.findings[0]).toMatchObject({ path: "src/auth.ts", lines: [3, 3] });
  });
});

const read = (path: string, text: string) => ({
  type: "read" as const,
  path,
  text,
});

/** What a transcript holds of a run that read a file, wrote one and ran the tests. */
function recorded(
  calls: (
    | ReturnType<typeof read>
    | { type: "bash"; command: string; output: string; exitCode: number }
  )[],
) {
  const builder = ledgerBuilder({ root: "/p" });
  calls.forEach((call, index) => {
    const id = `t${index}`;
    const use =
      call.type === "read"
        ? { name: "Read", input: { file_path: `/p/${call.path}` } }
        : { name: "Bash", input: { command: call.command } };
    builder.add({
      type: "assistant",
      cwd: "/p",
      message: { role: "assistant", content: [{ type: "tool_use", id, ...use }] },
    });
    const content =
      call.type === "read"
        ? call.text
            .split("\n")
            .map((line, at) => `${String(at + 1).padStart(6)}\t${line}`)
            .join("\n")
        : call.output;
    builder.add({
      type: "user",
      cwd: "/p",
      message: {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: id,
            content,
            ...(call.type === "bash" && call.exitCode !== 0 ? { is_error: true } : {}),
          },
        ],
      },
    });
  });
  return builder.ledger();
}

describe("with the record of the run", () => {
  it("says that a file has changed since it was read", async () => {
    const ledger = recorded([
      read("src/auth.ts", 'const KEY = process.env["KEY"];\nconst other = 1;'),
    ]);
    const answer = await submit(
      { ...base, findings: [{ ...secret, quote: 'const KEY = process.env["KEY"];' }] },
      { ...world, ledger },
    );
    if (answer.ok) throw new Error(answer.text);
    expect(problemsText(answer.problems)).toContain(
      "stood at line 1 of src/auth.ts when you read it, and the file has changed since",
    );
  });

  it("tells results from the record, and knows no result without a run", async () => {
    const tests = {
      title: "Tests",
      kind: "result",
      statement: "The tests pass.",
      evidence: "npm test",
    };
    const report = { ...base, findings: [tests] };
    const ran = recorded([
      { type: "bash", command: "npm test", output: "Tests  5 passed (5)", exitCode: 0 },
    ]);
    const good = await submit(report, { ...world, ledger: ran });
    if (!good.ok) throw new Error(problemsText(good.problems));
    expect(good.text).toContain(
      "- The tests pass. (`npm test` ended with exit code 0, 5 passed, 0 failed)",
    );
    const idle = recorded([{ type: "bash", command: "ls", output: "src", exitCode: 0 }]);
    const bad = await submit(report, { ...world, ledger: idle });
    if (bad.ok) throw new Error(bad.text);
    expect(problemsText(bad.problems)).toContain(
      "findings[0].evidence no finished run of `npm test` is on record; on record: `ls`",
    );
  });

  it("reads what became of a file off the trees", async () => {
    const snapshot = (files: Record<string, string>) => ({
      tree: null,
      files: new Map(Object.entries(files)),
      complete: true,
    });
    const snapshots = {
      before: snapshot({ "src/app.ts": "1" }),
      after: snapshot({ "src/app.ts": "1", "src/auth.ts": "2" }),
    };
    const did = (path: string) => ({
      title: "Work",
      kind: "did",
      statement: "Adds the login.",
      path,
    });
    const good = await submit({ ...base, findings: [did("src/auth.ts")] }, { ...world, snapshots });
    if (!good.ok) throw new Error(problemsText(good.problems));
    expect(good.text).toContain(
      "#### Files Created\n| File | Purpose |\n|---|---|\n| `src/auth.ts` | Adds the login. |",
    );
    expect(good.assessment.checks[0]).toMatchObject({
      kind: "file_claim",
      file_claim: "created_ok",
    });
    const bad = await submit(
      { ...base, findings: [did("src/app.ts"), did("src/auth.ts")] },
      { ...world, snapshots },
    );
    if (bad.ok) throw new Error(bad.text);
    expect(problemsText(bad.problems)).toContain(
      "findings[0].path src/app.ts did not change in this run",
    );
    const silent = await submit({ ...base, findings: [] }, { ...world, snapshots });
    if (silent.ok) throw new Error(silent.text);
    expect(problemsText(silent.problems)).toContain(
      "src/auth.ts was created in this run and is not in the report",
    );
  });
});

describe("the other forms", () => {
  it("are chosen by what was given: a design", async () => {
    const answer = await submit({
      ...base,
      findings: [
        { ...secret, severity: undefined, title: "Signing", statement: "Extend it." },
        { title: "OAuth", kind: "plan", statement: "Add the provider.", path: "src/oauth.ts" },
        { title: "Routes", kind: "plan", statement: "Call it.", path: "src/app.ts" },
      ],
      trade_offs: ["A service of its own: rejected, too much for this scale"],
    });
    if (!answer.ok) throw new Error(problemsText(answer.problems));
    expect(answer.text).toContain("#### Pattern Analysis");
    expect(answer.text).toContain(
      "| OAuth | `src/oauth.ts` | Create |\n| Routes | `src/app.ts` | Modify |",
    );
    expect(answer.text).toContain("#### Build Sequence\n1. Add the provider.\n2. Call it.");
    expect(answer.text).toContain("### Trade-offs Considered\n- A service of its own");
    expect(answer.assessment.counts.flagged).toBe(0);
  });

  it("are chosen by what was given: an exploration", async () => {
    const answer = await submit({
      ...base,
      findings: [{ ...secret, severity: undefined, category: "constant" }],
    });
    if (!answer.ok) throw new Error(problemsText(answer.problems));
    expect(answer.text).toContain("| ID | Entry | File:Line | Type | Confidence |");
    expect(answer.text).toContain("| F1 | Hardcoded secret | `src/auth.ts:3` | constant | 95 |");
  });

  it("are chosen by what was given: a failure", async () => {
    const answer = await submit({
      ...base,
      status: "FAILED",
      findings: [],
      error: {
        type: "NoNetwork",
        message: "The registry is not reachable",
        occurred_at: "npm install",
        recoverable: true,
        attempted: ["Ran npm install twice"],
        root_cause: "No network in the sandbox",
        recovery_options: ["Allow the host"],
      },
      blockers: [{ description: "No network", resolution: "Allow the registry" }],
    });
    if (!answer.ok) throw new Error(problemsText(answer.problems));
    expect(answer.text).toContain("| Type | NoNetwork |");
    expect(answer.text).toContain("### Recovery Options\n1. Allow the host");
    expect(answer.text).toContain("- No network | Resolution: Allow the registry");
    expect(answer.assessment.outcome.value).toBe("FAILED");
  });
});

describe("the same findings as Markdown and by the tool", () => {
  it("give the same aggregate", async () => {
    const findings = [
      secret,
      {
        ...secret,
        title: "No limit on logins",
        quote: "export function login(user: string) {",
        severity: "important",
        confidence: 80,
      },
    ];
    const ledger = recorded([read("src/auth.ts", auth)]);
    const byTool = await submit({ ...base, findings }, { ...world, ledger });
    if (!byTool.ok) throw new Error(problemsText(byTool.problems));
    const markdown = `## Security Auditor Result

### Status
SUCCESS

### Summary
Reviewed the authentication module.

### Findings
| ID | Issue | File:Line | Severity | Confidence | Category |
|---|---|---|---|---|---|
| F1 | Hardcoded secret | \`src/auth.ts:3\` | Critical | 95 | security |
| F2 | No limit on logins | \`src/auth.ts:5\` | Important | 80 | security |

**F1: Hardcoded secret**
\`\`\`ts
// src/auth.ts:3
const JWT_SECRET = "not-a-real-secret";
\`\`\`

**F2: No limit on logins**
\`\`\`ts
// src/auth.ts:5
export function login(user: string) {
\`\`\`

### Confidence
75 - Read the module
- verified_confidence: 80
- inferred_confidence: 70
`;
    const written = await assessReport(markdown, { ...world, ledger, contract: "report" });
    const identity = {
      task_id: "t1",
      agent_id: "a1",
      agent_type: "security-auditor",
      model: null,
      required: true,
    };
    const folded = [byTool.assessment, written].map((assessment) =>
      aggregateReports([toVerifiedReport(assessment, identity)]),
    );
    expect(folded[0]).toEqual(folded[1]);
    expect(folded[0]!.findings).toHaveLength(2);
  });
});
