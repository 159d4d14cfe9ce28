// A handoff's answer in the form of a report, so that what it names is checked like a report's:
// findings with their places, changed files, commands that ran, the summary. Advice
// (recommendations, plans, what was rejected) names what is not there yet and is left out.
import { isObject } from "../../base/data/json.ts";
import { changedPath, changeHeading, flat } from "./changed-path.ts";
import {
  advice,
  entryRow,
  locationOf,
  placeOf,
  entryWords,
  type Holder,
  type EntryItem,
  type Origin,
  type ReportLine,
  type Row,
} from "./entry-row.ts";
import { gatherFindings } from "./check-response.ts";
import { renderTable } from "../report/render-table.ts";

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

type Writer = {
  lines: ReportLine[];
  left: number;
  numbers: number;
  acts: boolean;
};

const maxItems = 500;
const maxDepth = 4;
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
        items: value.map((one, index): EntryItem => ({
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

type List = { heading: string; key: string; items: readonly EntryItem[] };

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
  const isSentence = ({ value }: EntryItem): boolean =>
    typeof value === "string" ||
    (isObject(value) &&
      !placeOf(value) &&
      !Object.keys(value).some((name) => /severity|priority/i.test(name)));
  const rows = kept.flatMap((item) =>
    isSentence(item) ? [] : (entryRow(item, () => ++writer.numbers) ?? []),
  );
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
      text: `- ${typeof value === "string" ? flat(value) : entryWords(value as Holder, undefined)}`,
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
function writeChanges(writer: Writer, key: string, items: readonly EntryItem[]): void {
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

function writeCommands(writer: Writer, heading: string, items: readonly EntryItem[]): void {
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
