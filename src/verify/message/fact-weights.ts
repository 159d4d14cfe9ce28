// How much each number tells of whether a name or a path is said of the code, as `node bench/verify/fit-facts.mjs
// --write` fits it from messages whose wrong references are known.

/** Each number with its weight and its usual value. */
export const factWeights: { bias: number; weights: Record<string, [number, number]> } = {
  bias: 1.553,
  weights: {
    after_acts: [1.055, 0.138],
    after_of_code: [0.772, 0.066],
    after_placed: [1.09, 0.071],
    after_which: [0.287, 0.071],
    after_would: [-1.164, 0.031],
    before_bracket: [-1.374, 0.026],
    before_by: [0.793, 0.133],
    before_calls: [-0.624, 0.031],
    before_comma: [1.094, 0.061],
    before_in: [1.481, 0.235],
    before_indefinite: [-0.481, 0.056],
    before_nothing: [0.324, 0.112],
    before_noun: [0.014, 0.194],
    deep: [1.321, 0.269],
    fresh: [-1.977, 0.117],
    fresh_far: [-1.459, 0.122],
    home: [2.122, 0.838],
    led: [-0.344, 0.046],
    low: [-1.423, 0.031],
    others: [-0.23, 0.056],
    planned: [-1.883, 0.112],
    stands: [0.387, 0.301],
    wish: [-1.97, 0.224],
  },
};
