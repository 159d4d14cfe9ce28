// Every number that a run was shown or gave to a tool: prompts, inputs and outputs, never the agent's
// own words. Bounded: past the bound nothing is known to be absent.
import { isObject } from "../../base/data/json.ts";

const maxFigures = 200_000;
const longestLine = 400_000;

export type PrintedFigures = {
  /** Somebody printed or gave this number, to the digits told. */
  has(value: number, digits: number): boolean;
  /** More was printed than is kept: an absent number proves nothing. */
  readonly isFull: boolean;
};

export type FigureReader = { add(line: Record<string, unknown>): void; figures: PrintedFigures };

/** `isKept`: the lines stay in memory anyway, so that they can wait until somebody asks for a number. */
export function figureReader(isKept: boolean): FigureReader {
  const known = new Set<number>();
  const waiting: Record<string, unknown>[] = [];
  let isFull = false;
  let sorted: Float64Array | undefined;
  const read = (line: Record<string, unknown>): void => {
    const text = shownText(line).replace(/\\[nrtbf]/g, " ");
    if (text.length > longestLine) isFull = true;
    for (const [found] of text.slice(0, longestLine).matchAll(figure)) {
      if (known.size >= maxFigures) isFull = true;
      else for (const value of readings(found)) known.add(value);
    }
    sorted = undefined;
  };
  const settle = (): void => waiting.splice(0).forEach(read);
  return {
    add: (line) => void (isKept ? waiting.push(line) : read(line)),
    figures: {
      has(value, digits) {
        settle();
        if (known.has(value)) return true;
        sorted ??= Float64Array.from(known).sort();
        const half = 0.5 * 10 ** -digits + 1e-9;
        return firstFrom(sorted, value - half) <= value + half;
      },
      get isFull() {
        settle();
        return isFull;
      },
    },
  };
}

/** Digits behind a letter are a part of a name, but for `0m48.2s`. */
const figure = /(?<![A-Za-ln-z_]|(?<!\d)m)\d+(?:[.,'_]\d+)*/g;

/** "48,120" is a thousand's mark to one writer and a decimal mark to another. */
export function readings(text: string): number[] {
  const plain = text.replace(/['_]/g, "");
  const values = [
    plain.replace(/,/g, ""),
    plain.replace(/\./g, "").replace(",", "."),
    plain.replace(",", "."),
    ...(/[.,].*[.,]|:/.test(plain) ? plain.split(/[.,]/) : []),
  ].map(Number);
  return [...new Set(values.filter((value) => Number.isFinite(value)))];
}

/** The smallest number that is not below `from`. */
function firstFrom(sorted: Float64Array, from: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return sorted[low] ?? Infinity;
}

/** What the agent said itself is left out; what it told a tool is not. */
function shownText(line: Record<string, unknown>): string {
  const message = isObject(line["message"]) ? line["message"] : {};
  const { content } = message;
  if (line["type"] !== "assistant")
    return withoutNumbering(JSON.stringify([content ?? null, line["toolUseResult"]], withoutIds));
  const calls = Array.isArray(content)
    ? content.filter((part) => isObject(part) && part["type"] === "tool_use")
    : [];
  return calls.map((call) => JSON.stringify((call as Record<string, unknown>)["input"])).join(" ");
}

/** The numbers of lines before a file's text, six places wide, were measured by nobody. */
const withoutNumbering = (json: string): string =>
  json.replace(/(?<="|\\n)( *\d{1,6})(?:\\t|→)/g, (all, number: string) =>
    number.length === 6 ? " " : all,
  );

const withoutIds = (key: string, value: unknown): unknown =>
  key === "tool_use_id" || key === "id" || key === "uuid" ? undefined : value;
