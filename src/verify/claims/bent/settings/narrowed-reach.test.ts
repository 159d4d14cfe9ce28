import { expect, test } from "vitest";
import { narrowedReach } from "./narrowed-reach.ts";

const tests = [
  "a.test.js",
  "test/unit/b.test.js",
  "test/e2e/c.test.js",
  "tests/test_a.py",
  "tests/unit/test_b.py",
  "a/a_test.go",
  "b/b_test.go",
  "src/lib.rs",
  "tests/api.rs",
  "tests/Unit/CartTest.php",
  "tests/Feature/ShopTest.php",
  "spec/a_spec.rb",
  "spec/models/b_spec.rb",
  "src/test/java/ATest.java",
  "src/test/java/BTest.java",
  "A.Tests/ATests.cs",
  "B.Tests/BTests.cs",
];
const script = (test: string, more = ""): string => `{"scripts":{"test":"${test}"${more}}}`;
const make = (recipe: string): string => `test:\n\t${recipe}\n`;
const step = (...commands: string[]): string =>
  `jobs:\n  t:\n    steps:\n${commands.map((one) => `      - run: ${one}\n`).join("")}`;
const suite = (inside: string): string =>
  `<phpunit><testsuites><testsuite name="a">${inside}</testsuite></testsuites></phpunit>`;

test.each<readonly [string, string, string, string | undefined]>([
  ["package.json", script("vitest run"), script("vitest run test/unit"), "a.test.js"],
  [
    "package.json",
    script("jest"),
    script("jest --testPathIgnorePatterns e2e"),
    "test/e2e/c.test.js",
  ],
  [
    "package.json",
    script("mocha '**/*.test.js'"),
    script("mocha '*.test.js' 'test/*/*.test.js'"),
    undefined,
  ],
  [
    "package.json",
    script("jest"),
    script("npm run one && npm run two", ',"one":"jest test","two":"jest a.test.js"'),
    undefined,
  ],
  ["package.json", script("node --test"), script("node --test test/"), "a.test.js"],
  ["Makefile", make("go test ./..."), make("go test ./a/..."), "b/b_test.go"],
  ["Makefile", make("go test ./..."), make("go test -race ./a ./b"), undefined],
  ["Makefile", make("pytest"), make("pytest -q tests"), undefined],
  [".github/workflows/ci.yml", step("pytest"), step("pytest tests/unit"), "tests/test_a.py"],
  [
    ".github/workflows/ci.yml",
    step("pytest"),
    step("pytest tests/unit", "pytest tests/test_a.py"),
    undefined,
  ],
  [
    ".github/workflows/ci.yml",
    step("dotnet test"),
    step("dotnet test A.Tests"),
    "B.Tests/BTests.cs",
  ],
  [
    "tox.ini",
    "[testenv]\ncommands = pytest\n",
    "[testenv]\ncommands = pytest {posargs:tests}\n",
    undefined,
  ],
  [
    "pyproject.toml",
    "",
    '[tool.pytest.ini_options]\ntestpaths = ["tests/unit"]\n',
    "tests/test_a.py",
  ],
  ["pyproject.toml", "", '[tool.ruff]\nexclude = ["tests"]\n', undefined],
  ["vitest.config.ts", "test: {}", "test: { exclude: ['**/e2e/**'] }", "test/e2e/c.test.js"],
  ["vitest.config.ts", "test: {}", "test: { exclude: ['dist/**', 'node_modules'] }", undefined],
  ["vitest.config.ts", "test: {}", "test: { coverage: { exclude: ['test/**'] } }", undefined],
  [
    "vitest.config.ts",
    "test: {}",
    "test: { exclude: process.env.CI ? ['a.test.js'] : [] }",
    "a.test.js",
  ],
  [
    "phpunit.xml",
    suite("<directory>tests</directory>"),
    suite("<directory>tests/Unit</directory>"),
    "tests/Feature/ShopTest.php",
  ],
  [
    "phpunit.xml",
    suite("<directory>tests</directory>"),
    suite("<directory>tests/Unit</directory><directory>tests/Feature</directory>"),
    undefined,
  ],
])("%s: %s becomes %s", (path, was, is, lost) => {
  const found = narrowedReach([[path, was, is]], {
    paths: [],
    tests,
    known: tests,
    was: () => undefined,
    is: () => undefined,
  });
  expect(found.map(({ what }) => what)).toEqual(
    lost === undefined ? [] : [`${lost} is no longer run`],
  );
});
