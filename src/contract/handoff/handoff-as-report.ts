// A handoff's answer in the form of a report, so that what it names is checked like a report's:
// findings with their places, changed files, commands that ran, the summary. Advice
// (recommendations, plans, what was rejected) names what is not there yet and is left out.
import { isObject } from "../../base/data/json.ts";
import { changedPath, changeHeading, flat } from "./changed-path.ts";
import { gatherFindings } from "./check-response.ts";
import { renderTable } from "../report/render-table.ts";

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

/**
 * `value` is the answer as it was read; the origins point into it. `acts`: it says that something
 * was done.
 */
export type HandoffReport = {
  text: string;
  value: Record<string, unknown>;
  origins: Origin[];
  acts: boolean;
};

type Holder = Record<string, unknown>;
type Item = { holder: Holder; key: string; value: unknown };
type Row = { cells: string[]; origin: Omit<Origin, "span"> };
type Writer = {
  lines: { text: string; origin?: Omit<Origin, "span"> }[];
  left: number;
  numbers: number;
  acts: boolean;
};

const maxItems = 500;
const maxDepth = 4;
const adviceStems = [
  "recommend suggest propos advice next plan sequence build_sequence step$ steps$ reject",
  "alternativ risk approach question todo follow responsib signature assum unsure uncertain",
  "fix resolution remed",
].flatMap((line) => line.split(" "));
const advice = new RegExp(`(?:^|_)(?:${adviceStems.join("|")})`, "i");
const pathKey = /^(?:path|file|filename|file_?path|location|where|place|source)$/i;
const lineKey = /^(?:line|lines|line_?numbers?|line_?range|at_line|start_?line)$/i;
const quoteKey = /^(?:quote|quotation|code|snippet|excerpt|line_?text|text_at_line|code_match)$/i;
const symbolKey = /^(?:symbol|function|method|class|identifier|name)$/i;
const factKey =
  /^(?:id|category|type|kind|severity|priority|confidence|action|status)$|^end_?line$/i;
const changedKey = new RegExp(
  "^(?:files?_?(?:changed|modified|created|deleted|touched|written|added)|" +
    "tests_?(?:written|added|changed)|changed_?files)$",
  "i",
);
const commandsKey = /^(?:commands?(?:_?run)?|ran|executed)$/i;

/** Never throws; bounded in items and depth. */
export function handoffAsReport(answer: Record<string, unknown>): HandoffReport {
  const value: Holder = {
    ...structuredClone(answer),
    findings: gatherFindings(structuredClone(answer)),
  };
  const writer: Writer = { lines: [], left: maxItems, numbers: 0, acts: false };
  const say = (text: string): number => writer.lines.push({ text });
  say("## Handoff Result");
  if (typeof value["status"] === "string") say(`### Status\n${flat(value["status"])}`);
  if (typeof value["decision"] === "string") say(`### Decision\n${flat(value["decision"])}`);
  if (typeof value["context_summary"] === "string") {
    say("### Summary");
    writer.lines.push({
      text: unheaded(value["context_summary"]),
      origin: { holder: value, key: "context_summary" },
    });
  }
  say("### Findings");
  writeGroup(writer, value["findings"] as Holder, { title: "", depth: 0 });
  return { ...joined(writer), value, acts: writer.acts };
}

function joined({ lines }: Writer): { text: string; origins: Origin[] } {
  const origins: Origin[] = [];
  let text = "";
  for (const line of lines) {
    const start = text.length;
    text += `${line.text}\n`;
    if (line.origin) origins.push({ ...line.origin, span: [start, text.length - 1] });
  }
  return { text, origins };
}

