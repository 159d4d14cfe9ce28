// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.
import type { FlagKind } from "./flag-features.ts";

/**
 * What is weighed by the same numbers: what is said of a place, by a sure reading or a doubtful one; lines that a
 * file has not; a path that is not here; one whose content stands elsewhere.
 */
export type FlagHead = "content" | "doubtful" | "lines" | "path" | "path_moved";

/** Each number with its weight and its usual value. */
type Weights = { bias: number; weights: Record<string, [number, number]> };

export const flagWeights: Record<FlagHead, Weights> = {
  content: {
    bias: 2.197,
    weights: {
      altered: [-0.179, 0.031],
      apart: [-0.053, 2.909],
      below: [1.099, 0.668],
      beside_failed: [-0.128, 0.036],
      binding: [1.061, 0.953],
      blank: [0.902, 0.152],
      defined: [0.113, 0.483],
      failing: [1.049, 0.429],
      file_failed: [0.394, 0.992],
      fits_not: [0.336, 0.524],
      fits_there: [1.051, 0.267],
      inside: [-1.529, 0.066],
      likeness: [-0.634, 0.023],
      located: [-0.118, 0.279],
      long_range: [-0.015, 0.724],
      name_away: [-0.246, 0.024],
      name_nowhere: [-0.625, 0.051],
      plan: [-0.021, 0.345],
      quote_away: [0.53, 0.015],
      quote_nowhere: [0.1, 0.06],
      review: [-0.19, 0.593],
      rivals: [-0.518, 0.865],
      row: [-0.503, 0.239],
      strength: [0.194, 4.748],
      unique: [0.037, 0.656],
      weight: [-0.081, 0.978],
      wished: [-0.344, 0.007],
    },
  },
  doubtful: {
    bias: 2.002,
    weights: {
      below: [1.253, 0.803],
      blank: [-0.685, 0.099],
      fits_not: [1.844, 0.62],
      fits_there: [1.212, 0.397],
      inside: [-1.401, 0.028],
    },
  },
  lines: {
    bias: 1.94,
    weights: {
      plan: [-0.163, 0.552],
      review: [-0.225, 0.564],
      binding: [3.884, 0.952],
      rivals: [-0.22, 0.586],
      failing: [1.035, 0.571],
      failing_plan: [-0.891, 0.34],
      file_failed: [0.412, 0.928],
      weak: [-1.427, 0.042],
      rough: [-1.171, 0.035],
      several: [-0.818, 0.014],
    },
  },
  path: {
    bias: 2.204,
    weights: {
      beside_failed: [-0.959, 0.072],
      comes_anywhere: [0.181, 0.651],
      comes_here: [0.892, 0.355],
      failing_plan: [0.715, 0.527],
      file_failed: [-0.256, 0.799],
      folder_here: [-0.799, 0.542],
      located: [0.585, 0.235],
      long_range: [0.333, 2.377],
      namesake: [0.585, 0.193],
      plan: [0.65, 0.753],
      review: [-0.471, 0.331],
      rivals: [-0.543, 0.373],
      root_here: [-0.019, 0.928],
      row: [0.414, 0.199],
      under_plan: [-0.047, 0.235],
    },
  },
  path_moved: {
    bias: 3.193,
    weights: {
      plan: [-0.815, 0.489],
      namesake: [0.744, 0.489],
    },
  },
};

/** The least score of a flag that is told; a kind without one is not told of documents. */
export const leastScore: Record<FlagHead, Partial<Record<FlagKind, number>>> = {
  content: { name: 0.18, quote: 1.51, quote_nowhere: 1.51 },
  doubtful: { name: 1.48, quote: 1.48 },
  lines: { range: 1.72 },
  path: { path: 3.75 },
  path_moved: { path_moved: 2.09 },
};
