// Numbers of tests, classes, functions, methods, endpoints and dependencies that a statement tells, each
// counted in every way that a person may have counted. Without a place that it speaks of, nothing is said.
import type { Repository } from "../../../source/repository.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { manifestsOf } from "../project/manifests.ts";
import { isAside } from "../words/is-asserted.ts";
import { statementsOf, type Statement } from "../words/statements.ts";
import { counteredBy, filesIn, held, pathOf } from "./countered.ts";
import { isTest } from "./uses.ts";

export type CountClaim = { span: [number, number]; judged: ClaimJudgement };

type Kind = { word: RegExp; lines: readonly RegExp[] };

const numbers = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const told = `(\\d{1,4}|${numbers.slice(2).join("|")})`;

const anyOf = (...lines: readonly string[]): RegExp => new RegExp(lines.join("|"), "gm");

const kinds: readonly Kind[] = [
  {
    word: /^(?:unit )?(?:tests?|test cases?|test (?:method|function)s?|examples|specs)$/,
    lines: [
      anyOf(
        "^\\s*(?:it|test)(?:\\.\\w+)*\\s*\\(",
        "^\\s*(?:async\\s+)?def test_|^func Test|#\\[(?:tokio::)?test\\]|@Test\\b",
        '\\[(?:Fact|Theory|Test)\\]|^\\s*test "|^\\s*it ["\']|public function test',
      ),
    ],
  },
  {
    word: /^§ blocks$/,
    lines: [anyOf("^\\s*describe(?:\\.\\w+)*\\s*\\(", "^\\s*(?:RSpec\\.)?describe\\s")],
  },
  {
    word: /^classes$/,
    lines: [
      anyOf(
        "^\\s*(?:export\\s+)?(?:default\\s+)?" +
          "(?:(?:abstract|public|final|sealed|internal|readonly|data)\\s+)*class\\s+\\w",
      ),
    ],
  },
  {
    word: /^(?:functions|exported functions)$/,
    lines: [
      anyOf(
        "^\\s*(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?function\\b",
        "^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:async\\s+)?fn\\s|^\\s*(?:async\\s+)?def\\s|^func\\s",
      ),
      anyOf(
        "^(?:export\\s+)?(?:const|let)\\s+\\w+\\s*(?::[^=]+)?=\\s*(?:async\\s*)?" +
          "(?:\\([^)]*\\)|\\w+)\\s*(?::[^=]+)?=>",
      ),
      anyOf("^(?!\\s|typedef|static|return|else|#|/)[\\w *]+\\s\\*?\\w+\\([^;{]*\\);"),
    ],
  },
  {
    word: /^(?:endpoints|routes)$/,
    lines: [
      anyOf(
        "^\\s*(?:\\w+\\.)?(?:app|router|\\w*[rR]outer|r|mux|api|bp)\\." +
          "(?:[gG]et|[pP]ost|[pP]ut|[pP]atch|[dD]elete|HandleFunc)\\s*\\(\\s*[\"'`]",
      ),
      anyOf(
        "^\\s*@\\w+\\.(?:route|get|post|put|patch|delete)\\(\\s*[\"'`]",
        "^\\s*(?:get|post|put|patch|delete) [\"'][/:]",
      ),
    ],
  },
];
const kindWords =
  "(?:unit )?tests?(?: cases?| methods?| functions?)?(?! (?:files?|suites?|class))|§ blocks|classes|" +
  "(?:exported )?functions|endpoints|routes|specs|examples|" +
  "(?:runtime|direct|production) (?:dependencies|requirements)|dev dependencies";
const counted = new RegExp(`(?<![\\w.§])${told} (${kindWords})(?![\\w-])`, "gi");

const isRough = new RegExp(
  "~|≈|\\b(?:about|around|roughly|approximately|some|over \\d+|nearly|almost|at least|more than|up to|new|added|" +
    "wrote|other|remaining|these|those|of the|would|should|could|pass\\w*|fail\\w*|ran|run)\\b",
  "i",
);
const isTotal =
  /\b(?:altogether|in total|in all|overall|total|the (?:API|project|repository|package|module) has|there are)\b/i;

const maxStatements = 40;

