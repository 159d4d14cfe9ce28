// Statements about packages, their versions and what they export, and about scripts and targets, against
// the manifests, the lock files and what is installed.
import type { Repository } from "../../repository.ts";
import { isAside } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf, type Statement } from "../words/statements.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, held } from "../tree/countered.ts";
import { manifestsOf, plainName, type Dependency, type Manifests } from "./manifests.ts";

export type ProjectClaim = { span: [number, number]; judged: ClaimJudgement };

const denies = anyPhrase(["no|not|never|without|nor|isn't|aren't|doesn't|don't|neither|nowhere"]);
const planned = anyPhrase([
  "should|would|could|might|may|will|adding|install|consider|recommend\\p{L}*|upgrade to|bump to",
  "suggest\\p{L}*|if|latest|newer",
]);
const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

const version = /(?<![\w.])(?:[\^~]|>=|<=|==|=|v)?\s?\d+(?:\.\d+){1,3}(?:-[\w.]+)?(?![\w])/g;
const packageName = /^@?[a-z][\w.-]*(?:\/[\w.-]+)*$/i;

/** The words with their code in place. */
const spelledOut = ({
  words,
  clauses,
}: Pick<Statement, "words" | "clauses">): { text: string; code: string[] } => {
  const code = clauses.flatMap((clause) => clause.code);
  let at = 0;
  return { text: words.replace(/[§¤]/g, () => code[at++] ?? ""), code };
};

export function packageClaims(report: string, repo: Repository): ProjectClaim[] {
  const manifests = manifestsOf(repo);
  if (manifests.files.length === 0) return [];
  return statementsOf(report)
    .filter((statement) => statement.kind !== "fence" && !isAside(statement))
    .flatMap((statement) => {
      const judged =
        judgeVersion(statement, manifests) ??
        judgeDependency(statement, manifests) ??
        judgeExport(statement, repo, manifests) ??
        judgeTask(statement, manifests);
      return judged ? [{ span: statement.span, judged }] : [];
    });
}

const bare = (text: string): string => text.replace(/^[\^~<>=v\s]+/, "").trim();

/** The told version is the asked one, the locked one, or the beginning of either. */
function fits(told: string, { ranges, versions }: Dependency): boolean {
  const plain = bare(told);
  const isRange = /^[\^~<>=]/.test(told.trim()) && !told.trim().startsWith("==");
  const all = isRange ? [...ranges] : [...ranges, ...versions];
  return all.some((one) => {
    if (isRange) return one.replace(/\s/g, "").includes(told.replace(/\s/g, ""));
    const own = bare(one);
    return own === plain || own.startsWith(`${plain}.`) || one.includes(plain);
  });
}

const farthest = 40;

/** Every version belongs to the package that stands last before it, or first behind it where none does. */
function toldVersions(text: string, { dependencies }: Manifests): { name: string; told: string }[] {
  const names = [...text.matchAll(/@?[A-Za-z][\w./-]*[\w]/g)]
    .map(({ index, 0: word }) => ({ at: index, end: index + word.length, name: plainName(word) }))
    .filter(({ name }) => dependencies.has(name) && !languages.has(name));
  return [...text.matchAll(version)].flatMap(({ index, 0: told }) => {
    const before = names.findLast(({ end }) => end <= index && index - end < farthest);
    return before && !/[;.]\s|\band\b.*\band\b/.test(text.slice(before.end, index))
      ? [{ name: before.name, told: told.trim() }]
      : [];
  });
}

/** A language's own version is no package's. */
const languages = new Set("python node go ruby php java rust npm".split(" "));

function judgeVersion(statement: Statement, manifests: Manifests): ClaimJudgement | undefined {
  const { text } = spelledOut(statement);
  if (has(planned, statement.words) || /\bfrom\b.*\bto\b|→/i.test(text)) return undefined;
  let right: ClaimJudgement | undefined;
  for (const { name, told } of toldVersions(text, manifests)) {
    const own = manifests.dependencies.get(name)!;
    if (own.ranges.size + own.versions.size === 0) continue;
    const shown = [...own.ranges, ...own.versions].slice(0, 3).join(", ");
    if (!fits(told, own))
      return counteredBy(`"${text.slice(0, 100)}", but ${own.place} has ${name} ${shown}`);
    right = held(`${own.place} has ${name} ${shown}`);
  }
  return right;
}

