// Figures that nobody printed: a measured number in a message that stands in no output, input, prompt
// or file of the run, nor follows from two that do.
import type { CommandRun } from "../../evidence/command-runs.ts";
import type { Ledger } from "../../evidence/ledger.ts";
import { readings } from "../../evidence/printed-figures.ts";
import { contradicted, unsupported, type ClaimJudgement } from "../judgement.ts";
import { stancesOf } from "../stance/stances-of.ts";
import { isAside } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { isAhead } from "../words/says-done.ts";
import { wordsOfNow } from "../words/words-of-now.ts";
import { statementsOf, type Statement } from "../words/statements.ts";

/** `deed`: nobody need say of a figure that something ended well. */
export type StrangeFigure = { span: [number, number]; judged: ClaimJudgement; deed: true };

/** In logits: less plainly than this a figure is told as no result at all. */
const leastPlain = -1.9;
/** As plainly as this it is one, whatever words stand beside it. */
const plain = 0;

/** `values`: as it may be read; `scales`: other units that it may have been printed in. */
type Figure = { text: string; values: number[]; digits: number; unit: string; scales: number[] };

const number = "(?:\\d{1,3}(?:[ \\u00a0\\u2009]\\d{3})+(?!\\d)|\\d+(?:[.,'\\u202f]\\d+)*)";
const measured = new RegExp(
  `(?<![A-Za-z\\d_./#@-]|\\d:)(?![45]\\d\\ds)(${number}) ?(%|percent|Prozent|por ciento|` +
    "(?:ms|µs|ns)(?:/op)?|s|sec(?:onds?)?|[KMG]i?B|kB|bytes|B/op|ops/s|req(?:uests)?/s|requests|queries|" +
    "passing|passed|tests?|Tests|" +
    "pending|skipped|errors?|warnings?|peticiones|requêtes|个(?:测试)?|件のテスト)(?![A-Za-z\\d_/])",
  "gu",
);
/** A decimal in a cell or behind the name of a measure; "Perl 5.6" is a version. */
const decimal = new RegExp(
  "(?<![\\p{L}\\d_./:#@v-])(?<![^.:!?|*] \\p{Lu}\\p{Ll}+ (?=[1-9]))(\\d+[.,]\\d{1,4})(?![\\p{L}\\d_.,/%-])",
  "gu",
);

const thousand = [1000, 1024, 1e6, 1024 * 1024, 1e9];
const scalesOf = (unit: string): number[] => {
  if (/^(?:%|percent|Prozent|por ciento)$/i.test(unit)) return [0.01];
  if (/^(?:[KMG]i?B|kB|bytes|B\/op|[mµn]?s|[mµn]s\/op|sec(?:onds?)?)$/.test(unit))
    return [...thousand, ...thousand.map((one) => 1 / one), 60, 1 / 60];
  return [];
};

const figureOf = (text: string, unit: string): Figure => ({
  text: unit === "" ? text : `${text} ${unit}`,
  values: readings(text.replace(/[\u202f\u00a0\u2009 ]/g, "")),
  digits: /[.,](\d{1,2}|\d{4,})$/.exec(text)?.[1]?.length ?? 0,
  unit,
  scales: scalesOf(unit),
});

