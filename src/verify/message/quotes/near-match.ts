// Whether code that stands nowhere is a line of a file with a token or two put in the place of others.
import { emptyList } from "../../../markdown/empty-list.ts";
import type { SourceFile } from "../../../source/source-file.ts";

/** `line`: where the file has the like; `isSame`: it differs in nothing. */
export type NearMatch = { line: number; isSame: boolean };

/** `isLine`: the line is known, or others around it agree: less is enough. */
type Needs = { isLine: boolean };

const token = /\d\w*(?:\.\d+)*|[\w$\u0080-\uffff]+|&&|\|\||[=!<>]=+|[=-]>|::|\?\?|\?\.|[^\s\w$]/g;
const operator = /^(?:&&|\|\||[=!<>]=*|[-+*/%])$/;
const isNumber = (one: string): boolean => /^\d/.test(one);
const isWord = (one: string): boolean => /^[A-Za-z_$\u0080-\uffff]/.test(one);

/** One kind of quotation mark for all. */
export const tokensIn = (code: string): string[] => code.replace(/['`]/g, '"').match(token) ?? [];

const mostLines = 60;
const mostTokens = 80;

export function nearMatch(
  code: string,
  file: SourceFile,
  { from, to, isLine }: { from: number; to: number } & Needs,
): NearMatch | undefined {
  const quoted = tokensIn(code);
  if (quoted.length < 3 || quoted.length > mostTokens) return undefined;
  let found: NearMatch | undefined;
  // Lines beside each other are asked about together.
  const rows = new Map<number, string[]>();
  const rowAt = (line: number): string[] => {
    const row = rows.get(line) ?? tokensIn(file.line(line));
    rows.set(line, row);
    return row;
  };
  const mayHold = beginningOf(quoted);
  for (const line of linesLike(quoted, file)) {
    if (line < from || line > to || !mayHold(file.line(line))) continue;
    const own = rowAt(line).length;
    // A record of data: what is like a part of it was not made of it.
    if (own > mostTokens) continue;
    const there = [...rowAt(line), ...rowAt(line + 1), ...rowAt(line + 2)];
    for (let at = 0; at < own; at++) {
      const swaps = swapsAt(quoted, there, at);
      if (!swaps) continue;
      if (swaps.length === 0) return { line, isSame: true };
      if (!found && isTelling(quoted, swaps, { file, isLine })) found = { line, isSame: false };
    }
  }
  return found;
}

/** Whether a line may have the first token, which is swapped only where it is a number or an operator. */
function beginningOf([head]: readonly string[]): (line: string) => boolean {
  if (head === undefined || head === '"' || isNumber(head) || operator.test(head))
    return () => true;
  return (line) => line.includes(head);
}

/** The lines, and those two above, that have one of its longest words. */
function linesLike(quoted: readonly string[], file: SourceFile): number[] {
  const words = [...new Set(quoted.filter((one) => isWord(one) && one.length > 2))];
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, 3);
  const lines = longest.flatMap((word) => file.linesWith(word).slice(0, mostLines));
  return [...new Set(lines.flatMap((line) => [line, line - 1, line - 2]))].filter(
    (line) => line > 0,
  );
}

type Swap = { row: number; own: string };
const none: readonly Swap[] = emptyList();

/** What differs where the quotation is laid onto these tokens; undefined where it is something else. */
function swapsAt(
  quoted: readonly string[],
  there: readonly string[],
  at: number,
): readonly Swap[] | undefined {
  // Most lines begin with something else.
  let swaps: readonly Swap[] = none;
  let [row, column] = [0, at];
  while (row < quoted.length) {
    if (column === there.length) return undefined;
    if (quoted[row] === there[column]) {
      row++;
      column++;
      continue;
    }
    const isFull = swaps.length >= (quoted.length >= 10 ? 2 : 1);
    if (isFull || !isSwap(quoted[row]!, there[column]!, row === 0)) return undefined;
    swaps = [...swaps, { row, own: quoted[row]! }];
    row++;
    column++;
  }
  return swaps;
}

/** Of one kind: a number for a number, an operator for an operator, a word for a word. */
function isSwap(own: string, other: string, isFirst: boolean): boolean {
  if (isNumber(own)) return isNumber(other);
  if (operator.test(own)) return operator.test(other);
  return !isFirst && isWord(own) && isWord(other) && own.toLowerCase() !== other.toLowerCase();
}

/** Enough agrees to know the line, and what differs is a value and no name that an example may change. */
function isTelling(
  quoted: readonly string[],
  swaps: readonly Swap[],
  { file, isLine }: Needs & { file: SourceFile },
): boolean {
  const same = quoted.length - swaps.length;
  const rare = quoted.some(
    (one, row) =>
      one.length > 3 &&
      isWord(one) &&
      !swaps.some((swap) => swap.row === row) &&
      file.linesWith(one).length <= fewLines,
  );
  if (!rare && same < leastKnown) return false;
  const isValue = swaps.every((swap) => saysValue(quoted, swap));
  const isCounted = swaps.every(({ own }) => isNumber(own));
  // Another call of the same form has other names in two places.
  if (isLine) return same >= 2 && (isValue || (same >= 5 && swaps.length === 1));
  return isValue && same >= (isCounted ? 2 : 3);
}

const fewLines = 12;
/** So many equal tokens are no chance. */
const leastKnown = 8;

/** A number, an operator, what stands in quotation marks, and what is set or compared. */
function saysValue(quoted: readonly string[], { row, own }: Swap): boolean {
  if (!isWord(own)) return true;
  const [before, after] = [quoted[row - 1]!, quoted[row + 1]];
  if (before === '"' || /^(?:[:=]|[=!]=+|::)$/.test(before)) return true;
  return before === "." && after !== "(" && /^[A-Z]/.test(own);
}
