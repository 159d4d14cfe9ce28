// Test scripts, configurations and thresholds that let more through.
import { narrowedReach, type Trees } from "./narrowed-reach.ts";
import type { BentPlace } from "../test-cases.ts";

type Files = ReadonlyMap<string, string>;

export function bentSettings(before: Files, after: Files, trees: Trees): BentPlace[] {
  // A new file of settings may leave out as much as a changed one.
  const fresh = [...after.keys()].filter((path) => !before.has(path) && isConfig.test(path));
  const both = [...before, ...fresh.map((path) => [path, ""] as const)];
  const changed = both.flatMap(([path, old]) => {
    const now = after.get(path);
    return now === undefined || now === old || !settings.test(path)
      ? []
      : [[path, old, now] as const];
  });
  const found = both.flatMap(([path, old]) => {
    const now = after.get(path);
    if (now === old) return [];
    if (now === undefined || !settings.test(path)) return [];
    return [
      ...script(path, old, now),
      ...threshold(path, old, now),
      ...exclusion(path, old, now),
      ...lostRuns(path, old, now),
      ...lostGuards(path, old, now),
      ...heldBack(path, old, now),
    ].slice(0, 1);
  });
  return [...found, ...narrowedReach(changed, trees)];
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
    "--only\\w*|-run|--run|--filter|--tests)(?:=|$)",
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
  const isRun = words.some((word) => runnerWords.test(word));
  return isRun && words.some((word) => picks.test(word) && !was.includes(word));
};

const runnerWords = new RegExp(
  "^(?:vitest|jest|mocha|ava|pytest|unittest|tox|rspec|minitest|phpunit|pest|paratest|playwright|" +
    "cypress|go|cargo|mvn|gradle|" +
    "\\./gradlew|rake|rails|npm|pnpm|yarn|node|ctest|dotnet|tap)$",
);

/** A line that runs the tests, and what is left of it. */
const runsTests = new RegExp(
  [
    "\\b(?:npm (?:run )?t(?:est)?\\b|(?:npm|pnpm|yarn|bun|turbo|nx|lerna)\\b[^\\n&|;]*\\btest",
    "vitest|jest|mocha|pytest|unittest|tox",
    "go test|gotestsum|nox|nose2|tape|uvu|bazel test|turbo|nx|just test|task test",
    "cargo (?:test|nextest)|(?:mvnw?|gradlew?)\\b[^\\n]*\\b(?:test|check|verify|build)|rspec|rake (?:test|spec)",
    "rails test|phpunit|make (?:test|check)|node --test|ctest|dotnet test)",
  ].join("|"),
);

const guards = new RegExp(
  "[\\w-]*(?:forbid-?[oO]nly|forbid-?[pP]ending|xfail_strict|failOnFlakyTests|error_for_skips|" +
    "--strict-markers|--fail-on-(?:warning|risky|empty))[\\w-]*",
  "g",
);

/** A setting that forbids leaving tests out, and is gone. */
function lostGuards(path: string, old: string, now: string): BentPlace[] {
  const lost = (old.match(guards) ?? []).find((guard) => !now.includes(guard));
  return lost === undefined ? [] : [{ path, line: 1, what: `"${lost}" is gone` }];
}

