// verify, aggregate, handoff and hook as people and programs call them: the built command, real files, real transcripts.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { SarifLog } from "../src/contract/sarif.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue, type Finished } from "./retinue-process.ts";
import { binds, checkedClasses } from "../src/contract/trust/verdict-classes.ts";
import { numbered, toJsonLines, transcriptLines, type Step } from "./support/transcript-lines.ts";
import { againstTheSchema, expectSarif } from "./support/sarif-shape.ts";

const open: TempProject[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.remove();
});

const auth =
  "import { users } from './users';\n\nexport async function login(email: string) {\n  const user = await users.find(email);\n  if (!user) throw new Error('unknown');\n  return sign(user);\n}\n";
const jwt =
  "const JWT_SECRET = 'hardcoded-secret-key-123';\nexport const sign = (user) => token(user, JWT_SECRET);\n";

function project(files: Record<string, string> = {}): TempProject {
  const made = tempProject({ "src/auth.ts": auth, "src/jwt.ts": jwt, ...files });
  open.push(made);
  return made;
}

const audit = (agent: string, ...rows: string[]): string =>
  `## ${agent} Result\n\n### Status\nSUCCESS\n\n### Summary\nLooked at the login.\n\n### Findings\n\n| ID | Issue | File:Line | Severity | Confidence |\n|---|---|---|---|---|\n${rows.join("\n")}\n\n### Confidence\n90 - read it\n`;
const secret =
  "| SEC-001 | Hardcoded secret | `src/jwt.ts:1`: `const JWT_SECRET = 'hardcoded-secret-key-123';` | Critical | 95 |";
const wrong = "| SEC-002 | No limit in `login` | `src/auth.ts:1` (`login`) | Important | 80 |";
const moved =
  "| SEC-003 | Tells that a user is unknown | `src/auth.ts:2`: `if (!user) throw new Error('unknown');` | Minor | 80 |";

const json = (finished: Finished): unknown => JSON.parse(finished.stdout);
type Wire = {
  checks: {
    verdict: string;
    grade: string;
    text: string;
    span: [number, number];
    kind: string;
    suggestion?: object;
  }[];
  trust: string;
  confidence: Record<string, number>;
  counts: Record<string, number>;
  outcome: { value: string };
};

