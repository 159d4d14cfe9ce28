// Test scripts, configurations and thresholds that let more through. The settings of a project are read
// together: what moves from one file to another is as strict as it was.
import { commandsIn, isRunner } from "./command-reach.ts";
import { narrowedReach, type Trees } from "./narrowed-reach.ts";
import { isTest } from "../../tree/uses.ts";
import type { BentPlace } from "../cases/test-cases.ts";

/** A file of settings as it was and as it is; `""` where it is not there. */
type File = { path: string; old: string; now: string };
/** `files`: all settings, those that did not change among them; `old`, `now`: their texts and those of tests. */
type Project = { files: readonly File[]; old: string; now: string };

/** `paths`: files that may have changed. */
export function bentSettings(paths: readonly string[], trees: Trees): BentPlace[] {
  const read = (path: string): File => ({
    path,
    old: trees.was(path) ?? "",
    now: trees.is(path) ?? "",
  });
  const changed = paths
    .filter((path) => settings.test(path))
    .map(read)
    .filter(({ old, now }) => old !== now);
  if (changed.length === 0) return [];
  const files = trees.paths.filter((path) => settings.test(path)).map(read);
  // Helpers of tests set limits, too.
  const helpers = paths.filter((path) => isTest(path) && !settings.test(path)).map(read);
  const whole = (side: "old" | "now"): string =>
    [...files, ...helpers].map((file) => file[side]).join("\n");
  const project: Project = { files, old: whole("old"), now: whole("now") };
  const found = changed
    // A new file of settings may leave out as much as a changed one.
    .filter(({ path, old }) => old !== "" || isConfig.test(path))
    .flatMap((file) => [script, threshold].flatMap((judge) => judge(file, project)).slice(0, 1));
  const tuples = changed.map(({ path, old, now }) => [path, old, now] as const);
  return [...found, ...narrowedReach(tuples, trees)];
}

const isConfig = new RegExp(
  "(?:^|/)(?:(?:jest|vitest|vite|playwright|cypress)\\.config\\.\\w+|\\.mocharc\\.\\w+|" +
    "conftest\\.py|pytest\\.ini|tox\\.ini|\\.rspec)$",
);

const settings = new RegExp(
  "(?:^|/)(?:package\\.json|composer\\.json|(?:jest|vitest|vite|karma|playwright|cypress|mocha|nyc|ava)" +
    "\\.?\\w*\\.(?:[cm]?[jt]s|json|ya?ml)|\\.nycrc(?:\\.json)?|\\.mocharc\\.\\w+|\\.c8rc\\.json|" +
    "pyproject\\.toml|setup\\.cfg|pytest\\.ini|tox\\.ini|\\.coveragerc|conftest\\.py|Makefile|" +
    "justfile|phpunit\\.xml(?:\\.dist)?|\\.rspec|build\\.gradle(?:\\.kts)?|pom\\.xml|codecov\\.ya?ml|" +
    "\\.simplecov|Cargo\\.toml|[\\w.]+\\.csproj|mix\\.exs|nextest\\.toml|Rakefile|noxfile\\.py|Taskfile\\.ya?ml|" +
    "Jenkinsfile|(?:spec|" +
    "rails|test)_helper\\.rb|" +
    "\\.gitlab-ci\\.yml|azure-pipelines\\.yml|(?:ci|test|run[-_]tests?|check)\\.sh)$|" +
    "\\.github/workflows/[^/]+\\.ya?ml$|(?:^|/)bin/ci$",
);

const lineOf = (text: string, at: number): number =>
  text.slice(0, Math.max(0, at)).split("\n").length;

