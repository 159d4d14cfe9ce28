// How much each number tells of whether a name or a path is said of the code, as `node bench/verify/fit-facts.mjs
// --write` fits it from messages whose wrong references are known.

/** Each number with its weight and its usual value. */
export const factWeights: { bias: number; weights: Record<string, [number, number]> } = {
  bias: 1.69,
  weights: {
    after_acts: [0.181, 0.092],
    after_of_code: [0.378, 0.05],
    after_placed: [0.783, 0.065],
    after_which: [0.273, 0.105],
    after_would: [-1.375, 0.021],
    before_bracket: [-1.328, 0.013],
    before_by: [0.669, 0.141],
    before_calls: [-1.25, 0.039],
    before_comma: [0.663, 0.05],
    before_in: [1.08, 0.312],
    before_indefinite: [-0.704, 0.055],
    before_nothing: [0.679, 0.073],
    cited: [1.131, 0.008],
    deep: [1.639, 0.355],
    denied: [-0.28, 0.018],
    fresh: [-1.751, 0.107],
    fresh_far: [-1.367, 0.115],
    home: [1.399, 0.826],
    low: [-1.663, 0.021],
    planned: [-1.499, 0.081],
    stands: [0.528, 0.314],
    wish: [-2.242, 0.23],
  },
};
