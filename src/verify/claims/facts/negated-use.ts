// A use that is denied, in whatever order of words: a word for none, a word for a use, one thing, and where. Every
// word of the clause must be accounted for; what narrows it otherwise leaves it open.
import type { Repository } from "../../../source/repository.ts";
import type { Place } from "../../verdict.ts";
import { isProse } from "../runs/edit-after.ts";
import { isTest } from "../tree/uses.ts";
import { isAccounted } from "../words/is-accounted.ts";
import { isVendored, referentsBefore, type Referent, type SentenceReading } from "./referents.ts";

/** `files`: where nothing may be; `verb`: what would be done there; `fits`: of whose lines it speaks. */
export type NegatedUse = {
  term: Referent;
  verb: string;
  said: string;
  /** The sentence with its marks, up to its end. */
  words: string;
  /** The sentence names a place, or only tests, or files of one language. */
  isScoped: boolean;
  isTests: boolean;
  files: readonly string[];
  nouns: readonly string[];
};

const none = new RegExp(
  "\\b(?:no|none|nothing|nobody|nowhere|never|not|neither|nor|zero|without|unused|unreferenced|untested|" +
    "dead(?: code)?)\\b|n't\\b",
  "gi",
);
const verbs = new RegExp(
  "\\b(?:us(?:e|es|ed|ing|age|ages|er|ers)|reads?|call(?:s|ed|ers?)?|refer(?:s|red)?|reference[sd]?|imports?|" +
    "imported|importers?|invo(?:kes?|ked|cations?)|" +
    "consum(?:es?|ed|ers?)|touch(?:es|ed)?|mention(?:s|ed)?|needs?|needed|" +
    "tests?|tested|specs?|covered|covers|exercise[sd]?|requires?|required|loads?|loaded|depends?|instantiate[sd]?|" +
    "access(?:es|ed)?|relies|rely|guarded|unused|unreferenced|untested|dead(?: code)?|make use)\\b",
  "i",
);
const languages: readonly [RegExp, RegExp][] = [
  [/^Go$/, /\.go$/],
  [/^(?:JavaScript|JS)$/i, /\.[cm]?jsx?$/],
  [/^(?:TypeScript|TS)$/i, /\.[cm]?tsx?$/],
  [/^Python$/i, /\.pyi?$/],
  [/^PHP$/i, /\.php$/],
  [/^Ruby$/i, /\.rb$/],
  [/^Rust$/i, /\.rs$/],
  [/^Java$/, /\.java$/],
  [/^Kotlin$/i, /\.kts?$/],
  [/^Elixir$/i, /\.exs?$/],
  [/^(?:shell|bash)$/i, /\.(?:sh|bash)$/],
  [/^Terraform$/i, /\.tf(?:vars)?$/],
];
/** They may be any file or any part of it. */
const isAnyPlace =
  /^(?:files?|code|sources?|modules?|places?|lines?|class(?:es)?|functions?|methods?|callers?|parts?|programs?)$/;
const subject = new RegExp(
  "\\b(?:[Nn]o|any|a single|not a|other)((?: (?:live|single|actual|other|source|main|application))*" +
    "(?: (?:[A-Z]\\w+|shell|bash|§))?) ([a-z]{3,}?)(?:s|es)?(?: of code)?(?: or ([a-z]{3,}?)s?)?(?=[ .,]|$)",
);
const labels =
  "(?:dev-|test-)?dependenc(?:y|ies)|macros?|constants?|variables?|helpers?|functions?|methods?|class(?:es)?|package|" +
  "crate|gem|library|option|flag|feature|key|settings?|parameters?|fields?|property|getter|types?|interface|" +
  "export|struct|enum";
const fillers = new RegExp(
  "\\b(?:outside(?: of)?|beyond|apart from|besides|except(?: for)?|other than) (?:its|the|their)(?: own)? " +
    "(?:definition|declaration|prototype)s?\\b|\\ba (?:definition|declaration|prototype) but\\b|" +
    "\\bafter (?:it|they) (?:has|have) been (?:set|made|read|parsed|declared)\\b|\\bat all\\b|" +
    "\\bas it (?:is|stands)\\b|\\b(?:currently|directly|really|any longer|any more|completely|entirely|known|" +
    "remaining|single|other|further|additional|else(?:where)?)\\b|" +
    `\\b(?:the |a |an |this |that )?(?:${labels})\\b`,
  "gi",
);
const breaks = new RegExp(
  "[;:()—–]| - |(?<![§¶]), (?!neither|nor|not )|(?<=[§¶]), (?![§¶]|neither|nor|not )|" +
    "\\b(?:because|since|but(?! no\\b)|although|though|yet|so that|so|hence)\\b|" +
    ",? and (?=no|nothing|the|it|that|not|never)\\b",
  "i",
);
/** "`x` in `a` is …", "declared in `a`": where the thing is made. */
const madeIn =
  /(?:§ (?:in|from|of)|\b(?:declared|defined|listed) (?:only )?in) ¶(?: (?:and|but)\b)?/;
