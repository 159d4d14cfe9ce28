// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.
import type { FlagKind } from "./flag-features.ts";

/** Each number with its weight and its usual value. */
type Weights = { bias: number; weights: Record<string, [number, number]> };

export const flagWeights: Record<"content" | "place", Weights> = {
  content: {
    bias: 1.059,
    weights: {
      number: [2.088, 0.976],
      binding: [2.829, 0.929],
      evidence: [3.014, 0.967],
      pattern: [-2.516, 0.003],
      dated: [-1.789, 0.022],
      pinned: [-0.734, 0.167],
      day: [0.522, 0.359],
      held: [-0.718, 0.578],
      file_held: [-1.666, 0.498],
      file_open: [0.163, 1.251],
      same_held: [-1.114, 0.048],
      same_kind: [-0.982, 0.509],
      crowd: [-0.196, 0.286],
      below: [1.19, 0.467],
      fits: [-0.116, 0.302],
      fits_there: [0.921, 0.227],
      fits_not: [0.417, 0.439],
      blank: [0.994, 0.117],
      closes: [0.842, 0.078],
      defines: [-0.56, 0.091],
      test_file: [-1.225, 0.039],
      test_name: [-0.498, 0.032],
      commented: [-0.374, 0.052],
      row: [-0.266, 0.197],
      likeness: [-0.637, 0.056],
      called: [0.337, 0.161],
      inside: [-1.384, 0.073],
    },
  },
  place: {
    bias: 0.751,
    weights: {
      unknown: [0.006, 0.526],
      pattern: [-2.685, 0.033],
      dated: [-3.743, 0.002],
      deep: [1.081, 0.353],
      bound: [1.308, 0.457],
      folder: [0.823, 0.293],
      longer: [-1.289, 0.033],
      stranger: [-1.799, 0.03],
    },
  },
};

/** The least score of a flag of each kind that is told; a kind without one is not told of documents. */
export const leastScore: Partial<Record<FlagKind, number>> = {
  name: -0.05,
  quote: 0.01,
  range: 1.65,
  path: 0.71,
};
