// Files that a message tells as made or changed, where the record says otherwise: their write failed, it was
// taken back, or there was none. How plainly that is told is learned; the tree decides before anybody is accused.
import { posix } from "node:path";
import { isCommandText } from "../command-claims.ts";
import type { ResultSetting } from "../gap-of.ts";
import { failedWrite, notThere, unsupported, type ClaimJudgement } from "../judgement.ts";
import { stancesOf } from "../stance/stances-of.ts";
import { isAside } from "../words/is-asserted.ts";
import { standsAhead } from "../words/says-done.ts";
import { fatesOf, type Fate, type Fates } from "./fates-of.ts";
import {
  isFileName,
  mentionsOf,
  tellsChange,
  tellsLess,
  tellsRemoval,
  type FileMention,
} from "./mentions-of.ts";
import { namesOf } from "./names-of.ts";
import { toldTexts } from "./told-texts.ts";
import { isTakenBack, orders, toldRefusals } from "./is-taken-back.ts";
import { toldContent, squeezedText, standingIn, type ContentStanding } from "./told-content.ts";
import { besidesOf, toldChanged } from "./told-changed.ts";

/** `told`: in logits, how plainly the message says that the file was changed. */
export type UntoldFate = { span: [number, number]; judged: ClaimJudgement; told: number };

type Accused = Exclude<Fate, "written" | "open">;
type Found = { [fate in Accused]: UntoldFate[] };

const mostFlags = 3;

const reasons: { [fate in Accused]: (path: string) => ClaimJudgement } = {
  failed: (path) => failedWrite(`the write to ${path} failed`),
  undone: (path) => unsupported(`the change of ${path} was taken back`),
  untouched: (path) => unsupported(`no write to ${path} is recorded`),
  absent: (path) => unsupported(`there is no ${path}, and no write to it is recorded`),
};

/** By how the record stands to the file. */
export function untoldFates(report: string, setting: ResultSetting): Found {
  const found: Found = { failed: [], undone: [], untouched: [], absent: [] };
  const { edits, refusedWrites, deniedCalls } = setting.ledger;
  // A run that never tried to change anything describes what it read; what it says it deleted may still be there.
  const isReader = edits.length + refusedWrites.length + deniedCalls === 0;
  const fates = fatesOf(setting);
  const mentions = mentionsOf(report, namesOf(fates.files));
  const isAdmitted = admittedIn(report, setting, fates);
  for (const mention of mentions) {
    const path = placeOf(mention, fates);
    if (isReader && !(tellsRemoval(mention) && isInTree(path, setting))) continue;
    const fate = fateOf(path, mention, fates);
    if (fate === "written" || fate === "open" || found[fate].length >= mostFlags) continue;
    if (!isOwn(mention) || isTakenBack(mention, mentions, fate)) continue;
    if (fate === "failed" ? isAdmitted(path) : isToldOfRun(mention, path, setting)) continue;
    const told = toldChanged(mention, mentions, fates);
    const besides = besidesOf(mention, mentions, fates);
    const judged = judge({ mention, path, fate, besides, told }, setting);
    if (judged) found[fate].push({ span: spanOf(mention, report), judged, told });
  }
  if (isReader) return found;
  found.failed.push(
    ...toldTexts(report, setting, isAdmitted)
      .filter(({ span }) => !found.failed.some((one) => overlaps(one.span, span)))
      .map(({ span, path, named }) => ({
        span,
        judged: failedAt(
          isInTree(path, setting),
          `the write of \`${named.slice(0, 60)}\` to ${path} failed`,
        ),
        told: toldByText,
      })),
  );
  return found;
}

/** "`a` still lists it", "`a` is as it was" */
const staysSo =
  /\bstill (?:lists?|has|have|holds?|contains?|names?|says?|mentions?|uses?)\b|\bas (?:it was|they were)\b/i;

const overlaps = (a: [number, number], b: [number, number]): boolean => a[0] < b[1] && b[0] < a[1];

