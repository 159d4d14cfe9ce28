// What a sentence says that a commit brought, or that stood there at it: names, values and versions, against
// its patch and its tree.
import type { Repository } from "../../../source/repository.ts";
import { counteredBy, held } from "../tree/countered.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { gitText, type Commit } from "./history-of.ts";
import type { ToldCommits } from "./read-commits.ts";

const patches = new WeakMap<Commit, string>();

/** The lines that it changed; empty where nobody knows. */
function patchOf(commit: Commit, root: string): string {
  const known = patches.get(commit);
  if (known !== undefined) return known;
  const text = gitText(root, ["show", "--format=", "--unified=0", "--no-color", commit.id]) ?? "";
  patches.set(commit, text);
  return text;
}

const brought = new RegExp(
  "\\b(?:introduc|add(?:s|ed|ing)?\\b|arriv|came|comes|brought|brings|creat|set\\b|sets\\b|rais|" +
    "lower|bump|chang|extend|remov|delet|dropp|drops|renam|mark|deprecat|since|adapt)\\w*",
  "i",
);
const anyVersion = /(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?![\w.]*\d)/g;
const fullVersion = /(?<![\w.])v?\d+\.\d+\.\d+(?![\w.]*\d)/g;
const stoodAt = /\b(?:up to|until|as of|at|before) ¢/i;
const unsaid = /\b(?:should|would|could|might|must|if|unless|whether|not|never|no|nothing)\b|n't/i;

/** Each part of a sentence that names one commit, and names or values with it. */
export function judgePatches(
  { words, commits, referents }: ToldCommits,
  { reader: { root } }: Repository,
): ClaimJudgement | undefined {
  if (root === undefined || commits.length === 0) return undefined;
  let right: ClaimJudgement | undefined;
  let [commitAt, placeAt] = [0, 0];
  for (const part of words.split(/; |\. |, (?:and|while|whereas|but) (?=the|that|its|¢)/)) {
    const own = commits.slice(commitAt, (commitAt += (part.match(/¢/g) ?? []).length));
    const here = referents.slice(placeAt, (placeAt += (part.match(/[§¶]/g) ?? []).length));
    const commit = own[0];
    if (!commit || own.some((one) => one !== commit) || unsaid.test(part)) continue;
    const values = [
      ...here.flatMap(({ text, paths }) => (paths === null ? valueOf(text) : [])),
      ...(part.match(/\bversions?\b/i.test(part) ? anyVersion : fullVersion) ?? []),
    ];
    const judged = judgeValues(values, { commit, part, root });
    if (judged?.verdict === "countered") return judged;
    right ??= judged;
  }
  return right;
}

/** The last part of a name, or a short value. */
const valueOf = (text: string): string[] => {
  const value = text.replace(/\(.*\)$/, "").split(/[.#]|::|->/);
  const last = /^\d/.test(text) ? text : value.at(-1)!;
  return /^[\w$./:-]{2,60}$/.test(last) ? [last] : [];
};

type At = { commit: Commit; part: string; root: string };

function judgeValues(
  values: readonly string[],
  { commit, part, root }: At,
): ClaimJudgement | undefined {
  const isAt = stoodAt.test(part);
  if (values.length === 0 || (!isAt && !brought.test(part))) return undefined;
  const patch = patchOf(commit, root);
  if (patch === "") return undefined;
  const isThere = (value: string): boolean =>
    patch.includes(value) ||
    `${commit.subject}\n${commit.body}`.includes(value) ||
    (isAt && gitText(root, ["grep", "-q", "-F", "-e", value, commit.id]) !== undefined);
  const strange = values.find((value) => !isThere(value));
  const shown = `${commit.id.slice(0, 7)} "${commit.subject.slice(0, 60)}"`;
  return strange === undefined
    ? held(`${shown} has ${values[0]}`)
    : counteredBy(`"${strange}", but ${shown} has it not`);
}
