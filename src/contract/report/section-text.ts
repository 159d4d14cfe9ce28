// Small readers over sections: their text, their lists, their tables.
import { plainColumns, type Table } from "./render-table.ts";
import type { SectionName } from "./section-names.ts";
import type { Block, Section } from "./section-tree.ts";

/** Every section of that name, in order. */
export const named = (sections: readonly Section[], name: SectionName): Section[] =>
  sections.filter((section) => section.name === name);

/** The text of a section without its tables and fences, subsections included. */
export function sectionText(section: Section): string {
  const own = section.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return [...own, ...section.sections.map(sectionText)].filter(Boolean).join("\n\n");
}

/** A section with all below it, outermost first. */
export function withSubsections(section: Section): Section[] {
  return [section, ...section.sections.flatMap(withSubsections)];
}

export const tablesOf = (section: Section): Table[] =>
  section.blocks.filter((block): block is Table => block.type === "table");

const bullet = /^(\s*)(?:[-*+•]|\d{1,4}[.)])\s+(.*)$/;

export type Item = { text: string; line: number };

/** Top-level list items with what is indented below them; `line` counts from the block's first line. */
export function listItems(block: Block): Item[] {
  if (block.type !== "text") return [];
  const items: Item[] = [];
  let base: number | null = null;
  for (const [line, text] of block.text.split("\n").entries()) {
    const found = bullet.exec(text);
    const indent = found?.[1]!.length ?? 0;
    base ??= found ? indent : null;
    if (found && indent <= (base ?? 0) + 1) items.push({ text: found[2]!, line });
    else if (items.length > 0 && text.trim() !== "" && /^\s/.test(text))
      items[items.length - 1]!.text += `\n${text.trim()}`;
  }
  return items;
}

export const sectionItems = (section: Section): Item[] => section.blocks.flatMap(listItems);

/** Rows of a table by the pattern of a column, the first that fits, as plain text. */
export function columnReader(table: Table): (row: readonly string[], pattern: RegExp) => string {
  const columns = plainColumns(table);
  return (row, pattern) => {
    const at = columns.findIndex((column) => pattern.test(column));
    return at < 0 ? "" : plainText(row[at] ?? "");
  };
}

/** Emphasis gone; backticks stay, since they mark code. */
export const plainText = (text: string): string =>
  (text.includes("**") || text.includes("__") ? text.replace(/\*\*|__/g, "") : text).trim();

export const isPlaceholder = (text: string): boolean =>
  /^(?:none|n\/?a|-|—|–|\[[^\]]*\]|nothing|no (?:issues|blockers)[^.]*)?\.?$/i.test(text.trim());
