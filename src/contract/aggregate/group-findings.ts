// Which findings are one: connected by category and place, never by line number alone. Titles alike
// only make a suspicion.
import type { Member } from "./verified-report.ts";

export type Group = { members: Member[] };
export type PossibleDuplicate = { a: string; b: string; path: string };

const nearLines = 3;
const likeness = 0.85;
const maxTitlePairs = 20_000;

/**
 * Groups are the connected components of the three rules; the order of the members does not matter
 * to which groups there are.
 */
export function groupFindings(members: readonly Member[]): Group[] {
  const parent = members.map((_, index) => index);
  const find = (index: number): number => {
    let at = index;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]!]!;
    return at;
  };
  const join = (a: number, b: number): void => void (parent[find(a)] = find(b));
  for (const bucket of buckets(members, lineKeys))
    for (const other of bucket.slice(1)) join(bucket[0]!, other);
  for (const bucket of buckets(members, placeKeys)) joinNear(bucket, members, join);
  const groups = new Map<number, Member[]>();
  for (const [index, member] of members.entries())
    groups.set(find(index), [...(groups.get(find(index)) ?? []), member]);
  return [...groups.values()].map((list) => ({ members: list }));
}

function buckets(members: readonly Member[], keysOf: (member: Member) => string[]): number[][] {
  const found = new Map<string, number[]>();
  for (const [index, member] of members.entries()) {
    for (const key of keysOf(member)) {
      const bucket = found.get(key);
      if (bucket) bucket.push(index);
      else found.set(key, [index]);
    }
  }
  return [...found.values()].filter((bucket) => bucket.length > 1);
}

/**
 * Rule 1: same category, path and line text. Rule 3: the same telling line in a file of the same
 * name elsewhere.
 */
function lineKeys({ category, path, line_text }: Member): string[] {
  const text = normalised(line_text);
  if (path === null || text === "") return [];
  const name = path.slice(path.lastIndexOf("/") + 1);
  const telling = text.length >= 16 && /[a-z_]{4}/i.test(text);
  return [`1 ${category} ${path} ${text}`, ...(telling ? [`3 ${category} ${name} ${text}`] : [])];
}

const placeKeys = ({ category, path, lines }: Member): string[] =>
  path === null || lines === null ? [] : [`${category} ${path}`];

/**
 * Rule 2: overlapping ranges, or the same symbol within three lines. Sorted by place, so only
 * neighbours are compared.
 */
function joinNear(
  bucket: number[],
  members: readonly Member[],
  join: (a: number, b: number) => void,
): void {
  const sorted = [...bucket].sort(
    (a, b) =>
      members[a]!.lines![0] - members[b]!.lines![0] ||
      members[a]!.lines![1] - members[b]!.lines![1],
  );
  let reach = sorted[0]!;
  for (const next of sorted.slice(1)) {
    const [from, to] = [members[reach]!, members[next]!];
    const gap = to.lines![0] - from.lines![1];
    if (gap <= 0 || (gap <= nearLines && from.symbol !== null && from.symbol === to.symbol))
      join(reach, next);
    if (to.lines![1] >= from.lines![1]) reach = next;
  }
}

const normalised = (text: string): string => text.replace(/\s+/g, " ").trim();

/**
 * Rule 4: same path and titles at least 0.85 alike, in different groups. A suspicion, never a
 * merge.
 */
export function possible_duplicates(
  groups: readonly { id: string; title: string; path: string | null }[],
): PossibleDuplicate[] {
  const byPath = new Map<string, { id: string; title: string }[]>();
  for (const { id, title, path } of groups)
    if (path !== null) byPath.set(path, [...(byPath.get(path) ?? []), { id, title }]);
  const found: PossibleDuplicate[] = [];
  let pairs = 0;
  for (const [path, list] of byPath) {
    for (let a = 0; a < list.length; a++) {
      for (let b = a + 1; b < list.length && pairs < maxTitlePairs; b++, pairs++) {
        if (alike(list[a]!.title, list[b]!.title) >= likeness)
          found.push({ a: list[a]!.id, b: list[b]!.id, path });
      }
    }
  }
  return found;
}

/** Shared pairs of neighbouring characters, 0 to 1. */
export function alike(a: string, b: string): number {
  const [one, two] = [pairsOf(a), pairsOf(b)];
  const total = size(one) + size(two);
  if (total === 0) return normalised(a) === normalised(b) ? 1 : 0;
  let shared = 0;
  for (const [pair, count] of one) shared += Math.min(count, two.get(pair) ?? 0);
  return (2 * shared) / total;
}

function pairsOf(text: string): Map<string, number> {
  const flat = normalised(text).toLowerCase().slice(0, 300);
  const pairs = new Map<string, number>();
  for (let index = 0; index + 1 < flat.length; index++) {
    const pair = flat.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

const size = (pairs: Map<string, number>): number =>
  [...pairs.values()].reduce((sum, count) => sum + count, 0);