test("an error of the program itself is told in a sentence and ends with 2", async () => {
  const { code, stdout, stderr } = await retinue(["verify", "-", "--json"], {
    project: project(),
    stdin: "`login` is at `src/auth.ts:3`",
    env: {
      NODE_OPTIONS:
        "--import=data:text/javascript,JSON.stringify=()=>{throw(new(RangeError)('too-deep'))}",
    },
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^error that should not have happened, please report it: RangeError/);
});

test("Ctrl+C ends the check of a large report in the middle of its work", async () => {
  const { code, signal, stdout } = await retinue(["verify", "report.md"], {
    project: project({ "report.md": "- `login` is at `src/auth.ts:3`.\n".repeat(150_000) }),
    onStart: (child) => void setTimeout(() => child.kill("SIGINT"), 1_500),
  });
  // A shell calls an end by this signal 130; a handler would have run only after the work.
  expect({ code, signal, stdout }).toEqual({ code: null, signal: "SIGINT", stdout: "" });
}, 120_000);

test('a call that is a statement of its own speaks against "no callers"', async () => {
  using place = tempProject({
    "src/login.ts": "export function login() {\n  return 1;\n}\n",
    "src/app.ts": 'import { login } from "./login";\nlogin();\n',
  });
  const { stdout } = await retinue(["verify", "-"], {
    project: place,
    stdin: "`login` has no callers.",
  });
  expect(stdout).toContain('"login has no callers", but src/app.ts:2');
});

describe("retinue verify", () => {
  test("json: the wire shape, spans that are offsets, exit 1 for what is flagged", async () => {
    const text = audit("Security Auditor", secret, wrong);
    const place = project({ "report.md": text });
    const finished = await retinue(["verify", "report.md", "--format", "json"], { project: place });
    expect(finished).toMatchObject({ code: 1, stderr: "" });
    const { checks, trust, confidence, counts } = json(finished) as Wire;
    expect(checks.map(({ verdict, grade, span }) => [verdict, grade, text.slice(...span)])).toEqual(
      [
        ["verified", "E2", "`src/jwt.ts:1`"],
        ["wrong_symbol", "X", "`src/auth.ts:1`"],
      ],
    );
    expect(checks[1]).toMatchObject({
      kind: "symbol",
      suggestion: { path: "src/auth.ts", line: 3 },
    });
    expect({ trust, counts }).toMatchObject({
      trust: "CONTRADICTED",
      counts: { total: 2, verified: 1, flagged: 1 },
    });
    expect(Object.keys(confidence)).toEqual([
      "claimed",
      "verified",
      "inferred",
      "combined",
      "cap",
      "overclaim",
    ]);
  });

  test("text and markdown say what really stands there; a right report ends with 0", async () => {
    const place = project({ "bad.md": audit("A", wrong), "good.md": audit("A", secret) });
    const text = await retinue(["verify", "bad.md"], { project: place });
    expect(text.stdout).toContain(
      "line 1 is `import { users } from './users';`; `login` is defined at src/auth.ts:3\n    → src/auth.ts:3",
    );
    expect(text.stdout).not.toContain("\u001b");
    expect(
      (await retinue(["verify", "bad.md", "--format", "markdown"], { project: place })).stdout,
    ).toContain("| `src/auth.ts:1` | wrong_symbol | X |");
    expect(await retinue(["verify", "good.md"], { project: place })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("places 1 of 1 hold"),
    });
  });

  test("sarif validates against the public schema, which refuses what is none", async () => {
    const place = project({ "docs/my report.md": audit("A", secret, wrong, moved) });
    const log = json(
      await retinue(["verify", "docs/my report.md", "--format", "sarif"], { project: place }),
    ) as SarifLog;
    expectSarif(log);
    expect(log.runs[0]!.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["wrong_symbol", "error"],
      ["relocated", "warning"],
    ]);
    expect(log.runs[0]!.results[0]!.locations[0]!.physicalLocation).toMatchObject({
      artifactLocation: { uri: "docs/my%20report.md" },
      region: { startLine: 14 },
    });
    for (const broken of [
      { ...log, version: "2.0.0" },
      { ...log, extra: 1 },
      { ...log, runs: [{ results: [] }] },
      { ...log, runs: [{ ...log.runs[0], results: [{ level: "bad", message: {} }] }] },
    ])
      expect(againstTheSchema(broken)).not.toEqual([]);
  });

  test("--fix writes what is certain and keeps the original", async () => {
    const text = audit("A", moved);
    const place = project({ "report.md": text });
    const finished = await retinue(["verify", "report.md", "--fix"], { project: place });
    expect(finished).toMatchObject({
      code: 0,
      stdout: "corrected `src/auth.ts:2` → `src/auth.ts:5`\n1 corrected, 0 left\n",
    });
    expect(place.read("report.md")).toBe(text.replace("src/auth.ts:2", "src/auth.ts:5"));
    expect(place.read("report.md.orig")).toBe(text);
    const piped = await retinue(["verify", "-", "--fix"], { project: place, stdin: text });
    expect(piped.stdout).toBe(text.replace("src/auth.ts:2", "src/auth.ts:5"));
  });

  test("--commit looks into history, --base tells stale from wrong", async () => {
    const place = project({
      "report.md": audit("A", "| A-1 | Finds users | `src/auth.ts:3` (`login`) | Minor | 80 |"),
    });
    const git = (...args: string[]): void =>
      void execFileSync("git", [
        "-C",
        place.root,
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.com",
        ...args,
      ]);
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-qm", "one"],
    ])
      git(...args);
    place.write("src/auth.ts", "export const nothing = 1;\n\n\n\n");
    expect(
      (await retinue(["verify", "report.md", "--commit", "HEAD"], { project: place })).code,
    ).toBe(0);
    const stale = await retinue(["verify", "report.md", "--base", "HEAD", "--json"], {
      project: place,
    });
    expect((json(stale) as Wire).checks.map(({ verdict, grade }) => [verdict, grade])).toEqual([
      ["stale", "E1"],
    ]);
    // The repository keeps the report, so its history tells the same without being asked.
    const kept = await retinue(["verify", "report.md"], { project: place });
    expect(kept.code).toBe(1);
    expect(kept.stdout).toContain("it stood there until it was changed");
    expect(
      await retinue(["verify", "report.md", "--commit", "nowhere"], { project: place }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a commit") });
  });

  test.each(["retinue", "claude-code"] as const)(
    "--transcript alone audits the final report of a %s transcript",
    async (dialect) => {
      const place = project();
      const steps: Step[] = [
        {
          tool: "Read",
          input: { file_path: place.path("src/jwt.ts") },
          output: numbered(jwt),
          facts:
            dialect === "retinue"
              ? { path: place.path("src/jwt.ts"), lines: [1, 2], sha256: "-" }
              : {
                  type: "text",
                  file: {
                    filePath: place.path("src/jwt.ts"),
                    content: jwt,
                    startLine: 1,
                    numLines: 2,
                    totalLines: 2,
                  },
                },
        },
        { say: `${audit("Security Auditor", secret, wrong)}\nAll tests pass.\n` },
      ];
      place.write("run.jsonl", toJsonLines(transcriptLines(steps, { cwd: place.root, dialect })));
      const finished = await retinue(["verify", "--transcript", "run.jsonl", "--json"], {
        project: place,
      });
      expect(finished.code).toBe(1);
      expect(
        (json(finished) as Wire).checks.map(({ kind, verdict, grade }) => [kind, verdict, grade]),
      ).toEqual([
        ["quote", "verified", "E3"],
        ["symbol", "wrong_symbol", "X"],
        ["test", "unsupported", binds("result never run (plainly said)") ? "X" : "E0"],
      ]);
    },
  );

  test("--rerun runs a recorded test command again, given word for word, and believes what it says now", async () => {
    const place = project({
      "package.json": '{"type":"module"}',
      "sum.test.js":
        'import { test } from "node:test";\ntest("adds", () => { throw new Error("no longer"); });\n',
    });
    const output = "# tests 1\n# pass 1\n# fail 0\n";
    const steps: Step[] = [
      { tool: "Bash", input: { command: "node --test" }, output },
      { tool: "Bash", input: { command: "touch ran; node --test sum.test.js" }, output },
      { say: "The tests pass." },
    ];
    place.write(
      "run.jsonl",
      toJsonLines(transcriptLines(steps, { cwd: place.root, dialect: "retinue" })),
    );
    const verify = (...args: string[]) =>
      retinue(["verify", "--transcript", "run.jsonl", "--json", ...args], { project: place });
    expect((json(await verify()) as Wire).checks).toMatchObject([
      { verdict: "verified", grade: "E4" },
    ]);
    const again = await verify("--rerun", "node --test");
    expect((json(again) as Wire).checks).toMatchObject([
      {
        verdict: "altered",
        grade: "X",
        reason: expect.stringMatching(/^run again: .*0 passed, 1 failed/),
      },
    ]);
    expect(again).toMatchObject({ code: 1, stderr: "running again: node --test\n" });
    expect(existsSync(place.path("ran"))).toBe(false);
    expect(await verify("--rerun", "rm -r src")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no such test run. It has: node --test · touch ran"),
    });
    expect(
      await retinue(["verify", "README.md", "--rerun", "node --test"], {
        project: project({ "README.md": "x" }),
      }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining("--transcript") });
  });

  test("a transcript without a reply, a missing one and an unknown format are sentences", async () => {
    const place = project({
      "other.jsonl": "{}\n",
      "empty.jsonl": '{"type":"user","message":{"role":"user","content":"hello"}}\n',
    });
    expect(
      await retinue(["verify", "--transcript", "other.jsonl"], { project: place }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining("is no transcript") });
    expect(
      await retinue(["verify", "--transcript", "empty.jsonl"], { project: place }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining("has no final report") });
    expect(
      await retinue(["verify", "--transcript", "none.jsonl"], { project: place }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be read") });
    expect(await retinue(["verify", "x.md", "--format", "xml"], { project: place })).toMatchObject({
      code: 2,
    });
  });
});

