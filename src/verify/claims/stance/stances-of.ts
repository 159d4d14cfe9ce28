// How plainly each clause of a message says, as the message's own word, that something ended well (`ok`),
// or that it did not or was not made (`bad`), and of what it speaks: sums of learned weights, in logits.
// Above zero it is more likely said than not. `npm run bench -- stance` fits the weights.
import { lastFew } from "../../../markdown/last-few.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import { stanceFeatures } from "./stance-features.ts";
import learned from "./stance-weights.json" with { type: "json" };

/** What clauses are labelled to speak of. */
export type LabelledSubject = Exclude<keyof typeof learned, "ok" | "bad">;

/**
 * `subjects`: the likeliest first, then every other that is plainly meant too. `others`: what may
 * be meant instead of the likeliest.
 */
export type Stance = {
  ok: number;
  bad: number;
  subjects: readonly LabelledSubject[];
  others: readonly LabelledSubject[];
};

/** In logits: a subject that is as sure as this stands alone, and one that is this far behind is out. */
const sure = 2;
const behind = 3;
/** In logits: from here on another subject is meant beside the likeliest. */
const meantToo = 0.7;

type Span = [number, number];
type Head = keyof typeof learned;
/** `rows`: by the number of a feature its heads with their weights, one after the other. */
type Weights = { biases: Float64Array; rows: (number[] | undefined)[] };

const stanceHeads = ["ok", "bad"] as const;
const subjectHeads = Object.keys(learned).filter(
  (name): name is LabelledSubject => name !== "ok" && name !== "bad",
);

let stanceWeights: Weights | undefined;
/** Of most messages nobody asks what their clauses speak of: then these are not read. */
let subjectWeights: Weights | undefined;

/** The features that weights were read of, by number: one look-up for all of them. */
const numbers = new Map<string, number>();

function numberOf(feature: string): number {
  const known = numbers.get(feature) ?? numbers.size;
  if (known === numbers.size) numbers.set(feature, known);
  return known;
}

/** A line is a weight in hundredths and its feature; the first one is the bias. */
function readWeights(names: readonly Head[]): Weights {
  const biases = new Float64Array(names.length);
  const rows: Weights["rows"] = [];
  for (const [head, name] of names.entries()) {
    const [bias, ...lines] = learned[name];
    biases[head] = Number(bias) / 100;
    for (const line of lines) {
      const end = line.indexOf(" ");
      const number = numberOf(line.slice(end + 1));
      (rows[number] ??= []).push(head, Number(line.slice(0, end)) / 100);
    }
  }
  return { biases, rows };
}

/** Those of the features that have a number. */
function numbersOf(features: readonly string[]): number[] {
  const found: number[] = [];
  for (const feature of features) {
    const number = numbers.get(feature);
    if (number !== undefined) found.push(number);
  }
  return found;
}

function sumsOf(features: readonly number[], { biases, rows }: Weights): Float64Array {
  const sums = Float64Array.from(biases);
  for (const feature of features) {
    const own = rows[feature];
    if (own) for (let at = 0; at < own.length; at += 2) sums[own[at]!]! += own[at + 1]!;
  }
  return sums;
}

/** Of the clause at a place in its statement. */
function stanceOf(statement: Statement, at: number): Stance {
  const weights = (stanceWeights ??= readWeights(stanceHeads));
  const features = stanceFeatures(statement, at);
  const own = numbersOf(features);
  const [ok, bad] = sumsOf(own, weights);
  const known = numbers.size;
  let meant: Pick<Stance, "subjects" | "others"> | undefined;
  const meaning = (): Pick<Stance, "subjects" | "others"> => {
    const read = (subjectWeights ??= readWeights(subjectHeads));
    return (meant ??= meantBy(sumsOf(known === numbers.size ? own : numbersOf(features), read)));
  };
  return {
    ok: ok!,
    bad: bad!,
    get subjects() {
      return meaning().subjects;
    },
    get others() {
      return meaning().others;
    },
  };
}

function meantBy(sums: Float64Array): Pick<Stance, "subjects" | "others"> {
  const ranked = subjectHeads
    .map((name, head) => ({ name, sum: sums[head]! }))
    .sort((a, b) => b.sum - a.sum);
  const best = ranked[0]!.sum;
  const named = (isMeant: (sum: number, index: number) => boolean): LabelledSubject[] =>
    ranked.filter(({ sum }, index) => isMeant(sum, index)).map(({ name }) => name);
  return {
    subjects: named((sum, index) => index === 0 || sum > meantToo),
    others:
      best > sure ? [] : named((sum, index) => index > 0 && sum <= meantToo && sum > best - behind),
  };
}

export type Stances = {
  statements: readonly Statement[];
  of: (statement: Statement, clause: Clause) => Stance;
  /** How plainly the clauses of a span say that it ended well; null where there is no clause. */
  okAt: (span: Span) => number | null;
  /** What the clauses of a span speak of. */
  subjectsAt: (span: Span) => readonly LabelledSubject[];
  /** How plainly one of these clauses of the message tells of trouble, or of something left undone. */
  trouble: (isMeant: (words: string, stance: Stance) => boolean) => number;
};

/** One message is asked about many times; its clauses are read on demand, and once. */
export const stancesOf: (report: string) => Stances = lastFew(readStances);

function readStances(report: string): Stances {
  const statements = statementsOf(report).filter(({ kind }) => kind !== "fence");
  const known = new Map<Clause, Stance>();
  const of = (statement: Statement, clause: Clause): Stance => {
    const found = known.get(clause) ?? stanceOf(statement, statement.clauses.indexOf(clause));
    known.set(clause, found);
    return found;
  };
  const at = (span: Span): Stance[] =>
    statements
      .filter((statement) => overlaps(statement.span, span))
      .flatMap((statement) =>
        statement.clauses
          .filter((clause) => overlaps(clause.span, span))
          .map((clause) => of(statement, clause)),
      );
  return {
    statements,
    of,
    okAt: (span) =>
      at(span).reduce<number | null>((most, { ok }) => Math.max(most ?? ok, ok), null),
    subjectsAt: (span) => [...new Set(at(span).flatMap(({ subjects }) => subjects))],
    trouble: (isMeant) =>
      statements
        .flatMap((statement) =>
          statement.clauses
            .map((clause) => ({ clause, stance: of(statement, clause) }))
            .filter(({ clause, stance }) => isMeant(clause.words, stance))
            .map(({ stance }) => stance.bad),
        )
        .reduce((most, one) => Math.max(most, one), -Infinity),
  };
}

const overlaps = (a: Span, b: Span): boolean => a[0] < b[1] && b[0] < a[1];
