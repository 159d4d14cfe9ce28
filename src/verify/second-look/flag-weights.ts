// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.
import type { FlagKind } from "./flag-features.ts";

/**
 * How a flag stands: by a sure reading, by one in a document that plans work, by a doubtful one of a file of which
 * another place surely fails, or by a doubtful one alone.
 */
export type FlagStanding = "sure" | "planned" | "doubtful" | "lone";

/** Each number with its weight and its usual value. */
type Weights = { bias: number; weights: Record<string, [number, number]> };

export const flagWeights: Record<"sure" | "doubtful", Weights> = {
  sure: {
    bias: 1.459,
    weights: {
      altered: [-0.996, 0.026],
      apart: [-0.07, 1.824],
      below: [1.34, 0.388],
      beside_failed: [-1.298, 0.051],
      binding: [0.984, 0.965],
      blank: [1.998, 0.085],
      block: [0.242, 0.109],
      content_found: [0.461, 0.026],
      defined: [0.041, 0.313],
      failing: [0.75, 0.471],
      far: [-0.345, 0.062],
      file_failed: [0.272, 0.923],
      fits_not: [0.678, 0.32],
      fits_there: [1.007, 0.18],
      folder_here: [0.097, 0.095],
      inside: [-2.076, 0.039],
      likeness: [-0.798, 0.019],
      located: [0.102, 0.319],
      long_range: [0.096, 1.214],
      longer: [-0.755, 0.062],
      name: [0.004, 0.33],
      name_away: [-0.383, 0.024],
      name_nowhere: [-1.282, 0.04],
      namesake: [1.032, 0.037],
      path: [-0.258, 0.138],
      path_moved: [0.461, 0.026],
      plan: [-0.145, 0.449],
      quote: [-0.337, 0.182],
      quote_nowhere: [0.557, 0.044],
      range: [0.88, 0.182],
      review: [0.009, 0.493],
      rivals: [-0.642, 0.66],
      row: [-0.355, 0.283],
      several: [-0.742, 0.011],
      told: [0.03, 0.16],
      under_plan: [0.215, 0.151],
      unique: [0.223, 0.432],
    },
  },
  doubtful: {
    bias: 1.276,
    weights: {
      below: [0.437, 0.782],
      blank: [-1.062, 0.091],
      fits_not: [1.395, 0.491],
      fits_there: [0.866, 0.283],
      inside: [-0.523, 0.036],
    },
  },
};

/** The least score of a flag that is told; a kind without one is not told of documents. */
export const leastScore: Record<FlagStanding, Partial<Record<FlagKind, number>>> = {
  sure: { name: -0.19, quote: 0.91, quote_nowhere: 1.12, range: 0.08 },
  planned: { name: 2.66, quote: 0.72 },
  doubtful: {},
  lone: {},
};
