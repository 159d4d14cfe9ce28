// Which sentences say that a subject is in a good state: a stem and a predicate in one half of a
// sentence, or a pronoun that takes up the subject before. What is planned, doubted or denied is no claim.
import { goodWords, someWords } from "../words/good-words.ts";
import { isAside, isAsserted } from "../words/is-asserted.ts";
import { isAhead, noTrouble, saysGood, standsAhead, tellsFailure } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import type { ResultSubject } from "../result-subject.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isTestName } from "../runs/scope/is-test-name.ts";
import { checkStems, provedBy, strongGood, weakGood } from "./check-stems.ts";

export type SaidState = { subject: ResultSubject; statement: Statement; clause: Clause };

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/** Short code reads like any other word: "`vitest` is happy". */
const spelled = ({ words, code }: Pick<Clause, "words" | "code">): string => {
  let at = 0;
  return words.replace(/[§¤]/g, (mark) => {
    const text = code[at++] ?? "";
    return /^[a-z][a-z -]{1,24}$/.test(text) ? text : mark;
  });
};

const namesTest = ({ code }: Pick<Clause, "code">): ResultSubject[] =>
  code.some((one) => isTestName(one) && !one.includes("/")) ? ["tests"] : [];

const stemsIn = (text: string): ResultSubject[] =>
  checkStems.filter(({ named }) => has(named, text)).map(({ subject }) => subject);

const takesUp = anyPhrase([
  "^(?:and |so |now |then |afterwards,? |after that,? |after the \\p{L}+,? |with (?:that|this|" +
    "the)[^,]{0,40}?,? ?)*(?:they|it|it's|all|both|everything|these|those|that|" +
    "which|all of (?:them|it)|none|the (?:latter|result|results|output|status|outcome))",
]);
const everything = anyPhrase(["everything|all of (?:it|them)|alles|tout|todo|tudo"]);
const nothingRun = anyPhrase([
  "nothing (?:was|has been) (?:run|executed|tested|verified)|(?:ran|executed|tested) nothing|untested|unverified",
]);

/** Words of running, in a sentence that tells that it did not happen. */
const running = anyPhrase([
  "r[au]n(?:ning)?|re-?r[au]n|execut\\p{L}*|test(?:ed|ing)|verif\\p{L}*|check\\p{L}*|tr(?:y|ied)|" +
    "confirm\\p{L}*|part of",
  "buil[dt]|compil\\p{L}*|lint\\p{L}*|start(?:ed)?|ausgeführt|ausführen|laufen|geprüft|gebaut|lancé\\p{L}*|" +
    "exécut\\p{L}*",
  "ejecut\\p{L}*|probad\\p{L}+|rod\\p{L}+|testad\\p{L}+",
  "(?:)(?:运行|执行|测试|验证|実行|確認)(?:)",
]);

/** Subjects that the message itself calls not run: about them only a plain claim counts. */
function disowned(statements: readonly Statement[]): Set<ResultSubject> | "all" {
  const found = new Set<ResultSubject>();
  for (const { words, clauses } of statements) {
    if (has(nothingRun, words)) return "all";
    const text = spelled({ words, code: clauses.flatMap(({ code }) => code) });
    if (!tellsFailure(words) || !has(running, words)) continue;
    for (const subject of stemsIn(text)) found.add(subject);
  }
  return found;
}

const farthest = 70;
const predicates = [strongGood, goodWords, noTrouble];

/** The predicate stands close enough to the noun to speak of it; `named` null: a pronoun stands for it. */
function isCalledGood(text: string, named: RegExp | null): boolean {
  if (named === null) return predicates.some((pattern) => has(pattern, text));
  const good = predicates.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(
      ({ index, 0: found }) => [index, index + found.length] as const,
    ),
  );
  return [...text.matchAll(named)].some(({ index, 0: name }) => {
    const end = index + name.length;
    if (good.some(([from, to]) => from - end < farthest && index - to < farthest)) return true;
    const behind = text.slice(end);
    const weak = behind.search(weakGood);
    if (weak >= 0 && behind.slice(0, weak).trim().split(/\s+/).length <= 4) return true;
    return has(provedBy, text.slice(Math.max(0, index - 60), index));
  });
}

