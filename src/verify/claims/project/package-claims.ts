// Statements about packages, their versions and what they export, and about scripts and targets, against
// the manifests, the lock files and what is installed.
import type { Repository } from "../../../source/repository.ts";
import { isSentence } from "../facts/referents.ts";
import { isAside } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf, type Statement } from "../words/statements.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, held } from "../tree/countered.ts";
import { judgeTask, type NamedTask } from "./judge-task.ts";
import { judgeVersion } from "./judge-version.ts";
import { manifestsOf, type Manifests } from "./manifests.ts";
import { languageNames, plainName } from "./plain-name.ts";

export type ProjectClaim = { span: [number, number]; judged: ClaimJudgement };

const denies = anyPhrase(["no|not|never|without|nor|isn't|aren't|doesn't|don't|neither|nowhere"]);
const planned = anyPhrase([
  "should|would|could|might|may|will|adding|^install|(?:to|please|then|and) install|consider",
  "suggest\\p{L}*|if|latest|newer|publish\\p{L}*|releas\\p{L}*|tagged|crates\\.io|registry|available",
]);
const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

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
  const spoken = statementsOf(report).filter(isSentence);
  if (!spoken.some(mayTell)) return [];
  const manifests = manifestsOf(repo);
  if (manifests.files.length === 0) return [];
  let before: NamedTask | undefined;
  return spoken.flatMap((statement) => {
    if (!mayTell(statement)) return [];
    const isOrder = isAside(statement);
    const { judged: ofTask, task } = judgeTask(statement, manifests, { before, isOrder });
    before = task;
    if (isOrder)
      return ofTask?.verdict === "countered" ? [{ span: statement.span, judged: ofTask }] : [];
    const all = [
      has(planned, statement.words)
        ? undefined
        : judgeVersion(statement, spelledOut(statement).text, manifests),
      judgeDependency(statement, manifests),
      ofTask,
    ];
    const judged = all.find((one) => one?.verdict === "countered") ?? all.find(Boolean);
    return judged ? [{ span: statement.span, judged }] : [];
  });
}

/** Something in code, a version or a word for manifests: without any of them nothing here is told. */
const mayTell = ({ words }: Statement): boolean =>
  /[§¤]|\d\.\d|^(?:It|(?:This|That|The) (?:script|target|task|recipe))\b/.test(words) ||
  manifestWords.test(words);

const manifestWords = new RegExp(
  "\\b(?:dependenc(?:y|ies)|depends? on|manifests?|lockfile|requirements|" +
    "package(?:-lock)?\\.json|pyproject(?:\\.toml)?|go\\.mod|cargo\\.toml|gemfile|composer\\.json|" +
    "pom\\.xml|requirements\\.txt|group|published package)\\b",
  "i",
);
const isFile = /\.(?:json|toml|lock|txt|ya?ml|xml|[jt]sx?|py|rb|go|rs|mod)$|^(?:Gemfile|Pipfile)/i;

/** Packages in a half sentence that speaks of manifests: whether they are there, and of which kind. */
function judgeDependency(statement: Statement, manifests: Manifests): ClaimJudgement | undefined {
  let right: ClaimJudgement | undefined;
  for (const { words, code } of statement.clauses) {
    const { text } = spelledOut({ words, clauses: [{ words, code, span: statement.span }] });
    if (!manifestWords.test(text) || has(planned, words)) continue;
    const names = namesIn(text, code, manifests);
    // Of several packages a denial may mean one.
    const isDenied = has(denies, words.replace(/\bnot only\b/gi, ""));
    if (names.length === 0 || (isDenied && (names.length > 1 || !deniesListing(text, names[0]!))))
      continue;
    for (const name of names) {
      const isNamed =
        code.some((one) => plainName(one) === plainName(name)) || /^[A-Z]\w*[A-Z]/.test(name);
      const judged = judgeListed(name, { text, isDenied, isNamed, manifests });
      if (judged?.verdict === "countered") return judged;
      right ??= judged;
    }
  }
  return right;
}

/** It is not there; that nothing uses it is another matter. */
function deniesListing(text: string, name: string): boolean {
  const own = text.replaceAll(name, "¤");
  return new RegExp(
    "\\b(?:is|are|was)(?: not|n't)(?: even| currently| yet)? (?:an?|among|in|listed|declared|part|" +
      "direct|required|pinned|locked|present)\\b|\\b(?:does|do)(?: not|n't) (?:list|have|declare|" +
      "contain|depend|include|require|mention|name)\\b|\\bno (?:direct )?dependency on\\b|" +
      "\\bno (?:\\w+ )?¤|\\bneither\\b.*\\b(?:has|have|lists?|declares?|contains?|mentions?|depends)\\b",
    "i",
  ).test(own);
}