/** About a number that nobody needs to have measured. */
const guessed = anyPhrase([
  "about|around|roughly|approx\\p{L}*|estimat\\p{L}*|expect\\p{L}*|up to|at (?:most|least)|less than|more than",
  "over|under|below|above|limit\\p{L}*|threshold|max\\p{L}*|min\\p{L}*|default\\p{L}*|timeouts?|every|each|per|within",
  "target|goal|budget|typical\\p{L}*|usual\\p{L}*|almost|nearly|half|etwa|circa|rund|environ|aproximad\\p{L}+|大约|约",
  "for example|e\\.g\\.|version|capped?|raised?|lower(?:ed)?|set|increas\\p{L}+|bump\\p{L}+|delay|wait\\p{L}*|interval",
  "retry|retries|backoff|ttl|cache\\p{L}*|poll\\p{L}*|debounc\\p{L}+|throttl\\p{L}+|added|wrote|new|existing|of the",
  "(?:)[~≈≤≥<>](?:)",
]);
/** Behind a number: it was set or counted, not measured. */
const setBehind = anyPhrase([
  "or so|limit\\p{L}*|threshold|max\\p{L}*|min\\p{L}*|default\\p{L}*|timeouts?|each|per|budget|added|more|delay",
  "of the|new|interval|cap",
]);
const isMeasure = anyPhrase([
  "measur\\p{L}*|benchmark\\p{L}*|coverage|covered|accuracy|precision|recall|f1|bleu|chrf|score",
  "auc|rmse|mae|ndcg|iou|perplexity",
  "mean|average|p\\d\\d|took|takes",
  "went from|down (?:to|from)|up (?:to|from)|from|before|after|faster|slower|reduc\\p{L}+",
  "passing|passed|pass|pending|skipped",
  "size|latency|throughput|memory|load|result|results",
  "confirm\\p{L}*|verif\\p{L}*|tests?|bundle|speed\\p{L}*|loss|is at",
  "abdeckung|testabdeckung|durchsatz|gemessen|bestanden|laufen",
  "liegt|couverture|mesuré|est à|cobertura|medí|medido|pasan",
  "(?:)(?:通过|测得|覆盖率|结果|カバレッジ|→)(?:)",
]);
const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

function figuresIn(statement: Statement): Figure[] {
  const { kind } = statement;
  const words = wordsOfNow(statement);
  const found = [...words.matchAll(measured)].map(([, text, unit]) => figureOf(text!, unit!));
  const rest = words.replace(measured, " ");
  const bare = kind === "row" || has(isMeasure, words) ? [...rest.matchAll(decimal)] : [];
  return [...found, ...bare.map(([, text]) => figureOf(text!, ""))];
}