describe("a report that lies in the repository", () => {
  const text =
    "The check is made up.\n\n- Code match: `return sign(usr);` in src/sign.ts:2\n- `signUsr` at src/sign.ts:1\n";
  const files = {
    "src/sign.ts": "export function signUser(user) {\n  return sign(user);\n}\n",
    "report.md": text,
    "report.md.orig": text,
    "answer.ts": text,
  };
  const verdicts = (finished: Finished): unknown[] =>
    (json(finished) as { checks: { verdict: string }[] }).checks.map(({ verdict }) => verdict);

  test("proves nothing of what it says, whatever its name is", async () => {
    const place = project(files);
    rmSync(place.path("answer.ts"));
    expect(verdicts(await retinue(["verify", "report.md", "--json"], { project: place }))).toEqual([
      // In a document a quotation may be shortened, and a name that is nowhere another project's.
      "exists_only",
      "exists_only",
    ]);
    expect(
      verdicts(await retinue(["verify", "-", "--json"], { project: place, stdin: text })),
    ).toEqual(["altered", "missing"]);
    const other = project(files);
    expect(verdicts(await retinue(["verify", "answer.ts", "--json"], { project: other }))).toEqual([
      "exists_only",
      "exists_only",
    ]);
  });
});

describe("retinue aggregate", () => {
  const qa = secret
    .replace("SEC-001 | Hardcoded secret", "QA-7 | Secret in the source")
    .replace("95", "78");
  const category = (row: string): string => row.replace(/^\| (\S+) \|/, "| $1 | security |");
  const withCategory = (agent: string, row: string): string =>
    audit(agent, category(row))
      .replace("| ID | Issue", "| ID | Category | Issue")
      .replace("|---|---|---|---|---|", "|---|---|---|---|---|---|");

  test("json: the same finding once, agreement counted, independent of the order", async () => {
    const place = project({
      "sec.md": withCategory("Security Auditor", secret),
      "qa.md": withCategory("QA Engineer", qa),
    });
    const run = async (...args: string[]): Promise<Finished> =>
      retinue(["aggregate", ...args], { project: place });
    const one = await run("sec.md", "qa.md", "--format", "json");
    expect(one).toMatchObject({ code: 0, stderr: "" });
    expect(json(one)).toMatchObject({
      outcome: "SUCCESS",
      decision: "PROCEED",
      trust: "VERIFIED",
      findings: [
        {
          category: "security",
          severity: "critical",
          confidence: 84,
          grade: "E2",
          path: "src/jwt.ts",
          lines: [1, 1],
          members: [{ agent_type: "security-auditor" }, { agent_type: "qa-engineer" }],
        },
      ],
    });
    expect((await run("qa.md", "sec.md", "--json")).stdout).toBe(one.stdout);
    expect(
      (
        json(await run("sec.md", "qa.md", "--json", "--policy", "seed-mean")) as {
          findings: { confidence: number }[];
        }
      ).findings[0]!.confidence,
    ).toBe(96.5);
    expect(
      (
        json(await run("sec.md", "sec.md", "--json", "--policy", "seed-max")) as {
          findings: { confidence: number }[];
        }
      ).findings[0]!.confidence,
    ).toBe(95);
  });

  test("findings of the same severity in neighbouring functions stay two", async () => {
    const rows = [2, 5].map(
      (line) =>
        `| SEC-${line} | Something is wrong in number ${line} | \`src/doors.ts:${line}\` | Critical | 90 |`,
    );
    const place = project({
      "src/doors.ts":
        "export function open() {\n  return 1;\n}\nexport function close() {\n  return 22;\n}\n",
      "one.md": audit("Security Auditor", rows[0]!),
      "two.md": audit("QA Engineer", rows[1]!),
    });
    const { findings } = json(
      await retinue(["aggregate", "one.md", "two.md", "--json"], { project: place }),
    ) as { findings: { members: { symbol: string }[] }[] };
    expect(findings.map(({ members }) => members.map(({ symbol }) => symbol))).toEqual([
      ["open"],
      ["close"],
    ]);
  });

  test("the same finding of agents of two types is one with a category, and two that may be the same without", async () => {
    const row = "No limit | `src/jwt.ts:1` | Critical | 90 |";
    const report = (agent: string, head: string, cell: string): string =>
      `# ${agent} Result\n### Findings\n| ID | ${head}Issue | File:Line | Severity | Confidence |\n` +
      `|---|${head && "---|"}---|---|---|---|\n| 1 | ${cell}${row}\n`;
    const place = project({
      "a.md": report("Qa Engineer", "", ""),
      "b.md": report("Security Auditor", "", ""),
      "c.md": report("Qa Engineer", "Category | ", "limits | "),
      "d.md": report("Security Auditor", "Category | ", "limits | "),
    });
    const two = (await retinue(["aggregate", "a.md", "b.md"], { project: place })).stdout;
    expect(two).toMatch(/A1 and A2 may be the same[\s\S]*2 findings of 2 reports/);
    const one = (await retinue(["aggregate", "c.md", "d.md"], { project: place })).stdout;
    expect(one).toContain("1 finding of 2 reports");
  });

  test("text, markdown in the contract's form, sarif; a wrong policy is a sentence", async () => {
    const place = project({ "sec.md": audit("Security Auditor", secret, wrong) });
    const text = await retinue(["aggregate", "sec.md"], { project: place });
    expect(text.stdout).toMatch(
      /A1 {3}critical {2}Hardcoded secret[\s\S]*(?:STOP|PROCEED) · outcome PARTIAL · trust CONTRADICTED · 2 findings of 1 report/,
    );
    expect(
      text.stdout.includes("! security-auditor is CONTRADICTED by verdicts that warn"),
      "where it goes on all the same, it says why",
    ).toBe(/^PROCEED/m.test(text.stdout));
    const markdown = (
      await retinue(["aggregate", "sec.md", "--format", "markdown"], { project: place })
    ).stdout;
    expect(markdown).toContain("## Aggregated Result\n\n### Status\nPARTIAL");
    expect(markdown).toMatch(/\| A1 +\| Hardcoded secret +\| `src\/jwt.ts:1`/);
    const log = json(
      await retinue(["aggregate", "sec.md", "--format", "sarif"], { project: place }),
    ) as SarifLog;
    expectSarif(log);
    expect(log.runs[0]!.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["sec", "error"],
      ["sec", "warning"],
    ]);
    expect(
      await retinue(["aggregate", "sec.md", "--policy", "max"], { project: place }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining("pool, seed-mean or seed-max") });
  });
});

