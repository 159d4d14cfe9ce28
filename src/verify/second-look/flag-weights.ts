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
    bias: 1.963,
    weights: {
      altered: [-0.61, 0.025],
      apart: [-0.038, 1.846],
      below: [1.049, 0.416],
      beside_failed: [-0.587, 0.055],
      binding: [0.219, 0.962],
      blank: [1.401, 0.096],
      comes_anywhere: [0.083, 0.087],
      content_found: [0.323, 0.022],
      failing: [0.411, 0.488],
      far: [-0.239, 0.059],
      file_failed: [0.283, 0.929],
      fits_not: [0.483, 0.327],
      fits_there: [0.894, 0.183],
      folder_here: [-0.074, 0.062],
      inside: [-2.023, 0.047],
      likeness: [-0.494, 0.018],
      located: [0.048, 0.299],
      long_range: [0.065, 1.198],
      longer: [-0.287, 0.048],
      name_away: [-0.2, 0.019],
      name_nowhere: [-0.744, 0.036],
      namesake: [0.642, 0.031],
      path: [-0.214, 0.11],
      path_moved: [0.323, 0.022],
      plan: [-0.135, 0.471],
      quote: [-0.143, 0.219],
      quote_away: [0.304, 0.009],
      quote_nowhere: [0.027, 0.038],
      range: [0.688, 0.218],
      review: [-0.111, 0.522],
      rivals: [-0.547, 0.736],
      root_here: [-0.104, 0.119],
      row: [-0.265, 0.243],
      several: [-1.28, 0.007],
      under_plan: [0.016, 0.148],
    },
  },
  doubtful: {
    bias: 1.441,
    weights: {
      below: [0.452, 0.783],
      blank: [-1.104, 0.083],
      fits_not: [1.472, 0.533],
      fits_there: [0.869, 0.31],
      inside: [-0.54, 0.033],
    },
  },
};

/** The least score of a flag that is told; a kind without one is not told of documents. */
export const leastScore: Record<FlagStanding, Partial<Record<FlagKind, number>>> = {
  sure: { name: 0.37, path_moved: 0.67, quote: 1.06, quote_nowhere: 0.23, range: 0.29 },
  planned: { name: 1.71, path: 1.49, quote: 1.56 },
  doubtful: {},
  lone: {},
};
