// Fits the weights of flags on messages whose answers are known. A message that nothing supports needs one flag that
// is right, one that is supported needs all of its flags held back: so the flags of a message are fitted together.

const [rounds, step] = [500, 2];

/** `rows`: {unsupported, flags: [{marks}]}. Gives {name: weight}. `decay` keeps weights small. */
export function fitFlags(rows, { decay = 0.004, least = 8 } = {}) {
  const own = rows.filter(({ flags }) => flags.length > 0);
  const counts = new Map();
  for (const { flags } of own)
    for (const name of new Set(flags.flatMap(({ marks }) => Object.keys(marks))))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].filter(([, count]) => count >= least).map(([name]) => name);
  const ids = new Map(names.map((name, at) => [name, at]));
  const known = own.map(({ unsupported, flags }) => ({
    unsupported,
    flags: flags.map(({ marks }) => {
      const kept = Object.entries(marks).filter(([name]) => ids.has(name));
      return {
        ids: Int32Array.from(kept, ([name]) => ids.get(name)),
        values: Float64Array.from(kept, ([, value]) => value),
      };
    }),
  }));
  const weights = descend(known, { size: names.length, decay, bias: ids.get("always") });
  return Object.fromEntries(names.map((name, at) => [name, weights[at]]));
}

/** Steps that grow smaller where a weight moved much (Adagrad), over all messages at once. */
function descend(rows, { size, decay, bias }) {
  const weights = new Float64Array(size);
  const past = new Float64Array(size).fill(1e-6);
  for (let round = 0; round < rounds; round++) {
    const slopes = new Float64Array(size);
    for (let at = 0; at < size; at++) slopes[at] = at === bias ? 0 : decay * weights[at];
    for (const { unsupported, flags } of rows) {
      const right = flags.map((flag) => chanceOf(sumOf(flag, weights)));
      const none = right.reduce((all, one) => all * (1 - one), 1);
      // Of a message that is wrong the flag that explains it best answers for it.
      const share = unsupported ? -none / Math.max(1e-9, 1 - none) : 1;
      for (const [index, { ids, values }] of flags.entries()) {
        const slope = (share * right[index]) / rows.length;
        for (let at = 0; at < ids.length; at++) slopes[ids[at]] += slope * values[at];
      }
    }
    for (let at = 0; at < size; at++) {
      past[at] += slopes[at] * slopes[at];
      weights[at] -= ((step / 10) * slopes[at]) / Math.sqrt(past[at]);
    }
  }
  return weights;
}

const chanceOf = (sum) => 1 / (1 + Math.exp(-sum));

function sumOf({ ids, values }, weights) {
  let sum = 0;
  for (let at = 0; at < ids.length; at++) sum += weights[ids[at]] * values[at];
  return sum;
}

export const scoreOf = ({ marks }, weights) =>
  Object.entries(marks).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0);
