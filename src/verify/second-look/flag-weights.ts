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
    bias: 1.552,
    weights: {
      altered: [-0.579, 0.027],
      apart: [-0.058, 1.791],
      below: [1.099, 0.402],
      beside_failed: [-0.847, 0.058],
      binding: [1.192, 0.961],
      blank: [1.424, 0.093],
      block: [0.029, 0.091],
      comes_anywhere: [0.072, 0.095],
      comes_here: [0.218, 0.052],
      content_found: [0.427, 0.023],
      far: [-0.252, 0.058],
      file_failed: [0.188, 0.958],
      fits_not: [0.406, 0.328],
      fits_there: [0.781, 0.181],
      folder_here: [-0.282, 0.066],
      inside: [-2.266, 0.047],
      letters: [-0.014, 2.107],
      likeness: [-0.432, 0.02],
      located: [0.117, 0.288],
      long_range: [0.033, 1.189],
      longer: [-0.331, 0.05],
      name_away: [-0.788, 0.021],
      name_nowhere: [-0.705, 0.039],
      namesake: [0.55, 0.033],
      path_moved: [0.427, 0.023],
      plan: [-0.585, 0.508],
      quote: [-0.147, 0.199],
      quote_away: [0.895, 0.01],
      quote_nowhere: [0.243, 0.036],
      range: [0.502, 0.215],
      rivals: [-0.501, 0.726],
      row: [-0.067, 0.238],
      several: [-0.381, 0.007],
      told: [-0.12, 0.14],
      under_plan: [-0.359, 0.158],
      unique: [0.185, 0.404],
      weight: [-0.046, 0.625],
    },
  },
  doubtful: {
    bias: 1.171,
    weights: {
      below: [0.86, 0.792],
      blank: [-1.099, 0.104],
      fits_not: [1.622, 0.438],
      fits_there: [0.786, 0.274],
      inside: [-0.539, 0.042],
    },
  },
};

/** The least score of a flag that is told; a kind without one is not told of documents. */
export const leastScore: Record<FlagStanding, Partial<Record<FlagKind, number>>> = {
  sure: { name: -0.06, path_moved: 1.34, quote: 0.98, quote_nowhere: 0.5, range: 0.33 },
  planned: { path: 0.45, quote: 1.47 },
  doubtful: { name: 1.58, quote: 1.58 },
  lone: {},
};
