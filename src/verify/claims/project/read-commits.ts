// The commits that a sentence speaks of: by their id, their message, their place in the history, as the one
// before or after another, or by what they brought. Each becomes `¢` in its words, files become `¶`.
import type { Repository } from "../../../source/repository.ts";
import { readReferents, type Referent } from "../facts/referents.ts";
import type { Statement } from "../words/statements.ts";
import type { Commit } from "./history-of.ts";

/** `words`: commits as `¢`, places as `¶`. */
export type ToldCommits = { words: string; commits: Commit[]; referents: readonly Referent[] };

/** `lately`: the one commit that the sentence right before names, which "it" means. */
type Known = {
  history: readonly Commit[];
  before: Commit | undefined;
  lately?: Commit | undefined;
  repo: Repository;
};

export const commitId = /(?<![\w/.-])(?=[a-f]*\d)[0-9a-f]{7,40}(?![\w-])/g;
const idOf = /^(?=[a-f]*\d)[0-9a-f]{7,40}$/;
const quotation = /["“„«](?<title>[^"”“»]{4,160})["”»]/;
const ordinals = ["first", "second", "third", "fourth", "fifth"];
const placed = new RegExp(
  "\\b(?:the )?(?:(?<last>last|latest|most recent|newest)|(?<nth>first|initial|oldest|earliest|" +
    "second|third|fourth|fifth))" +
    '(?: one| of them)?(?: commit\\b(?! (?:that|which|to)\\b)|(?= being | is ["“¢]| was ["“¢]))|' +
    "\\bthe (?<newest>newest|latest|last|most recent) of (?:the |all )?(?:\\w+ )?commits\\b|" +
    "(?<head>\\bHEAD\\b)",
);
const release = /\bthe (?<release>release|version bump)(?: commit)?\b(?! (?:notes|process|branch))/;
const pointed = /\b(?<that>(?:that|this|the same) commit)\b/;
const all = new RegExp(
  [
    quotation.source,
    "[§¤]",
    `(?<id>${commitId.source})`,
    placed.source,
    release.source,
    pointed.source,
  ].join("|"),
  "gi",
);

export const says = ({ subject, body }: Commit, quoted: string): boolean =>
  `${subject}\n${body}`.toLowerCase().includes(quoted.toLowerCase().replace(/\.$/, ""));

/** The one commit that has this message. */
function titled(text: string, history: readonly Commit[]): Commit | undefined {
  const exact = history.filter(({ subject }) => subject === text);
  const found = exact.length > 0 ? exact : history.filter((one) => says(one, text));
  return found.length === 1 ? found[0] : undefined;
}

const byId = (text: string, history: readonly Commit[]): Commit | undefined =>
  idOf.test(text) ? history.find(({ id }) => id.startsWith(text)) : undefined;

const isRelease = ({ subject }: Commit): boolean =>
  /^(?:release\b|v?\d+\.\d+|bump (?:the )?version)|\b(?:release|version) v?\d+\.\d+/i.test(subject);

type Groups = Record<string, string | undefined>;

/** Newest first; merges and branches leave "the second" open. */
function meant(groups: Groups, { history, before }: Known): Commit | undefined {
  const nth = groups["nth"]?.toLowerCase();
  if (groups["id"] !== undefined) return byId(groups["id"], history);
  if (groups["title"] !== undefined) return titled(groups["title"], history);
  if (groups["that"] !== undefined) return before;
  if (groups["release"] !== undefined) return history.find(isRelease);
  if (nth === undefined) return history[0];
  const index = ordinals.indexOf(nth);
  return history.at(index < 0 ? -1 : -1 - index);
}

const itsDeed = new RegExp(
  "\\bit (?:(?:also|only|then|really|just|actually) )*(?:chang|add|introduc|delet|remov|creat|set|sets|rais|" +
    "lower|bump|took|renam|touch|updat|replac|brought|append|insert|switch|alter|dropp|drops)\\w*",
  "i",
);

/** `before`: what "that commit" means. */
export function readCommits(statement: Statement, known: Known): ToldCommits {
  const code = statement.clauses.flatMap((clause) => clause.code);
  const commits: Commit[] = [];
  const kept: string[] = [];
  let at = 0;
  const marked = statement.words.replace(all, (found, ...rest) => {
    const isCode = found === "§" || found === "¤";
    const text = isCode ? (code[at++] ?? "") : "";
    const commit = isCode
      ? (byId(text, known.history) ?? (/\s/.test(text) ? titled(text, known.history) : undefined))
      : meant(rest.at(-1) as Groups, known);
    if (isCode && !commit) kept.push(text);
    if (!commit) return found;
    commits.push(commit);
    return "¢";
  });
  const isIt = commits.length === 0 && known.lately !== undefined && itsDeed.test(marked);
  if (isIt) commits.push(known.lately!);
  const told = isIt ? marked.replace(itsDeed, (found) => found.replace(/^it/i, "¢")) : marked;
  const words = withNeighbours(told, commits, known);
  const clauses = [{ words, code: kept, span: statement.span }];
  const reading = readReferents(
    { ...statement, words: words.replace(/[§¤]/g, "§"), clauses },
    known.repo,
  );
  return { words: reading.words, commits, referents: reading.referents };
}

const countOf = (text: string, mark: string): number => text.split(mark).length - 1;
const neighbour = new RegExp(
  "\\b(?:the (?:one|commit)|one commit)(?: right| directly| just)? (?:(?<older>before|preceding|earlier)|" +
    "(?<newer>after|following|later))" +
    "(?:(?<named> ¢)| (?:it|that|that one)\\b|(?! (?:the|an?|my|our|your|this|each|every)\\b| [§¶¤]))|" +
    "\\bits (?<parent>parent)\\b",
  "i",
);

/** "The one before": of the commit that is named there, or that was named last. */
function withNeighbours(words: string, commits: Commit[], { history, before }: Known): string {
  const match = neighbour.exec(words);
  if (!match) return words;
  const groups: Groups = match.groups ?? {};
  const first = countOf(words.slice(0, match.index), "¢");
  const isNamed = groups["named"] !== undefined;
  const base = isNamed ? commits[first] : (commits[first - 1] ?? before);
  const place = base ? history.indexOf(base) + (groups["newer"] === undefined ? 1 : -1) : -1;
  const found = place < 0 ? undefined : history[place];
  if (!found) return words;
  commits.splice(first, isNamed ? 1 : 0, found);
  return `${words.slice(0, match.index)}¢${words.slice(match.index + match[0].length)}`;
}

const small = new Set(
  (
    "the a an and or of to in on for with was were is are be been it its this that add added adds came come in " +
    "introduced arrived landed before after from then than later earlier first support new use commit commits"
  ).split(" "),
);
const stem = (word: string): string =>
  word.toLowerCase().replace(/(?:ations?|ating|ates?|ated|ions?|ings?|ers?|ies|ed|es|s|e|y)$/, "");

/** Words that tell what something is about. */
export const topicOf = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}]{3,}/gu) ?? [])
    .filter((word) => !small.has(word.toLowerCase()))
    .map(stem)
    .filter((word) => word.length > 2);

const conventional =
  /^(?:feat|fix|chore|docs?|refactor|tests?|ci|build|style|perf)(?:\([^)]*\))?!?: /;

/** The one commit whose subject shares most with the words, and more than any other. */
export function commitAbout(text: string, history: readonly Commit[]): Commit | undefined {
  const topic = new Set(topicOf(text));
  const scored = history
    .map((commit) => {
      const own = new Set(topicOf(commit.subject.replace(conventional, "")));
      return { commit, score: [...topic].filter((word) => own.has(word)).length };
    })
    .toSorted((a, b) => b.score - a.score);
  const [best, next] = scored;
  return best && best.score > 0 && best.score > (next?.score ?? 0) ? best.commit : undefined;
}
