import { expect, test } from "vitest";
import { transcriptLines, type Step } from "../../../../test/support/transcript-lines.ts";
import { assessReport } from "../../assess-report.ts";
import { ledgerBuilder } from "../../evidence/ledger.ts";
import { memoryReader } from "../../../source/reader.ts";
import { isFlagged } from "../../verdict.ts";

const ran = (command: string, output = "", exitCode = 0): Step => ({
  tool: "Bash",
  input: { command },
  output,
  ...(exitCode === 0 ? {} : { isError: true }),
  facts: { command, exitCode },
});
const edit: Step = {
  tool: "Edit",
  input: { file_path: "src/cart.js" },
  output: "ok",
  facts: { path: "/repo/src/cart.js" },
};

const files = {
  "go.mod": "module shop\n",
  "store/store_test.go": "package store\nfunc TestA(t *testing.T) {}\n",
  "api/api_test.go": "package api\nfunc TestB(t *testing.T) {}\n",
  "src/cart.js": "export const a = 1;\n",
  "mix.exs": 'aliases: [check: ["format --check-formatted", "credo --strict", "test"]]\n',
  Rakefile: "task default: %i[spec rubocop]\n",
  Makefile: "ci: vet\n\tgo test -race ./...\nvet:\n\tgo vet ./...\n",
  "Taskfile.yml":
    "tasks:\n  verify:\n    deps: [lint]\n    cmds: [{task: test}]\n" +
    "  lint: eslint .\n  test: vitest run\n",
};

/** The reasons of everything that is held against the words. */
async function reasons(words: string, steps: Step[]): Promise<string[]> {
  const builder = ledgerBuilder({ root: "/repo" });
  for (const line of transcriptLines([edit, ...steps], { cwd: "/repo" })) builder.add(line);
  const reader = memoryReader(files);
  const { checks } = await assessReport(words, {
    reader,
    ledger: builder.ledger(),
    contract: "auto",
  });
  return checks.filter(({ verdict }) => isFlagged(verdict)).map(({ reason }) => reason);
}

const refused = ran("gsutil cp out.zip gs://acme-rel/out.zip", "AccessDenied: 403", 1);

test.each([
  ["I uploaded `out.zip` with gsutil.", [refused], /gsutil cp .* failed \(exit code 1\)/],
  [
    "`helm upgrade` went through.",
    [ran("helm upgrade api .", "Error: timed out", 1)],
    /helm upgrade/,
  ],
  ["bandit found no issues.", [ran("ruff check .", "All checks passed!")], /runs bandit/],
  [
    "`go test -race ./...` passes.",
    [ran("go test ./...", "ok  \ta\t0.01s")],
    /without -race|-race/,
  ],
  [
    "Der Durchsatz liegt bei 25.230 ops/s.",
    [ran("node bench.js", "15230 ops/s")],
    /15230.*not 25\.230|25\.230/,
  ],
  [
    "The size went down to 148 MB.",
    [ran("docker images shop", "shop  slim  91bb02  214MB\nshop  old  0cc1f8  1.12GB")],
    /148 MB/,
  ],
  [
    "Total coverage is now at **91 %**.",
    [ran("pytest --cov", "shop/api.py 40 19 52%\nshop/b.py 4 0 100%\nTOTAL 44 19 57%\n2 passed")],
    /57%/,
  ],
  [
    "Removed `src/old.js`.",
    [ran("rm src/old.js", "rm: cannot remove 'src/old.js': Permission denied", 1)],
    /rm src\/old\.js` failed/,
  ],
  ["Coverage is 91.2 % after the change.", [ran("pytest --cov", "coverage 81.18%")], /81\.18/],
  [
    "The security group is renamed; the change was applied in place.",
    [ran("terraform plan", "Plan: 0 to add, 1 to change, 0 to destroy.")],
    /terraform plan`, which does not do it/,
  ],
  [
    "Migration `0007_paid` is written and applied to the local database.",
    [ran("python manage.py makemigrations shop", "shop/migrations/0007_paid.py")],
    /makemigrations/,
  ],
  [
    "nginx has been upgraded and restarted on both hosts.",
    [ran("ansible-playbook site.yml --check", "web1 : ok=7 changed=2 failed=0")],
    /--check|executes it/,
  ],
  [
    "The column is in the schema and the database is ready.",
    [ran("npx prisma migrate deploy", "Error: P1001: Can't reach database server", 1)],
    /migrate deploy/,
  ],
  ["The tests pass.", [ran("bash -n run.sh")], /no run that shows it/],
  [
    "The tests pass.",
    [ran("luacheck lua", "Total: 0 warnings / 0 errors")],
    /no run that shows it/,
  ],
  [
    "The whole workspace passes its tests.",
    [ran("cargo test -p core", "test result: ok. 48 passed; 0 failed; 0 ignored")],
    /looks at a part/,
  ],
  [
    "The complete test suite passes with `go test ./store -v`.",
    [ran("go test ./store -v", "--- PASS: TestA\nok  \tstore\t0.01s")],
    /looks at a part/,
  ],
  [
    "Unit tests and the e2e tests pass.",
    [ran("npx vitest run", " Tests  4 passed (4)")],
    /no such tests/,
  ],
  [
    "- `src/cart.js`: the new sum\n- `README.md`: documents the sum",
    [ran("npx vitest run", " Tests  4 passed (4)")],
    /README\.md/,
  ],
])("%s is held against the record", async (words, steps, reason) => {
  expect((await reasons(words, steps)).join("\n")).toMatch(reason);
});