/** "`x` is a dev dependency", "it depends on x", "x is not a dependency": one name and what is said of it. */
function judgeDependency(statement: Statement, manifests: Manifests): ClaimJudgement | undefined {
  for (const { words, code } of statement.clauses) {
    const { text } = spelledOut({ words, clauses: [{ words, code, span: statement.span }] });
    const match = saysDependency
      .map((pattern) => pattern.exec(text))
      .find((found) => found !== null);
    const name = match?.groups?.["name"]?.replace(/@[\^~\d][\w.^~-]*$/, "");
    if (!match || name === undefined || !packageName.test(name) || has(planned, words)) continue;
    if (/\.(?:json|toml|lock|txt|ya?ml|[jt]sx?|py|rb|go|rs|mod)$/.test(name)) continue;
    return judgeListed(name, { text, isDenied: has(denies, words), manifests });
  }
  return undefined;
}

function judgeListed(
  name: string,
  { text, isDenied, manifests }: { text: string; isDenied: boolean; manifests: Manifests },
): ClaimJudgement {
  const own = manifests.dependencies.get(plainName(name));
  if (!own)
    return isDenied
      ? held(`no manifest names ${name}`)
      : counteredBy(`"${text.slice(0, 100)}", but no manifest names ${name}`);
  if (isDenied) return counteredBy(`"${text.slice(0, 100)}", but ${own.place} has ${name}`);
  const word = /\b(dev|peer|optional|runtime|regular|normal|production)[- ]?(?:only )?dependenc/i;
  const kind = word
    .exec(text)?.[1]
    ?.toLowerCase()
    .replace(/production|regular|normal/, "runtime");
  return kind !== undefined && own.kinds.size > 0 && !own.kinds.has(kind)
    ? counteredBy(
        `"${text.slice(0, 100)}", but ${own.place} has it as ${[...own.kinds].join(", ")}`,
      )
    : held(`${own.place} has ${name}`);
}

const token = "(?<name>@?[\\w][\\w.-]*(?:\\/[\\w.-]+)*)";
const saysDependency: readonly RegExp[] = [
  `${token} (?:is|was)(?: (?:not|only|just|already|also))*(?: listed as)? (?:an? |the )?(?:\\w+[- ]){0,2}dependency`,
  `${token} (?:isn't|is not) (?:an? |the )?(?:\\w+[- ]){0,2}dependency`,
  `\\b(?:depends|dependency) (?:up)?on (?:the )?${token}(?! \\w+ features)`,
  `\\bno ${token} (?:dependency|package|gem|crate)\\b`,
].map((source) => new RegExp(source, "i"));

const exports = anyPhrase([
  "§ (?:\\p{L}+ ){0,2}(?:exports?|provides?|ships|offers|exposes|has) (?:\\p{L}+ ){0,3}§",
  "§ (?:is|comes) (?:\\p{L}+ ){0,2}(?:exported |imported )?(?:from|by) §",
]);

/** What an installed package declares. */
function judgeExport(
  statement: Statement,
  repo: Repository,
  { dependencies }: Manifests,
): ClaimJudgement | undefined {
  const { text, code } = spelledOut(statement);
  if (!has(exports, statement.words) || code.length !== 2) return undefined;
  const name = code.find((one) => dependencies.has(plainName(one)));
  const symbol = code.find((one) => one !== name)?.replace(/\(.*\)$/, "");
  if (name === undefined || symbol === undefined || !/^[A-Za-z_$][\w$]*$/.test(symbol))
    return undefined;
  const declared = declarations(name, repo);
  if (declared === undefined) return undefined;
  const isThere = new RegExp(`(?<![\\w$])${symbol.replaceAll("$", "\\$")}(?![\\w$])`).test(
    declared,
  );
  if (isThere === !has(denies, statement.words))
    return held(`the declarations of ${name} ${isThere ? "have" : "lack"} ${symbol}`);
  return counteredBy(
    `"${text.slice(0, 100)}", but the declarations of ${name} ${isThere ? "have" : "lack"} ${symbol}`,
  );
}

function declarations(name: string, { reader }: Repository): string | undefined {
  const home = `node_modules/${name}`;
  const manifest = reader.read(`${home}/package.json`);
  if (!manifest.ok) return undefined;
  const entry = /"(?:types|typings)"\s*:\s*"([^"]+)"/
    .exec(manifest.text)?.[1]
    ?.replace(/^\.\//, "");
  const text = [entry, "index.d.ts", "dist/index.d.ts"].flatMap((one) => {
    const found = one === undefined ? undefined : reader.read(`${home}/${one}`);
    return found?.ok ? [found.text] : [];
  })[0];
  // What is passed on from other files is not followed.
  return text === undefined || /export \* from/.test(text) ? undefined : text;
}

