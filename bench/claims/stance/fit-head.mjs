// A logistic fit over the features of clauses by stochastic steps in a fixed order: the same labels give
// the same weights. Only the features that matter most are kept, and fitted again alone.

const rounds = 15;
const step = 0.05;
const decay = 0.0005;
const leastCount = 2;

/** Features of what stands around the clause, and of parts of words, weigh less. */
const isFaint = (feature) => /^(?:p|n|h|th|in|pv|nx|lead|s|e|b):/.test(feature);

/** `cases`: {features, is: boolean, weight}. Gives {bias, weights: Map}. */
export function fitHead(cases, most) {
  const counts = new Map();
  for (const { features } of cases)
    for (const one of features) counts.set(one, (counts.get(one) ?? 0) + 1);
  const usual = [...counts].filter(([, count]) => count >= leastCount).map(([one]) => one);
  const first = fitted(cases, usual);
  const matters = ([one, weight]) => Math.abs(weight) * Math.sqrt(counts.get(one));
  const kept = [...first.weights]
    .sort((a, b) => matters(b) - matters(a))
    .slice(0, most)
    .map(([one]) => one);
  return fitted(cases, kept);
}

export const sumOf = ({ bias, weights }, features) =>
  features.reduce((sum, one) => sum + (weights.get(one) ?? 0), bias);

function fitted(cases, kept) {
  const ids = new Map(kept.map((one, index) => [one, index]));
  const weights = new Float64Array(ids.size);
  const values = Float64Array.from(kept, (one) => (isFaint(one) ? 0.7 : 1));
  const pasts = new Float64Array(ids.size).fill(0.01);
  let bias = 0;
  let biasPast = 0.01;
  const known = cases.map(({ features, is, weight }) => ({
    is: is ? 1 : 0,
    weight,
    features: Int32Array.from(
      features.map((feature) => ids.get(feature)).filter((id) => id !== undefined),
    ),
  }));
  const random = randomOf(7);
  for (let round = 0; round < rounds; round++) {
    shuffle(known, random);
    for (const { is, features, weight } of known) {
      let sum = bias;
      for (const id of features) sum += weights[id] * values[id];
      const miss = weight * (1 / (1 + Math.exp(-sum)) - is);
      biasPast += miss * miss;
      bias -= (step * miss) / Math.sqrt(biasPast);
      for (const id of features) {
        const slope = miss * values[id] + decay * weights[id];
        pasts[id] += slope * slope;
        weights[id] -= (step * slope) / Math.sqrt(pasts[id]);
      }
    }
  }
  return { bias, weights: new Map(kept.map((one, id) => [one, weights[id] * values[id]])) };
}

function randomOf(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

function shuffle(list, random) {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [list[last], list[other]] = [list[other], list[last]];
  }
}