describe("retinue handoff check", () => {
  const request = {
    task_id: "t1",
    phase: "research",
    context: { feature: "login" },
    instructions: "look",
    expected_output: "structured_findings",
  };
  const response = {
    task_id: "t1",
    phase: "write",
    status: "complete",
    decision: "PROCEED",
    findings: { files_changed: ["a.ts"] },
    context_summary: "done",
    tokens_used: 3,
    issues: [],
  };
  const fakeKey = ["sk", "ant", "api03", "A".repeat(93) + "AA"].join("-");

  test.each<[string, string, number, RegExp]>([
    ["a request", JSON.stringify(request), 0, /a valid request/],
    [
      "a response in prose",
      `Here it is:\n\`\`\`json\n${JSON.stringify(response)}\n\`\`\``,
      0,
      /a valid response/,
    ],
    ["a request without a task", JSON.stringify({ ...request, task_id: "" }), 1, /task_id/],
    [
      "a response over the budget",
      JSON.stringify({ ...response, context_summary: "many words ".repeat(400) }),
      1,
      /context_summary: \d+ tokens/,
    ],
    [
      "a response without a task",
      JSON.stringify({ ...response, task_id: undefined }),
      1,
      /task_id: is missing/,
    ],
    [
      "a validator without its checks",
      JSON.stringify({ ...response, phase: "validate", findings: {} }),
      1,
      /findings\.checks/,
    ],
    ["broken JSON", '{"task_id": ', 1, /cannot be read/],
    ["no JSON", "all good", 1, /no JSON object/],
    [
      "a secret",
      JSON.stringify({ ...request, instructions: `use ${fakeKey}` }),
      1,
      /instructions: contains a secret/,
    ],
  ])("%s", async (_name, text, code, words) => {
    const place = project({ "h.json": text });
    const finished = await retinue(["handoff", "check", "h.json"], { project: place });
    expect(finished).toMatchObject({ code, stdout: expect.stringMatching(words) });
    expect(finished.stdout).not.toContain(fakeKey);
    const wire = json(
      await retinue(["handoff", "check", "-", "--json"], { project: place, stdin: text }),
    ) as { ok: boolean; problems: unknown[] };
    expect([wire.ok, wire.problems.length > 0]).toEqual([code === 0, code !== 0]);
  });
});