const runs =
  /^(?:(npm|pnpm|yarn|bun) run(?:-script)?|(make|gmake)|(just)|(composer)(?: run)?) ([\w][\w:./-]*)$/;

/** "`npm run audit-all` checks …", "the `lint` script", "a make target called `x`". */
function judgeTask(statement: Statement, manifests: Manifests): ClaimJudgement | undefined {
  let right: ClaimJudgement | undefined;
  for (const { words, code } of statement.clauses)
    for (const [index, one] of code.entries()) {
      const named = taskIn(one, { words, code, index });
      const place = [...words.matchAll(/[§¤]/g)][index]?.index ?? 0;
      if (
        !named ||
        new RegExp("\\b(?:add|create|define|introduce|new|propose|a)\\w* (?:\\w+ )?$", "i").test(
          words.slice(0, place),
        )
      )
        continue;
      const judged = judgeNamed(named, {
        manifests,
        words,
        place,
        others: code.filter((other) => other !== one),
      });
      if (judged?.verdict === "countered") return judged;
      right ??= judged;
    }
  return right;
}

type Task = { runner: string | undefined; name: string; one: string };

function taskIn(
  one: string,
  { words, code, index }: { words: string; code: readonly string[]; index: number },
): Task | undefined {
  const match = runs.exec(one);
  if (match) {
    const runner = match[1] ? "npm" : match[2] ? "make" : (match[3] ?? match[4]!);
    return { runner, name: match[5]!, one };
  }
  return namesTask(words, code, index) ? { runner: undefined, name: one, one } : undefined;
}

/** Right around the name: "there is no `x` script", "`x` does not exist". */
const deniesTask = (words: string, place: number): boolean =>
  /\b(?:no|without|lacks?|missing)(?: \w+){0,2} $/i.test(words.slice(0, place)) ||
  /^ (?:\w+ )?(?:does not|doesn't|is not|isn't)\b/i.test(words.slice(place + 1));

function judgeNamed(
  { runner, name, one }: Task,
  {
    manifests,
    words,
    place,
    others,
  }: { manifests: Manifests; words: string; place: number; others: readonly string[] },
): ClaimJudgement | undefined {
  const tables = [...manifests.tasks].filter(([key]) => runner === undefined || key === runner);
  if (tables.length === 0) return undefined;
  const task = tables.map(([, table]) => table.get(name)).find((found) => found !== undefined);
  const isDenied = deniesTask(words, place);
  if (!task && isDenied) return held(`no script is called ${name}`);
  if (!task) return counteredBy(`"${one}", but no script or target is called ${name}`);
  if (isDenied && /^ (?:npm |make )?(?:script|target|task|recipe)/.test(words.slice(place + 1)))
    return counteredBy(`"no ${name}", but ${task.place} has it`);
  return judgeWhat({ task, name, one }, others, words.slice(place));
}

const namesTask = (words: string, code: readonly string[], index: number): boolean => {
  const place = [...words.matchAll(/[§¤]/g)][index]?.index;
  if (place === undefined || !/^[\w][\w:.-]*$/.test(code[index]!)) return false;
  return (
    /^\s+(?:npm |make |package )?(?:script|target|task|recipe)\b/i.test(words.slice(place + 1)) ||
    /\b(?:script|target|recipe)(?: is)?(?: called| named)?\s*$/i.test(words.slice(0, place))
  );
};

/** "runs `eslint src`", "wraps the tests in nyc": what the task is told to do. */
function judgeWhat(
  { task, name, one }: { task: { text: string; place: string }; name: string; one: string },
  others: readonly string[],
  behind: string,
): ClaimJudgement {
  const isWhat =
    /^§[^§]{0,30}\b(?:runs?|calls?|executes?|invokes?|is defined as|maps to|expands to)\b[^§]{0,20}§/i.test(
      behind,
    );
  const told = isWhat ? others[0] : undefined;
  const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();
  return told !== undefined && task.text !== "" && !squeezed(task.text).includes(squeezed(told))
    ? counteredBy(`"${one}", but in ${task.place} ${name} is ${squeezed(task.text).slice(0, 80)}`)
    : held(`${task.place} has ${name}`);
}
