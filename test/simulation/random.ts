// Chance from a seed: the same seed gives the same world. Forks keep the chance of one part apart from the order in which others draw.

export type Random = {
  /** Uniform in [0, 1). */
  next(): number;
  /** A whole number from 0 to `below` - 1. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** One of the rows, as often as its weight says. */
  weighted<T>(rows: readonly (readonly [number, T])[]): T;
  fork(label: string): Random;
};

export function seeded(seed: number, path = ""): Random {
  let state = hash(`${seed}/${path}`);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (list) => list[int(list.length)]!,
    weighted(rows) {
      let at = next() * rows.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of rows) if ((at -= weight) < 0) return value;
      return rows.at(-1)![1];
    },
    fork: (label) => seeded(seed, `${path}/${label}`),
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value;
}
