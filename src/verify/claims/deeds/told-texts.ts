// What a refused or failed write would have put into its file, and a message that tells it as there: the tree
// decides, so nobody who may have written the file by other means is accused.
import { posix } from "node:path";
import type { RefusedWrite } from "../../evidence/edits.ts";
import type { ResultSetting } from "../gap-of.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead, standsAhead } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import { isFileName } from "./mentions-of.ts";
import { follows, orders } from "./is-taken-back.ts";
import { squeezedText } from "./told-content.ts";

export type ToldText = { span: [number, number]; path: string; named: string };

const name = /[\p{L}_$][\p{L}\d_$]{2,}/gu;
const mostFiles = 400;
const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/** The first clause that tells it, a write each. */
export function toldTexts(
  report: string,
  setting: ResultSetting,
  isTold: (path: string) => boolean,
): ToldText[] {
  const { refusals, edits } = setting.ledger;
  const left = refusals.filter(
    ({ path, order, text }) =>
      text !== "" &&
      !isTold(path) &&
      !edits.some((edit) => edit.path === path && edit.order === order),
  );
  if (left.length === 0) return [];
  const clauses = statementsOf(report)
    .filter((one) => one.kind !== "fence" && !isAside(one) && !standsAhead(one.under))
    .flatMap((statement) => statement.clauses.map((clause) => ({ statement, clause })))
    .filter(({ statement, clause }) => isClaim(statement, clause));
  return left.flatMap((refused) => toldOf(refused, clauses, setting)).slice(0, 2);
}

const isClaim = (statement: Statement, clause: Clause): boolean =>
  !isAhead(clause.words.replace(/next to/gi, "beside")) &&
  !orders.test(statement.words) &&
  !orders.test(clause.words) &&
  !has(denies, statement.words.replace(follows, "").replace(/no longer/gi, "")) &&
  isAsserted(statement, clause, [0, clause.words.length]);
const denies = anyPhrase([
  "not|never|(?:)\\p{L}+n't|cannot|without|still|lacks?|missing|proposed?|proposal",
  "suggest\\p{L}*|instead of|i'd|needs?|belongs?",
  "nicht|kein\\p{L}*|noch|pas|sin|não|no",
]);
/** It is said of each of several. */
const ofAll = anyPhrase([
  "both|all|each|every|everywhere|(?:two|three|four|five) \\p{L}+|alle[nrs]?|beiden?|jede\\p{L}*",
]);

function toldOf(
  { path, text }: RefusedWrite,
  clauses: readonly { statement: Statement; clause: Clause }[],
  setting: ResultSetting,
): ToldText[] {
  const whole = squeezedText(text);
  const now = squeezedText(setting.project.read(path) ?? "");
  const isMissing = (one: string): boolean => {
    const own = squeezedText(one);
    return own.length > 2 && whole.includes(own) && !now.includes(own);
  };
  for (const { statement, clause } of clauses) {
    const isOfIt =
      has(ofAll, statement.words) || has(ofAll, statement.under.join("\n")) || isNear(clause, path);
    const named = [...namedIn(clause), ...(isOfIt ? figuresIn(clause) : [])].filter(isMissing);
    const strange = isOfIt ? named : named.filter((one) => !standsElsewhere(one, path, setting));
    const [first] = strange.filter(({ length }) => length > 3);
    if (first !== undefined) return [{ span: clause.span, path, named: first }];
  }
  return [];
}

/** A folder of the file, or its name without an ending, is named beside it. */
function isNear({ words, code }: Clause, path: string): boolean {
  const said = new Set(
    [words, ...code]
      .join(" ")
      .toLowerCase()
      .match(/[\p{L}\d_]+/gu),
  );
  return path
    .toLowerCase()
    .split("/")
    .map((part) => part.replace(/\.\w+$/, ""))
    .some((part) => !usual.has(part) && said.has(part));
}
const usual = new Set(
  "src lib app apps packages index main test tests docs config package".split(" "),
);

const figuresIn = ({ words }: Clause): string[] =>
  [...words.matchAll(/(?<![\w.])(\d+(?:\.\d+)+|\d{4,})(?![\w%])/g)].map(([, text]) => text ?? "");

/** Code as a whole and its names, and quoted words. */
function namedIn({ words, code }: Clause): string[] {
  const spans = code.filter((one) => !isFileName(one.replace(/^\.\//, "")) && !isPlace.test(one));
  const quoted = [...words.matchAll(/["“„«]([^"”“»]{4,80})["”“»]/gu)].map(([, text]) => text ?? "");
  return [...spans, ...spans.flatMap((one) => one.match(name) ?? []), ...quoted];
}

/** A path, a folder, or the name of a file: what it holds is told by other words. */
const isPlace = /^[\w@.-]*\/[\w@./-]*$|^[\w-]*\.[a-z]{2,12}$|^(?:git|npm|npx|cargo|go|make) /;

/** Any other file of the project has it: what is told may be told of that. */
function standsElsewhere(named: string, path: string, { project }: ResultSetting): boolean {
  const own = squeezedText(named);
  const paths = project.paths().filter((one) => one !== path);
  if (paths.length > mostFiles) return true;
  return (
    paths.some((one) => squeezedText(posix.basename(one)).includes(own)) ||
    paths.some((one) => squeezedText(project.read(one) ?? "").includes(own))
  );
}
