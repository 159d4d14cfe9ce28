// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.
import type { FlagKind } from "./flag-features.ts";

/** What is weighed by the same numbers: what is said of a place; lines that a file has not. */
export type FlagHead = "content" | "lines";

/** Each number with its weight and its usual value. */
type Weights = { bias: number; weights: Record<string, [number, number]> };

export const flagWeights: Record<FlagHead, Weights> = {
  content: {
    bias: 2.424,
    weights: {
      below: [0.987, 0.809],
      binding: [0.306, 0.945],
      document_failed: [0.093, 1.454],
      file_failed: [0.484, 0.81],
      alone: [-0.458, 0.348],
      fits_there: [0.999, 0.332],
      rivals: [-0.462, 0.861],
      strength: [0.261, 4.711],
      weight: [3.131, 0.977],
      plan: [-0.2, 0.278],
    },
  },
  lines: {
    bias: 1.979,
    weights: {
      binding: [3.715, 0.958],
      file_failed: [0.684, 0.846],
      weak: [-1.321, 0.036],
    },
  },
};

/** The least score of a flag that is told; a kind without one is not told of documents. */
export const leastScore: Partial<Record<FlagKind, number>> = {
  name: 1.56,
  quote: 2.15,
  range: 1.87,
};
