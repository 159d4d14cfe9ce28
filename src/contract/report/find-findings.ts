// What in a report is a finding: the rows of its findings tables and the list items that name a place.
import { readSeverity } from "../axes.ts";
import { readConfidence } from "./read-confidence.ts";
import type { Table } from "./render-table.ts";
import type { Finding, FileClaim } from "./report.ts";
import {
  columnReader,
  isPlaceholder,
  listItems,
  plainText,
  withSubsections,
} from "./section-text.ts";
import type { Block, PlacedLine, Places, Section } from "./section-tree.ts";

/** A finding with its place in the report, in UTF-16 offsets. */
export type PlacedFinding = { finding: Finding; span: [number, number] };

const fileTable = new RegExp(
  [
    "files? (?:created|added|modified|changed|updated|touched|deleted|removed)",
    "implementation map|tests? (?:written|results?)|compliance|dependencies|build sequence",
    "coverage|severity",
  ]
    .map((names) => `^(?:${names})`)
    .join("|"),
  "i",
);
const idColumn = /^(?:id|#|key|ref)$/i;
const titleColumn = new RegExp(
  "^(?:issue|finding|title|problem|bug|vulnerability|description|item|name|entry|pattern|" +
    "component|symbol|function|what|observation|check|area)$",
  "i",
);
const placeColumn = /file|location|line|path|where|place|example|evidence|source|reference/i;
const place = /[\w)\]]\.[a-z0-9]{1,8}\b|[\w.-]+\/[\w.-]+|:\d+|#L\d+|\blines?\s+\d+/i;
const assumed = /\b(?:uncertain|assumed?|assumption|unverified|speculative|not verified)\b/i;

export function findFindings(sections: readonly Section[], places: Places): PlacedFinding[] {
  const spoken = sections
    .filter((section) => section.name === "Findings")
    .flatMap(withSubsections)
    .filter((section) => !fileTable.test(section.heading));
  const found = spoken.flatMap((section) =>
    section.blocks.flatMap((block) => findingsOf(block, section, places.get(block) ?? [])),
  );
  const named = found.map((item, index) => ({
    ...item,
    finding: { ...item.finding, id: item.finding.id || `F${index + 1}` },
  }));
  attachQuotes(named, sections);
  return named;
}

function findingsOf(block: Block, section: Section, lines: readonly PlacedLine[]): PlacedFinding[] {
  if (block.type === "table")
    return block.rows.flatMap((row, index) => rowFinding(block, row, lines[index + 2]));
  return listItems(block).flatMap(({ text, line }) =>
    place.test(text) ? [itemFinding(text, section, lines[line])] : [],
  );
}

function rowFinding(table: Table, row: string[], line: PlacedLine | undefined): PlacedFinding[] {
  const cell = columnReader(table);
  const places = table.columns.flatMap((column, index) =>
    placeColumn.test(column) && !isPlaceholder(row[index] ?? "") ? [row[index]!] : [],
  );
  const severity_word = cell(row, /severity|priority|impact|level/i);
  if (places.length === 0 && !severity_word) return [];
  const title =
    cell(row, titleColumn) ||
    row.find((text) => text !== "" && !places.includes(text)) ||
    places[0] ||
    "";
  const finding = newFinding({
    id: cell(row, idColumn),
    title: plainText(title),
    location: places.join(" "),
    severity_word,
    confidence: cell(row, /confidence|certainty/i),
    category: cell(row, /category|type|kind/i),
  });
  return [{ finding: { ...finding, is_assumed: assumed.test(row.join(" ")) }, span: spanOf(line) }];
}