export function strangeFigures(report: string, ledger: Ledger): StrangeFigure[] {
  const { figures, commands, edits } = ledger;
  const isIdle = edits.length === 0 && !commands.some(({ tests }) => tests !== null);
  if (isIdle || ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  // Asked last: the numbers of the whole run are read for it.
  if (figures.isFull) return [];
  const pool = derived(report, commands, ledger);
  const stances = stancesOf(report);
  return statementsOf(report).flatMap((statement): StrangeFigure[] => {
    const { words, span } = statement;
    if (statement.kind === "fence" || isAside(statement) || isAhead(words)) return [];
    const said = stances.okAt(span) ?? 0;
    if (said < leastPlain || (said < plain && !speaksOfMeasure(statement))) return [];
    const strange = figuresIn(statement).find(
      (one) =>
        !isGuessed(one, statement) &&
        !isPrinted(one, ledger) &&
        !isVersion(one, commands) &&
        !pool(one),
    );
    if (!strange) return [];
    const label = sameLabel(strange, words, commands);
    return [
      {
        span,
        judged:
          label === undefined
            ? unsupported(`no output, input or file of this run shows ${strange.text}`)
            : contradicted(`recorded: ${label}, not ${strange.text}`),
        deed: true,
      },
    ];
  });
}

const speaksOfMeasure = ({ words, head, under }: Statement): boolean =>
  has(isMeasure, [words, ...head, ...under.filter((one) => /\bcoverage\b/i.test(one))].join(" "));

/** `py311`, `php82`: a version without its dot. */
const isVersion = ({ text, unit }: Figure, commands: readonly CommandRun[]): boolean =>
  unit === "" &&
  commands.some(({ output, command }) =>
    new RegExp(`[a-z]${text.replace(/[.,]/g, "")}(?!\\d)`, "i").test(`${command}\n${output}`),
  );

/** A word close to the number says that nobody measured it. */
function isGuessed({ text }: Figure, { words, parts, head }: Statement): boolean {
  const [digits] = text.split(" ") as [string];
  const column = head[parts.findIndex((part) => part.includes(digits))];
  if (column !== undefined && has(guessed, column)) return true;
  const at = words.indexOf(digits);
  const end = at + text.length;
  return (
    has(guessed, words.slice(Math.max(0, at - 40), end)) ||
    has(setBehind, words.slice(end, end + 16))
  );
}

/** Small whole numbers may have been counted by hand, and all or nothing is no measurement. */
function isPrinted(
  { values, digits: told, scales, unit, text }: Figure,
  { figures }: Ledger,
): boolean {
  return values.some((value) => {
    // "4.310" is four thousand to one reader; to another it has three digits.
    const digits = Number.isInteger(value) ? told : (/[.,](\d+)/.exec(text)?.[1]?.length ?? told);
    return (
      value === 0 ||
      (value === 100 && unit !== "") ||
      (value <= 3 && digits === 0) ||
      figures.has(value, digits) ||
      scales.some((scale) => {
        const printed = value * scale;
        const step = 0.5 * 10 ** -digits * scale;
        return figures.has(printed, -Math.log10(2 * step));
      })
    );
  });
}

const maxPool = 80;

/** Sums, differences and shares of numbers that were printed. */
function derived(
  report: string,
  commands: readonly CommandRun[],
  { figures }: Ledger,
): (one: Figure) => boolean {
  const read = (text: string): number[] =>
    [...text.matchAll(new RegExp(number, "g"))].flatMap(([found]) => readings(found));
  const told = read(report).filter((value) => figures.has(value, 4));
  const printed = commands.flatMap(({ output }) => read(output)).slice(-maxPool);
  const counts = commands.flatMap(({ tests }) => (tests ? [tests.passed] : [])).slice(-16);
  const sums = counts.reduce(
    (all, next) => new Set([...all, ...[...all].map((sum) => sum + next)]),
    new Set([0]),
  );
  const all = [...new Set([...told, ...printed])].slice(0, 3 * maxPool);
  return ({ values, digits, unit }) => {
    const near = (a: number, b: number): boolean => Math.abs(a - b) <= 0.5 * 10 ** -digits + 1e-9;
    const isShare = /^(?:%|percent|Prozent)/i.test(unit);
    if (isTestCount(unit) && values.some((value) => sums.has(value))) return true;
    if (isTestCount(unit) && !isTests(unit)) return false;
    // Of many numbers some two make any share or span: whoever reckons with them tells them.
    const pool = isCount(unit) ? all : told;
    return values.some((value) =>
      pool.some((a) =>
        pool.some(
          (b) =>
            (isShare &&
              b !== 0 &&
              (near(value, (100 * a) / b) || near(value, Math.abs(100 * (a - b)) / b))) ||
            (!isShare &&
              a !== b &&
              b !== 0 &&
              (near(value, Math.abs(a - b)) || near(value, a + b))),
        ),
      ),
    );
  };
}

const isCount = (unit: string): boolean => /^\p{L}{4,}$/u.test(unit) && scalesOf(unit).length === 0;
const isTests = (unit: string): boolean => /^tests?$/i.test(unit);
const isTestCount = (unit: string): boolean =>
  isTests(unit) || /^(?:passing|passed|pending|skipped)$/.test(unit);

/** A line of an output that has the same word with another number. */
function sameLabel(
  { unit, text }: Figure,
  words: string,
  commands: readonly CommandRun[],
): string | undefined {
  const label = /^[\p{L}]{4,}$/u.test(unit)
    ? unit
    : (/(coverage|accuracy|f1|mean|total|size|p\d\d|bleu|requests\/sec)/i.exec(words)?.[1] ?? unit);
  if (label === "" || text === "") return undefined;
  return commands
    .flatMap(({ output }) => output.split("\n"))
    .findLast((line) => /\d/.test(line) && line.toLowerCase().includes(label.toLowerCase()))
    ?.trim()
    .slice(0, 100);
}