/**
 * What a run showed of a file is no change of it: "coverage of `a.js` is 83 %", "`npm pack` lists `a.js`", where the
 * command is on record and printed the name.
 */
function isToldOfRun(
  { statement, clause }: FileMention,
  path: string,
  { report, ledger }: ResultSetting,
): boolean {
  const { ok, subjects } = stancesOf(report).of(statement, clause);
  if (subjects[0] === "coverage" && ok > 0) return true;
  const name = posix.basename(path);
  return statement.clauses
    .flatMap(({ code }) => code)
    .filter(isCommandText)
    .some((command) => ledger.ran(command).some(({ run }) => run.output.includes(name)));
}

type Candidate = Pick<Told, "mention" | "besides"> & { path: string; fate: Accused; told: number };

/** Undefined where it is not told plainly enough, by what the tree has of it. */
function judge(
  { mention, path, fate, besides, told }: Candidate,
  setting: ResultSetting,
): ClaimJudgement | undefined {
  const content = toldContent(mention);
  const text = setting.project.read(path);
  const standing = standingIn(content, text);
  const isThere = isInTree(path, setting);
  if (told < leastTold(fate, { mention, besides, standing, isThere })) return undefined;
  return fate === "failed" && isNotThere({ path, content, text }, setting)
    ? failedAt(isThere, `the write to ${path} failed, and what is told is not there`)
    : reasons[fate](path);
}

/** A file that is not there leaves one reading; what is told of one that is may be meant otherwise. */
const failedAt = (isThere: boolean, reason: string): ClaimJudgement =>
  isThere ? failedWrite(reason) : notThere(reason);

const isInTree = (path: string, { project }: ResultSetting): boolean =>
  project.read(path) !== undefined || project.paths().includes(path);

/** In logits: words of a refused write that stand nowhere else are plain. */
const toldByText = 4;

type Told = {
  mention: FileMention;
  besides: "some" | "none" | "alone";
  standing: ContentStanding;
  isThere: boolean;
};

/** In logits: what the tree has of it, and what words say, decides how plainly it must be told. */
function leastTold(fate: Accused, told: Told): number {
  const { mention, besides, standing, isThere } = told;
  if (mention.by !== "path") return leastByName(fate, told);
  // Whoever says that it is gone speaks of the file itself, whatever stands in it.
  if (tellsRemoval(mention) && isThere) return 1;
  if (standing === "stands") return tellsLess(mention) ? 1.5 : 5;
  if (fate === "absent")
    return tellsChange(mention) || besides === "some" ? 1.5 : mention.at < 2 ? 3 : 5;
  return fate === "failed" && !isThere ? 1 : leastByWords(fate === "failed", told);
}

/** A change that is named needs fewer words than a file that is only listed. */
function leastByWords(isFailed: boolean, { mention, besides, standing }: Told): number {
  const isChange = tellsChange(mention);
  if (standing === "lacks") return isFailed ? 0.5 : 1;
  if (standing === "partly") return isChange ? 1.6 : 3;
  const isListed = besides === "some" && (isFailed || mention.at < 2);
  return isChange ? 1 : isListed ? 1.5 : 3;
}

/** A name is oftener that of a thing than that of its file: what is told must be missing there. */
function leastByName(fate: Accused, { mention, besides, standing, isThere }: Told): number {
  if (tellsRemoval(mention) && isThere) return 1;
  if (fate === "failed" && !isThere) return 1;
  if (fate === "failed") return standing === "lacks" ? 1 : standing === "unsaid" ? 2 : Infinity;
  return standing === "lacks" ? leastLacking(mention, besides) : Infinity;
}

function leastLacking(mention: FileMention, besides: Told["besides"]): number {
  const isChange = mention.tokens[0] === "new" || tellsChange(mention);
  if (!isChange && mention.at < 2) return 2;
  return isChange || besides === "some" ? 2.5 : Infinity;
}

