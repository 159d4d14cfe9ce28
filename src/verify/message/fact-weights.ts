// How much each number tells of whether a name or a path is said of the code, as `node bench/verify/fit-facts.mjs
// --write` fits it from messages whose wrong references are known.

/** Each number with its weight and its usual value. */
export const factWeights: { bias: number; weights: Record<string, [number, number]> } = {
  bias: 1.417,
  weights: {
    after_acts: [0.208, 0.12],
    after_of_code: [0.712, 0.047],
    after_placed: [0.935, 0.069],
    after_which: [0.386, 0.077],
    after_would: [-1.241, 0.026],
    before_bracket: [-1.301, 0.018],
    before_by: [0.648, 0.139],
    before_calls: [-1.239, 0.033],
    before_comma: [0.881, 0.055],
    before_in: [1.416, 0.259],
    before_indefinite: [-0.346, 0.055],
    before_nothing: [0.684, 0.099],
    deep: [1.399, 0.311],
    denied: [-0.464, 0.026],
    fresh: [-1.838, 0.124],
    fresh_far: [-1.615, 0.128],
    home: [2.146, 0.832],
    led: [-0.199, 0.047],
    low: [-1.541, 0.026],
    planned: [-1.353, 0.106],
    stands: [0.737, 0.292],
    wish: [-1.936, 0.23],
  },
};
