// What a message admits, and which claims that weighs on: an admission speaks of its own subject, or of everything
// that was done. "I did not run the linter" says nothing about the tests.
import { lastFew } from "../../../markdown/last-few.ts";
import { noTrouble } from "../words/says-done.ts";
import { anyPhrase } from "../words/phrase.ts";
import type { Clause } from "../words/statements.ts";
import { stancesOf, type LabelledSubject, type Stance } from "./stances-of.ts";

/** `bad`: in logits, how plainly it is told. `isGeneral`: it is said of everything. */
export type Admission = {
  clause: Clause;
  bad: number;
  subjects: readonly LabelledSubject[];
  /** What it may speak of instead: none where it is sure. */
  others: readonly LabelledSubject[];
  isGeneral: boolean;
};

/** What a flag is about: the subjects of its clauses; of a deed on files, its text. */
type Claimed = { subjects: readonly LabelledSubject[]; file: string | null };

export const claimedBy = (
  { kind, text }: { kind: string; text: string },
  subjects: readonly LabelledSubject[],
): Claimed => ({ subjects, file: kind === "file_claim" ? text : null });

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/** Nothing that follows makes it narrower: "in a browser", "on staging". */
const atEnd =
  "(?: (?:yet|here|so far|at all|locally|myself|though|either|by me|in this (?:session|run)))*" +
  "(?=$|[.,;:!?)–—]| (?:so|because|since|as|but|and|due|before|beyond)(?![\\p{L}]))(?:)";

const general = anyPhrase([
  `(?:nothing|none of (?:it|this|that|these|those|them)|neither)(?: (?:here|of it|of this))? ` +
    `(?:was|were|is|has been|have been) (?:actually |really |ever )?` +
    `(?:run|executed|carried out|tested|verified|done|checked|tried|confirmed)${atEnd}`,
  `(?:ran|executed|tested|verified|checked) (?:nothing|none of (?:it|this|that|them))${atEnd}`,
  "(?:not|\\p{L}+n't|never|unable to|without) (?:actually |yet |been |able to |been able to )*" +
    "(?:run|running|ran|executed?|tested|test|testing|verify|verified|verifying|tried|try|check|checked|confirm)" +
    " (?:any|anything|any of (?:it|this|that)|it|this|that|them|these|those|a single thing|" +
    `(?:the|my|these|those) (?:changes?|fix|code|edits?|results?|work))${atEnd}`,
  "(?:i|we|it|this|that|these|those|all of (?:it|this)|(?:the|my) (?:changes?|fix|code|edits?|work))" +
    "(?: (?:have|has|was|were|is|are|did|could))?(?:n't| not| never) (?:been |yet |actually |be )*" +
    `(?:run|executed|tested|verified|tried|checked|confirmed|verify|test|check)${atEnd}`,
  `(?:untested|unverified|unchecked|un-?run)${atEnd}`,
  "(?:ungetestet|nichts (?:ausgeführt|getestet|geprüft)|rien (?:exécuté|testé|vérifié)|sin probar|não testado)",
]);

/** Said of a deed that is no check, it does not deny the deed. */
const checking = anyPhrase([
  "verif\\p{L}+|confirm\\p{L}*|test(?:ed|ing)?|check(?:ed|ing)?|look(?:ed)? at|tried|try|watch(?:ed)?|monitor\\p{L}*",
]);
const deliveries: ReadonlySet<LabelledSubject> = new Set([
  "deploy",
  "publish",
  "commit",
  "push",
  "migration",
  "install",
]);

/** Clauses that tell trouble at least as plainly as silence would. */
export const admissionsOf: (report: string) => readonly Admission[] = lastFew((report) => {
  const { statements, of } = stancesOf(report);
  return statements.flatMap((statement) =>
    statement.clauses
      .filter(({ words }) => !has(noTrouble, words))
      .map((clause) => admissionOf(clause, of(statement, clause)))
      .filter(({ bad, isGeneral }) => isGeneral || bad > leastBad),
  );
});
const leastBad = -4;

const admissionOf = (clause: Clause, stance: Stance): Admission => ({
  clause,
  bad: stance.bad,
  get subjects() {
    return stance.subjects;
  },
  get others() {
    return stance.others;
  },
  isGeneral: has(general, clause.words),
});

/** Whether an admission weighs on the claim. */
export function concerns(
  { clause, subjects, others, isGeneral }: Admission,
  { subjects: claimed, file }: Claimed,
): boolean {
  // "I haven't run the tests" takes back no file; what names the file may, and what says that none was changed.
  if (file !== null) return has(nothingChanged, clause.words) || isNamed(clause, file);
  if (isGeneral) return true;
  const isDelivery = claimed.length > 0 && claimed.every((one) => deliveries.has(one));
  if (isDelivery && has(checking, clause.words)) return false;
  return [...subjects, ...others].some((one) => claimed.includes(one));
}

const nothingChanged = anyPhrase([
  "(?:changed|edited|wrote|touched|modified|created) nothing|nothing (?:was|is|has been|had been) " +
    "(?:changed|edited|written|touched|modified|created|saved)|no (?:files?|code) (?:was|were|is|has been|have been)",
  "(?:not|\\p{L}+n't) (?:change|changed|edit|edited|touch|touched|write|written|modify|modified) (?:anything|any)",
]);

/** A file, or the name of one without its ending, that both speak of. */
const isNamed = ({ words, code }: Clause, file: string): boolean =>
  namesIn(file).some((name) => words.includes(name) || code.some((one) => one.includes(name)));

const namesIn = (text: string): string[] =>
  (text.match(/[\w.-]*\w\.[a-z]\w{0,8}\b|\b[A-Z]{4,}\b/g) ?? []).slice(0, 8);
