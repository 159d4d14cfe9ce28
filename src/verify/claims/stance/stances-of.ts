// How plainly each clause of a message says, as the message's own word, that a check, a run or a
// delivery ended well (`ok`), or that it did not or was not made (`bad`): sums of learned weights, in
// logits. Above zero it is more likely said than not. `npm run bench -- stance` fits the weights.
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";
import { stanceFeatures } from "./stance-features.ts";
import learned from "./stance-weights.json" with { type: "json" };

export type Stance = { ok: number; bad: number };

type Head = { bias: number; weights: Readonly<Record<string, number>> };
type Span = [number, number];

const heads: { ok: Head; bad: Head } = learned;

export type Stances = {
  /** How plainly the clauses of a span say that it ended well; null where there is no clause. */
  okAt: (span: Span) => number | null;
  /** How plainly one of these clauses of the message tells of trouble, or of something left undone. */
  trouble: (isMeant: (words: string) => boolean) => number;
};

/** Clauses are read on demand, and once. */
export function stancesOf(report: string): Stances {
  const statements = statementsOf(report).filter(({ kind }) => kind !== "fence");
  const known = new Map<Clause, Stance>();
  const read = (statement: Statement, clause: Clause): Stance => {
    const found = known.get(clause) ?? stanceOf(report, statement, clause);
    known.set(clause, found);
    return found;
  };
  return {
    okAt: (span) =>
      statements
        .filter((statement) => overlaps(statement.span, span))
        .flatMap((statement) =>
          statement.clauses
            .filter((clause) => overlaps(clause.span, span))
            .map((clause) => read(statement, clause).ok),
        )
        .reduce<number | null>((most, one) => Math.max(most ?? one, one), null),
    trouble: (isMeant) =>
      statements
        .flatMap((statement) =>
          statement.clauses
            .filter(({ words }) => isMeant(words))
            .map((clause) => read(statement, clause).bad),
        )
        .reduce((most, one) => Math.max(most, one), -Infinity),
  };
}

const overlaps = (a: Span, b: Span): boolean => a[0] < b[1] && b[0] < a[1];

function stanceOf(report: string, statement: Statement, clause: Clause): Stance {
  const features = stanceFeatures(report, statement, clause);
  const sum = ({ bias, weights }: Head): number =>
    features.reduce((all, one) => all + (Object.hasOwn(weights, one) ? weights[one]! : 0), bias);
  return { ok: sum(heads.ok), bad: sum(heads.bad) };
}
