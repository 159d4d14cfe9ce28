// Judges statements that something is not there, or at one place only: it is looked for where the statement says,
// as a call, an import, a use or a word, whatever the statement speaks of.
import type { Repository } from "../../../source/repository.ts";
import type { Place } from "../../verdict.ts";
import { notJudged, type ClaimJudgement } from "../judgement.ts";
import { countered, held } from "../tree/countered.ts";
import { placeWords } from "../tree/uses.ts";
import { isAside } from "../words/is-asserted.ts";
import { statementsOf, type Statement } from "../words/statements.ts";
import { withNames } from "./with-names.ts";
import { absenceFrames, saysAbsence, type Frame } from "./absence-frames.ts";
import { clauseAhead, clauseBehind, isAccounted } from "../words/is-accounted.ts";
import { isOfNoun, negatedUses } from "./negated-use.ts";
import { linesWithTerm, type Manner } from "./lines-with-term.ts";
import type { FactClaim } from "./quantified-claims.ts";
import {
  isSentence,
  isVendored,
  readReferents,
  type SentenceReading,
  type Referent,
} from "./referents.ts";

const maxStatements = 400;
const maxFiles = 3_000;

export function absenceClaims(report: string, repo: Repository): FactClaim[] {
  return statementsOf(report)
    .filter((one) => isSentence(one) && one.words.search(saysAbsence) >= 0 && !isAside(one))
    .slice(0, maxStatements)
    .flatMap((statement) => {
      const judged = judgeSentence(statement, repo);
      return judged ? [{ span: statement.span, judged }] : [];
    });
}

const unsaid = new RegExp(
  "\\b(?:should|must|would|could|will|might|may|if|unless|whether|todo|recommend\\w*|suggest\\w*|" +
    "probably|likely|before|previously|until|not (?:only|all|every)|warn(?:s|ing)|compiler|linter|" +
    "I (?:added|removed|deleted|replaced))\\b",
  "i",
);

function judgeSentence(statement: Statement, repo: Repository): ClaimJudgement | undefined {
  const read = readReferents(statement, repo);
  const plain = { ...read, words: read.words.replace(/\b(?:exclusively|solely)\b/gi, "only") };
  const reading = withNames(plain, repo);
  let right: ClaimJudgement | undefined;
  let from = 0;
  // A sentence may say it of several things.
  while (from < reading.words.length) {
    const found = firstFrame(reading.words.slice(from));
    if (!found) break;
    const start = from + found.match.index;
    from = start + Math.max(1, found.match[0].length);
    if (unsaid.test(reading.words.slice(0, start))) continue;
    const judged = judgeFrame(found.frame, { match: found.match, at: start, reading }, repo);
    if (judged && judged.verdict !== "verified") return judged;
    right ??= judged;
  }
  return right ?? judgeNegated(reading, repo);
}

/** A denied use in any other order of words. */
function judgeNegated(reading: SentenceReading, repo: Repository): ClaimJudgement | undefined {
  let right: ClaimJudgement | undefined;
  for (const use of negatedUses(reading, repo)) {
    const { term, verb, said, words, files, nouns, isScoped, isTests } = use;
    if (unsaid.test(words) || files.length > maxFiles) continue;
    const manner = isTests ? "any" : mannerOf(verb, term);
    const found = linesWithTerm(term, files, {
      manner,
      repo,
      isWhole: !isScoped,
      isCode: !isScoped,
    });
    const lines = found?.filter(
      (place) => nouns.length === 0 || nouns.some((noun) => isOfNoun(place, noun, repo)),
    );
    if (lines?.length)
      return others.test(said)
        ? notJudged(`\`${term.text}\` stands at ${placeWords(lines)}`)
        : countered(said, lines);
    if (found) right ??= held(`\`${term.text}\` was looked for`);
  }
  return right;
}

type Matched = { frame: Frame; match: RegExpExecArray };

/** The leftmost; of two at one place the earlier row. */
function firstFrame(words: string): Matched | undefined {
  // Every frame speaks of something that has a mark.
  if (!/[§¶]/.test(words)) return undefined;
  let best: Matched | undefined;
  for (const frame of absenceFrames()) {
    const match = frame.pattern.exec(words);
    if (match && (!best || match.index < best.match.index)) best = { frame, match };
  }
  return best;
}

type Found = { match: RegExpExecArray; at: number; reading: SentenceReading };

function referentsOf(name: "o" | "s", { match, at, reading }: Found): Referent[] {
  const span = match.indices?.groups?.[name];
  if (!span) return [];
  const from = at - match.index;
  const first = (reading.words.slice(0, from + span[0]).match(/[§¶]/g) ?? []).length;
  const count = (match.groups![name]!.match(/[§¶]/g) ?? []).length;
  return reading.referents.slice(first, first + count);
}