describe("retinue hook subagent-stop", () => {
  const call = (place: TempProject, input: unknown): Promise<Finished> =>
    retinue(["hook", "subagent-stop"], {
      project: place,
      stdin: typeof input === "string" ? input : JSON.stringify(input),
    });
  const message = "`login` is at `src/auth.ts:1`.";

  test("blocks once with the failed references, then lets go", async () => {
    const place = project();
    const input = {
      session_id: "s",
      cwd: place.root,
      hook_event_name: "SubagentStop",
      stop_hook_active: false,
      last_assistant_message: message,
    };
    const first = await call(place, input);
    const why = "line 1 is `import { users } from './users';`; `login` is defined at src/auth.ts:3";
    // Until its class has the figures to bind, it is told and the agent may stop.
    if (binds("reference wrong_symbol")) {
      expect(first).toMatchObject({ code: 0, stderr: "" });
      expect(json(first) as { decision: string; reason: string }).toMatchObject({
        decision: "block",
        reason: expect.stringContaining(
          `| \`src/auth.ts:1\` | wrong_symbol | ${why} | src/auth.ts:3 |`,
        ),
      });
    } else {
      expect(first).toMatchObject({ code: 0, stderr: "" });
    }
    // Claude Code shows a `systemMessage` to the person; what a hook says on stderr with exit 0 nobody sees.
    const told = {
      systemMessage: `Retinue checked this message: 1 claim does not hold.\n- wrong_symbol: \`src/auth.ts:1\` (${why})`,
    };
    if (!binds("reference wrong_symbol")) expect(json(first)).toEqual(told);
    const second = await call(place, { ...input, stop_hook_active: true });
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(json(second), "what was sent back and is still wrong").toEqual(told);
    expect(
      await call(place, { ...input, last_assistant_message: "`login` is at `src/auth.ts:3`." }),
    ).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });

  test("in a folder of a repository, paths from there and from the root are both right", async () => {
    const place = project({
      "packages/a/src/x.ts": "export function one() {}\n",
      "packages/b/src/x.ts": "export function two() {}\n",
    });
    execFileSync("git", ["-C", place.root, "init", "-q"]);
    const input = {
      cwd: place.path("packages/a"),
      last_assistant_message:
        "See `packages/a/src/x.ts:1` (`one`), `src/x.ts:1` (`one`) and `packages/b/src/x.ts:1` (`two`).",
    };
    expect(await call(place, input)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const wrongPlace = await call(place, {
      ...input,
      last_assistant_message: "See `packages/b/src/x.ts:1` (`one`).",
    });
    expect(wrongPlace.stdout + wrongPlace.stderr).toMatch(/block|wrong_symbol: /);
  });

  test("reads the agent's transcript: its last message, and what it did", async () => {
    const place = project();
    place.write(
      "agent.jsonl",
      toJsonLines(
        transcriptLines(
          [
            {
              tool: "Read",
              input: { file_path: place.path("src/auth.ts") },
              output: numbered(auth),
            },
            { say: "`login` is at `src/auth.ts:3`. All tests pass." },
          ],
          { cwd: place.root, dialect: "claude-code" },
        ),
      ),
    );
    const finished = await call(place, {
      cwd: place.root,
      agent_transcript_path: place.path("agent.jsonl"),
      transcript_path: "/nowhere.jsonl",
      stop_hook_active: false,
    });
    expect(finished.stdout + finished.stderr).toMatch(
      /All tests pass\. \| unsupported \| no run that shows it|unsupported: All tests pass\. \(no run that shows it/,
    );
  });

  test.each<[string, unknown]>([
    ["no JSON", "what?"],
    ["a list", "[]"],
    ["nothing", ""],
    ["a folder that is gone", { cwd: "/nowhere/at/all", last_assistant_message: message }],
    ["no message", { cwd: "/" }],
  ])(
    "%s never stops the host: exit 0, nothing on stdout, a note on stderr",
    async (_name, input) => {
      expect(await call(project(), input)).toMatchObject({
        code: 0,
        stdout: "",
        stderr: expect.stringMatching(/^retinue: /),
      });
    },
  );

  test("a transcript that cannot be read is noted, and the files are compared all the same", async () => {
    const place = project();
    const finished = await call(place, {
      cwd: place.root,
      last_assistant_message: message,
      agent_transcript_path: place.path("gone.jsonl"),
    });
    expect(finished).toMatchObject({ code: 0, stderr: expect.stringContaining("cannot be read") });
    expect(finished.stdout + finished.stderr).toMatch(/"block"|wrong_symbol: /);
  });
});

test("the help of the hook says which classes block and which warn, as the table has it", async () => {
  const { stdout } = await retinue(["hook", "stop", "--help"], { project: project() });
  const help = stdout.replace(/\s+/g, " ");
  const [blocks, warns] = [/Blocks once[^:]*: ([^.]*)\./, /Warns[^:]*: ([^.]*)\./].map((part) =>
    part.exec(help)![1]!.split(", "),
  );
  const named = (does: boolean) => checkedClasses.filter((name) => binds(name) === does);
  expect(blocks!.filter((name) => name !== "nothing today")).toEqual(named(true));
  expect(warns!.filter((name) => name !== "nothing")).toEqual(named(false));
});

describe("what is shown with ✗ makes exit 1", () => {
  const said = (place: TempProject, steps: Step[], flags: string[] = []): Promise<Finished> => {
    place.write(
      "run.jsonl",
      toJsonLines(transcriptLines(steps, { cwd: place.root, dialect: "claude-code" })),
    );
    return retinue(["verify", "--transcript", "run.jsonl", ...flags], { project: place });
  };
  const scripts = { "package.json": '{ "scripts": { "test": "node --test" } }\n' };
  const ran: Step = {
    tool: "Bash",
    input: { command: "npm test" },
    output: "# tests 3\n# pass 3\n# fail 0",
  };

  const bash = (command: string, output: string, exit?: number): Step => ({
    tool: "Bash",
    input: { command },
    output: exit === undefined ? output : `Exit code ${exit}\n${output}`,
    ...(exit === undefined ? {} : { isError: true }),
  });
  const failed = bash("npm test", "# tests 3\n# pass 2\n# fail 1", 1);
  const named = bash("echo gh run watch", "gh run watch");
  const looked = bash("gh run watch 7", "all checks passed");

  test.each<[string, Step[], string | null]>([
    ["a result without a run", [{ say: "All tests pass." }], "unsupported"],
    ["a statement with an example against it", [{ say: "`login` has no callers." }], "countered"],
    ["a wrong place", [{ say: "`login` is at `src/auth.ts:1`." }], "wrong_symbol"],
    [
      "a failed run beside trouble that is told of something else",
      [failed, { say: "All tests pass. I have not deployed it." }],
      "altered",
    ],
    [
      "a command that only names another machine's checks",
      [named, { say: "All tests pass." }],
      "unsupported",
    ],
    [
      "a delivery beside a look at another machine's checks",
      [looked, { say: "Deployed to production." }],
      "unsupported",
    ],
    ["a result with its run", [ran, { say: "All tests pass." }], null],
    ["nothing to check", [{ say: "I looked at it." }], null],
  ])("%s", async (_name, steps, verdict) => {
    const place = project({
      ...scripts,
      "src/app.ts": "import { login } from './auth';\nlogin();\n",
    });
    const text = await said(place, steps);
    expect([text.code, text.stdout.includes("✗")]).toEqual(verdict ? [1, true] : [0, false]);
    expect(text.stdout).toContain(verdict ? `✗ ${verdict}` : "");
    const wire = await said(place, steps, ["--json"]);
    expect(wire.code).toBe(text.code);
    expect((json(wire) as Wire).counts["flagged"]).toBe(verdict ? 1 : 0);
    const sarif = await said(place, steps, ["--format", "sarif"]);
    expectSarif(json(sarif));
    expect((json(sarif) as SarifLog).runs[0]!.results.map(({ ruleId }) => ruleId)).toEqual(
      verdict ? [verdict] : [],
    );
    const batch = await retinue(["verify", "--batch"], {
      project: place,
      stdin: JSON.stringify({ root: place.root, report: (steps.at(-1) as { say: string }).say }),
    });
    // A batch has no record, so it accuses nobody of a result without a run.
    const needsRecord = verdict === "unsupported" || verdict === "altered";
    expect(batch.code).toBe(verdict === null || needsRecord ? 0 : 1);
  });

  test("a sentence with ✗ is not also counted as held, and names its command whole", async () => {
    const place = project(scripts);
    const steps = [ran, { say: "I verified with `npm run e2e` that it works." }];
    const { code, stdout } = await said(place, steps);
    expect(code).toBe(1);
    expect(stdout).toContain("no script or target is called e2e");
    expect(stdout).toContain("no run of `npm run e2e` is recorded");
    expect(stdout).not.toMatch(/✓ hold|1 of \d on record|not tested/);
  });

  test("without --fix nothing is called corrected; with it, it is", async () => {
    const place = project({
      "report.md":
        "Users are looked up (`src/auth.ts:2`):\n\n```ts\n// src/auth.ts:2\n  if (!user) throw new Error('unknown');\n```\n",
    });
    const plain = await retinue(["verify", "report.md"], { project: place });
    expect(plain.code).toBe(1);
    expect(plain.stdout).toMatch(
      /^places 0 of 1 hold \(1 more with --fix\).* · trust \w+ with --fix$/m,
    );
    expect(plain.stdout).toMatch(/^E2 the content matches$/m);
    const wire = json(await retinue(["verify", "report.md", "--json"], { project: place }));
    expect((wire as { checks: { report_line: number }[] }).checks.at(-1)!.report_line).toBe(4);
    const fixed = await retinue(["verify", "report.md", "--fix"], { project: place });
    expect(fixed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 corrected, 0 left"),
    });
    expect(await retinue(["verify", "report.md"], { project: place })).toMatchObject({ code: 0 });
  });
});

test("the page shows what the command prints", async () => {
  const page = readFileSync("docs/verify.md", "utf8");
  const [, report, printed] =
    /\$ cat report\.md\n([\s\S]*?)\n\$ retinue verify report\.md\n([\s\S]*?)```/.exec(page)!;
  const place = project({
    "report.md": report!,
    "src/auth.ts": auth.replaceAll("'", '"'),
    "src/jwt.ts":
      "const JWT_SECRET = process.env.SECRET;\nexport const sign = (user) => token(user, JWT_SECRET);\n",
  });
  expect(await retinue(["verify", "report.md"], { project: place })).toMatchObject({
    code: 1,
    stdout: printed,
  });
  const verdicts = [...page.matchAll(/^\| (\w+) \| .* \| (yes|no) \|$/gm)];
  const flagged = verdicts.filter(([, , word]) => word === "yes").map(([, name]) => name);
  expect(flagged).toEqual(
    expect.arrayContaining(["unsupported", "weakened", "countered", "undeclared"]),
  );
});

test("nothing of these commands writes into the project", async () => {
  const place = project({ "report.md": audit("A", secret) });
  await retinue(["verify", "report.md"], { project: place });
  expect(existsSync(join(place.root, "report.md.orig"))).toBe(false);
  expect(readFileSync(place.path("report.md"), "utf8")).toBe(audit("A", secret));
});