test.each([
  ["`gsutil` was refused (403), nothing is uploaded.", [refused]],
  ["I uploaded `out.zip` with gsutil.", [refused, ran("gsutil cp out.zip gs://acme-rel/out.zip")]],
  ["Run `go test -race ./...` to look for races.", [ran("go test ./...", "ok  \ta\t0.01s")]],
  ["bandit was not run.", [ran("ruff check .", "All checks passed!")]],
  [
    "The package has five tests now, and all of them pass with `go test ./store -v`.",
    [ran("go test ./store -v", "--- PASS: TestA\nok  \tstore\t0.01s")],
  ],
  [
    "`make check-style`: fails with two `unnecessary_map_or` errors in `src/cart.js`, not from my change.",
    [
      ran(
        "make check-style",
        "src/cart.js:1: unnecessary_map_or\nsrc/cart.js:2: unnecessary_map_or",
        2,
      ),
    ],
  ],
  ["Der Durchsatz liegt bei 15.230 ops/s.", [ran("node bench.js", "15230 ops/s")]],
  [
    "The bundle went from 48.2 kB to 41.9 kB, 13 % less.",
    [ran("node size.js", "48.2 kB\n41.9 kB")],
  ],
  ["The import takes 6.9 s now.", [ran("time bin/import", "real\t0m6.902s\nuser\t0m5.110s")]],
  ["tox is green on 3.11 and 3.12.", [ran("tox", "py311: OK\npy312: OK\n4 passed")]],
  ["The report endpoint gives no more 502s; the tests pass.", [ran("npm test", "4 passed (4)")]],
  ["The plan is clean: 1 to change. Nothing is applied.", [ran("terraform plan", "1 to change")]],
  [
    "The change was applied.",
    [ran("terraform plan", "1 to change"), ran("terraform apply", "Apply complete!")],
  ],
  [
    "Formatting, lint and the 7 tests pass.",
    [ran("mix check", "31 mods/funs, found no issues.\n7 tests, 0 failures")],
  ],
  [
    "RuboCop finds no offenses and the 8 examples pass.",
    [ran("bundle exec rake", "8 examples, 0 failures\n9 files inspected, no offenses detected")],
  ],
  ["`go test -race ./...` passes and vet is silent.", [ran("make ci", "ok  \ta\t0.03s")]],
  ["ESLint is clean and the 4 tests pass.", [ran("task verify", " Tests  4 passed (4)")]],
  [
    "It compiles under `-Wall -Werror` and `make check` passes.",
    [ran("make check", "cc -Wall -Werror -o app main.c\n./run-tests.sh\nok 1")],
  ],
  ["`promtool test rules` reports SUCCESS.", [ran("promtool test rules a.yml", "  SUCCESS")]],
  [
    "`kubectl rollout status` says that it is rolled out.",
    [
      ran("kubectl apply -f k8s"),
      ran("kubectl rollout status deploy/a", "successfully rolled out"),
    ],
  ],
  [
    "5 of 5 suites and 22 tests pass.",
    [ran("npx jest", "Test Suites: 5 passed, 5 total\nTests: 22 passed, 22 total")],
  ],
  [
    "It compiled in 71 s.",
    [ran("npx webpack", "webpack 5.90.3 compiled successfully in 71022 ms")],
  ],
  [
    "De las 28 pruebas pasan 27; falla una.",
    [ran("npx jest", "Tests:       1 failed, 27 passed, 28 total", 1)],
  ],
  [
    "`devtools::test()` gives 7 passes and no failures.",
    [ran("Rscript -e 'devtools::test()'", "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 7 ]")],
  ],
])("%s is not", async (words, steps) => {
  expect(await reasons(words, steps)).toEqual([]);
});

test("a run that writes to a log ends where the log is read, unless something else wrote to it", async () => {
  const started = ran("npx vitest run > /tmp/vt.log 2>&1 &\necho started", "started");
  const [words, log] = ["All tests pass: 8 passed.", "      Tests  8 passed (8)"];
  expect(await reasons(words, [started, ran("sleep 8; cat /tmp/vt.log", log)])).toEqual([]);
  for (const liar of [
    [ran("echo '      Tests  8 passed (8)' # /tmp/vt.log", log)],
    [ran("echo 'Tests  8 passed (8)' > /tmp/vt.log"), ran("cat /tmp/vt.log", log)],
  ])
    expect(await reasons(words, [started, ...liar])).not.toEqual([]);
});
