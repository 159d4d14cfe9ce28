import { describe, expect, test } from "vitest";
import { memoryReader } from "../source/reader.ts";
import { Repository } from "../source/repository.ts";
import { verifyReport } from "./verify-report.ts";

const auth = [
  "import bcrypt from 'bcrypt';",
  "import { findByEmail } from '../repositories/user';",
  "",
  "export class AuthService {",
  "  constructor(private readonly repo: UserRepository) {}",
  "",
  "  /** Checks the password. */",
  "  @traced()",
  "  async authenticate(email: string, password: string) {",
  "    const user = await findByEmail(email);",
  "    if (!user) {",
  "      throw new Error(`User ${email} not found in database`);",
  "    }",
  "    return bcrypt.compare(password, user.hash);",
  "  }",
  "}",
  "",
  "export function loginHandler(req, res) {",
  "  const service = new AuthService(repo);",
  "  return service.authenticate(req.body.email, req.body.password);",
  "}",
].join("\n");

const repo = new Repository(
  memoryReader(
    {
      "src/services/auth.ts": auth,
      "src/repositories/user.ts":
        "export const limit = 10;\n\nexport async function findByEmail(email) {\n  return db.users.find({ email });\n}\n",
      "src/config/jwt.ts": "const JWT_SECRET = 'hardcoded';\nexport default JWT_SECRET;\n",
      "lib/a/index.js": "module.exports = 1;\n",
      "lib/b/index.js": "module.exports = 2;\n",
      "app/[id].tsx": "export default function Page() {\n  return null;\n}\n",
      ".env": "TOKEN=abc\n",
      Makefile: "all:\n\techo hi\n",
    },
    { root: "/repo/shop", names: ["shop"] },
  ),
);

const verdicts = (report: string) =>
  verifyReport(report, { reader: repo }).checks.map((check) => check.verdict);

describe("paths with letters and blanks that are written in several ways", () => {
  const spaced = new Repository(
    memoryReader({
      "süd/größe.go": "package süd\n\nfunc Breite() int { return 1 }\n",
      "a b/zed.js": "export function zed() {}\n",
      "b/zed.js": "// another\nexport const other = 1;\n",
      "100%/rate.js": "export const rate = 1;\n",
    }),
  );
  test.each([
    ["`Breite` is in [größe.go](s%C3%BCd/gr%C3%B6%C3%9Fe.go#L3)", "süd/größe.go", "verified"],
    ["`Breite` is in [größe.go](su%CC%88d/gr%c3%b6%c3%9fe.go#L3)", "süd/größe.go", "verified"],
    ["`Breite` is in [größe.go](s%C3%BCd/gr%C3%B6%C3%9Fe.go#L1)", "süd/größe.go", "wrong_symbol"],
    ["`zed` is in [zed.js](a%20b/zed.js#L1)", "a b/zed.js", "verified"],
    ["`rate` is at `100%/rate.js:1`", "100%/rate.js", "verified"],
    ["`zed` is defined at `a b/zed.js:1`", "a b/zed.js", "verified"],
    ["`zed` is defined at `a b/zed.js` line 1", "a b/zed.js", "verified"],
    ["`other` is defined at `a b/zed.js#L1`", "a b/zed.js", "wrong_symbol"],
    ["`other` is defined at `b/zed.js:2`", "b/zed.js", "verified"],
  ])("%s", (report, path, verdict) => {
    expect(
      verifyReport(report, { reader: spaced }).checks.map((check) => [check.path, check.verdict]),
    ).toEqual([[path, verdict]]);
  });

  test("bytes that are no text are left as they are written, and nothing throws", () => {
    const [check] = verifyReport("See [x](src/%FF%00%C3x.js#L3).", { reader: spaced }).checks;
    expect(check?.path).toBe("src/%FF%00%C3x.js");
  });
});

describe("lines in words and in other languages", () => {
  test.each([
    ["On line nine of src/services/auth.ts `authenticate` is defined.", [9, 9], "verified"],
    ["On line two of src/services/auth.ts `authenticate` is defined.", [2, 2], "wrong_symbol"],
    ["On line two `authenticate` is defined in src/services/auth.ts.", [2, 2], "wrong_symbol"],
    ["Lines nine to fifteen of src/services/auth.ts: `authenticate`.", [9, 15], "verified"],
    ["`loginHandler` is in src/services/auth.ts, line Twenty-One.", [21, 21], "verified"],
    ["In Zeile zwei von src/services/auth.ts ist `authenticate` defined.", [2, 2], "wrong_symbol"],
    ["Zeile 9 von src/services/auth.ts definiert `authenticate`.", [9, 9], "verified"],
    ["Zeile 2 von src/services/auth.ts definiert `authenticate`.", [2, 2], "wrong_symbol"],
    ["La ligne 2 de src/services/auth.ts définit `authenticate`.", [2, 2], "wrong_symbol"],
    ["On this line two things happen in src/services/auth.ts: `authenticate`.", null, "verified"],
    ["Line two things up: src/services/auth.ts has `authenticate`.", null, "verified"],
  ])("%s", (report, lines, verdict) => {
    expect(
      verifyReport(report, { reader: repo }).checks.map((check) => [check.lines, check.verdict]),
    ).toEqual([[lines, verdict]]);
  });
});

