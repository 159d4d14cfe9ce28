// Statements about packages, their versions and what they export, and about scripts and targets, against
// the manifests, the lock files and what is installed.
import type { Repository } from "../../../source/repository.ts";
import { isAside } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf, type Statement } from "../words/statements.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, held } from "../tree/countered.ts";
import { judgeTask } from "./judge-task.ts";
import { manifestsOf, plainName, type Dependency, type Manifests } from "./manifests.ts";

export type ProjectClaim = { span: [number, number]; judged: ClaimJudgement };

const denies = anyPhrase(["no|not|never|without|nor|isn't|aren't|doesn't|don't|neither|nowhere"]);
const planned = anyPhrase([
  "should|would|could|might|may|will|adding|install|consider|recommend\\p{L}*|upgrade to|bump to",
  "suggest\\p{L}*|if|latest|newer|publish\\p{L}*|releas\\p{L}*|tagged|crates\\.io|registry|available",
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

/** Without a lock file nobody knows which version of a range is meant. */
function mayFit(told: string, { ranges, versions }: Dependency): boolean {
  const version = bare(told).split(".").map(Number);
  if (versions.size > 0 || /^[\^~<>=]/.test(told)) return false;
  return [...ranges].some((range) => {
    const base = bare(range).split(/[,\s]/)[0]!.split(".").map(Number);
    const isOpen = /^\s*>/.test(range);
    if (!/^\s*[\^~>]/.test(range) || base.some(Number.isNaN)) return false;
    const at = base.findIndex((part, index) => (version[index] ?? 0) !== part);
    const isAbove = at < 0 || (version[at] ?? 0) > base[at]!;
    return isAbove && (isOpen || version[0] === base[0]);
  });
}

const farthest = 40;
/** Between a name and its version: nothing that another thing could be called. */
const isBeside = new RegExp(
  "^[\\s(@:=,`'\"v]*(?:(?:is|at|in|to|on|version|pinned|locked|resolved|resolves|installed|currently|" +
    "range|still)\\b[\\s(@:=,`'\"v]*){0,4}$",
  "i",
);

/** Every version belongs to the package that stands last before it, or first behind it where none does. */
function toldVersions(text: string, { dependencies }: Manifests): { name: string; told: string }[] {
  const names = [...text.matchAll(/@?[A-Za-z][\w./-]*[\w]/g)]
    .map(({ index, 0: word }) => ({ at: index, end: index + word.length, name: plainName(word) }))
    .filter(({ name }) => dependencies.has(name) && !languages.has(name));
  const short = shortNames(dependencies);
  return [...text.matchAll(version)].flatMap(({ index, 0: told }) => {
    const alias = /([A-Za-z][\w-]+) (?:is )?(?:at|pinned (?:at|to)|locked (?:at|to)) $/.exec(
      text.slice(0, index),
    )?.[1];
    const own = alias === undefined ? undefined : short.get(alias.toLowerCase());
    if (own !== undefined) return [{ name: own, told: told.trim() }];
    const before = names.findLast(({ end }) => end <= index && index - end < farthest);
    return before && isBeside.test(text.slice(before.end, index))
      ? [{ name: before.name, told: told.trim() }]
      : [];
  });
}

/** "chi" is `github.com/go-chi/chi/v5`, where no other module ends so. */
function shortNames(dependencies: Manifests["dependencies"]): Map<string, string> {
  const found = new Map<string, string[]>();
  for (const name of dependencies.keys()) {
    const last = name.split("/").findLast((part) => !/^v\d+$/.test(part));
    if (name.includes("/") && last !== undefined && !dependencies.has(last))
      found.set(last, [...(found.get(last) ?? []), name]);
  }
  return new Map(
    [...found].flatMap(([last, names]) => (names.length === 1 ? [[last, names[0]!]] : [])),
  );
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
    if (!fits(told, own) && mayFit(told, own)) continue;
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
    const name = match?.groups?.["name"]?.replace(/@[\^~\d][\w.^~-]*$|[.-]+$/, "");
    if (!match || name === undefined || !packageName.test(name) || has(planned, words)) continue;
    // "`make release` depends on `test`" speaks of targets.
    if ([...manifests.tasks.values()].some((table) => table.has(name))) continue;
    if (/\.(?:json|toml|lock|txt|ya?ml|[jt]sx?|py|rb|go|rs|mod)$/.test(name)) continue;
    const isNamed = code.some((one) => plainName(one) === plainName(name));
    return judgeListed(name, { text, isDenied: has(denies, words), isNamed, manifests });
  }
  return undefined;
}

type Listed = { text: string; isDenied: boolean; isNamed: boolean; manifests: Manifests };

function judgeUnlisted(
  name: string,
  { text, isDenied, isNamed, manifests }: Listed,
): ClaimJudgement | undefined {
  if (isDenied) return held(`no manifest names ${name}`);
  // "Jackson" is `jackson-databind`: a part of a name may be meant.
  const isPart = [...manifests.dependencies.keys()].some((one) => one.includes(plainName(name)));
  if (isPart) return held(`a manifest names ${name}`);
  // Words of a sentence are no names of packages, and other manifests are not read.
  return !isNamed || manifests.others
    ? undefined
    : counteredBy(`"${text.slice(0, 100)}", but no manifest names ${name}`);
}

function judgeListed(
  name: string,
  { text, isDenied, isNamed, manifests }: Listed,
): ClaimJudgement | undefined {
  const own = manifests.dependencies.get(plainName(name));
  if (!own) return judgeUnlisted(name, { text, isDenied, isNamed, manifests });
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
  `${token},?(?: which [\\w ]{1,30},)? (?:is|isn't|is not)(?: (?:not|also|already|even|only|currently))* ` +
    "(?:(?:listed|declared|required|pinned|locked|present) )?(?:in|at|among|by) (?:the |our )?" +
    "(?:lock ?file|manifest|requirements|pyproject\\.toml|package\\.json|go\\.mod|cargo\\.toml|gemfile|" +
    "composer\\.json|pom\\.xml|requirements\\.txt)",
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
