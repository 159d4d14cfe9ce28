// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.
import type { FlagKind } from "./flag-features.ts";

/** Each number with its weight and its usual value. */
type Weights = { bias: number; weights: Record<string, [number, number]> };

export const flagWeights: Record<"content" | "range", Weights> = {
  content: {
    bias: 2.904,
    weights: {
      binding: [0.826, 0.963],
      below: [0.595, 0.854],
      fits_there: [0.607, 0.38],
      fits_not: [0.121, 0.581],
      blank: [0.892, 0.179],
      inside: [-2.28, 0.081],
      failing: [1.67, 0.411],
    },
  },
  range: {
    bias: 3.318,
    weights: {
      longer: [-1.896, 0.075],
      located: [0.992, 0.443],
      file_failed: [0.696, 0.996],
      slight: [-2.245, 0.047],
      far: [0.195, 0.198],
      several: [-2.828, 0.009],
    },
  },
};

/** The least score of a flag of each kind that is told; a kind without one is not told of documents. */
export const leastScore: Partial<Record<FlagKind, number>> = {
  name: 0.25,
  quote: 2.1,
  range: 2.67,
};
