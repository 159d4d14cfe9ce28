// How much each number tells of whether a name or a path is said of the code, as `node bench/verify/fit-facts.mjs
// --write` fits it from messages whose wrong references are known.

/** Each number with its weight and its usual value. */
export const factWeights: { bias: number; weights: Record<string, [number, number]> } = {
  bias: 2.272,
  weights: {
    after_acts: [0.814, 0.137],
    after_of_code: [0.229, 0.071],
    after_placed: [0.605, 0.077],
    after_would: [-1.436, 0.033],
    before_bracket: [-0.873, 0.016],
    before_by: [0.254, 0.143],
    before_calls: [-0.642, 0.027],
    before_comma: [0.721, 0.066],
    before_in: [1.022, 0.253],
    before_indefinite: [-0.589, 0.055],
    before_nothing: [0.64, 0.143],
    before_noun: [0.242, 0.187],
    deep: [0.875, 0.283],
    fresh: [-1.856, 0.088],
    fresh_far: [-1.586, 0.093],
    low: [-1.817, 0.022],
    others: [-0.225, 0.055],
    planned: [-1.992, 0.11],
    stands: [0.528, 0.297],
    wish: [-2.373, 0.22],
  },
};