export function countClaims(report: string, repo: Repository): CountClaim[] {
  const all = statementsOf(report).filter((one) => one.kind !== "fence");
  return all
    .map((statement, index) => ({ statement, last: all[index - 1] }))
    .filter(({ statement }) => statement.words.search(counted) >= 0)
    .slice(0, maxStatements)
    .flatMap(({ statement, last }): CountClaim[] => {
      const own = pathsIn(statement, repo);
      const before = last ? pathsIn(last, repo) : [];
      const judged =
        isAside(statement) || isRough.test(statement.words)
          ? undefined
          : judgeCounts(statement, { own, before, repo });
      return judged ? [{ span: statement.span, judged }] : [];
    });
}

/** Files and folders that it names, by their path or by their last name. */
const pathsIn = ({ clauses }: Statement, repo: Repository): string[] =>
  clauses
    .flatMap(({ code }) => code)
    .map(pathOf)
    .flatMap((one) => pathsOf(one, repo));

function pathsOf(path: string, repo: Repository): string[] {
  if (repo.isListed(path) || repo.kindOf(path) === "directory") return [path];
  const ending = /\.\w{1,5}$/.test(path) ? repo.endingIn(path) : [];
  return ending.length === 1 ? ending : [];
}

type Scope = { own: readonly string[]; before: readonly string[]; repo: Repository };

const valueOf = (number: string): number => {
  const said = numbers.indexOf(number.toLowerCase());
  return said >= 0 ? said : Number(number);
};

function judgeCounts(statement: Statement, scope: Scope): ClaimJudgement | undefined {
  let right: ClaimJudgement | undefined;
  for (const { whole, value, counts } of [
    ...countsIn(statement, scope),
    ...partsIn(statement, scope.repo),
    ...methodsIn(statement, scope),
  ]) {
    if (counts.every((count) => count === 0)) continue;
    if (counts.includes(value)) right ??= held(`counted: ${whole}`);
    else return counteredBy(`"${whole}", but there are ${[...new Set(counts)].join(" or ")}`);
  }
  return right;
}

type Counted = { whole: string; value: number; counts: readonly number[] };

/** "9 test cases", each with every number that could be meant. */
const countsIn = (statement: Statement, scope: Scope): Counted[] =>
  [...statement.words.matchAll(counted)].flatMap(({ index, 0: whole, 1: number, 2: word }) => {
    const behind = statement.words.slice(index + whole.length);
    const counts = countsOf(statement, { word: word!.toLowerCase(), index, behind }, scope);
    return counts === undefined ? [] : [{ whole, value: valueOf(number!), counts }];
  });

/** "(3 in `a`, 2 in `b`)", "`a`: 3, `b`: 2": parts of what the sentence counts. */
function partsIn({ words, clauses }: Statement, repo: Repository): Counted[] {
  const word =
    [...words.matchAll(counted)][0]?.[2] ?? /\b(?:hold|have|has) \d+ (examples)\b/.exec(words)?.[1];
  const kind = kinds.find((one) => word !== undefined && one.word.test(word.toLowerCase()));
  if (!kind) return [];
  const code = clauses.flatMap((clause) => clause.code);
  const parts = new RegExp(`(?<=[(,] ?|and )${told} in §|§: ${told}(?=[,).;]|$)`, "gi");
  return [...words.matchAll(parts)].flatMap(({ index, 0: whole, 1: ahead, 2: after }) => {
    const at = (words.slice(0, index).match(/[§¤]/g) ?? []).length;
    const path = pathOf(code[at] ?? "");
    const found = repo.isListed(path)
      ? [path]
      : repo.endingIn(path).filter((one) => holds(one, kind, repo));
    if (found.length !== 1) return [];
    const value = valueOf((ahead ?? after)!);
    return [{ whole: whole.replace("§", path), value, counts: countIn(found, kind, repo) }];
  });
}

const holds = (path: string, kind: Kind, repo: Repository): boolean =>
  countIn([path], kind, repo).some((count) => count > 0);

/** "Four routes: two GET, two POST". */
function methodsIn({ words }: Statement, { own, repo }: Scope): Counted[] {
  if (own.length > 0 || !new RegExp(`^${told} (?:routes|endpoints)\\b`, "i").test(words)) return [];
  const parts = new RegExp(`\\b${told} (GET|POST|PUT|PATCH|DELETE)s?\\b`, "g");
  return [...words.matchAll(parts)].map(({ 0: whole, 1: number, 2: method }) => {
    const pattern = new RegExp(`^\\s*(?:@?\\w+\\.)*${method}(?:\\s*\\(\\s*["']| ["'][/:])`, "gim");
    return {
      whole,
      value: valueOf(number!),
      counts: countIn(sourcesIn(".", repo), { word: /(?!)/, lines: [pattern] }, repo),
    };
  });
}

