// What a sentence says that a commit brought, or that stood there at it: names, values and versions, against
// its patch and its tree.
import type { Repository } from "../../../../source/repository.ts";
import { counteredBy, held } from "../../tree/countered.ts";
import type { ClaimJudgement } from "../../judgement.ts";
import type { Referent } from "../../facts/referents.ts";
import { gitText, historyOf, type Commit } from "../history-of.ts";
import { topicOf, type ToldCommits } from "../read-commits.ts";

const patches = new WeakMap<Commit, string>();

/** The lines that it changed; empty where nobody knows. */
function patchOf(commit: Commit, root: string): string {
  const known = patches.get(commit);
  if (known !== undefined) return known;
  const shown =
    gitText(root, ["show", "--format=", "--unified=0", "--no-renames", "--no-color", commit.id]) ??
    "";
  // Ids of blobs hold any number.
  const text = shown.replace(/^index [\da-f.]+.*$/gm, "").replace(/^@@[^@]*@@/gm, "");
  patches.set(commit, text);
  return text;
}

const brought = new RegExp(
  "\\b(?:introduc|add(?:s|ed|ing)?\\b|arriv|came|comes|brought|brings|creat|set\\b|sets\\b|rais|" +
    "lower|bump|chang|extend|remov|delet|dropp|drops|renam|mark|deprecat|since|adapt|took|takes|went|cut|" +
    "doubl|halv|put\\b|dates? (?:from|back)|referenc|carr(?:y|ies|ied)|mention|trailer|append|insert|switch|alter)\\w*",
  "i",
);
const anyVersion = /(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?![\w.]*\d)/g;
const fullVersion = /(?<![\w.])v?\d+\.\d+\.\d+(?![\w.]*\d)/g;
const stoodAt = /\b(?:up to|until|as of|at|before) ¢/i;
const unsaid = /\b(?:should|would|could|might|must|if|unless|whether|not|never|no|nothing)\b|n't/i;

const cuts =
  /; |\. |, (?:and|while|whereas|but) (?=the|that|its|it|¢)| and (?=¢|was |were |is |has |later |then )/;
/** What was changed to what, the number of an issue, the name of a trailer. */
const changedTo =
  /\b(?:from|to) (\d{2,}(?:\.\d+)?)(?![\w.%]|\s?(?:files|lines|commits|tests|places))/g;