/** A pipeline, a script or a recipe that ran the tests and does not any more. */
function lostRuns(path: string, old: string, now: string): BentPlace[] {
  if (
    !/\.ya?ml$|\.sh$|Makefile$|justfile$|package\.json$|bin\/ci$|Jenkinsfile$|Rakefile$/.test(path)
  )
    return [];
  const of = (text: string): string[] =>
    text.split("\n").filter((line) => !/^\s*#/.test(line) && runsTests.test(line));
  const [was, is] = [of(old), of(now)];
  return was.length > 0 && is.length === 0
    ? [{ path, line: 1, what: "nothing here runs the tests any more" }]
    : [];
}

/** A step that runs the tests waits for a condition now, or the pipeline for a person. */
function heldBack(path: string, old: string, now: string): BentPlace[] {
  if (!/\.ya?ml$/.test(path)) return [];
  const conditions = now
    .split(/^(?=\s*- )/m)
    .filter((step) => runsTests.test(step))
    .flatMap((step) => step.match(/^\s*(?:- )?(?:if|when): (?!always|success).*$/gm) ?? [])
    .filter((line) => !old.includes(line.trim().replace(/^- /, "")));
  const pushes = (text: string): boolean =>
    /\b(?:push|pull_request)\b/.test(
      /^["']?on["']?:[^\n]*\n(?:[ \t]+[^\n]*\n?|\n)*/m.exec(text)?.[0] ?? "",
    );
  if (conditions.length === 0 && (!pushes(old) || pushes(now))) return [];
  const at = conditions[0] ?? "on:";
  return [{ path, line: lineOf(now, now.indexOf(at)), what: "the tests are run in fewer cases" }];
}

/** What a target runs, with what it depends on. */
function recipesOf(text: string, name: RegExp): string {
  const targets = [...text.matchAll(/^([\w-]+):([^\n=]*)\n((?:[ \t]+[^\n]*\n?)*)/gm)];
  const own = targets.filter(([, target]) => name.test(target!));
  const needed = own.flatMap(([, , needs]) => needs!.trim().split(/\s+/));
  return [...own, ...targets.filter(([, target]) => needed.includes(target!))]
    .map(([, , , recipe]) => recipe!)
    .join("");
}

/** The test script of package.json, or a test recipe. */
function script(path: string, old: string, now: string): BentPlace[] {
  const of = (text: string): string =>
    path.endsWith("package.json")
      ? [...text.matchAll(/"(?:test[\w:.-]*|ci|check|verify)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)]
          .map((match) => match[1]!)
          .join("\n")
      : /(?:Makefile|justfile)$/.test(path)
        ? recipesOf(text, /^test[\w-]*$/)
        : text;
  const [was, is] = [of(old), of(now)];
  const weaker = is.split("\n").find((line) => isWeaker(line, was));
  const isGone = was !== "" && is.trim() === "" && !/(?:toml|cfg|ini|xml|gradle|kts)$/.test(path);
  if (weaker === undefined && !isGone) return [];
  const at = weaker ?? "";
  return [
    { path, line: lineOf(now, now.indexOf(at)), what: "the test script lets failures through" },
  ];
}

const limits = new RegExp(
  "[\"']?\\b(branches|functions|lines|statements|global|fail_under|fail-under|cov-fail-under|" +
    "check-coverage|minimum|minimum_coverage|threshold|target|autoUpdate|per-file)\\b[\"']?\\s*[:= " +
    "]\\s*[\"']?(-?\\d+(?:\\.\\d+)?)",
  "g",
);

function threshold(path: string, old: string, now: string): BentPlace[] {
  const of = (text: string): Map<string, number[]> => {
    const found = new Map<string, number[]>();
    for (const [, key, value] of text.matchAll(limits))
      found.set(key!, [...(found.get(key!) ?? []), Number(value)]);
    return found;
  };
  const [was, is] = [of(old), of(now)];
  for (const [key, values] of was) {
    const later = is.get(key);
    const low = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0);
    if (!later || low(later) < low(values))
      return [
        {
          path,
          line: lineOf(now, now.search(key)),
          what: `the threshold "${key}" is lower or gone`,
        },
      ];
  }
  return [];
}

const excludes = new RegExp(
  "[\"']?\\b(addopts|omit|coveragePathIgnorePatterns|deselect|exclude_lines|" +
    "grepInvert|python_(?:files|functions|classes))" +
    '\\b["\']?\\s*[:=]\\s*(\\[[^\\]]*\\]|"[^"]*"|' +
    "'[^']*'|[^\\n]*)",
  "g",
);

function exclusion(path: string, old: string, now: string): BentPlace[] {
  if (path.endsWith("package.json") && !/"jest"|"nyc"|"c8"|"mocha"/.test(now)) return [];
  const of = (text: string): Map<string, string> =>
    new Map([...text.matchAll(excludes)].map((match) => [match[1]!, match[2]!]));
  const [was, is] = [of(old), of(now)];
  for (const [key, value] of is) {
    const earlier = was.get(key) ?? "";
    // Who counts coverage for the first time may leave out what is not counted.
    if (/omit|overage|exclude_lines/.test(key) && !/cov/i.test(old)) continue;
    const isList = /ignore|exclude|norecursedirs|omit|Invert|deselect/i.test(key);
    const isLooser = isList
      ? value.length > earlier.length
      : (key.startsWith("python_") &&
          value.length > earlier.length &&
          /test_?\w{2,}/i.test(value)) ||
        (key === "addopts" && isWeaker(`pytest ${value}`, earlier));
    if (isLooser)
      return [
        { path, line: lineOf(now, now.search(key)), what: `"${key}" leaves out more than before` },
      ];
  }
  return [];
}