function itemFinding(text: string, section: Section, line: PlacedLine | undefined): PlacedFinding {
  const severity_word =
    /severity\s*[:=]\s*\**([\w-]+)|^\s*\**\[?(critical|important|minor|high|medium|low)\b/i.exec(
      text,
    );
  const confidence = /confidence\s*[:=]?\s*\**([\d.]+%?)/i.exec(text);
  const id = /\b([A-Z]{2,8}-\d{1,5})\b/.exec(text);
  const finding = newFinding({
    id: id?.[1] ?? "",
    title: plainText(text.split("\n")[0]!).slice(0, 200),
    location: text,
    severity_word: severity_word?.[1] ?? severity_word?.[2] ?? "",
    confidence: confidence?.[1] ?? "",
    category: "",
  });
  return {
    finding: {
      ...finding,
      is_assumed: assumed.test(text) || /uncertain|assumption/i.test(section.heading),
    },
    span: spanOf(line),
  };
}

function newFinding(from: {
  id: string;
  title: string;
  location: string;
  severity_word: string;
  confidence: string;
  category: string;
}): Finding {
  return {
    id: from.id.replace(/[`*]/g, ""),
    title: from.title,
    location: from.location,
    category: from.category || null,
    severity: readSeverity(from.severity_word),
    severity_word: from.severity_word || null,
    confidence: readConfidence(from.confidence).score,
    quotes: [],
    is_assumed: false,
  };
}

const spanOf = (line: PlacedLine | undefined): [number, number] =>
  line ? [line.start, line.end] : [0, 0];

/** A fence below a text or heading that begins with a finding's id belongs to that finding. */
function attachQuotes(found: PlacedFinding[], sections: readonly Section[]): void {
  const byId = new Map(found.map(({ finding }) => [finding.id, finding]));
  for (const section of sections
    .filter(({ name }) => name === "Findings")
    .flatMap(withSubsections)) {
    let current = byId.get(idIn(section.heading));
    for (const block of section.blocks) {
      if (block.type === "text")
        current =
          byId.get(idIn(block.text.split("\n").findLast((line) => idIn(line) !== "") ?? "")) ??
          current;
      else if (block.type === "fence" && current && !/^(?:diff|suggest)/i.test(block.info))
        current.quotes.push(block.code);
    }
  }
}

const idIn = (text: string): string =>
  /\b([A-Z]{1,8}-?\d{1,5})\b/.exec(text.slice(0, 200))?.[1] ?? "";

const actions: [RegExp, FileClaim["action"]][] = [
  [/^files? (?:created|added)|^tests? written/i, "create"],
  [/^files? (?:modified|changed|updated)/i, "modify"],
  [/^files? (?:deleted|removed)/i, "delete"],
  [/^files? touched/i, "change"],
];

/** A claim about a file with its row or list item. */
export type PlacedFileClaim = { claim: FileClaim; span: [number, number] };

/** "Files Created" and "Files Modified" tables, and the Action column of an implementation map. */
export function findFileClaims(sections: readonly Section[], places: Places): PlacedFileClaim[] {
  return sections
    .filter(({ name }) => name === "Findings")
    .flatMap(withSubsections)
    .flatMap((section) => {
      const byHeading = actions.find(([pattern]) => pattern.test(section.heading))?.[1];
      return section.blocks.flatMap((block) => {
        const lines = places.get(block) ?? [];
        const found =
          block.type === "table"
            ? tableClaims(block, byHeading)
            : byHeading
              ? listClaims(block, byHeading)
              : [];
        return found
          .filter(({ claim }) => claim.path !== "")
          .map(({ claim, line }) => ({ claim, span: spanOf(lines[line]) }));
      });
    });
}

type LineClaim = { claim: FileClaim; line: number };

function listClaims(block: Block, action: FileClaim["action"]): LineClaim[] {
  return listItems(block).map(({ text, line }) => ({
    claim: { path: pathIn(text), action, purpose: plainText(text), is_done: true },
    line,
  }));
}

function tableClaims(table: Table, byHeading: FileClaim["action"] | undefined): LineClaim[] {
  const cell = columnReader(table);
  return table.rows.flatMap((row, index) => {
    const word = cell(row, /^action$/i);
    const action = byHeading ?? actionOf(word);
    const is_done = byHeading !== undefined || /^\w*ed\b/i.test(word);
    return action
      ? [
          {
            claim: {
              path: pathIn(cell(row, /file|path|location/i)),
              action,
              purpose: cell(row, /purpose|change|description|action/i),
              is_done,
            },
            line: index + 2,
          },
        ]
      : [];
  });
}

function actionOf(word: string): FileClaim["action"] | undefined {
  if (/^(?:create|add|new)/i.test(word)) return "create";
  if (/^(?:modif|change|update|edit|extend)/i.test(word)) return "modify";
  return /^(?:delete|remove)/i.test(word) ? "delete" : undefined;
}

const pathIn = (text: string): string =>
  (/`([^`]+)`/.exec(text)?.[1] ?? /[\w./@-]+\.[\w]+/.exec(text)?.[0] ?? "")
    .replace(/(?::\d[\d:,-]*|#L\d.*)$/, "")
    .trim();
