// Which pieces of text a phrase cannot do without: of every group at least one stands in whatever the
// phrase matches. Read from the phrase itself, so that no table has to be kept beside it.

export type WordLists = Readonly<Record<string, readonly string[]>>;

/** Pieces in small letters, of which one must be there; `anyDigit` stands for any digit. */
export type NeededGroup = readonly string[];

export const anyDigit = "\\d";

const token = new RegExp(
  [
    "\\{([a-z]+)\\}",
    "\\(\\?(?:[:=!]|<[=!])|[()|]",
    "\\[(?:\\\\.|[^\\]\\\\])*\\]",
    "\\\\(?:[pP]\\{[^}]*\\}|u[\\da-f]{4}|.)",
    "[?*+]\\??|\\{\\d+(?:,\\d*)?\\}\\??",
    "[^\\\\()[\\]{}|?*+.^$ ]+|[^]",
  ].join("|"),
  "giu",
);
const isQuantifier = /^(?:[?*+]\??|\{\d+(?:,\d*)?\}\??)$/;

type Reading = { tokens: RegExpExecArray[]; at: number; lists: WordLists };

/** No group at all: nothing can be said, and the phrase has to be tried. */
export function neededWords(phrase: string, lists: WordLists): readonly NeededGroup[] {
  return alternatives({ tokens: [...phrase.matchAll(token)], at: 0, lists });
}

const knownLists = new WeakMap<WordLists, Map<string, readonly NeededGroup[]>>();

/** A list is named by many phrases and read once. */
function neededOfList(name: string, lists: WordLists): readonly NeededGroup[] {
  const known = knownLists.get(lists) ?? new Map<string, readonly NeededGroup[]>();
  knownLists.set(lists, known);
  const found = known.get(name) ?? neededWords((lists[name] ?? []).join("|"), lists);
  known.set(name, found);
  return found;
}

/** As far as the bracket that closes it. Of each of several ways its rarest group counts. */
function alternatives(reading: Reading): readonly NeededGroup[] {
  const ways = [sequence(reading)];
  while (reading.tokens[reading.at]?.[0] === "|") {
    reading.at++;
    ways.push(sequence(reading));
  }
  if (ways.length === 1) return ways[0]!;
  if (ways.some((way) => way.length === 0)) return [];
  return [[...new Set(ways.flatMap((way) => way.reduce(rarer)))]];
}

function sequence(reading: Reading): readonly NeededGroup[] {
  const found: NeededGroup[] = [];
  for (;;) {
    const text = reading.tokens[reading.at]?.[0];
    if (text === undefined || text === "|" || text === ")") return found;
    const piece = pieceAt(reading);
    const sign = reading.tokens[reading.at]?.[0] ?? "";
    if (isQuantifier.test(sign)) reading.at++;
    const isOptional = /^(?:[?*]|\{0)/.test(sign) && isQuantifier.test(sign);
    if (typeof piece !== "string") found.push(...(isOptional ? [] : piece));
    else {
      // A sign of repetition speaks of the last letter alone.
      const sure = isOptional ? piece.slice(0, -1) : piece;
      if (sure !== "") found.push([sure.toLowerCase()]);
    }
  }
}

/** Letters as they are, or what a group needs. */
function pieceAt(reading: Reading): string | readonly NeededGroup[] {
  const [text, list] = reading.tokens[reading.at++]!;
  if (list !== undefined) return neededOfList(list, reading.lists);
  if (text.startsWith("(")) {
    const inner = alternatives(reading);
    reading.at++;
    // What stands before or behind is not part of it, and what must not stand there says nothing.
    return text === "(" || text === "(?:" ? inner : [];
  }
  if (text === "\\d") return [[anyDigit]];
  if (/^[[.^$ ]|^\\\w/.test(text)) return [];
  return text.startsWith("\\") ? text.slice(1) : text;
}

/** Longer pieces are rarer; of equally long ones the shorter list is. */
function rarer(a: NeededGroup, b: NeededGroup): NeededGroup {
  const [left, right] = [shortest(a), shortest(b)];
  return right > left || (right === left && b.length < a.length) ? b : a;
}

const shortest = (pieces: NeededGroup): number =>
  Math.min(4, ...pieces.map(({ length }) => length));
