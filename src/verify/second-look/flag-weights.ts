// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.
import type { FlagKind } from "./flag-features.ts";

/**
 * How a flag stands: by a sure reading, by one in a document that plans work, by a doubtful one of a file of which
 * another place surely fails, or by a doubtful one alone.
 */
export type Standing = "sure" | "planned" | "doubtful" | "lone";

/** Each number with its weight and its usual value. */
export const flagWeights: { bias: number; weights: Record<string, [number, number]> } = {
  bias: 1.451,
  weights: {
    altered: [-0.398, 0.026],
    apart: [-0.041, 1.882],
    below: [1.154, 0.415],
    beside_failed: [-0.76, 0.057],
    binding: [1.089, 0.958],
    blank: [1.194, 0.093],
    comes_anywhere: [0.065, 0.09],
    comes_here: [0.213, 0.049],
    content_found: [0.407, 0.021],
    failing: [0.097, 0.488],
    far: [-0.092, 0.054],
    file_failed: [0.191, 0.938],
    fits_not: [0.461, 0.334],
    fits_there: [0.704, 0.187],
    folder_here: [-0.261, 0.063],
    grouped: [-0.222, 0.009],
    inside: [-1.905, 0.047],
    letters: [-0.086, 2.137],
    likeness: [-0.252, 0.019],
    listed: [3.012, 0.003],
    located: [0.056, 0.285],
    longer: [-0.224, 0.049],
    name_away: [-0.593, 0.02],
    name_nowhere: [-0.561, 0.037],
    namesake: [0.513, 0.032],
    path_moved: [0.407, 0.021],
    plan: [-0.667, 0.512],
    planned: [0.877, 0.013],
    quote: [-0.132, 0.209],
    quote_away: [1.047, 0.009],
    quote_nowhere: [0.4, 0.033],
    range: [0.472, 0.213],
    review: [0.023, 0.484],
    rivals: [-0.476, 0.728],
    row: [-0.031, 0.235],
    several: [-0.909, 0.008],
    slight: [-1.866, 0.011],
    told: [-0.116, 0.138],
    under_plan: [-0.287, 0.174],
    unique: [0.1, 0.415],
    unsure: [-1.361, 0.009],
    weak: [-0.582, 0.032],
  },
};

/** The least score of a flag that is told; a kind without one is not told of documents. */
export const leastScore: Record<Standing, Partial<Record<FlagKind, number>>> = {
  sure: { name: 0.37, path_moved: 1.29, quote: 0.71, quote_nowhere: 0.84, range: -0.12 },
  planned: { name: 2.18, path: 0.56, quote: 1.27 },
  doubtful: { name: -0.92, quote: -0.92 },
  lone: {},
};
