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
    bias: 1.572,
    weights: {
      altered: [-0.589, 0.025],
      apart: [-0.029, 1.846],
      below: [1.137, 0.416],
      beside_failed: [-0.677, 0.055],
      binding: [0.877, 0.962],
      blank: [1.523, 0.096],
      block: [0.03, 0.11],
      comes_anywhere: [0.051, 0.087],
      comes_here: [0.213, 0.048],
      content_found: [0.509, 0.022],
      failing: [0.133, 0.488],
      far: [-0.141, 0.059],
      file_failed: [0.196, 0.929],
      fits_not: [0.324, 0.327],
      fits_there: [0.791, 0.183],
      folder_here: [-0.191, 0.062],
      inside: [-2.023, 0.047],
      likeness: [-0.436, 0.018],
      located: [0.154, 0.299],
      long_range: [0.042, 1.198],
      longer: [-0.223, 0.048],
      name_away: [-0.614, 0.019],
      name_nowhere: [-0.579, 0.036],
      namesake: [0.543, 0.031],
      path_moved: [0.509, 0.022],
      plan: [-0.607, 0.471],
      quote: [-0.091, 0.219],
      quote_away: [0.881, 0.009],
      quote_nowhere: [0.341, 0.038],
      range: [0.511, 0.218],
      rivals: [-0.497, 0.736],
      row: [-0.14, 0.243],
      several: [-0.398, 0.007],
      under_plan: [-0.234, 0.148],
      unique: [0.005, 0.419],
      weight: [-0.082, 0.634],
      wished: [0.002, 0.009],
    },
  },
  doubtful: {
    bias: 1.423,
    weights: {
      below: [0.538, 0.783],
      blank: [-1.097, 0.083],
      fits_not: [1.504, 0.533],
      fits_there: [0.896, 0.31],
      inside: [-0.55, 0.033],
    },
  },
};

/** The least score of a flag that is told; a kind without one is not told of documents. */
export const leastScore: Record<FlagStanding, Partial<Record<FlagKind, number>>> = {
  sure: { name: 0.04, path_moved: 1.35, quote: 1.18, quote_nowhere: 0.43, range: 0.1 },
  planned: { path: 0.48, quote: 1.03 },
  doubtful: {},
  lone: {},
};
