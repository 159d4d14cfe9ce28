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
    bias: 2.329,
    weights: {
      altered: [-0.024, 0.037],
      below: [1.388, 0.646],
      beside_failed: [-0.99, 0.025],
      blank: [1.114, 0.147],
      defined: [0.055, 0.456],
      failing: [1.113, 0.436],
      file_failed: [0.3, 1.005],
      fits_not: [0.367, 0.51],
      fits_there: [0.961, 0.279],
      inside: [-1.904, 0.064],
      likeness: [-0.718, 0.028],
      located: [-0.4, 0.298],
      long_range: [-0.031, 0.772],
      name_away: [-0.086, 0.028],
      name_nowhere: [-0.683, 0.058],
      quote_away: [0.455, 0.015],
      quote_nowhere: [0.457, 0.057],
      review: [-0.147, 0.563],
      rivals: [-0.664, 0.848],
      row: [-0.733, 0.264],
      strength: [0.117, 4.739],
      told: [-0.113, 0.237],
      wished: [-0.689, 0.008],
    },
  },
  doubtful: {
    bias: 1.672,
    weights: {
      below: [1.252, 0.789],
      blank: [-0.799, 0.088],
      fits_not: [1.82, 0.561],
      fits_there: [1.036, 0.355],
      inside: [-1.164, 0.035],
    },
  },
  lines: {
    bias: 1.937,
    weights: {
      plan: [-0.221, 0.57],
      review: [-0.526, 0.562],
      binding: [3.812, 0.95],
      rivals: [-0.257, 0.535],
      failing: [0.806, 0.561],
      failing_plan: [-1.106, 0.338],
      file_failed: [0.385, 0.876],
      weak: [-1.631, 0.048],
      elsewhere: [0.029, 0.188],
      rough: [-1.332, 0.04],
      several: [-0.74, 0.016],
      row: [-0.201, 0.239],
    },
  },
  path: {
    bias: 2.166,
    weights: {
      beside_failed: [-1.267, 0.069],
      comes_anywhere: [0.221, 0.65],
      comes_here: [0.908, 0.35],
      failing_plan: [0.794, 0.532],
      file_failed: [-0.199, 0.807],
      folder_here: [-0.859, 0.54],
      located: [0.58, 0.227],
      long_range: [0.307, 2.33],
      namesake: [0.424, 0.184],
      plan: [0.609, 0.755],
      review: [-0.396, 0.325],
      rivals: [-0.716, 0.366],
      root_here: [-0.275, 0.926],
      row: [0.438, 0.196],
      under_plan: [-0.037, 0.233],
    },
  },
  path_moved: {
    bias: 2.87,
    weights: {
      plan: [-0.932, 0.486],
      namesake: [0.994, 0.514],
    },
  },
};

/** The least score of a flag that is told; a kind without one is not told of documents. */
export const leastScore: Record<FlagHead, Partial<Record<FlagKind, number>>> = {
  content: { name: -0.2, quote: 1.08, quote_away: 1.08, quote_nowhere: 1.08 },
  doubtful: { name: 1.33, quote: 1.33 },
  lines: { range: 1.71 },
  path: { path: 3.49 },
  path_moved: { path_moved: 1.55 },
};
