import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { tempProject } from "../testing/temp-project.ts";
import { detectChecks } from "./detect-checks.ts";
import { validateProject } from "./validate-project.ts";

const node = (code: string): string => `node -e ${JSON.stringify(code)}`;
const byHand = (command: string, cwd: string): boolean => {
  try {
    execFileSync("sh", ["-c", command], { cwd, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

describe("finds the checks of", () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      "a package with scripts",
      { "package.json": JSON.stringify({ scripts: { lint: "x", test: "y", typecheck: "z" } }) },
      [
        "types npm run --silent typecheck",
        "lint npm run --silent lint",
        "tests npm run --silent test",
      ],
    ],
    [
      "a pnpm package",
      { "package.json": JSON.stringify({ scripts: { "test:run": "x" } }), "pnpm-lock.yaml": "" },
      ["tests pnpm run test:run"],
    ],
    [
      "a package without a real test",
      {
        "package.json": JSON.stringify({
          scripts: { test: 'echo "Error: no test specified" && exit 1' },
        }),
      },
      [],
    ],
    [
      "a Makefile",
      { Makefile: "CC := gcc\nall: a\nlint:\n\ttrue\ncheck: all\n\ttrue\n" },
      ["lint make lint", "tests make check"],
    ],
    [
      "a Python project",
      { "tests/test_a.py": "", "a.py": "" },
      ["tests python3 -m unittest discover -s tests"],
    ],
    [
      "a Go module",
      { "go.mod": "module x\n" },
      ["types go build ./...", "lint go vet ./...", "tests go test ./..."],
    ],
    ["an empty folder", {}, []],
    ["broken JSON", { "package.json": "{oops" }, []],
  ])("%s", (_name, files, expected) => {
    using project = tempProject(files);
    expect(
      detectChecks(project.root, { PATH: "/usr/bin" }).map(
        ({ kind, argv }) => `${kind} ${argv.join(" ")}`,
      ),
    ).toEqual(expected);
  });
});

test("runs them side by side and gives the evidence of each", async () => {
  using project = tempProject({
    "package.json": JSON.stringify({
      scripts: {
        lint: node("console.log('fine')"),
        test: node("console.error('1 failed: adds wrongly'); process.exit(1)"),
      },
    }),
  });
  const result = await validateProject({ root: project.root });
  expect(result).toMatchObject({
    decision: "STOP",
    checks: {
      types: { passed: true, skipped: true },
      lint: { passed: true, evidence: { grade: "E4", exit_code: 0 } },
      tests: {
        passed: false,
        errors: ["1 failed: adds wrongly"],
        evidence: { exit_code: 1, output_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    },
    issues: ["tests: 1 failed: adds wrongly"],
  });
});

test("gives the same verdict as running the checks by hand, on a Python and on a C project", async () => {
  const python = (sum: string): Record<string, string> => ({
    "calc.py": `def add(a, b):\n    return ${sum}\n`,
    "tests/test_calc.py":
      "import sys, unittest\nsys.path.insert(0, '.')\nfrom calc import add\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n",
  });
  const c = (sum: string): Record<string, string> => ({
    "add.c": `int main(void) { return ${sum} == 3 ? 0 : 1; }\n`,
    Makefile: "test: add\n\t./add\nadd: add.c\n\tcc -Wall -o add add.c\n",
  });
  for (const [files, command] of [
    [python("a + b"), "python3 -m unittest discover -s tests"],
    [python("a - b"), "python3 -m unittest discover -s tests"],
    [c("1 + 2"), "make test"],
    [c("1 - 2"), "make test"],
  ] as const) {
    using project = tempProject(files);
    const { decision, checks } = await validateProject({ root: project.root });
    expect(checks.tests.passed).toBe(byHand(command, project.root));
    expect(decision).toBe(checks.tests.passed ? "PROCEED" : "STOP");
  }
});

test("a check that hangs has failed, and nothing of it is left", async () => {
  using project = tempProject({
    "package.json": JSON.stringify({ scripts: { test: "sleep 300" } }),
  });
  const { checks } = await validateProject({ root: project.root, timeoutMs: 1_500 });
  expect(checks.tests).toMatchObject({
    passed: false,
    errors: [expect.stringContaining("did not end within 1.5 s")],
  });
});

test("without any check it asks which one to run", async () => {
  using project = tempProject({ "notes.txt": "hello" });
  expect(await validateProject({ root: project.root })).toMatchObject({
    decision: "CLARIFY",
    questions: [expect.any(String)],
  });
});

test("the fallback for security names kind and place of a secret, never its value", async () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
  using project = tempProject({
    "config.js": `\nexport const token = "${token}";\n`,
    "package.json": JSON.stringify({ scripts: { test: "true" } }),
  });
  execFileSync("git", ["init", "-q"], { cwd: project.root });
  const result = await validateProject({ root: project.root });
  expect(result).toMatchObject({
    decision: "STOP",
    checks: { security: { passed: false, errors: [expect.stringMatching(/^config\.js:2: /)] } },
  });
  expect(JSON.stringify(result)).not.toContain(token);
});
