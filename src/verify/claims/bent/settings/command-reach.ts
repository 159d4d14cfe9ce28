// Which test files the commands of a script, a recipe or a pipeline run, over the files that are there.
import { reachOf, type Reach } from "./reach-of.ts";

type Runner = {
  word: RegExp;
  files: RegExp;
  /** What runs where nothing is named. */ bare?: Reach;
};

const inFolder = (path: string): boolean => !path.includes("/");

const runners: readonly Runner[] = [
  { word: /^(?:pytest|py\.test|unittest|nosetests?)$/, files: /\.py$/ },
  { word: /^(?:vitest|jest|mocha|ava|tap|c8|playwright|cypress)$/, files: /\.[cm]?[jt]sx?$/ },
  { word: /^(?:node --test|bun test|deno test)$/, files: /\.[cm]?[jt]sx?$/ },
  { word: /^gotestsum$/, files: /_test\.go$/ },
  { word: /^go test$/, files: /_test\.go$/, bare: inFolder },
  { word: /^cargo (?:test|nextest)$/, files: /\.rs$/ },
  { word: /^(?:phpunit|pest|paratest)$/, files: /\.php$/ },
  { word: /^(?:rspec|rails test|m|minitest)$/, files: /\.rb$/ },
  { word: /^dotnet test$/, files: /\.cs$/ },
  { word: /^(?:mvnw?|gradlew?)$/, files: /\.(?:java|kt|groovy|scala)$/ },
];

/** What the commands of a text run together; undefined where none of them is known. */
export function commandReach(
  lines: readonly string[],
  tests: readonly string[],
): Reach | undefined {
  const found = lines.flatMap((line) => segmentsOf(line).flatMap((one) => runOf(one, tests) ?? []));
  return found.length === 0 ? undefined : (path) => found.some((reach) => reach(path));
}

type Segment = {
  words: string[];
  folder: string;
  /** `grep -v store` takes away what it names. */ without: string[];
};

function segmentsOf(line: string): Segment[] {
  const without = [...line.matchAll(/\bgrep (?:-\w+ )*-\w*v\w* (?:-e )?["']?([\w./-]+)/g)].map(
    ([, word]) => word!,
  );
  let folder = "";
  return line
    .replace(/\$\$?\(([^()]*)\)/g, "$1")
    .split(/&&|\|\|?|;/)
    .flatMap((part) => {
      const words = (part.match(/(?:[^\s"'\\]|\\.|"[^"]*"|'[^']*'|["'])+/g) ?? []).map((word) =>
        word.replace(/\\?["']/g, ""),
      );
      if (words[0] === "cd" && words[1] !== undefined) {
        folder = words[1].replace(/^\.\/|\/$/g, "");
        return [];
      }
      return [{ words, folder, without }];
    });
}

/** Their values are no tests. */
const otherValues =
  /^-(?:-cov\w*|-coverage\w*|-?o|-output\w*|-setup\w*|-require|r|-import|-config|c|-project|-reporter|-env-file)\b/;
const takesAway = /ignore|exclude|deselect|skip|invert/i;

function runOf({ words, folder, without }: Segment, tests: readonly string[]): Reach | undefined {
  const at = words.findIndex((_, index) => runnerAt(words, index) !== undefined);
  const runner = at < 0 ? undefined : runnerAt(words, at);
  if (
    !runner ||
    words.slice(0, at).some((word) => /^(?:echo|printf|#|pip|npm|install|add|grep)$/.test(word))
  )
    return undefined;
  const own = tests.filter((path) => runner.files.test(path));
  const named: Reach[] = [];
  const gone: Reach[] = without.map(
    (word): Reach =>
      (path) =>
        path.includes(word),
  );
  const rest = words.slice(at + 1);
  rest.forEach((word, index) => {
    const [option, given] = /^--?[\w.-]+=/.test(word)
      ? [word.split("=")[0]!, word.slice(word.indexOf("=") + 1)]
      : [rest[index - 1] ?? "", word];
    if (given.startsWith("-") || (otherValues.test(option) && !/^[^-]/.test(option))) return;
    const reach = pathWord(given, option, { runner, own, folder });
    if (reach) (takesAway.test(option) && option.startsWith("-") ? gone : named).push(reach);
  });
  const switches = rest.flatMap((word) => switched[word] ?? []);
  const picks = [...named, ...switches];
  const bare = runner.bare ?? ((): boolean => true);
  return (path) =>
    runner.files.test(path) &&
    (folder === "" || path.startsWith(`${folder}/`)) &&
    (picks.length === 0 ? bare(path) : picks.some((reach) => reach(path))) &&
    !gone.some((reach) => reach(path));
}

/** Parts of a Cargo package. */
const switched: Readonly<Record<string, Reach>> = {
  "--lib": (path) => /(?:^|\/)src\//.test(path),
  "--bins": (path) => /(?:^|\/)src\/(?:main\.rs|bin\/)/.test(path),
  "--doc": () => false,
  "--tests": (path) => /(?:^|\/)(?:src|tests)\//.test(path),
};

const runnerAt = (words: readonly string[], at: number): Runner | undefined => {
  const word = words[at]!.replace(/^(?:.*\/)(?=[^/]+$)/, "");
  const two = `${word} ${words[at + 1] ?? ""}`;
  return runners.find((runner) => runner.word.test(word) || runner.word.test(two));
};

type Own = { runner: Runner; own: readonly string[]; folder: string };

function pathWord(word: string, option: string, { runner, own, folder }: Own): Reach | undefined {
  if (runner.files.test("a_test.go")) return goPackages(word, own);
  const base = `(?:^|/)${word
    .replace(/^.*\./, "")
    .replace(/[^\w*]/g, "")
    .replaceAll("*", "\\w*")}\\.\\w+$`;
  if (/^-(?:Dtest|-tests)$/.test(option)) return (path) => new RegExp(base).test(path);
  const isPackage = /^(?:-p|--package|-pl|--projects)$/.test(option);
  if (isPackage && /rs|java/.test(runner.files.source) && /^[\w.:/-]+$/.test(word)) {
    const name = word.replace(/^.*[:/]/, "");
    return own.some((path) => path.split("/").includes(name))
      ? (path) => path.split("/").includes(name)
      : undefined;
  }
  if (option === "--test" && runner.word.test("cargo test"))
    return (path) => path.endsWith(`tests/${word}.rs`);
  if (/\.(?:sln|slnx)$/.test(word)) return () => true;
  return reachOf(word.replace(/\/[^/]*\.\w+proj$/, "").replace(/::.*$/, ""), own, folder);
}

/** `./...`, `./store/...`, `.`. */
function goPackages(word: string, own: readonly string[]): Reach | undefined {
  if (!/^\.(?:\/|$)|\/\.\.\.$/.test(word)) return undefined;
  const plain = word.replace(/^\.\/?/, "");
  if (plain === "...") return () => true;
  const folder = plain.replace(/\/?\.\.\.$/, "");
  const isDeep = plain.endsWith("...");
  const reach: Reach = (path) => {
    const parent = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    return parent === folder || (isDeep && parent.startsWith(`${folder}/`));
  };
  return own.some(reach) || folder === "" ? reach : undefined;
}