const home = /^(?:Of|Among)(?: all)? the [\w -]{3,30} (?:in|of) [§¶](?: and [§¶])?, /;
const others = new RegExp(
  "\\b(?:only|except|apart|besides|other than|beyond|unless|until|if|when|should|would|could|might|may|once|most|" +
    "since|of which|of them)\\b|(?:not|n't)\\W*$",
  "i",
);

type Read = Omit<NegatedUse, "words">;

export function negatedUses(reading: SentenceReading, repo: Repository): NegatedUse[] {
  const { words } = reading;
  const found: NegatedUse[] = [];
  let at = home.exec(words)?.[0].length ?? 0;
  let before: readonly Referent[] = [];
  for (const clause of words.slice(at).split(breaks)) {
    const from = words.indexOf(clause, at);
    at = from + clause.length;
    const first = referentsBefore(words, from);
    const own = reading.referents.slice(first, first + referentsBefore(clause, clause.length));
    // "It is required, and not used by any file": of what stands before.
    const isRest =
      before.length > 0 &&
      own.every((one) => one.paths ?? languageOf(one)) &&
      /^ ?(?:not|never|isn't|aren't)\b/.test(clause);
    const text = isRest
      ? `${before.map(() => "§").join(" and ")} ${clause}`
      : clause.replace(/^ ?(?:and|or) /, "");
    const named = isRest ? [...before, ...own] : own;
    const short = text.split(/, (?:neither|nor|not)\b/)[0]!;
    const uses =
      readClause(text, named, repo) ??
      readClause(short, named.slice(0, referentsBefore(short, short.length)), repo);
    found.push(...(uses ?? []).map((use) => ({ ...use, words: words.slice(0, at) })));
    const things = own.filter(({ paths }) => paths === null);
    before = things.length > 0 ? things : before;
  }
  return found;
}

const bothKinds =
  /\bneither (?:the )?(?:main|production|source|library|application) nor (?:(?:the )?tests?(?: code)?\b|¶)/i;
const isTestsPlace = ({ text }: Referent): boolean => /\b(?:tests?|specs?)\b/.test(text);
const isTestWord = /^(?:un)?(?:test|spec)|^cover|^exercis/i;

type Homeless = { words: string; referents: readonly Referent[]; made: readonly string[] };

/** The words without where the thing is made, and what they name besides. */
function withoutHome(words: string, referents: readonly Referent[]): Homeless {
  const match = madeIn.exec(words);
  if (!match || words.search(none) < match.index) return { words, referents, made: [] };
  const at = match.index + match[0].indexOf("¶");
  const order = referentsBefore(words, at);
  const isSaid = /^(?:declared|defined)/.test(match[0]);
  return {
    words: words.slice(0, at) + words.slice(at + 1),
    referents: referents.filter((_, index) => index !== order),
    made: (isSaid && referents[order]?.paths) || [],
  };
}

/** "`a` and `b` have no use of `x`" */
const placeFirst =
  /^ ?(?:the )?(?=¶[^§]*\b(?:has|have|contains?|holds?|do|does|doesn't|don't|never)\b[^¶]*§)/i;
const list = /[§¶](?:(?:,| and| or| nor|, and|, or) [§¶])*/;

function readClause(
  clause: string,
  given: readonly Referent[],
  repo: Repository,
): Read[] | undefined {
  const isOfBoth = bothKinds.test(clause);
  const { words, referents, made } = withoutHome(
    clause.replace(bothKinds, "no code").replace(fillers, " ").replace(placeFirst, " in "),
    isOfBoth ? given.filter((one) => !isTestsPlace(one)) : given,
  );
  const verb = (words.match(new RegExp(verbs.source, "gi")) ?? []).join(" ").toLowerCase();
  if (verb === "" || words.search(none) < 0 || others.test(words)) return undefined;
  const scope = scopeOf(words, referents);
  const terms = termsOf(scope, referents);
  const users = usersOf(scope.rest, verb);
  if (terms.length === 0 || !users) return undefined;
  // Whether a file was touched, git knows.
  if (terms.some(({ paths }) => paths !== null) && /^(?:touch|read)/.test(verb)) return undefined;
  const { isTests, nouns } = users;
  // A test may cover what it does not name.
  if (isTests && /\bdirectly\b/i.test(clause)) return undefined;
  const language = users.language;
  const isMeant = (path: string): boolean =>
    (language?.test(path) ?? true) && (isTests ? isTest(path) : !isProse(path));
  const files = filesIn(scope, repo).filter((path) => isMeant(path) && !made.includes(path));
  let next = 0;
  const named = clause.replace(/[§¶]/g, () => given[next++]?.text ?? "…");
  const said = named.trim().replace(/[.,;:!]+$/, "");
  const isScoped = scope.places.length > 0 && !scope.isBesideTests;
  return terms.map((term) => ({ term, verb, said, isScoped, isTests, files, nouns }));
}

