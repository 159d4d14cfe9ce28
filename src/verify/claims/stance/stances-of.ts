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
type Weights = { biases: Float64Array; weights: Map<string, Float64Array> };

const stanceHeads = ["ok", "bad"] as const;
const subjectHeads = Object.keys(learned).filter(
  (name): name is LabelledSubject => name !== "ok" && name !== "bad",
);

let stanceWeights: Weights | undefined;
/** Of most messages nobody asks what their clauses speak of: then these are not read. */
let subjectWeights: Weights | undefined;

/** A line is a weight in hundredths and its feature; the first one is the bias. */
function readWeights(names: readonly Head[]): Weights {
  const biases = new Float64Array(names.length);
  const weights = new Map<string, Float64Array>();
  for (const [head, name] of names.entries()) {
    const [bias, ...lines] = learned[name];
    biases[head] = Number(bias) / 100;
    for (const line of lines) {
      const end = line.indexOf(" ");
      const feature = line.slice(end + 1);
      const own = weights.get(feature) ?? new Float64Array(names.length);
      own[head] = Number(line.slice(0, end)) / 100;
      weights.set(feature, own);
    }
  }
  return { biases, weights };
}

function sumsOf(features: readonly string[], { biases, weights }: Weights): Float64Array {
  const sums = Float64Array.from(biases);
  for (const feature of features) {
    const own = weights.get(feature);
    if (own) for (let head = 0; head < sums.length; head++) sums[head]! += own[head]!;
  }
  return sums;
}

/** Of the clause at a place in its statement. */
function stanceOf(statement: Statement, at: number): Stance {
  const features = stanceFeatures(statement, at);
  const [ok, bad] = sumsOf(features, (stanceWeights ??= readWeights(stanceHeads)));
  let meant: Pick<Stance, "subjects" | "others"> | undefined;
  return {
    ok: ok!,
    bad: bad!,
    get subjects() {
      return (meant ??= meantBy(features)).subjects;
    },
    get others() {
      return (meant ??= meantBy(features)).others;
    },
  };
}

function meantBy(features: readonly string[]): Pick<Stance, "subjects" | "others"> {
  const sums = sumsOf(features, (subjectWeights ??= readWeights(subjectHeads)));
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