describe("verdicts", () => {
  test.each([
    ["`src/services/auth.ts:9` (authenticate)", "verified"],
    ["`src/services/auth.ts:12` (authenticate)", "verified"],
    ["`authenticate` is defined at `src/services/auth.ts:9`.", "verified"],
    ["`authenticate` is defined at `src/services/auth.ts:10`.", "wrong_symbol"],
    ["`authenticat` is defined at `src/services/auth.ts:9`.", "missing"],
    [
      "`src/services/auth.ts:9` — `async authenticate(email: string, password: string) {`",
      "verified",
    ],
    ["`src/services/auth.ts:9` — `async authenticate(email: string, pass: string) {`", "altered"],
    ["`src/services/auth.ts:5` — `const user = await findByEmail(email);`", "relocated"],
    ["`src/services/auth.ts:9`", "exists_only"],
    ["`src/services/auth.ts:99`", "out_of_range"],
    ["`src/services/auth.ts:0`", "out_of_range"],
    ["`src/services/auth.ts:9-5`", "out_of_range"],
    ["`src/services/oauth.ts:9`", "missing"],
    ["`src/Services/auth.ts:9` (authenticate)", "relocated"],
    ["`../../etc/passwd:1`", "outside_root"],
    ["`/etc/hosts.conf:1`", "unverifiable"],
    ["`/repo/shop/src/config/jwt.ts:1`", "exists_only"],
    ["`index.js:1`", "ambiguous"],
    ["`index.js:1`: `module.exports = 2;`", "verified"],
    ["`.env:1`", "exists_only"],
    ["https://example.com/a.js", "unverifiable"],
    ["The loop in `loginHandler` (`src/services/auth.ts:20`) is slow.", "verified"],
    ["There is no `src/services/oauth.ts`.", "unverifiable"],
    ["- Create `src/services/oauth.ts`", "unverifiable"],
    ["- Create `src/services/auth.ts`", "exists_only"],
    ["`app/[id].tsx:1` (Page)", "verified"],
    ["`findByEmail` (`src/repositories/user.ts#L3-L5`)", "verified"],
    ["`src/services/auth.ts:8` (authenticate)", "verified"],
    ["Rename `loginHandler` in `src/services/auth.ts:18` to `signIn`.", "verified"],
    ["`loginHandler` [src/services/auth.ts:18]", "verified"],
    ["**File:** `src/services/auth.ts`\n**Line:** 9\n**Symbol:** `loginHandler`", "wrong_symbol"],
    [
      "- **File:** `src/services/auth.ts`\n- **Line:** 18\n- **Symbol:** `loginHandler`",
      "verified",
    ],
    ["`loginHandler` → `src/services/auth.ts`:19", "verified"],
    ["loginHandler() lives in src/services/auth.ts on line 18.", "verified"],
    ["`src/services/auth.ts:14` never calls `loginHandler`.", "exists_only"],
    ["src/services/auth.ts:18:1: warning: `unusedThing` is never read", "exists_only"],
    ["    at loginHandler (src/services/auth.ts:20:10)", "verified"],
    ["`src\\services\\auth.ts:18` (`loginHandler`)", "verified"],
    [
      "See https://github.com/acme/shop/blob/main/src/services/auth.ts#L18 (`loginHandler`)",
      "verified",
    ],
    ["https://github.com/acme/shop/blob/main/../../etc/passwd.txt#L1", "outside_root"],
    [
      "```18:20:src/services/auth.ts\nexport function loginHandler(req, res) {\n  const service = new AuthService(repo);\n```",
      "verified",
    ],
    [
      "`src/services/auth.ts:18`\n```\n  18 | export function loginHandler(req, res) {\n  19 |   const service = new AuthService(rep);\n```",
      "altered",
    ],
    ["```\nsrc/services/auth.ts\n19:export function loginHandler(req, res) {\n```", "relocated"],
    [
      "The fix for `src/services/auth.ts:18` should be:\n```ts\nexport function loginHandler(req, res, next) {\n```",
      "exists_only",
    ],
  ])("%s is %s", (report, verdict) => {
    expect(verdicts(report)).toEqual([verdict]);
  });

  test("a relocated quotation names the place and is applied when there is one only", () => {
    const [check] = verifyReport(
      "`src/services/auth.ts:5`: `const user = await findByEmail(email);`",
      { reader: repo },
    ).checks;
    expect(check).toMatchObject({
      verdict: "relocated",
      grade: "E2",
      suggestion: { path: "src/services/auth.ts", line: 10 },
      lines: [5, 5],
    });
    expect(check!.reason).toContain("src/services/auth.ts:10");
  });

  test("says what stands there and where the symbol is", () => {
    const [check] = verifyReport("`authenticate` is at `src/services/auth.ts:5`", {
      reader: repo,
    }).checks;
    expect(check!.reason).toBe(
      "line 5 is `constructor(private readonly repo: UserRepository) {}`; `authenticate` is defined at src/services/auth.ts:9",
    );
  });

  test("spans are offsets of the report", () => {
    const report =
      "Zürich 🙂 **see** `src/config/jwt.ts:1`, then lines 3-4 of `src/services/auth.ts`.";
    const texts = verifyReport(report, { reader: repo }).checks.map((check) =>
      report.slice(...check.span),
    );
    expect(texts).toEqual(["`src/config/jwt.ts:1`", "lines 3-4 of `src/services/auth.ts`"]);
  });

  test("never opens a secret file and never prints its lines", () => {
    const result = verifyReport("`.env:1`: `TOKEN=abcd`", { reader: repo });
    expect(result.checks[0]).toMatchObject({ verdict: "exists_only", path: ".env" });
    expect(JSON.stringify(result)).not.toContain("TOKEN");
  });

  test("what stood there in the base is stale", () => {
    const base = memoryReader({ "src/services/auth.ts": auth.replace(/^.*\n.*\n.*\n.*\n/, "") });
    expect(
      verifyReport("`authenticate` (`src/services/auth.ts:5`)", { reader: repo, base }).checks[0],
    ).toMatchObject({ verdict: "stale", grade: "E1" });
  });

  test("a line that the agent was shown is graded higher", () => {
    const evidence = {
      seen: (path: string, lines: [number, number]) =>
        path === "src/services/auth.ts" && lines[0] === 9,
    };
    expect(
      verifyReport("`src/services/auth.ts:9` (authenticate)", { reader: repo, evidence }).checks[0]!
        .grade,
    ).toBe("E3");
    expect(
      verifyReport("`src/services/auth.ts:9` (authenticate)", { reader: repo }).checks[0]!.grade,
    ).toBe("E2");
  });
});

