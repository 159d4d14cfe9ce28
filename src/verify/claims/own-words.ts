// The last word before a claim is held against a message: is it the message's own, plain word? What a
// document lists, what is left to the reader, what nothing or nobody did: none is.
import { anyPhrase } from "./words/phrase.ts";
import { noTrouble, standsAhead } from "./words/says-done.ts";
import { isAside } from "./words/is-asserted.ts";
import { plainWords, statementsOf, type Clause, type Statement } from "./words/statements.ts";

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/** Somebody or something that is not a tool tells it; tools report, print and show. */
const others = anyPhrase(
  ["{who}(?: (?:also|itself|now|only|still|simply|explicitly|clearly|then|there))* {tells}"],
  {
    who: [
      "it|they|he|she|this|you|users?|customers?|maintainers?|authors?|reviewers?|colleagues?|upstream",
      "docs?|documentation|readme|changelog|guide|runbook|wiki|page|notes?|file|section|text|draft|checklist|template",
      "list|issue|ticket|thread|mail|message|comment|docstring|policy|contract|standard|plan|proposal|spec",
      "project|team|vendor|handoff|task|request|prompt|report|header|table|script|workflow|job|definition|pr|commit",
      "(?:)[\\w-]+\\.md",
    ],
    tells: [
      "lists?|says?|said|states?|stated|claims?|claimed|describes?|described|requires?|required|promises?|promised",
      "demands?|asks?|asked|mentions?|mentioned|documents|recommends?|reads|tells?|told|explains?|assumes?|insists?",
      "wants?|expects?|defines?|spells? out|stipulates?|prescribes?|suggests?",
    ],
  },
);

/** It is left to the reader. */
const advice = anyPhrase([
  "(?:yours|left (?:it |that |this |them )?(?:to|for|with) you|up to you|for you|your (?:call|turn|part|job)) ?(?:to)?",
  "you(?:'ll| will)? (?:can|could|may|might|should|must|need|have to|want|only have|just)|you'd|you'll",
  "(?:remember|don't forget|make sure|feel free|be sure) to|needs? to be|has to be|have to be|is to be|are to be",
]);

/** Nothing, none or nobody did it: with a participle behind it, unless it tells that nothing went wrong. */
const undone = anyPhrase([
  "(?:nothing|none(?: of \\p{L}+(?: \\p{L}+)?)?|nobody|no one|neither(?: of \\p{L}+)?)(?: (?:else|yet|here|at all))* " +
    "(?:was|were|is|are|has been|have been|had been|got|gets|has|have|did|went) ?(?:\\p{L}+ ){0,2}?" +
    "(?:\\p{L}+ed|run|done|built|sent|written|out|live|made|put)",
]);

/** "passed or failed", "pass/fail": both outcomes are named, and neither is claimed. */
const eitherWay = anyPhrase([
  "(?:pass|passes|passed|passing|succeed|succeeds|succeeded|green|success) ?(?:or|and|vs|versus|/) ?" +
    "(?:fail|fails|failed|failing|red|failure|not|skipped)",
]);

/** It is told as of an earlier time. */
const earlier = anyPhrase([
  "before|beforehand|earlier|prior to|until then|by then|at that point|previously|vorher|davor|avant|antes",
]);

export type OwnWords = {
  /** `isPlain`: it was read as the message's own plain word already. */
  isOwn: (one: { span: [number, number]; verdict: string }, isPlain: boolean) => boolean;
};

export function ownWords(report: string): OwnWords {
  const statements = statementsOf(report);
  const quoted = quotations(report);
  return {
    isOwn: ({ span, verdict }, isRead) => {
      if (quoted.some((at) => isWithin(span, at))) return false;
      const statement = statements.find((one) => overlaps(one.span, span));
      if (statement === undefined) return true;
      if (verdict === "stale" && has(earlier, statement.words)) return false;
      return isRead || isPlain(statement, span, report);
    },
  };
}

const overlaps = (a: [number, number], b: [number, number]): boolean => a[0] < b[1] && b[0] < a[1];

function isPlain(statement: Statement, span: [number, number], report: string): boolean {
  if (statement.kind === "fence") return true;
  if (isAside(statement) || standsAhead(statement.under)) return false;
  const own = statement.clauses.filter((clause) => overlaps(clause.span, span));
  // "It lists four steps: tests pass, the tag is pushed": the beginning speaks for what follows.
  const before = report.slice(statement.span[0], own[0]?.span[0] ?? span[0]).split(/[;–—]/);
  const lead = plainWords([before.at(-1), ...own.map(({ words }) => words)].join(" ")).words;
  return !has(others, lead) && !own.some(isTakenBack);
}

const isTakenBack = ({ words }: Clause): boolean =>
  has(advice, words.replace(follows, "")) ||
  has(eitherWay, words) ||
  has(
    undone,
    words.replace(noTrouble, (found) => "·".repeat(found.length)),
  );

/** "…, so you can merge it": what the reader can do now follows from what was done. */
const follows = /,? (?:so|and) (?:that )?you(?:'ll| will)?(?: (?:can|could|may))?\b.*$/i;

/** It stands in quotation marks: a message of a commit, a line of a file. */
export const isQuoted = (report: string, span: [number, number]): boolean =>
  quotations(report).some((at) => isWithin(span, at));

/** What stands in quotation marks is somebody's words, not the message's own. */
const quotations = (report: string): [number, number][] =>
  [...report.slice(0, 1024 * 1024).matchAll(/„[^“”"\n]{0,400}[“”"]|["“«][^"”“»\n]{0,400}["”»]/g)]
    .filter(({ 0: text }) => text.length > 14)
    .map(({ index, 0: text }) => [index, index + text.length]);

/** Most of it, up to its end: the lead, "the guide says", stands before. */
const isWithin = ([from, to]: [number, number], outer: [number, number]): boolean =>
  to > outer[0] && to <= outer[1] + 3 && 2 * (to - Math.max(from, outer[0])) >= to - from;
