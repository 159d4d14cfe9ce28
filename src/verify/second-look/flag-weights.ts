// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.
import type { FlagKind } from "./flag-features.ts";

/** Each number with its weight and its usual value. */
type Weights = { bias: number; weights: Record<string, [number, number]> };

export const flagWeights: Record<"content" | "range", Weights> = {
  content: {
    bias: 2.874,
    weights: {
      below: [1.197, 0.854],
      fits_there: [0.923, 0.357],
      fits_not: [0.022, 0.559],
      blank: [1.014, 0.182],
      inside: [-2.145, 0.089],
      failing: [2.326, 0.401],
    },
  },
  range: {
    bias: 3.329,
    weights: {
      longer: [-1.932, 0.073],
      located: [0.97, 0.427],
      file_failed: [0.705, 0.985],
      slight: [-2.279, 0.045],
      far: [0.181, 0.191],
      several: [-2.844, 0.009],
    },
  },
};

/** The least score of a flag of each kind that is told; a kind without one is not told of documents. */
export const leastScore: Partial<Record<FlagKind, number>> = {
  name: 1.41,
  quote: 1.4,
  range: 2.71,
};