/** Nothing of it can be misread: there is no such file, or what the refused call would have put there is not there. */
function isNotThere(
  { path, content, text }: { path: string; content: readonly string[]; text: string | undefined },
  { ledger, project }: ResultSetting,
): boolean {
  if (text === undefined) return !project.paths().includes(path);
  const refused = ledger.refusals.filter((one) => one.path === path).map((one) => one.text);
  const [meant, now] = [squeezedText(refused.join("\n")), squeezedText(text)];
  return content
    .map(squeezedText)
    .some((one) => one.length > 3 && meant.includes(one) && !now.includes(one));
}

/** A message that tells of a refused write speaks of the only one, of one that it names, or of all of them. */
function admittedIn(
  report: string,
  { ledger }: ResultSetting,
  fates: Fates,
): (path: string) => boolean {
  const left = new Set(ledger.refusedWrites.filter((path) => fates.of(path) !== "written"));
  // "I didn't touch `pyproject.toml`" admits nothing of another file.
  const told = toldRefusals(report).filter((words) => {
    const named = words.split(" ").filter(isFileName);
    return (
      !leftAlone.test(words) ||
      named.length === 0 ||
      named.some((one) => [...left].some((path) => path === one || path.endsWith(`/${one}`)))
    );
  });
  if (told.length === 0) return () => false;
  return (path) =>
    left.size <= 1 ||
    told.some(
      (words) =>
        /\b(?:both|all|everything|nothing|none|neither|two|rest|others?)\b/i.test(words) ||
        path
          .split("/")
          .some((part) => part.length > 1 && words.includes(part.replace(/\.\w+$/, ""))),
    );
}

const leftAlone = /(?:n't|\bnot|\bnever) (?:been )?(?:touch|chang|edit|modif)/i;

const isOwn = ({ statement, clause }: FileMention): boolean =>
  !isAside(statement) &&
  !standsAhead(statement.under) &&
  !orders.test(statement.words) &&
  !orders.test(clause.words) &&
  !staysSo.test(clause.words) &&
  !looks.test(statement.words);
/** What somebody looked at: "I reviewed the new test file (`a_test.go`)". */
const looks = new RegExp(
  "^(?:(?:I|we)(?:'ve| have)? (?:also |then |only |just )?)?(?:reviewed|read|looked (?:at|through)|checked|examined|" +
    "inspected|compared|analy[sz]ed|went through|investigated|studied)(?! (?:and|,))\\b" +
    "(?!.*\\band (?:then )?\\w+ed\\b)",
  "i",
);

/** Of several files with this name the one whose folder is named beside it. */
function placeOf({ path, statement, clause }: FileMention, fates: Fates): string {
  const all = fates.namesakes(path);
  if (all.length < 2) return all[0] ?? path;
  const beside = [[clause.words, ...clause.code], [statement.words], statement.under];
  for (const texts of beside) {
    const words = new Set(
      texts
        .join(" ")
        .toLowerCase()
        .match(/[\p{L}\d_-]+/gu),
    );
    const near = all.filter((one) =>
      one
        .split("/")
        .slice(0, -1)
        .some(
          (part) =>
            words.has(part.toLowerCase()) && !all.every((other) => other.split("/").includes(part)),
        ),
    );
    if (near.length === 1) return near[0]!;
  }
  return path;
}

/** Where several files have the name, it is told of one that was written. */
const fateOf = (path: string, mention: FileMention, fates: Fates): Fate =>
  path !== mention.path || fates.namesakes(path).length < 2
    ? fates.of(path)
    : fates.isWritten(path)
      ? "written"
      : "open";

/** Beside other files only its own name is wrong. */
function spanOf({ clause, text }: FileMention, report: string): [number, number] {
  const [from, to] = clause.span;
  const at = report.indexOf(text, from);
  const isOne = (clause.words.match(/§/g)?.length ?? 0) < 2;
  return isOne || at < 0 || at >= to ? clause.span : [at, at + text.length];
}
