// "Did you mean …?": the most similar of a list of names, or nothing when none is similar.

/**
 * The candidate with the fewest edits (case aside), at most a third of the word's length; undefined
 * if there is none.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const given = word.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const candidate of candidates) {
    const other = candidate.slice(0, 64).toLowerCase();
    if (Math.abs(other.length - given.length) >= bestDistance) continue;
    const distance = editDistance(given, other);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions, changes and swaps of neighbours count one each. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? rows[i - 2]![j - 2]! + 1
          : Infinity;
      row.push(Math.min(change, swapped, rows[i - 1]![j]! + 1, row[j - 1]! + 1));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
