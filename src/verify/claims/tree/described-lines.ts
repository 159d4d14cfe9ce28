// "The retry limit sits at `sync.py:7`", "the loop is on lines 8 and 9 of `frame.c`": a line that is told without a
// name of the code. What the clause says of it must stand there where the file has it elsewhere.
import { escapeRegExp } from "../../../base/text/escape-reg-exp.ts";
import type { Repository } from "../../../source/repository.ts";
import type { SourceFile } from "../../../source/source-file.ts";
import { isAside } from "../words/is-asserted.ts";
import { statementsOf, type Statement } from "../words/statements.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, pathOf } from "./countered.ts";

type DescribedClaim = { span: [number, number]; judged: ClaimJudgement };
type Lines = { first: number; last: number };
/** `text`: what the clause says of the place, without it. */
type Described = { file: SourceFile; lines: Lines; text: string };

const most = 200;

export function describedLines(report: string, repo: Repository): DescribedClaim[] {
  if (!/\blines? \d|:\d/i.test(report)) return [];
  return statementsOf(report)
    .filter((one) => one.kind === "sentence" && !isAside(one) && mayTell(one))
    .slice(0, most)
    .flatMap((statement) => {
      const found = describedIn(statement, repo);
      const judged = found && judgeDescribed(found, repo);
      return judged ? [{ span: statement.span, judged }] : [];
    });
}

const mayTell = ({ words, clauses }: Statement): boolean =>
  /§/.test(words) &&
  (/\blines? \d/i.test(words) || clauses.some(({ code }) => code.some((one) => /:\d/.test(one))));

const numbers = "(\\d{1,5})(?:(?: ?[-–] ?| to | and | through )(\\d{1,5}))?";
/** `§` is the file; behind it the lines, or before it. */
const placed = new RegExp(
  `\\blines? ${numbers} (?:of|in) §|§,? \\(?(?:at |on |around )?lines? ${numbers}|§`,
  "gi",
);
const glued = /^(.+\.\w+):(\d{1,5})(?:[-–](\d{1,5}))?$/;
const unsaid = new RegExp(
  "\\b(?:should|would|could|might|if|was|were|before this|previously|used to|instead|remov\\w+|delet\\w+|" +
    "mov\\w+|now|chang\\w+|add(?:ed|s)?|not|never|no|n't|missing|lacks?|without|" +
    "mirror\\w*|unlike|like|see|same)\\b|n't\\b",
  "i",
);

/** The one place that a sentence gives, with its clause. */
function describedIn({ words, clauses }: Statement, repo: Repository): Described | undefined {
  const code = clauses.flatMap((clause) => clause.code);
  let at = 0;
  const places = [...words.matchAll(placed)].flatMap(({ index, 0: whole, ...groups }) => {
    const text = code[at++] ?? "";
    const [, path, ...own] = glued.exec(text) ?? [];
    const given = [groups[1] ?? groups[3] ?? own[0], groups[2] ?? groups[4] ?? own[1]];
    if (given[0] === undefined) return [];
    const [first, last] = [Number(given[0]), Number(given[1] ?? given[0])];
    return [{ index, end: index + whole.length, path: pathOf(path ?? text), first, last }];
  });
  const [place] = places;
  if (!place || places.length > 1 || place.last - place.first > 12) return undefined;
  const paths = repo.isListed(place.path) ? [place.path] : repo.endingIn(place.path);
  const state = paths.length === 1 ? repo.open(paths[0]!) : undefined;
  if (!state?.ok || place.last > state.file.lineCount) return undefined;
  const ahead = words.slice(0, place.index).split(/[;.] |, (?:and|but|while|so) |: /);
  const before = ahead.at(-1)!.trim() === "" ? (ahead.at(-2) ?? "") : ahead.at(-1)!;
  const behind = words.slice(place.end).split(/[;.](?: |$)|,? (?:and|but|while|so|which) /)[0]!;
  const text = `${before} ${behind.replace(besides, "")}`;
  // A name may be what stands there, and the rest is said of it.
  const isSaid = !unsaid.test(text.replace(quoted, " ")) && !/§/.test(text);
  return isSaid ? { file: state.file, lines: place, text } : undefined;
}

const quoted = /["“]([^"”]{6,80})["”]/g;

const besides =
  /,? ?(?:right |directly |just )?\b(?:above|below|before|after|beside|next to|under|over|behind|between)\b.*$/i;

/** Words for what has a shape in code. */
const shapes: readonly [RegExp, RegExp][] = [
  [/\bloop\b/i, /\b(?:for|while|loop|foreach|until|each|do|range|map|forEach)\b/],
  [/\bternary\b/i, /\?.*:|\?\s*$|^\s*[?:]|\bif\b.*\belse\b/],
  [/\bcomments?\b/i, /\/\/|\/\*|^\s*\*|#|--|"""|<!--|;;/],
  [/\bTODO\b/, /\bTODO\b/],
  [/\bFIXME\b/, /\bFIXME\b/],
  [/\bassert(?:ion)?s?\b/i, /assert|expect|CHECK|should|require|ensure/],
];

/** So far from the told line a statement may begin or end. */
const near = 1;

function judgeDescribed(
  { file, lines, text }: Described,
  repo: Repository,
): ClaimJudgement | undefined {
  const all = Array.from({ length: file.lineCount }, (_, at) => file.line(at + 1));
  const isNear = (line: number): boolean => line >= lines.first - near && line <= lines.last + near;
  const exact = exactIn(text);
  const stands = exact.map(({ shape }) =>
    all.flatMap((line, at) => (shape.test(line) ? [at + 1] : [])),
  );
  if (stands.some((places) => places.some(isNear))) return undefined;
  const away = stands.find((places) => places.length > 0)?.[0];
  const other = exact
    .flatMap(({ word }) => (word === undefined ? [] : repo.filesWith(word, 4)))
    .find(({ path }) => path !== file.path)?.path;
  const has = away === undefined ? other : `line ${away}`;
  return has === undefined
    ? undefined
    : counteredBy(`${file.path}:${lines.first} has nothing of what is said of it, but ${has} has`);
}

/** `word`: what no file but the right one may have. */
type Exact = { shape: RegExp; word?: string };

function exactIn(text: string): Exact[] {
  const numbers = text.match(/(?<![\w.])\d{3,}(?![\w.])/g) ?? [];
  const texts = [...text.matchAll(quoted)].map((match) => match[1]!);
  return [
    ...shapes
      .filter(([word]) => word.test(text))
      .map(([, shape]) => ({
        shape,
        ...(/TODO|FIXME/.exec(shape.source) && { word: shape.source.slice(2, -2) }),
      })),
    ...numbers.map((one) => ({ shape: new RegExp(`\\b${one}\\b`), word: one })),
    ...texts.map((one) => ({ shape: new RegExp(escapeRegExp(one)) })),
  ];
}