describe("the shape of a report", () => {
  test("tables, fences, proposals and shorthand are told apart", () => {
    const report = [
      "#### Issues",
      "",
      "| ID | Issue | File:Line | Severity |",
      "|----|-------|-----------|----------|",
      "| SEC-001 | Hardcoded secret | `src/config/jwt.ts:1` | Critical |",
      "",
      "**SEC-001**",
      "```typescript",
      "// src/config/jwt.ts:1",
      "const JWT_SECRET = 'hardcoded'; // CRITICAL",
      "```",
      "**Fix**: use the environment",
      "```typescript",
      "const JWT_SECRET = process.env.JWT_SECRET;",
      "```",
      "",
      "```ts",
      "// src/services/auth.ts:9",
      "async authenticate(email: string, password: string) {",
      "  // ...",
      "  return bcrypt.compare(password, user.hash);",
      "```",
      "",
      "| Component | File | Action |",
      "|-----------|------|--------|",
      "| OAuthService | `src/services/oauth.ts` | Create |",
      "| AuthService | `src/services/auth.ts:4` | Modify (add OAuth methods) |",
      "",
      "| File | Line | Symbol |",
      "|---|---|---|",
      "| src/services/auth.ts | 18 | loginHandler |",
      "",
      "See `src/services/auth.ts:4`, `:9` and `:18`.",
    ].join("\n");
    const found = verifyReport(report, { reader: repo }).checks.map((check) => [
      check.path,
      check.lines?.[0] ?? null,
      check.verdict,
    ]);
    expect(found).toEqual([
      ["src/config/jwt.ts", 1, "exists_only"],
      ["src/config/jwt.ts", 1, "verified"],
      ["src/services/auth.ts", 9, "verified"],
      ["src/services/oauth.ts", null, "unverifiable"],
      ["src/services/auth.ts", 4, "verified"],
      ["src/services/auth.ts", 18, "verified"],
      ["src/services/auth.ts", 4, "exists_only"],
      ["src/services/auth.ts", 9, "exists_only"],
      ["src/services/auth.ts", 18, "exists_only"],
    ]);
  });
});

test("a path of Windows keeps its separators before brackets", () => {
  const path = "src/app/sites/[id]/route.ts";
  const reader = memoryReader({ [path]: "export const total = 1;\n" }, { names: ["shop"] });
  const written = String.raw`C:\Users\k\shop\src\app\sites\[id]\route.ts:1`;
  const { checks } = verifyReport(`\`total\` (\`${written}\`)`, { reader });
  expect(checks).toMatchObject([{ path, verdict: "verified" }]);
});