function mannerOf(verb: string, term: Referent): Manner {
  if (/import|require|load|pull|depend/.test(verb) || term.paths !== null) return "import";
  if (/call|invo/.test(verb) && !/refer|use/.test(verb)) return "call";
  if (/rais|thr[oe]w/.test(verb)) return "throw";
  return /mention|appear|occur|find|found|contain|stand|trace|sign|left|remain|have|show/.test(verb)
    ? "word"
    : "use";
}

const verbOf = ({ groups }: RegExpExecArray): string => (groups?.["v"] ?? "").trim().toLowerCase();
const goesOn =
  /^ ?(?:except|other than|apart from|besides|unless|without|that|which|until|when|if)\b/i;

const others = /\b(?:other|further|remaining|additional|more|else|elsewhere)\b/i;

function judgeFrame(frame: Frame, found: Found, repo: Repository): ClaimJudgement | undefined {
  const { match, reading } = found;
  const terms = referentsOf("o", found);
  const where = whereOf(frame, found, repo);
  if (!where || terms.length === 0) return undefined;
  const verb = verbOf(match);
  const said = spoken(match[0], reading, found.at);
  const isOther = others.test(match[0]);
  let right: ClaimJudgement | undefined;
  for (const term of terms) {
    const manner = mannerOf(verb, term);
    const lines = linesWithTerm(term, where.files, { ...where, manner, repo });
    if (lines === undefined) return undefined;
    if (lines.length > 0)
      return isOther
        ? notJudged(`\`${term.text}\` stands at ${placeWords(lines)}`)
        : countered(said, lines);
    right = heldWhere(term, { ...where, manner, repo }) ?? right;
  }
  return right;
}

/** What a search passes over in any reading, or what only names once more what is looked for. */
const definitionAside = new RegExp(
  "^(?: anywhere| left)*,? (?:beyond|outside(?: of)?|apart from|besides|except(?: for)?|other than) " +
    "(?:its|the|their)(?: own)? (?:definition|declaration|prototype)s?\\b|" +
    "^ from ¶(?=[.,;]|$)|^ by any(?:thing|one|body)\\b|^ (?:comments?|markers?|notes?)\\b",
  "i",
);

type Searched = {
  kind: Frame["kind"];
  named: readonly string[];
  files: readonly string[];
  isWhole: boolean;
  isCode: boolean;
};

/** The files to look through; undefined where the sentence goes on or its places are not known. */
function whereOf(frame: Frame, found: Found, repo: Repository): Searched | undefined {
  const { match, reading } = found;
  const places = referentsOf("s", found);
  const behind = reading.words.slice(found.at + match[0].length).replace(definitionAside, "");
  if (goesOn.test(behind) || !isAccounted(clauseAhead(behind))) return undefined;
  const ahead = clauseBehind(reading.words.slice(0, found.at)).replace(kindAhead, "");
  if (!isAccounted(ahead)) return undefined;
  if (places.some(({ paths, isOneOf }) => paths === null || isOneOf)) return undefined;
  const all = repo.reader.list().paths.filter((path) => !isVendored(path));
  const named = [...new Set(places.flatMap(({ paths }) => paths ?? []))];
  const { kind } = frame;
  if (kind === "outside" && named.length === 0) return undefined;
  const isLoose = kind === "in" && named.length === 0;
  const files = {
    outside: () => all.filter((path) => !named.includes(path)),
    in: () => (isLoose ? all : named),
  }[kind]();
  if (files.length > maxFiles) return undefined;
  return {
    kind,
    named,
    files,
    isWhole: isLoose || kind === "outside",
    isCode: isLoose,
  };
}

/** "The getter §": what the thing is called. */
const kindAhead = new RegExp(
  "\\b(?:getter|setter|helper|function|method|constant|class|option|property|field|variable|action|" +
    "hook|type|interface|macro|struct|enum|route|module|attribute|parameter) $",
  "i",
);
type Where = { kind: Frame["kind"]; named: readonly string[]; manner: Manner; repo: Repository };

/** What is nowhere may be misspelt: it holds where the term is known, or where a place was looked through. */
function heldWhere(
  term: Referent,
  { kind, named, manner, repo }: Where,
): ClaimJudgement | undefined {
  if (kind !== "outside") return held(`\`${term.text}\` was looked for`);
  const own: Place[] =
    linesWithTerm(term, named, { manner, repo, isWhole: false, isCode: false }) ?? [];
  return own.length > 0 ? held(`\`${term.text}\` stands nowhere else`) : undefined;
}

const spoken = (text: string, { words, referents }: SentenceReading, at: number): string => {
  let next = (words.slice(0, at).match(/[§¶]/g) ?? []).length;
  return text.replace(/[§¶]/g, () => referents[next++]?.text ?? "…").trim();
};
