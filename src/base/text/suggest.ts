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
    const distance = editDistance(given, other, bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions, changes and swaps of neighbours count one each; from `most` on nobody asks how many. */
function editDistance(a: string, b: string, most: number): number {
  let [beforeLast, last, row]: [number[], number[], number[]] = [[], [], []];
  for (let j = 0; j <= b.length; j++) last.push(j);
  let [leastBefore, least] = [0, 0];
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    [leastBefore, least] = [least, i];
    for (let j = 1; j <= b.length; j++) {
      let edits = Math.min(
        last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        last[j]! + 1,
        row[j - 1]! + 1,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1);
      row[j] = edits;
      least = Math.min(least, edits);
    }
    // A later row is built on the last two.
    if (least >= most && leastBefore >= most) return most;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length]!;
}
