// Which check belongs to which finding: those in its row or list item, and those below a line that begins with its id.
import type { PlacedFinding } from "../../contract/report/find-findings.ts";
import { reportLines } from "../../contract/report/report-lines.ts";

/** `own`: the finding's row or item itself; otherwise the details that the report gives for it further down. */
export type Region = { id: string; span: [number, number]; own: boolean };

export type Regions = { at(offset: number): Region | undefined };

/** A finding's own row comes before its details. */
export function findingRegions(report: string, findings: readonly PlacedFinding[]): Regions {
  const own = index(
    findings.map(({ finding, span }): Region => ({ id: finding.id, span, own: true })),
  );
  const details = index(detailRegions(report, new Set(findings.map(({ finding }) => finding.id))));
  return { at: (offset) => own(offset) ?? details(offset) };
}

/** From a line that begins with a finding's id to the next such line or heading. */
function detailRegions(report: string, ids: ReadonlySet<string>): Region[] {
  const regions: Region[] = [];
  if (ids.size === 0) return regions;
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
  return regions;
}

/** Regions of one kind do not overlap: the last that begins at or before the offset is the only candidate. */
function index(regions: readonly Region[]): (offset: number) => Region | undefined {
  const sorted = [...regions].sort((a, b) => a.span[0] - b.span[0]);
  return (offset) => {
    let [low, high] = [0, sorted.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (sorted[middle]!.span[0] <= offset) low = middle;
      else high = middle - 1;
    }
    const found = sorted[low];
    return found && offset >= found.span[0] && offset < found.span[1] ? found : undefined;
  };
}