const tagged = /(?<![\w-])(?:[A-Z]{2,}-\d+|#\d+|[A-Z][a-z]+(?:-[a-z]+)*-by)\b/g;

/** Each part of a sentence that names one commit, and names or values with it. */
export function judgePatches(
  { words, commits, referents }: ToldCommits,
  repo: Repository,
): ClaimJudgement | undefined {
  const { root } = repo.reader;
  if (root === undefined || commits.length === 0) return undefined;
  let right: ClaimJudgement | undefined;
  let last: Commit | undefined;
  let [commitAt, placeAt] = [0, 0];
  for (const part of words.split(cuts)) {
    const own = commits.slice(commitAt, (commitAt += (part.match(/¢/g) ?? []).length));
    const here = referents.slice(placeAt, (placeAt += (part.match(/[§¶]/g) ?? []).length));
    const commit: Commit | undefined = own[0] ?? (/\bit\b/i.test(part) ? last : undefined);
    last = commit;
    if (!commit || own.some((one) => one !== commit) || unsaid.test(part)) continue;
    const judged = judgePart(part, { commit, places: here, root }, repo);
    if (judged?.verdict === "countered") return judged;
    right ??= judged;
  }
  return right;
}

function judgePart(part: string, at: Ways, repo: Repository): ClaimJudgement | undefined {
  const { commit, places, root } = at;
  const values = valuesIn(part, places);
  return (
    judgeWays(part, at) ??
    judgeValues(values, { commit, part, root }) ??
    judgeTopic(part, { commit, root, history: values.length > 0 ? [] : historyOf(repo) })
  );
}

/** Names, values, versions, tickets and trailers that a part tells. */
const valuesIn = (part: string, here: readonly Referent[]): string[] => [
  ...here.flatMap(({ text, paths }) => (paths === null ? valueOf(text) : [])),
  ...(part.match(/\bversions?\b/i.test(part) ? anyVersion : fullVersion) ?? []),
  ...(part.match(tagged) ?? []),
  ...[...part.matchAll(changedTo)].map((match) => match[1]!),
];

/** The last part of a name, or a short value. */
const valueOf = (text: string): string[] => {
  const value = text.replace(/\(.*\)$|[?!]?\/\d$|[?!]$/g, "").split(/[.#]|::|->/);
  const last = /^\d/.test(text) ? text : value.at(-1)!;
  return /^[\w$./:-]{2,60}$/.test(last) ? [last] : [];
};

type Ways = { commit: Commit; places: readonly Referent[]; root: string };
const takesAway = /\b(?:remov|delet|dropp|drops|strip)\w*\b[^¶]{0,40}?(?:\b(?:from|in) )?¶/i;
const putsIn = /\b(?:append|insert|adds|added|introduc|creat)\w*\b[^¶]{0,40}?(?:\b(?:to|in) )?¶/i;

/** Something was taken from a file in which no line was, or put where none was. */
function judgeWays(part: string, { commit, places, root }: Ways): ClaimJudgement | undefined {
  const [away, into] = [takesAway.exec(part), putsIn.exec(part)];
  const match = away ?? into;
  const place =
    match && places[(part.slice(0, match.index + match[0].length).match(/[§¶]/g) ?? []).length - 1];
  if (!place || (away && into) || place.paths?.length !== 1) return undefined;
  const { paths } = place;
  const counts = gitText(root, ["show", "--format=", "--numstat", commit.id, "--", paths[0]!]);
  const [, put, taken] = /^(\d+)\t(\d+)\t/.exec(counts ?? "") ?? [];
  if (put === undefined || (away ? taken : put) !== "0") return undefined;
  const what = away ? "took nothing from" : "put nothing into";
  return counteredBy(`${commit.id.slice(0, 7)} ${what} ${paths[0]}`);
}

type At = { commit: Commit; part: string; root: string };

function judgeValues(
  values: readonly string[],
  { commit, part, root }: At,
): ClaimJudgement | undefined {
  const isAt = stoodAt.test(part);
  // What was fixed may stand around the lines that the fix changed.
  const isFix = /\bfix(?:ed|es)\b/i.test(part);
  if (values.length === 0 || !(isAt || isFix || brought.test(part))) return undefined;
  const patch = isFix
    ? (gitText(root, ["show", "--format=", "--unified=9999", commit.id]) ?? "")
    : patchOf(commit, root);
  if (patch === "") return undefined;
  const isIn = (text: string, value: string): boolean =>
    /^\d+$/.test(value) ? new RegExp(`(?<!\\d)${value}(?!\\d)`).test(text) : text.includes(value);
  const isThere = (value: string): boolean =>
    isIn(patch, value) ||
    `${commit.subject}\n${commit.body}`.includes(value) ||
    (isAt && gitText(root, ["grep", "-q", "-F", "-e", value, commit.id]) !== undefined);
  const strange = values.find((value) => !isThere(value));
  return strange === undefined
    ? held(`${shown(commit)} has ${values[0]}`)
    : counteredBy(`"${strange}", but ${shown(commit)} has it not`);
}

const arrivedIn = new RegExp(
  "^(.{4,}?) (?:(?:was|were|is|are|has been|have been) )?(?:there|enforced|added|introduced|came|comes|arrived|" +
    "brought|dates?|in place|put in|put there|made)\\b[^¢§¶]{0,40}\\b(?:in|with|by|from|since|of) ¢",
  "i",
);

type Among = Pick<Ways, "commit" | "root"> & { history: readonly Commit[] };

/** "The timeout dates from ¢": one other commit has a constant of this name, or all the words, and this one none. */
function judgeTopic(part: string, { commit, root, history }: Among): ClaimJudgement | undefined {
  const told = arrivedIn.exec(part)?.[1];
  const topic = told === undefined ? [] : topicOf(told).filter((word) => word.length > 3);
  if (topic.length === 0 || history.length > mostCompared) return undefined;
  const own = textOf(commit, root).toLowerCase();
  const constant = new RegExp(`^\\+.*\\b${topic[0]!.toUpperCase()}[A-Z]* *[:=]`, "m");
  const others = history.filter((one) => {
    const text = textOf(one, root);
    return topic.length > 1
      ? topic.every((word) => text.toLowerCase().includes(word))
      : constant.test(text);
  });
  if (others.length !== 1 || topic.some((word) => own.includes(word))) return undefined;
  return counteredBy(`"${told!.trim().slice(0, 80)}", but that is in ${shown(others[0]!)}`);
}

const textOf = (one: Commit, root: string): string =>
  `${one.subject}\n${one.body}\n${patchOf(one, root)}`;
const mostCompared = 60;
const shown = ({ id, subject }: Commit): string => `${id.slice(0, 7)} "${subject.slice(0, 60)}"`;