function writeGroup(
  writer: Writer,
  group: Holder,
  { title, depth }: { title: string; depth: number },
): void {
  if (saysPassed(group)) {
    writer.acts = true;
    if (title !== "")
      writer.lines.push({ text: `- ${title}: passed`, origin: { holder: group, key: "passed" } });
  }
  for (const [key, value] of Object.entries(group).slice(0, maxItems)) {
    if (advice.test(key) || writer.left <= 0) continue;
    const heading = `${title} ${key.replaceAll("_", " ")}`.trim().replace(/[#\n|]/g, " ");
    if (Array.isArray(value))
      writeList(writer, {
        heading,
        key,
        items: value.map((one, index): Item => ({
          holder: value as unknown as Holder,
          key: String(index),
          value: one,
        })),
      });
    else if (isObject(value) && placeOf(value))
      writeList(writer, { heading, key, items: [{ holder: group, key, value }] });
    else if (isObject(value) && depth < maxDepth)
      writeGroup(writer, value, { title: heading, depth: depth + 1 });
    else if (typeof value === "string")
      writeList(writer, { heading, key, items: [{ holder: group, key, value }] });
  }
}

/** A check that ran and passed is something done. */
const saysPassed = (group: Holder): boolean =>
  group["passed"] === true && group["skipped"] !== true;

type List = { heading: string; key: string; items: readonly Item[] };

function writeList(writer: Writer, { heading, key, items }: List): void {
  const kept = items.slice(0, writer.left);
  writer.left -= kept.length;
  if (kept.length === 0) return;
  if (changedKey.test(key)) return writeChanges(writer, key, kept);
  if (commandsKey.test(key)) return writeCommands(writer, heading, kept);
  if (kept.every(({ value }) => isPlanned(value)))
    return writeTable(writer, "#### Implementation Map", {
      columns: ["File", "Action"],
      rows: kept.map(({ value }) => plannedRow(value as Holder)),
    });
  // What has neither a place nor a weight is a sentence.
  const isSentence = ({ value }: Item): boolean =>
    typeof value === "string" ||
    (isObject(value) &&
      !placeOf(value) &&
      !Object.keys(value).some((name) => /severity|priority/i.test(name)));
  const rows = kept.flatMap((item) => (isSentence(item) ? [] : (entryRow(writer, item) ?? [])));
  const texts = kept.filter(isSentence);
  if (rows.length > 0)
    writeTable(writer, `#### ${heading}`, {
      columns: ["ID", "Issue", "File:Line", "Category", "Severity", "Confidence"],
      rows: rows.map(({ row }) => row),
    });
  for (const { quote } of rows) if (quote) writer.lines.push(quote);
  if (texts.length > 0 && rows.length === 0) writer.lines.push({ text: `#### ${heading}` });
  for (const { holder, key: at, value } of texts)
    writer.lines.push({
      text: `- ${typeof value === "string" ? flat(value) : wordsOf(value as Holder, undefined)}`,
      origin: { holder, key: at },
    });
}

/** One line a row, so that every row has a place of its own. */
function writeTable(
  writer: Writer,
  heading: string,
  { columns, rows }: { columns: string[]; rows: Row[] },
): void {
  const [head, rule, ...lines] = renderTable({
    type: "table",
    columns,
    rows: rows.map(({ cells }) => cells),
  }).split("\n");
  writer.lines.push({ text: `${heading}\n\n${head}\n${rule}` });
  for (const [index, { origin }] of rows.entries())
    writer.lines.push({ text: lines[index] ?? "", origin });
  writer.lines.push({ text: "" });
}

function entryRow(
  writer: Writer,
  { holder, key, value }: Item,
): { row: Row; quote?: Writer["lines"][number] } | undefined {
  if (!isObject(value)) return undefined;
  const place = placeOf(value);
  const textOf = (pattern: RegExp): string =>
    Object.entries(value).flatMap(([name, item]) =>
      pattern.test(name) && (typeof item === "string" || typeof item === "number")
        ? [flat(String(item))]
        : [],
    )[0] ?? "";
  const id = textOf(/^id$/i) || `F${++writer.numbers}`;
  const symbol = textOf(symbolKey);
  const location = place
    ? `\`${locationOf(value, place)}\`${symbol && /^[\w$.#:]+(?:\(\))?$/.test(symbol) ? ` (${symbol})` : ""}`
    : "";
  const origin = place ? { holder: value, key: place.path, place } : { holder, key };
  const row: Row = {
    cells: [
      id,
      wordsOf(value, place) || symbol,
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
function wordsOf(entry: Holder, place: PlaceKeys | undefined): string {
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

function placeOf(entry: Holder): PlaceKeys | undefined {
  const path = Object.keys(entry).find(
    (name) => pathKey.test(name) && typeof entry[name] === "string" && entry[name] !== "",
  );
  const line = Object.keys(entry).find(
    (name) =>
      lineKey.test(name) && (typeof entry[name] === "number" || typeof entry[name] === "string"),
  );
  return path === undefined ? undefined : { path, ...(line === undefined ? {} : { line }) };
}

function locationOf(entry: Holder, { path, line }: PlaceKeys): string {
  const file = flat(String(entry[path])).replaceAll("`", "");
  const end = entry["end_line"] ?? entry["endLine"];
  const numbers =
    line === undefined
      ? ""
      : flat(String(entry[line])).replace(/^(?:lines?|L)\s*/i, "") +
        (typeof end === "number" && /^\d+$/.test(String(entry[line])) ? `-${end}` : "");
  return /^\d[\d,\s-]*$/.test(numbers) && !/:\d+/.test(file) ? `${file}:${numbers}` : file;
}

/** A design's components: to be created or modified, nothing done yet. */
const isPlanned = (value: unknown): boolean =>
  isObject(value) &&
  placeOf(value) !== undefined &&
  typeof value["action"] === "string" &&
  /^(?:create|add|new|modify|change|update|edit|delete|remove)\b/i.test(value["action"]);

function plannedRow(entry: Holder): Row {
  const place = placeOf(entry)!;
  return {
    cells: [`\`${locationOf(entry, place)}\``, flat(entry["action"] as string)],
    origin: { holder: entry, key: place.path, place },
  };
}

/** What the tree has to show for it. "Changed" alone may mean any of it. */
function writeChanges(writer: Writer, key: string, items: readonly Item[]): void {
  const groups = new Map<string, Row[]>();
  for (const { holder, key: at, value } of items) {
    const entry = isObject(value) ? value : undefined;
    const place = entry && placeOf(entry);
    const { path, deed } = changedPath(
      typeof value === "string" ? value : entry && place ? String(entry[place.path]) : "",
    );
    if (path === "") continue;
    const heading = changeHeading([
      entry?.["action"],
      entry?.["change"],
      entry?.["status"],
      deed,
      key,
    ]);
    groups.set(heading, [
      ...(groups.get(heading) ?? []),
      {
        cells: [`\`${path}\``],
        origin: entry && place ? { holder: entry, key: place.path, place } : { holder, key: at },
      },
    ]);
    writer.acts = true;
  }
  for (const [heading, rows] of groups)
    writeTable(writer, `#### ${heading}`, { columns: ["File"], rows });
}

function writeCommands(writer: Writer, heading: string, items: readonly Item[]): void {
  writer.lines.push({ text: `#### ${heading}` });
  for (const { holder, key, value } of items) {
    const entry: Holder = isObject(value) ? value : { command: value };
    const command =
      typeof entry["command"] === "string" ? flat(entry["command"]).replaceAll("`", "") : "";
    if (command === "") continue;
    writer.acts = true;
    writer.lines.push({
      text: `- Ran \`${command}\`${entry["exit_code"] === 0 ? " exited with code 0" : ""}`,
      origin: { holder, key },
    });
  }
}

/** A summary with headings of its own stays one section. */
const unheaded = (text: string): string => text.slice(0, 20_000).replace(/^(\s{0,3})#/gm, "$1\\#");

function fenced(code: string): string {
  const shown = code.slice(0, 4_000);
  const mark = "`".repeat(
    Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  );
  return `${mark}\n${shown}\n${mark}`;
}
