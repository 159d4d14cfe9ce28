// Numbers of things that have no kind of their own: entries of a list that is named, calls of something, ways out
// of a function, marks above tests. Every way to count is tried; where one that the words bind fails and none fits,
// the number is countered.
import { escapeRegExp } from "../../../../base/text/escape-reg-exp.ts";
import type { Repository } from "../../../../source/repository.ts";
import type { ClaimJudgement } from "../../judgement.ts";
import { isProse } from "../../runs/edit-after.ts";
import { counteredBy, held } from "../../tree/countered.ts";
import { isTest } from "../../tree/uses.ts";
import { elementsIn } from "../elements-in.ts";
import { listsNamed } from "./lists-named.ts";
import { nounOf } from "./noun-of.ts";
import { isVendored, referentsBefore, type Referent, type SentenceReading } from "../referents.ts";

/** `isBound`: the words leave no doubt that this is what is counted. */
type Count = { count: number; isBound: boolean; where: string };
type Numbered = {
  said: number;
  noun: string;
  whole: string;
  ahead: string;
  behind: string;
  /** Names in the sentence, those that stand right behind first. */
  names: readonly string[];
  paths: readonly string[];
};

const numbered =
  /(?<![\w.§¶/#:,-]|[\d.] )(\d{1,3}) ((?:(?!of |more |other )[a-z-]+ ){0,2}?)([a-z]{3,}(?:s|ries)|ways)\b/gi;
export const countsThings =
  /\b(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:[a-z-]+ ){0,2}[a-z]{3,}s\b/i;
/** Of these there is another number at every look. */
const loose = new RegExp(
  "^(?:lines|files|changes|commits|places|times|things|points|items|days|minutes|seconds|hours|weeks|" +
    "months|years|bytes|edits|runs|issues|problems|errors|warnings|failures|findings|hits|matches|results|" +
    "versions|words|characters|spaces|levels|parts|packages|workspaces|percents?|users|people|others|passes|tests|" +
    "megabytes|is|has|was|tries|attempts)$",
  "i",
);
const doubted = new RegExp(
  "\\b(?:about|around|roughly|some|over|at least|at most|more than|up to|first|last|next|all|these|those|than|" +
    "should|would|could|if|added|wrote|removed|another|other|per|every|of(?= the))(?: the)? $|[~≈]$",
  "i",
);

/** `before`: what "it" may mean. */
export function countedThings(
  reading: SentenceReading,
  before: readonly Referent[],
  repo: Repository,
): (ClaimJudgement | undefined)[] {
  const { words, referents } = reading;
  if (words.search(numbered) < 0) return [];
  const isAboutBefore = /^(?:It|They|That|This)\b/.test(words);
  const around = isAboutBefore ? [...before, ...referents] : referents;
  return [...words.matchAll(numbered)].slice(0, 6).map(({ index, 0: whole, 1: said, 3: noun }) => {
    const ahead = words.slice(0, index);
    const behind = words.slice(index + whole.length);
    if (
      loose.test(noun!) ||
      // What has a kind of its own is counted by it.
      (nounOf(noun!) ?? { isLoose: true }).isLoose !== true ||
      doubted.test(ahead) ||
      /^ (?:of|ago|later|earlier|each|in a row)\b/.test(behind)
    )
      return undefined;
    const from = referentsBefore(words, index);
    const order = [
      ...referents.slice(from),
      ...around.slice(0, isAboutBefore ? around.length : from).toReversed(),
    ];
    const names = order.filter(({ paths }) => paths === null).map(({ text }) => text);
    const paths = order.flatMap((one) =>
      one.isWhole ? [] : (one.paths ?? repo.definedAt(one.text).map(({ path }) => path)),
    );
    return judge(
      { said: Number(said), noun: noun!.toLowerCase(), whole, ahead, behind, names, paths },
      repo,
    );
  });
}

function judge(told: Numbered, repo: Repository): ClaimJudgement | undefined {
  const counts = [
    ...callsOf(told, repo),
    ...inFunction(told, repo),
    ...inNamed(told, repo),
    ...byNoun(told, repo),
    ...byMark(told, repo),
  ];
  const stranger = strangeItem(told, repo);
  if (stranger !== undefined) return counteredBy(`"${told.whole}", but ${stranger} stands nowhere`);
  const right = counts.find(({ count }) => count === told.said);
  if (right) return held(`counted: ${told.whole}`);
  const bound = counts.find(({ isBound }) => isBound);
  return bound && counteredBy(`"${told.whole}", but there are ${bound.count} (${bound.where})`);
}

/** "5 endings (png, jpg, gif)": one of the items that no file has, where others stand on one line. */
function strangeItem({ behind }: Numbered, repo: Repository): string | undefined {
  const list = /^ \(([\w.-]{2,20}(?:(?:,| and|, and) [\w.-]{2,20}){2,})\)/.exec(behind)?.[1];
  const items = list?.split(/, and |, | and /) ?? [];
  const known = items.filter((item) => repo.filesWith(item, 1).length > 0);
  const strange = items.find((item) => !known.includes(item));
  if (strange === undefined || known.length < 2) return undefined;
  const isTogether = repo
    .filesWith(known[0]!, 24)
    .some((file) =>
      file.linesWith(known[0]!).some((line) => known.every((one) => file.line(line).includes(one))),
    );
  return isTogether ? strange : undefined;
}

const textOf = (path: string, repo: Repository): string => {
  const state = repo.open(path);
  return state.ok ? state.file.text : "";
};

/** "2 calls to `$this->x->send`": a text that is no plain name is counted as it stands. */
function callsOf({ noun, behind, names }: Numbered, repo: Repository): Count[] {
  const name = /^ (?:to|of) (?:the )?§/.test(behind) ? names[0] : undefined;
  if (
    name === undefined ||
    !/^(?:calls|uses|usages|occurrences|references|invocations)$/.test(noun)
  )
    return [];
  const text = name.replace(/\(.*\)$/, "");
  const word = /[\w$]{3,}$/.exec(text)?.[0];
  if (word === undefined || /^\w+$/.test(text)) return [];
  const whole = new RegExp(`${escapeRegExp(text)}(?![\\w$])`, "g");
  const found = repo
    .filesWith(word, 60)
    .filter(({ path }) => !isProse(path) && !isVendored(path))
    .map((file) => ({ path: file.path, count: (file.text.match(whole) ?? []).length }))
    .filter(({ count }) => count > 0);
  const sum = (list: typeof found): number => list.reduce((all, { count }) => all + count, 0);
  const own = found.filter(({ path }) => !isTest(path));
  if (found.length === 0) return [];
  return [sum(own), sum(found), ...found.map(({ count }) => count)].map((count) => ({
    count,
    isBound: true,
    where: found[0]!.path,
  }));
}

/** What a function has, by the words for it; of some only how many different ones. */
const inBody: readonly { nouns: RegExp; has: RegExp; isDistinct: boolean }[] = [
  {
    nouns: /^(?:ways|errors|exceptions|failures|cases)$/,
    has: /\b(?:throw|raise|fail|panic!|bail!|return Err|Err\(|errors\.New|fmt\.Errorf)\b|\borElseThrow\b/g,
    isDistinct: false,
  },
  {
    nouns: /^(?:codes|statuses|responses|outcomes)$/,
    has: /\bStatus[A-Z]\w+|(?<![\w."'])[1-5]\d\d(?![\w."'])/g,
    isDistinct: true,
  },
  {
    nouns: /^(?:branches|arms|cases)$/,
    has: /^\s*(?:case|when|default|elif|else if)\b|=>/gm,
    isDistinct: false,
  },
];

function inFunction({ noun, names, whole, behind }: Numbered, repo: Repository): Count[] {
  const rows = inBody.filter(({ nouns }) => nouns.test(noun));
  const isOfErrors = noun !== "ways" || /\bfail|\bthrow|\breject|\berror/i.test(behind);
  const [name] = names;
  if (rows.length === 0 || name === undefined || !isOfErrors || /\btests?\b/i.test(whole))
    return [];
  const bodies = definitionsOf(
    name
      .replace(/\(.*\)$/, "")
      .split(/[.#]|::/)
      .at(-1)!,
    repo,
  );
  if (bodies.length !== 1) return [];
  return rows.flatMap(({ has, isDistinct }) => {
    const found = bodies[0]!.text.match(has) ?? [];
    const count = isDistinct ? new Set(found).size : found.length;
    return count === 0 ? [] : [{ count, isBound: noun !== "cases", where: bodies[0]!.path }];
  });
}

const definitionsOf = (name: string, repo: Repository): readonly { path: string; text: string }[] =>
  !/^\w+$/.test(name)
    ? []
    : repo
        .filesWith(name, 24)
        .filter(({ path }) => !isTest(path) && !isVendored(path) && !isProse(path))
        .flatMap(({ path }) => elementsIn(path, repo))
        .filter((one) => one.kind === "function" && one.name === name);

const links = new RegExp(
  "\\b(?:has|have|knows?|lists?|holds?|contains?|defines?|maps?|names?|covers?|includes?|supports?|" +
    "offers?|understands?|comes with|accepts?|(?:made|consists?|list|set|map) of)(?: \\w+)?\\s*$",
  "i",
);

/** "`byExt` knows 7 endings", "4 commands, all listed in the `commands` object". */
function inNamed({ names, ahead, behind }: Numbered, repo: Repository): Count[] {
  const isLed = links.test(ahead) || /\((?:)$/.test(ahead);
  const isBehind =
    /^[^§.;]{0,40}\b(?:listed|defined|declared|kept|registered) (?:in|by)\b[^§.;]{0,24}§/i.test(
      behind,
    ) || /^ in (?:the )?§ (?:object|map|list|array|table|enum|dict\w*|set|tuple)\b/i.test(behind);
  return names.slice(0, 3).flatMap((name, at): Count[] => {
    const lists = listsNamed(name, repo);
    const isBound = lists.length === 1 && at === 0 && (isBehind || isLed);
    return lists.map((one) => ({ ...one, isBound: isBound && one.count > 1 }));
  });
}

const mostNamed = 60;
const asserts = new RegExp(
  "(?:^|\\bthere (?:are|is)|\\b(?:has|have|knows?|lists?|holds?|contains?|defines?|declares?|" +
    "understands?|supports?|runs?|consists? of|made (?:up )?of|comprises?|offers?|ships|accepts?|provides?)|: )" +
    "(?: (?:exactly|currently|only|just|now))?\\s*$",
  "i",
);

/** "5 services": what settings or code call so. */
function byNoun({ noun, paths, said, ahead }: Numbered, repo: Repository): Count[] {
  if (said > mostNamed || !asserts.test(ahead)) return [];
  const spellings = [noun, noun.toUpperCase(), noun[0]!.toUpperCase() + noun.slice(1)];
  const all = [...new Set(spellings)].flatMap((name) => listsNamed(name, repo));
  const own = paths.length > 0 ? all.filter(({ where }) => paths.includes(where)) : [];
  const lists = own.length > 0 ? own : all;
  return lists.map((one) => ({ ...one, isBound: lists.length === 1 && one.count > 1 }));
}

/** "2 facts", "3 inline cases": marks that stand above a function. */
function byMark({ noun, whole, paths }: Numbered, repo: Repository): Count[] {
  const single = noun.replace(/ies$/, "y").replace(/s$/, "");
  const modifier = /^\d+ ([a-z]+) /.exec(whole)?.[1];
  const named = modifier === undefined ? single : `(?:${single}|${modifier}\\w*)`;
  const mark = new RegExp(`^\\s*(?:\\[|@|#\\[)${named}\\b`, "gim");
  const files = paths.filter(isTest);
  const count = files.reduce((sum, path) => sum + (textOf(path, repo).match(mark) ?? []).length, 0);
  return count === 0 ? [] : [{ count, isBound: true, where: files[0]! }];
}
