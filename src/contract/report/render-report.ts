// Writes a report in the canonical form: title, known sections at level three, everything else where it stood.
import { renderTable } from "./render-table.ts";
import type { Report } from "./report.ts";
import type { Block, Section } from "./section-tree.ts";

/**
 * Writes a parsed report as Markdown. parse(render(report)) equals report for every report that
 * came from `parseReport`.
 */
export function renderReport(report: Pick<Report, "agent" | "preamble" | "sections">): string {
  const parts = [
    ...(report.preamble.length > 0 ? [renderBlocks(report.preamble)] : []),
    ...report.sections.map((section) => renderSection(section, 3)),
  ];
  const title = report.agent === null ? [] : [`## ${report.agent} Result`];
  return `${[...title, ...parts].join("\n\n")}\n`;
}

function renderSection(section: Section, level: number): string {
  const body = section.blocks.length > 0 ? [renderBlocks(section.blocks)] : [];
  return [
    `${"#".repeat(level)} ${section.heading}`,
    ...body,
    ...section.sections.map((below) => renderSection(below, Math.min(6, level + 1))),
  ].join(body.length > 0 && section.sections.length === 0 ? "\n" : "\n\n");
}

const renderBlocks = (blocks: readonly Block[]): string => blocks.map(renderBlock).join("\n\n");

function renderBlock(block: Block): string {
  if (block.type === "text") return block.text;
  if (block.type === "table") return renderTable(block);
  const fence = fenceFor(block.code);
  return `${fence}${block.info}\n${block.code}${block.code === "" ? "" : "\n"}${fence}`;
}

/** One backtick more than the longest run inside. */
function fenceFor(code: string): string {
  const longest = (code.match(/^\s{0,3}`{3,}/gm) ?? []).reduce(
    (most, run) => Math.max(most, run.trim().length),
    2,
  );
  return "`".repeat(longest + 1);
}
