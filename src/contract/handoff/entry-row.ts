// One entry of a handoff's findings as a row of a report: its place, what it says in words, and the line
// that it quotes.
import { isObject } from "../../base/data/json.ts";
import { flat } from "./changed-path.ts";

/**
 * Where a line of the report comes from: to put it right, change `holder[key]`, or the entry's own
 * path and line.
 */
export type Origin = {
  span: [number, number];
  holder: Record<string, unknown>;
  key: string;
  place?: PlaceKeys;
};
export type PlaceKeys = { path: string; line?: string };

export type Holder = Record<string, unknown>;
export type EntryItem = { holder: Holder; key: string; value: unknown };
export type Row = { cells: string[]; origin: Omit<Origin, "span"> };
export type ReportLine = { text: string; origin?: Omit<Origin, "span"> };

const adviceStems = [
  "recommend suggest propos advice next plan sequence build_sequence step$ steps$ reject",
  "alternativ risk approach question todo follow responsib signature assum unsure uncertain",
  "fix resolution remed",
].flatMap((line) => line.split(" "));
export const advice = new RegExp(`(?:^|_)(?:${adviceStems.join("|")})`, "i");
const pathKey = /^(?:path|file|filename|file_?path|location|where|place|source)$/i;
const lineKey = /^(?:line|lines|line_?numbers?|line_?range|at_line|start_?line)$/i;
const quoteKey = /^(?:quote|quotation|code|snippet|excerpt|line_?text|text_at_line|code_match)$/i;
const symbolKey = /^(?:symbol|function|method|class|identifier|name)$/i;
const factKey =
  /^(?:id|category|type|kind|severity|priority|confidence|action|status)$|^end_?line$/i;

/** `number`: the id of an entry that has none. */
export function entryRow(
  { holder, key, value }: EntryItem,
  number: () => number,
): { row: Row; quote?: ReportLine } | undefined {
  if (!isObject(value)) return undefined;
  const place = placeOf(value);
  const textOf = (pattern: RegExp): string =>
    Object.entries(value).flatMap(([name, item]) =>
      pattern.test(name) && (typeof item === "string" || typeof item === "number")
        ? [flat(String(item))]
        : [],
    )[0] ?? "";
  const id = textOf(/^id$/i) || `F${number()}`;
  const symbol = textOf(symbolKey);
  const location = place
    ? `\`${locationOf(value, place)}\`${symbol && /^[\w$.#:]+(?:\(\))?$/.test(symbol) ? ` (${symbol})` : ""}`
    : "";
  const origin = place ? { holder: value, key: place.path, place } : { holder, key };
  const row: Row = {
    cells: [
      id,
      entryWords(value, place) || symbol,
      location,
      textOf(/^(?:category|type|kind)$/i),
      textOf(/severity|priority/i),
      textOf(/confidence/i),
    ],
    origin,
  };
  const code = Object.entries(value).find(
    ([name, item]) => quoteKey.test(name) && typeof item === "string" && item.trim() !== "",
  )?.[1] as string | undefined;
  if (code === undefined || !place) return { row };
  return {
    row,
    quote: { text: `${id} \`${locationOf(value, place)}\`:\n${fenced(code)}`, origin },
  };
}

/** Everything that an entry says in words: references in it are checked like its place. */
export function entryWords(entry: Holder, place: PlaceKeys | undefined): string {
  const isWords = (name: string): boolean =>
    name !== place?.path &&
    name !== place?.line &&
    ![factKey, quoteKey, symbolKey, lineKey, advice].some((special) => special.test(name));
  return Object.entries(entry)
    .filter(([name]) => isWords(name))
    .flatMap(([, item]) => (Array.isArray(item) ? (item as unknown[]).slice(0, 20) : [item]))
    .filter((item) => typeof item === "string")
    .map(flat)
    .join("; ");
}

export function placeOf(entry: Holder): PlaceKeys | undefined {
  const path = Object.keys(entry).find(
    (name) => pathKey.test(name) && typeof entry[name] === "string" && entry[name] !== "",
  );
  const line = Object.keys(entry).find(
    (name) =>
      lineKey.test(name) && (typeof entry[name] === "number" || typeof entry[name] === "string"),
  );
  return path === undefined ? undefined : { path, ...(line === undefined ? {} : { line }) };
}

export function locationOf(entry: Holder, { path, line }: PlaceKeys): string {
  const file = flat(String(entry[path])).replaceAll("`", "");
  const end = entry["end_line"] ?? entry["endLine"];
  const numbers =
    line === undefined
      ? ""
      : flat(String(entry[line])).replace(/^(?:lines?|L)\s*/i, "") +
        (typeof end === "number" && /^\d+$/.test(String(entry[line])) ? `-${end}` : "");
  return /^\d[\d,\s-]*$/.test(numbers) && !/:\d+/.test(file) ? `${file}:${numbers}` : file;
}

function fenced(code: string): string {
  const shown = code.slice(0, 4_000);
  const mark = "`".repeat(
    Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  );
  return `${mark}\n${shown}\n${mark}`;
}