const weakens = new RegExp(
  [
    "\\|\\|\\s*(?:true|exit 0|:|echo)|;\\s*(?:true|exit 0)\\s*$|--passWithNoTests|^\\s*(?:true|exit 0|" +
      ":)\\s*$|--bail=?0",
    "--ignore|--exclude|--deselect|--testPathIgnorePatterns|continue-on-error: *true|allow_failure: *true|" +
      "-DskipTests",
    "ignoreFailures *= *true|testFailureIgnore>? *true|<skipTests>true|skip(?:Tests|ITs)?>true|" +
      "^\\s*(?:doc)?test *= *false|xfail_strict *= *false",
    "^\\s*@?-(?:go|npm|pytest|cargo|python|bundle|mvn|\\./gradlew|npx|yarn|pnpm) |set \\+e|" +
      "filter_run_excluding|--tag ['\"]?~|--exclude-tag",
    "--collect-only|--no-run\\b|--dry-run|--list-?[tT]ests|-[km] ['\"\\\\]*not |<excludedGroups>|" +
      "\\bexclude\\w* *[('\"][^:]|onlyIf|ignore_outcome|commands *= *-\\s|" +
      "--update-?[sS]napshots?|--snapshot-update|(?:jest|vitest)\\b[^\\n]* -u\\b",
    "rerunFailingTestsCount|dangerouslyIgnore\\w+: *true|passWithNoTests: *true|" +
      "testNamePattern[\"']? *:|\\bretry: *[1-9]|--exclude-group",
    "add_marker\\([^)]*(?:skip|xfail)|items\\.remove\\(|items\\[:\\] =|hook\\.pytest_deselected|exitstatus = 0",
    "--invert|enabled *= *false|--reruns|--retries|excludeTags|exclude_tags|if: *false|" +
      "includeTags|includeTestsMatching|includeCategories|<groups>|autotests *= *false|" +
      "harness *= *false|Compile Remove|" +
      "[\"']?retries[\"']? *[:=] *[1-9]|-k ['\"]?not |--skip[ =]|-skip[ =]",
  ].join("|"),
);

/** Words that pick some of the tests. */
const picks = new RegExp(
  "^-short$|^(?:-k|-t|-g|-m|--grep|--testNamePattern|--testPathPatterns?|" +
    "--lib|--doc|--only\\w*|-run|--run|--filter|--tests)(?:=|$)",
);

const isWeaker = (line: string, was: string): boolean => {
  if (was.includes(line.trim())) return false;
  const found = weakens.exec(line)?.[0];
  if (found !== undefined && !was.includes(found.trim())) return true;
  const words = line
    .trim()
    // `python -m pytest` and `node --test` name the runner; `cargo test --test a` picks.
    .replace(/\bpython3? -m\b/g, "python")
    .replace(/\bcargo\b(.*)--test\b/, "cargo$1--tests")
    .split(/[\s"',]+/);
  const isRun = words.some(isRunner);
  const before = new Set(was.split(/[\s"',]+/));
  return isRun && words.some((word) => picks.test(word) && !before.has(word));
};

/** `--check-coverage` on a command line is `checkCoverage` in a file. */
const plainKey = (key: string): string => key.replace(/[-_]/g, "").toLowerCase();

function script({ path, now }: File, { files }: Project): BentPlace[] {
  if (now === "") return [];
  const was = files.map((file) => commandsIn(file.path, file.old)).join("\n");
  const is = commandsIn(path, now);
  const weaker = is.split("\n").find((line) => isWeaker(line, was));
  if (weaker === undefined) return [];
  return [
    { path, line: lineOf(now, now.indexOf(weaker)), what: "the test script lets failures through" },
  ];
}

const limits = new RegExp(
  "[\"']?\\b(branches|functions|lines|statements|global|fail_under|fail-under|cov-fail-under|" +
    "check-coverage|minimum\\w*|threshold|target|autoUpdate|per-file)\\b[\"']?\\s*[:=> " +
    "]\\s*[\"']?(-?\\d+(?:\\.\\d+)?)",
  "g",
);

/** `minimum_coverage line: 95, branch: 90`. */
const calls = /\b(minimum\w*|\w*coverage)\b[ (]+(\w+: *\d[^\n]*)/g;

/** What each limit of a text asks for, all in all; `--cov-fail-under` is `fail_under`. */
function limitsIn(text: string): Map<string, number> {
  const sums = new Map<string, number>();
  const inCalls = [...text.matchAll(calls)].flatMap(([, call, given]) =>
    [...given!.matchAll(/(\w+): *(\d+(?:\.\d+)?)/g)].map(([, key, value]) => [
      "",
      `${call} ${key}`,
      value,
    ]),
  );
  for (const [, key, value] of [...text.matchAll(limits), ...inCalls]) {
    const name = plainKey(key!).replace(/^cov(?=fail)/, "");
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return sums;
}

function threshold({ path, old, now }: File, project: Project): BentPlace[] {
  const [was, is] = [limitsIn(project.old), limitsIn(project.now)];
  const [own, left] = [limitsIn(old), limitsIn(now)];
  const less = (from: Map<string, number>, to: Map<string, number>, key: string): boolean =>
    (to.get(key) ?? -Infinity) < from.get(key)!;
  const lost = [...own.keys()].find((key) => less(own, left, key) && less(was, is, key));
  if (lost === undefined) return [];
  const line = lineOf(now, now.search(lost));
  return [{ path, line, what: `the threshold "${lost}" is lower or gone` }];
}
