// Logistic regression with both penalties, in a fixed order: what the second look and the facts of messages are fitted by.

/** `row.features` weighed by a model. */
export const scoreOf = ({ features }, { bias, weights }) =>
  weights.reduce(
    (sum, [name, weight, usual]) => sum + weight * ((features[name] ?? 0) - usual),
    bias,
  );

/**
 * On features of equal spread, by accelerated proximal steps; `share`: how much each row counts; `row.right` is what is
 * to be told.
 */
export function fitLogistic(own, { features, l1, l2, share }) {
  const columns = features.map((name) => {
    const values = own.map((row) => row.features[name] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / own.length;
    const spread = Math.sqrt(
      values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / own.length,
    );
    const scale = spread < 1e-9 ? 1 : spread;
    return { name, mean, scale, values: values.map((value) => (value - mean) / scale) };
  });
  const right = own.map((row) => Number(row.right));
  const { weights, bias } = descend(
    columns.map(({ values }) => values),
    { right, share, l1, l2 },
  );
  return {
    bias,
    weights: columns.map(({ name, mean, scale }, at) => [name, weights[at] / scale, mean]),
  };
}

function descend(columns, { right, share, l1, l2 }) {
  const step = 1 / (0.25 * (columns.length + 1) + l2);
  let weights = columns.map(() => 0);
  let [ahead, bias, biasAhead, pace] = [weights, 0, 0, 1];
  for (let round = 0; round < 600; round++) {
    const error = right.map((value, row) => {
      let sum = biasAhead;
      for (let at = 0; at < columns.length; at++) sum += columns[at][row] * ahead[at];
      return share[row] * (1 / (1 + Math.exp(-sum)) - value);
    });
    const next = columns.map((values, at) => {
      let slope = l2 * ahead[at];
      for (let row = 0; row < values.length; row++) slope += error[row] * values[row];
      const moved = ahead[at] - step * slope;
      return Math.sign(moved) * Math.max(0, Math.abs(moved) - step * l1);
    });
    const nextBias = biasAhead - step * error.reduce((sum, value) => sum + value, 0);
    const nextPace = (1 + Math.sqrt(1 + 4 * pace * pace)) / 2;
    const swing = (pace - 1) / nextPace;
    ahead = next.map((value, at) => value + swing * (value - weights[at]));
    biasAhead = nextBias + swing * (nextBias - bias);
    [weights, bias, pace] = [next, nextBias, nextPace];
  }
  return { weights, bias };
}
