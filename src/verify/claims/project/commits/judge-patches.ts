// What a sentence says that a commit brought, or that stood there at it: names, values and versions, against
// its patch and its tree.
import type { Repository } from "../../../../source/repository.ts";
import { counteredBy, held } from "../../tree/countered.ts";
import type { ClaimJudgement } from "../../judgement.ts";
import type { Referent } from "../../facts/referents.ts";
import { gitText, type Commit } from "../history-of.ts";
import { type ToldCommits } from "../read-commits.ts";

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
    const judged = judgeValues(valuesIn(part, here), { commit, part, root });
    if (judged?.verdict === "countered") return judged;
    right ??= judged;
  }
  return right;
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

const brought = new RegExp(
  "\\b(?:introduc|add(?:s|ed|ing)?\\b|arriv|came|comes|brought|brings|creat|set\\b|sets\\b|rais|" +
    "lower|bump|chang|extend|remov|delet|dropp|drops|renam|mark|deprecat|since|adapt|took|takes|went|cut|" +
    "doubl|halv|put\\b|dates? (?:from|back)|referenc|carr(?:y|ies|ied)|mention|trailer|append|insert|switch|alter)\\w*",
  "i",
);

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

const shown = ({ id, subject }: Commit): string => `${id.slice(0, 7)} "${subject.slice(0, 60)}"`;