const isSaid = (statement: Statement, clause: Clause): boolean =>
  !isAside(statement) &&
  !standsAhead(statement.under) &&
  !tellsFailure(clause.words) &&
  !isAhead(clause.words) &&
  !has(someWords, clause.words) &&
  isAsserted(statement, clause, [predicateAt(clause.words), clause.words.length]);

/** Where the clause begins to say how it came out: what stands before may take it back. */
const predicateAt = (words: string): number =>
  Math.min(
    words.length,
    ...[strongGood, goodWords, weakGood, noTrouble]
      .map((pattern) => words.search(pattern))
      .filter((at) => at >= 0),
  );

/** A row of a table that tells of no failure. */
const isGoodTable = ({ kind, head }: Statement, all: readonly Statement[]): boolean =>
  kind === "row" &&
  !all.some((one) => one.head.join("|") === head.join("|") && tellsFailure(one.words));

/** Every half of a sentence that calls a subject good; `subjectsOf`: what a command in it would show. */
export function readStates(
  report: string,
  subjectsOf: (command: string) => readonly ResultSubject[] = () => [],
): SaidState[] {
  const statements = statementsOf(report).filter(({ kind }) => kind !== "fence");
  const denied = disowned(statements);
  if (denied === "all") return [];
  let recent: readonly ResultSubject[] = [];
  return statements
    .flatMap((statement) => {
      let said: readonly ResultSubject[] = [];
      return statement.clauses.flatMap((clause) => {
        const text = spelled(clause);
        const named = [...new Set([...stemsIn(text), ...clause.code.flatMap(subjectsOf)])];
        const own =
          named.length === 0 && isGoodTable(statement, statements)
            ? stemsIn(statement.head.join(" | "))
            : named;
        const found = statesIn(statement, clause, { own, recent, said });
        const told = own.length > 0 ? own : namesTest(clause);
        if (told.length > 0) [recent, said] = [told, told];
        else if (has(everything, text)) said = ["checks"];
        return found;
      });
    })
    .filter(({ subject }) => !denied.has(subject));
}

/** Subjects that the clause names, that stood in earlier sentences, and in this one. */
type Named = {
  own: ResultSubject[];
  recent: readonly ResultSubject[];
  said: readonly ResultSubject[];
};

function statesIn(statement: Statement, clause: Clause, { own, ...before }: Named): SaidState[] {
  if (!isSaid(statement, clause)) return [];
  const text = spelled(clause);
  const isOwn = own.length > 0;
  const subjects = isOwn ? own : subjectsBefore(statement, text, before);
  const isTicked = statement.box === "ticked" && text.split(/\s+/).length <= 6;
  return subjects
    .filter((subject) => {
      const stem = checkStems.find(
        (one) => one.subject === subject && isOwn && has(one.named, text),
      );
      return isTicked || isCalledGood(text, stem?.named ?? null);
    })
    .map((subject) => ({
      subject,
      statement,
      // A half that only says how it came out speaks of all that its sentence names.
      clause: isOwn ? clause : wholeOf(statement, clause),
    }));
}

const wholeOf = ({ words, clauses }: Statement, { span }: Clause): Clause => ({
  words,
  code: clauses.flatMap(({ code }) => code),
  span,
});

/** "They pass", "all green" below a heading that names it, "reran everything: green". */
function subjectsBefore(
  { under }: Statement,
  text: string,
  { recent, said }: { recent: readonly ResultSubject[]; said: readonly ResultSubject[] },
): readonly ResultSubject[] {
  const words = text.split(/\s+/).length;
  if (words > 10 || !(has(strongGood, text) || has(goodWords, text) || saysGood(text))) return [];
  const headed = under.flatMap((heading) => stemsIn(heading));
  if (words <= 8 && headed.length > 0) return headed;
  if (words <= 5 && said.length > 0) return said;
  if (has(takesUp, text) && recent.length > 0) return recent;
  return has(everything, text) ? ["checks"] : [];
}