const sourcesIn = (folder: string, repo: Repository): string[] =>
  filesIn(folder, repo).filter(
    (path) => !/(?:^|\/)(?:node_modules|vendor|dist|build|target)\/|\.(?:md|json|lock)$/.test(path),
  );

type Counting = { word: string; index: number; behind: string };

/** Every number that could be meant; undefined where no place is meant for certain. */
function countsOf(
  statement: Statement,
  counting: Counting,
  scope: Scope,
): readonly number[] | undefined {
  const { word, behind } = counting;
  const { repo } = scope;
  if (/dependencies|requirements/.test(word)) return dependencies(word, repo);
  const kind = kinds.find((one) => one.word.test(word));
  if (!kind || /^ (?:for|of|about|that|with|from|covering)\b/.test(behind)) return undefined;
  const meant = meantPlaces(statement, counting, scope);
  if (meant === undefined || meant.length > 1) return undefined;
  const [path] = meant;
  const files = path === undefined ? sourcesIn(".", repo) : sourcesOf(path, repo);
  if (files.length > 500) return undefined;
  // One function may stand for many tests.
  const isMany = /^tests?$/.test(word) && files.some((one) => isTable(one, repo));
  return isMany ? undefined : countIn(files, kind, repo);
}

/** Empty: the whole project; undefined: nobody knows. */
function meantPlaces(
  { words, clauses }: Statement,
  { index, behind }: Counting,
  { own, before, repo }: Scope,
): readonly string[] | undefined {
  // "2 unit tests in `a`": this count's own place.
  if (/^ (?:are |is )?(?:in|under|inside) §/.test(behind)) {
    const at = (words.slice(0, index).match(/[§¤]/g) ?? []).length;
    const near = pathsOf(pathOf(clauses.flatMap(({ code }) => code)[at] ?? ""), repo);
    return near.length === 1 ? near : undefined;
  }
  // "6 tests: 2 in …", "5 routes (…)": a total with its parts.
  const isSum = /^(?:[\w ]{1,24}: )?$/.test(words.slice(0, index)) && /^(?:[:,]| ?\()/.test(behind);
  if (isSum || isTotal.test(words)) return [];
  const meant = own.length > 0 || !/^(?:It|They)\b/.test(words) ? own : before;
  return meant.length === 0 ? undefined : meant;
}

const isTable = (path: string, repo: Repository): boolean => {
  const state = repo.open(path);
  return (
    state.ok &&
    /parametrize|\.each\b|\bt\.Run\(|ParameterizedTest|#\[(?:case|rstest)/.test(state.file.text)
  );
};

const sourcesOf = (path: string, repo: Repository): string[] =>
  repo.isListed(path) ? [path] : sourcesIn(path, repo);

/** With and without tests: calls of a route have the looks of one. */
const countIn = (files: readonly string[], kind: Kind, repo: Repository): number[] =>
  [files, files.filter((path) => !isTest(path))].flatMap((own) => linesIn(own, kind, repo));

function linesIn(files: readonly string[], kind: Kind, repo: Repository): number[] {
  const perPattern = kind.lines.map((pattern) =>
    files.reduce((sum, path) => {
      const state = repo.open(path);
      return sum + (state.ok ? (state.file.text.match(pattern) ?? []).length : 0);
    }, 0),
  );
  const sum = perPattern.reduce((all, one) => all + one, 0);
  return [...perPattern, sum].filter((one) => one > 0);
}

function dependencies(word: string, repo: Repository): number[] | undefined {
  const { dependencies: all, files } = manifestsOf(repo);
  if (
    files.filter((path) =>
      /(?:package\.json|pyproject\.toml|Cargo\.toml|composer\.json|go\.mod)$/.test(path),
    ).length !== 1
  )
    return undefined;
  const kind = word.startsWith("dev") ? "dev" : "runtime";
  const count = [...all.values()].filter(({ kinds: own }) => own.has(kind)).length;
  return count === 0 ? undefined : [count];
}
