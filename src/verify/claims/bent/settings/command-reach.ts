// Which test files the commands of a script, a recipe or a pipeline name, over the files that are there.
import { reachOf, type Reach } from "./reach-of.ts";

export const isCommands = (path: string): boolean =>
  /(?:package\.json|composer\.json|Makefile|justfile|\.ya?ml|\.sh|tox\.ini|noxfile\.py|Jenkinsfile|bin\/ci)$/.test(
    path,
  ) && !path.endsWith(".mocharc.yml");

/** The test scripts of package.json, the test recipes, or all of a file. */
export function commandsIn(path: string, text: string): string {
  if (/(?:Makefile|justfile)$/.test(path))
    return [...text.matchAll(/^test[\w-]*:[^\n=]*\n((?:[ \t]+[^\n]*\n?)*)/gm)]
      .map(([, recipe]) => recipe!)
      .join("");
  if (!/(?:package|composer)\.json$/.test(path)) return text;
  return [...text.matchAll(/"(?:test[\w:.-]*|ci|check|verify)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)]
    .map(([, script]) => script!.replaceAll('\\"', '"'))
    .join("\n");
}

/** Words that run tests, and the files that they run. */
const runners: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:pytest|unittest|tox)$/, /\.py$/],
  [/^(?:vitest|jest|mocha|ava|tap|playwright|cypress|npm|pnpm|yarn|node)$/, /\.[cm]?[jt]sx?$/],
  [/^go$/, /_test\.go$/],
  [/^cargo$/, /\.rs$/],
  [/^(?:phpunit|pest|paratest)$/, /\.php$/],
  [/^(?:rspec|minitest|rake|rails)$/, /\.rb$/],
  [/^dotnet$/, /\.cs$/],
  [/^(?:mvn|gradle|gradlew)$/, /\.(?:java|kt|groovy|scala)$/],
];
const filesOf = (word: string): RegExp | undefined =>
  runners.find(([name]) => name.test(word.replace(/^.*\/(?=[^/]+$)/, "")))?.[1];

export const isRunner = (word: string): boolean => filesOf(word) !== undefined;

const task = /^(?:test|run|nextest|verify|check)$/;

/** What the commands of a text run together; undefined where none of them runs tests. */
export function commandReach(text: string, tests: readonly string[]): Reach | undefined {
  const found = text
    .split("\n")
    .filter((line) => !/^\s*#|^\s*-?\s*name:/.test(line))
    .flatMap((line) => line.split(/&&|\|\|?|;/))
    .flatMap((command) => runOf(command, tests) ?? []);
  return found.length === 0 ? undefined : (path) => found.some((reach) => reach(path));
}

/** Values of such options are no tests. */
const otherValues =
  /^-(?:-?o|-output\w*|-setup\w*|-require|r|-import|-config|c|-project|-reporter|-env-file)\b/;
const takesAway = /^-.*(?:ignore|exclude|deselect|skip|invert)/i;

function runOf(command: string, tests: readonly string[]): Reach | undefined {
  const words = (command.match(/(?:[^\s"'\\]|\\.|"[^"]*"|'[^']*'|["'])+/g) ?? []).map((word) =>
    word.replace(/\\?["']/g, ""),
  );
  const at = words.findIndex(isRunner);
  const before = words.slice(0, at);
  if (at < 0 || before.some((word) => /^(?:echo|printf|#|pip|install|add|grep)$/.test(word)))
    return undefined;
  const files = filesOf(words[at]!)!;
  const own = tests.filter((path) => files.test(path));
  const [named, gone]: [Reach[], Reach[]] = [[], []];
  words.slice(at + 1).forEach((word, index, rest) => {
    const [, option, given] = /^(--?[\w.-]+)=(.*)/.exec(word) ?? ["", rest[index - 1] ?? "", word];
    if (given.startsWith("-") || otherValues.test(option) || task.test(given)) return;
    // `./...` is all of Go's packages, `./store/...` those of a folder; `a.py::b` is in a file.
    const plain = given.replace(/::.*$|\/?\.\.\.$/, "");
    const reach = plain === "." ? (): boolean => true : reachOf(plain, own);
    if (reach) (takesAway.test(option) ? gone : named).push(reach);
  });
  return (path) =>
    files.test(path) &&
    (named.length === 0 || named.some((reach) => reach(path))) &&
    !gone.some((reach) => reach(path));
}
