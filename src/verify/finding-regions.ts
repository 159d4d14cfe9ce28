// Which check belongs to which finding: those in its row or list item, and those below a line that begins with its id.
import type { PlacedFinding } from "../contract/find-findings.ts";
import { reportLines } from "../contract/report-lines.ts";

/** `own`: the finding's row or item itself; otherwise the details that the report gives for it further down. */
export type Region = { id: string; span: [number, number]; own: boolean };

export function findingRegions(report: string, findings: readonly PlacedFinding[]): Region[] {
  const own = findings.map(({ finding, span }): Region => ({ id: finding.id, span, own: true }));
  const ids = new Set(findings.map(({ finding }) => finding.id));
  const regions: Region[] = [];
  let open: { id: string; start: number } | null = null;
  const close = (end: number): void => {
    if (open) regions.push({ id: open.id, span: [open.start, end], own: false });
    open = null;
  };
  for (const { text, start } of reportLines(report)) {
    const id = /^[\s#*_>-]{0,12}\[?([A-Za-z]{1,8}-?\d{1,5})\b/.exec(text)?.[1];
    const isHeading = /^\s{0,3}#{1,6}\s/.test(text);
    if (id !== undefined && ids.has(id) && !text.trimStart().startsWith("|")) {
      close(start);
      open = { id, start };
    } else if (isHeading) close(start);
  }
  close(report.length);
  return [...own, ...regions];
}

/** The region that a place belongs to; a finding's own row before its details. */
export const regionOf = (at: number, regions: readonly Region[]): Region | undefined => regions.find(({ span, own }) => own && at >= span[0] && at < span[1]) ?? regions.find(({ span }) => at >= span[0] && at < span[1]);
