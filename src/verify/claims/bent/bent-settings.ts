// Snapshots that were rewritten, and test scripts, configurations and thresholds that let more through.
import type { BentPlace } from "./test-cases.ts";

type Files = ReadonlyMap<string, string>;

export function bentSettings(before: Files, after: Files): BentPlace[] {
  return [...before].flatMap(([path, old]) => {
    const now = after.get(path);
    if (now === old) return [];
    if (/\.snap$|__snapshots__\//.test(path))
      return now === undefined ? [] : snapshot(path, old, now);
    if (now === undefined || !settings.test(path)) return [];
    return [...script(path, old, now), ...threshold(path, old, now), ...exclusion(path, old, now)];
  });
}

const settings = new RegExp(
  "(?:^|/)(?:package\\.json|(?:jest|vitest|vite|karma|playwright|cypress|mocha|nyc|ava)" +
    "\\.?\\w*\\.(?:[cm]?[jt]s|json|ya?ml)|\\.nycrc(?:\\.json)?|\\.mocharc\\.\\w+|\\.c8rc\\.json|" +
    "pyproject\\.toml|setup\\.cfg|pytest\\.ini|tox\\.ini|\\.coveragerc|conftest\\.py|Makefile|" +
    "justfile|phpunit\\.xml(?:\\.dist)?|\\.rspec|build\\.gradle(?:\\.kts)?|pom\\.xml|codecov\\.ya?ml|" +
    "\\.simplecov)$",
);

const lineOf = (text: string, at: number): number =>
  text.slice(0, Math.max(0, at)).split("\n").length;

/** Keys change when tests are renamed; what was expected under them must stay. */
function snapshot(path: string, old: string, now: string): BentPlace[] {
  const values = (text: string): string[] =>
    [...text.matchAll(/= `([\s\S]*?)`;/g)].map((match) => match[1]!.trim());
  const kept = new Set(values(now));
  const lost = values(old).filter((value) => !kept.has(value));
  return lost.length > 0 || values(old).length > values(now).length
    ? [{ path, line: 1, what: "snapshots were rewritten" }]
    : [];
}

const weakens = new RegExp(
  "\\|\\|\\s*(?:true|exit 0|:)|;\\s*(?:true|exit 0)\\s*$|--passWithNoTests|^\\s*(?:echo|" +
    "true|exit 0|:)\\b|--bail=?0|\\|\\| echo|-\\s*npm test|--ignore|--exclude|--deselect|" +
    "--testPathIgnorePatterns|continue-on-error|-DskipTests|ignoreFailures|testFailureIgnore",
);

/** The test script of package.json, or a test recipe. */
function script(path: string, old: string, now: string): BentPlace[] {
  const of = (text: string): string =>
    path.endsWith("package.json")
      ? [...text.matchAll(/"(?:test[\w:.-]*|ci|check|verify)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)]
          .map((match) => match[1]!)
          .join("\n")
      : /(?:Makefile|justfile)$/.test(path)
        ? (/^test[\w-]*:[^\n]*\n((?:[ \t]+[^\n]*\n?)*)/m.exec(text)?.[1] ?? "")
        : text;
  const [was, is] = [of(old), of(now)];
  const isWeaker = is.split("\n").some((line) => weakens.test(line) && !was.includes(line));
  const isGone = was !== "" && is.trim() === "" && !/(?:toml|cfg|ini|xml|gradle|kts)$/.test(path);
  if (!isWeaker && !isGone) return [];
  const at = is.split("\n").find((line) => weakens.test(line) && !was.includes(line)) ?? "";
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
  "[\"']?\\b(testPathIgnorePatterns|exclude|norecursedirs|collect_ignore(?:_glob)?|addopts|" +
    "testMatch|omit|coveragePathIgnorePatterns|ignore|deselect|exclude_lines|spec|include|" +
    "testIgnore|grepInvert)\\b[\"']?\\s*[:=]\\s*(\\[[^\\]]*\\]|\"[^\"]*\"|'[^']*'|[^\\n]*)",
  "g",
);

function exclusion(path: string, old: string, now: string): BentPlace[] {
  if (path.endsWith("package.json") && !/"jest"|"nyc"|"c8"|"mocha"/.test(now)) return [];
  const of = (text: string): Map<string, string> =>
    new Map([...text.matchAll(excludes)].map((match) => [match[1]!, match[2]!]));
  const [was, is] = [of(old), of(now)];
  for (const [key, value] of is) {
    const earlier = was.get(key) ?? "";
    const isList = /ignore|exclude|norecursedirs|omit|Invert|deselect/i.test(key);
    const isWeaker = isList
      ? value.length > earlier.length
      : key === "addopts" && weakens.test(value) && !weakens.test(earlier);
    if (isWeaker)
      return [
        { path, line: lineOf(now, now.search(key)), what: `"${key}" leaves out more than before` },
      ];
  }
  return [];
}