/** Declared packages anywhere, and what else is said to be one. */
function namesIn(
  text: string,
  code: readonly string[],
  { dependencies, tasks }: Manifests,
): string[] {
  const isTask = (name: string): boolean => [...tasks.values()].some((table) => table.has(name));
  const said = saysDependency
    .map((pattern) =>
      pattern.exec(text)?.groups?.["name"]?.replace(/@[\^~\d][\w.^~-]*$|[.-]+$/, ""),
    )
    .filter((name) => name !== undefined);
  const listed = [...code, ...(text.match(/@?[A-Za-z][\w./-]*[\w]/g) ?? [])].filter((name) => {
    const own = dependencies.get(plainName(name));
    return own !== undefined && own.kinds.size > 0 && !languageNames.has(plainName(name));
  });
  const absent = code.filter(
    (name) =>
      !dependencies.has(plainName(name)) && /^@?[a-z][a-z\d_-]*(?:\/[a-z\d_-]+)?$/.test(name),
  );
  // What nobody declares counts where it is all that the words name.
  const isOfFiles =
    /\.(?:json|toml|mod|txt)\b|lockfile|gemfile|dependencies|\b(?:dev|runtime|not an?) dependency/i;
  const only =
    listed.length === 0 && said.length === 0 && absent.length === 1 && isOfFiles.test(text)
      ? absent
      : [];
  return [...new Set([...said, ...listed, ...only])].filter(
    (name) => packageName.test(name) && !isTask(name) && !isFile.test(name),
  );
}

type Listed = { text: string; isDenied: boolean; isNamed: boolean; manifests: Manifests };

function judgeListed(
  name: string,
  { text, isDenied, manifests }: Listed,
): ClaimJudgement | undefined {
  const own = manifests.dependencies.get(plainName(name));
  if (!own) return undefined;
  // What only a lock file has, no manifest asks for; some manifests tell no kinds.
  const isLocked = own.kinds.size === 0 && /lock|go\.sum/i.test(own.place);
  const isAsked = !isLocked || !asksManifest.test(text) || manifests.others;
  if (isDenied === isAsked)
    return counteredBy(`"${text.slice(0, 100)}", but ${own.place} has ${name}`);
  if (isDenied) return held(`only ${own.place} has ${name}`);
  const kind = kindIn(text, manifests);
  return kind !== undefined && own.kinds.size > 0 && !own.kinds.has(kind)
    ? counteredBy(
        `"${text.slice(0, 100)}", but ${own.place} has it as ${[...own.kinds].join(", ")}`,
      )
    : held(`${own.place} has ${name}`);
}

const asksManifest =
  /\b(?:gemfile|package\.json|composer\.json|pyproject\.toml|cargo\.toml|go\.mod|mix\.exs|manifest)(?!\.lock)\b/i;
const dependencyKind =
  /\b(dev(?:elopment)?|peer|optional|runtime|regular|normal|production)[- ]?(?:only )?dependenc/i;
const section =
  /\b(?:under|in|among|from) (?:the )?(require-dev|require|(?:dev|peer|optional)?Dependencies|dev-dependencies)\b/i;

/** The part of a manifest, the group or the kind that a text tells. */
function kindIn(text: string, { dependencies }: Manifests): string | undefined {
  const part = section.exec(text)?.[1]?.toLowerCase();
  if (part !== undefined) return /dev|peer|optional/.exec(part)?.[0] ?? "runtime";
  const group = /(?:^|[\s:`])(\w+)`? group\b/.exec(text)?.[1]?.toLowerCase();
  const isGroup =
    group === "development" ||
    [...dependencies.values()].some(({ kinds }) => kinds.has(group ?? ""));
  if (group !== undefined && isGroup) return group;
  if (/\bpublished package (?:only )?(?:needs|requires|depends on|pulls in)\b/i.test(text))
    return "runtime";
  return dependencyKind
    .exec(text)?.[1]
    ?.toLowerCase()
    .replace(/production|regular|normal/, "runtime")
    .replace("development", "dev");
}

const token = "(?<name>@?[\\w][\\w.-]*(?:\\/[\\w.-]+)*)";
const saysDependency: readonly RegExp[] = [
  `${token} (?:is|was)(?: (?:not|only|just|already|also))*(?: listed as)? (?:an? |the )?(?:\\w+[- ]){0,2}dependency`,
  `${token} (?:isn't|is not) (?:an? |the )?(?:\\w+[- ]){0,2}dependency`,
  `\\b(?:depends|dependency) (?:up)?on (?:the )?${token}(?! \\w+ features)`,
  `\\bno ${token} (?:dependency|package|gem|crate)\\b`,
  `\\b(?:list|have|declare|name|require)s? ${token} (?:in|under|among) ` +
    "(?:the |our )?[\\w.]*(?:gemfile|manifest|\\.json|\\.toml|\\.mod)",
  `${token},? (?:is|isn't|is not) (?:one of|among) the (?:\\w+[- ]){0,2}dependencies`,
  `${token},?(?: which [\\w ]{1,30},)? (?:is|isn't|is not)(?: (?:not|also|already|even|only|currently))* ` +
    "(?:(?:listed|declared|required|pinned|locked|present) )?(?:in|at|among|by) (?:the |our )?" +
    "(?:lock ?file|manifest|requirements|pyproject\\.toml|package\\.json|go\\.mod|cargo\\.toml|gemfile|" +
    "composer\\.json|pom\\.xml|requirements\\.txt)",
].map((source) => new RegExp(source, "i"));
