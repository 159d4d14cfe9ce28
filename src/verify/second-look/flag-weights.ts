// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.
import type { FlagKind } from "./flag-features.ts";

/** Each number with its weight and its usual value. */
type Weights = { bias: number; weights: Record<string, [number, number]> };

export const flagWeights: Record<"content" | "place", Weights> = {
  content: {
    bias: 1.79,
    weights: {
      number: [2.461, 0.989],
      binding: [1.107, 0.942],
      evidence: [1.504, 0.971],
      pattern: [-2.696, 0.003],
      dated: [-2.449, 0.017],
      pinned: [-0.279, 0.148],
      day: [0.288, 0.328],
      file_held: [-1.519, 0.471],
      file_open: [0.145, 1.426],
      same_held: [-0.891, 0.034],
      same_kind: [-0.667, 0.503],
      crowd: [-0.17, 0.259],
      below: [1.2, 0.546],
      fits_there: [0.708, 0.256],
      fits_not: [0.386, 0.499],
      blank: [0.973, 0.131],
      closes: [0.313, 0.096],
      defines: [-0.547, 0.087],
      test_name: [-0.911, 0.028],
      commented: [-0.231, 0.047],
      row: [-0.2, 0.208],
      likeness: [-0.537, 0.038],
      called: [-0.135, 0.186],
      inside: [-1.825, 0.073],
    },
  },
  place: {
    bias: 1.803,
    weights: {
      unknown: [-0.209, 0.477],
      pattern: [-3.597, 0.032],
      dated: [-5.076, 0.002],
      deep: [0.825, 0.359],
      bound: [0.228, 0.515],
      folder: [0.767, 0.351],
      longer: [-1.876, 0.034],
      stranger: [-1.44, 0.032],
      day: [0.743, 0.464],
      work: [-1.169, 0.118],
      done: [1.032, 0.054],
    },
  },
};

/** The least score of a flag of each kind that is told; a kind without one is not told of documents. */
export const leastScore: Partial<Record<FlagKind, number>> = {
  name: 1.26,
  quote: 1.03,
  range: 1.9,
  path: 1.57,
};
