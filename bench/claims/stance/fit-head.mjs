// A logistic fit over the features of clauses by stochastic steps in a fixed order: the same labels give
// the same weights. Only the features that matter most are kept, and fitted again alone.

const rounds = 12;
const step = 0.15;
const decay = 0.001;
const leastCount = 3;
const mostFeatures = 3_000;

/** `clauses`: {features, [head]: boolean}. Gives {bias, weights: Map}. */
export function fitHead(clauses, head) {
  const counts = new Map();
  for (const { features } of clauses)
    for (const one of features) counts.set(one, (counts.get(one) ?? 0) + 1);
  const usual = new Set([...counts].filter(([, count]) => count >= leastCount).map(([one]) => one));
  const first = fitted(clauses, head, usual);
  const matters = ([one, weight]) => Math.abs(weight) * Math.sqrt(counts.get(one));
  const kept = [...first.weights]
    .sort((a, b) => matters(b) - matters(a))
    .slice(0, mostFeatures)
    .map(([one]) => one);
  return fitted(clauses, head, new Set(kept));
}

export const sumOf = ({ bias, weights }, features) =>
  features.reduce((sum, one) => sum + (weights.get(one) ?? 0), bias);

function fitted(clauses, head, kept) {
  const ids = new Map([...kept].map((one, index) => [one, index]));
  const weights = new Float64Array(ids.size);
  const pasts = new Float64Array(ids.size).fill(0.01);
  let bias = 0;
  let biasPast = 0.01;
  const cases = clauses.map((one) => ({
    is: one[head] ? 1 : 0,
    features: one.features.map((feature) => ids.get(feature)).filter((id) => id !== undefined),
  }));
  const random = randomOf(7);
  for (let round = 0; round < rounds; round++) {
    shuffle(cases, random);
    for (const { is, features } of cases) {
      const sum = features.reduce((all, id) => all + weights[id], bias);
      const miss = 1 / (1 + Math.exp(-sum)) - is;
      biasPast += miss * miss;
      bias -= (step * miss) / Math.sqrt(biasPast);
      for (const id of features) {
        const slope = miss + decay * weights[id];
        pasts[id] += slope * slope;
        weights[id] -= (step * slope) / Math.sqrt(pasts[id]);
      }
    }
  }
  return { bias, weights: new Map([...ids].map(([one, id]) => [one, weights[id]])) };
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