/** What is left when places are taken away: one thing, or one list of things. */
function termsOf({ places, rest }: Scope, referents: readonly Referent[]): Referent[] {
  const terms = referents.filter(
    (one, index) =>
      !places.some(({ text }) => text === one.text) &&
      !languageOf(one) &&
      referents.findIndex(({ text }) => text === one.text) === index,
  );
  const listed = list.exec(rest)?.[0] ?? "";
  const isOne = terms.length === 1 || referentsBefore(listed, listed.length) === terms.length;
  return isOne && terms.every((one) => !one.isWhole && !one.isOneOf) ? terms : [];
}

type Users = { nouns: string[]; language: RegExp | undefined; isTests: boolean };

/** What would use it; undefined where the clause says more than that. */
function usersOf(words: string, verb: string): Users | undefined {
  const kind = subject.exec(words);
  const nouns = [kind?.[2], kind?.[3]]
    .filter((noun) => noun !== undefined)
    .filter((noun) => isTestWord.test(noun) || !verbs.test(noun));
  const isKind = kind !== null && nouns.length > 0;
  const rest = (isKind ? words.replace(kind[0], " ") : words)
    .replace(none, " ")
    .replace(new RegExp(verbs.source, "gi"), " ")
    .replace(/[§¶]/g, " ");
  const named = isKind ? /(?<= )([A-Z]\w+|shell|bash)$/.exec(kind[1] ?? "")?.[1] : undefined;
  const language = named === undefined ? undefined : languageOf({ text: named, paths: null });
  if (!isAccounted(rest) || (named !== undefined && !language)) return undefined;
  const isTests = [verb, ...nouns].some((word) => isTestWord.test(word));
  const isAny = isTests || nouns.some((noun) => isAnyPlace.test(noun));
  return { nouns: isAny ? [] : nouns, language, isTests };
}

/** Of a place that is named, or of the project. */
function filesIn({ places, isBesideTests }: Scope, repo: Repository): readonly string[] {
  const isAll = places.length === 0 || places.some(({ isWhole }) => isWhole);
  const files = isAll
    ? repo.reader.list().paths.filter((path) => !isVendored(path))
    : places.flatMap(({ paths }) => paths ?? []);
  return isBesideTests ? files.filter((path) => !isTest(path)) : files;
}

type Scope = { places: readonly Referent[]; rest: string; isBesideTests: boolean };

const placed = new RegExp(
  "(?:,? ?\\b(?:(?:neither|nor|or|and|not even|not) )?)\\b(outside(?: of)?|in|under|inside|within|across|from|by|" +
    "below|beneath|[Nn]either|throughout)(?: any(?:thing|where)?(?: file)?(?: of| in)?)?" +
    "(?: the)?((?: (?:and |or |nor )?¶,?)+)" +
    "(?: (?:folder|directory|package|file|module|tree))?",
  "g",
);

/** The places behind "in", "under", "by", "from". */
function scopeOf(words: string, referents: readonly Referent[]): Scope {
  const places: Referent[] = [];
  let isBesideTests = false;
  const rest = words.replace(placed, (found, ...groups) => {
    const [lead, marks, index] = groups as [string, string, number];
    const first = referentsBefore(words, index);
    const own = referents.slice(first, first + referentsBefore(marks, marks.length));
    const isOutside = lead.startsWith("outside");
    if (isOutside && !own.every(isTestsPlace)) return found;
    isBesideTests ||= isOutside;
    places.push(...own.map((one) => (isOutside ? { ...one, isWhole: true } : one)));
    return " ";
  });
  return { places, rest, isBesideTests };
}

/** "No PHP file", "in any `.tf` file" */
function languageOf(one: Referent): RegExp | undefined {
  if (one.paths !== null) return undefined;
  const ending = /^\*?(\.[a-z]{1,5})$/.exec(one.text)?.[1];
  if (ending !== undefined) return new RegExp(`\\${ending}$`);
  return languages.find(([name]) => name.test(one.text))?.[1];
}

const views = /\.(?:vue|svelte|[jt]sx|html?|erb|twig|h?eex|blade\.php|php|astro)$/;
const kinds: Record<string, RegExp> = {
  script: /\.(?:sh|bash)$|(?:^|\/)(?:bin|scripts?)\//,
  template: views,
  view: views,
  page: views,
  component: views,
};

/** A resource, a route, a controller: its file is called so, or what it stands in. */
export function isOfNoun({ path, line }: Place, noun: string, repo: Repository): boolean {
  if (kinds[noun]?.test(path) || path.toLowerCase().includes(noun)) return true;
  const state = repo.open(path);
  if (!state.ok) return false;
  let depth = /^\s*/.exec(state.file.line(line))![0].length;
  for (let at = line; at > 0; at--) {
    const text = state.file.line(at);
    const own = /^\s*/.exec(text)![0].length;
    if (text.trim() === "" || (own >= depth && at < line)) continue;
    if (text.toLowerCase().includes(noun)) return true;
    depth = own;
  }
  return false;
}
