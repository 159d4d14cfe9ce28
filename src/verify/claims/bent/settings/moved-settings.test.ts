import { expect, test } from "vitest";
import { memoryReader } from "../../../../source/reader.ts";
import { bentTests } from "../bent-tests.ts";

type Tree = Record<string, string>;

const told = (before: Tree, after: Tree): string[] =>
  bentTests(memoryReader(before), memoryReader(after)).map(({ what }) => what);

const tests: Tree = { "test/unit/a.test.js": "", "test/e2e/b.test.js": "", "tests/test_a.py": "" };
const step = (line: string): string => `on: push\njobs:\n  t:\n    steps:\n      - run: ${line}\n`;

const moves: readonly (readonly [string, Tree, Tree])[] = [
  [
    "jest, from package.json to a file of its own",
    {
      "package.json": `{"jest":{"testMatch":["**/unit/**"],"coverageThreshold":{"global":{"lines":85}}}}`,
    },
    {
      "package.json": "{}",
      "jest.config.js": `module.exports = { testMatch: ["**/unit/**"], coverageThreshold: { global: { lines: 85 } } };`,
    },
  ],
  [
    "mocha, from package.json to .mocharc",
    { "package.json": `{"mocha":{"spec":"test/unit/**","forbidOnly":true}}` },
    { "package.json": "{}", ".mocharc.yml": "spec: test/unit/**\nforbid-only: true\n" },
  ],
  [
    "vitest, from its own file to vite's",
    {
      "vitest.config.ts": `test: { exclude: ["**/e2e/**"], thresholds: { lines: 90, branches: 80 } }`,
    },
    {
      "vite.config.ts": `test: { exclude: ["**/e2e/**"], thresholds: { branches: 80, lines: 90 } }`,
    },
  ],
  [
    "nyc, from package.json to .nycrc",
    { "package.json": `{"nyc":{"check-coverage":true,"lines":90,"exclude":["gen/**"]}}` },
    { "package.json": "{}", ".nycrc": `{"check-coverage":true,"lines":90,"exclude":["gen/**"]}` },
  ],
  [
    "pytest, from pytest.ini to pyproject.toml",
    { "pytest.ini": "[pytest]\ntestpaths = tests\naddopts = -q --strict-markers -m 'not slow'\n" },
    {
      "pyproject.toml": `[tool.pytest.ini_options]\ntestpaths = ["tests"]\naddopts = "-q --strict-markers -m 'not slow'"\n`,
    },
  ],
  [
    "coverage, from .coveragerc to pyproject.toml",
    {
      ".coveragerc":
        "[run]\nomit =\n    src/gen.py\n    src/_version.py\n[report]\nfail_under = 90\n",
    },
    {
      "pyproject.toml": `[tool.coverage.run]\nomit = ["src/gen.py", "src/_version.py"]\n[tool.coverage.report]\nfail_under = 90\n`,
    },
  ],
  [
    "a threshold, from a file to the command line",
    { "setup.cfg": "[coverage:report]\nfail_under = 90\n", Makefile: "test:\n\tpytest --cov\n" },
    { "setup.cfg": "", Makefile: "test:\n\tpytest --cov --cov-fail-under=90\n" },
  ],
  [
    "a test script, from package.json to a Makefile",
    { "package.json": `{"scripts":{"test":"vitest run --coverage"}}` },
    { "package.json": `{"scripts":{}}`, Makefile: "test:\n\tnpx vitest run --coverage\n" },
  ],
  [
    "a pipeline that another one takes over",
    { ".github/workflows/test.yml": step("pytest -m 'not slow'") },
    { ".github/workflows/ci.yml": step("pytest -m 'not slow'") },
  ],
  [
    "phpunit, from its file to the one for distribution",
    { "phpunit.xml": `<phpunit failOnRisky="true"><exclude>tests/Slow</exclude></phpunit>` },
    { "phpunit.xml.dist": `<phpunit failOnRisky="true"><exclude>tests/Slow</exclude></phpunit>` },
  ],
];

test.each(moves)("settings that move are as strict as they were: %s", (_, before, after) => {
  expect(told({ ...before, ...tests }, { ...after, ...tests })).toEqual([]);
});

test.each<readonly [string, Tree, Tree]>([
  [
    "a threshold",
    { "package.json": `{"jest":{"coverageThreshold":{"global":{"lines":85}}}}` },
    {
      "package.json": "{}",
      "jest.config.js": "module.exports = { coverageThreshold: { global: { lines: 60 } } };",
    },
  ],
  [
    "what is left out",
    { "pytest.ini": "[pytest]\naddopts = -q\n" },
    {
      "pyproject.toml": `[tool.pytest.ini_options]\naddopts = "-q"\n`,
      "pytest.ini": "[pytest]\naddopts = -q --ignore tests\n",
    },
  ],
  ["a file with thresholds that is deleted", { ".nycrc": `{"lines":90}` }, {}],
])("what is less strict at its new place is told: %s", (_, before, after) => {
  expect(told({ ...before, ...tests }, { ...after, ...tests })).not.toEqual([]);
});
