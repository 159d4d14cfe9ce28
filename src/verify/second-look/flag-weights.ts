// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.
import type { FlagKind } from "./flag-features.ts";

/** Each number with its weight and its usual value. */
type Weights = { bias: number; weights: Record<string, [number, number]> };

export const flagWeights: Record<"content" | "range" | "path", Weights> = {
  content: {
    bias: 1.896,
    weights: {
      binding: [0.988, 0.932],
      same_held: [-0.947, 0.018],
      below: [1.221, 0.75],
      fits_there: [0.685, 0.35],
      fits_not: [0.516, 0.546],
      blank: [1.154, 0.147],
      row: [-0.559, 0.215],
      inside: [-1.872, 0.092],
      plan: [-0.706, 0.215],
      behind: [-0.44, 0.257],
    },
  },
  range: {
    bias: 1.574,
    weights: {
      longer: [-1.529, 0.06],
      stranger: [-2.104, 0.056],
      plan: [-0.921, 0.403],
      located: [1.419, 0.279],
      held: [1.028, 0.431],
      file_failed: [0.759, 0.675],
      slight: [-1.861, 0.073],
      far: [-0.912, 0.288],
      several: [-0.95, 0.052],
    },
  },
  path: {
    bias: 1.882,
    weights: {
      deep: [0.788, 0.764],
      parent: [-1.331, 0.49],
      namesake: [0.587, 0.389],
      done: [0.209, 0.064],
      located: [0.234, 0.229],
      test_file: [1.594, 0.064],
      crowd: [-0.685, 0.133],
    },
  },
};

/** The least score of a flag of each kind that is told; a kind without one is not told of documents. */
export const leastScore: Partial<Record<FlagKind, number>> = {
  name: 1.76,
  quote: 1.19,
  range: 2.09,
  path: 2.51,
};
