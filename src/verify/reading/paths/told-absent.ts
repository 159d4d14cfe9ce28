// Files that a document itself tells are deleted, moved away or still to be made: that counts wherever it
// names them, not only where it says so.
import type { MarkdownBlock } from "../../../markdown/markdown-block.ts";
import type { Claim } from "../claim.ts";

/** Claims of paths that are not here and that the document tells to be absent become denials. */
export function denyToldAbsent(claims: readonly Claim[], report: string): void {
  const absent = new Set<string>();
  const isAbsent = ({ mention }: Claim): boolean => mention.kind === "unknown";
  for (const claim of claims)
    if (isAbsent(claim) && !absent.has(claim.mention.path) && isToldAbsent(claim, report))
      absent.add(claim.mention.path);
  if (absent.size === 0) return;
  for (const claim of claims)
    if (isAbsent(claim) && absent.has(claim.mention.path)) claim.modality = "denied";
}

const gone =
  "deleted?|removed?|renamed?|moved|replaced|eliminad[oa]s?|borrad[oa]s?|suprimid[oa]s?|removid[oa]s?|" +
  "excluíd[oa]s?|supprimée?s?|gelöscht|entfernt|удал[её]н[аоы]?|已删除|已移除|删除|削除";
const made = "create|created|creates|new|new file|crear|nuevo|criar|neu|创建|新增|新建|新規";
const word = `(?:${gone}|${made})`;
const marks = String.raw`[\s*_\x60:：()\[\]✅❌✓xX-]`;
/** "Delete: `x.ts`", "git rm x.ts", "**Created** `x.ts`". */
const before = new RegExp(
  String.raw`(?:(?<![\p{L}-])${word}(?:\s(?:the\s)?files?)?|\brm(?:\s-\w+)?)${marks}{1,8}$`,
  "iu",
);
/** "`x.ts` was removed", "`x.ts` (new)", "`x.ts` → `y.ts`". */
const after = new RegExp(
  String.raw`^${marks}{0,4}(?:(?:was|were|is|are|has been|have been|fue|wurde|foi)\s)?${word}(?!\p{L})`,
  "iu",
);
const becomes = /^[`*_\s]{0,4}(?:→|->|=>|➜)[`*_\s]{0,4}[\w@.-]+\/[\w./-]+/;
const cell = new RegExp(String.raw`^${marks}*${word}${marks}*$`, "iu");
/** "**Deleted files (9):**", "## Removed". */
const title = new RegExp(
  String.raw`^[^\p{L}]{0,12}(?:(?:archivos|ficheros|arquivos|fichiers|dateien|files?)\s)?(?:${gone})` +
    String.raw`(?:\s(?:code|files?|modules?|archivos|ficheros|arquivos|fichiers|dateien))?[\s\d():：*_]*$`,
  "iu",
);

function isToldAbsent({ block, start, end, range }: Claim, report: string): boolean {
  if (range !== null) return false;
  const [from, to] = [Math.max(block.start, start - 40), Math.min(block.end, end + 40)];
  const text = [report.slice(from, start), report.slice(end, to)] as const;
  if (before.test(text[0]) || after.test(text[1]) || becomes.test(text[1])) return true;
  if (block.kind === "row") return block.cells.some(({ text: own }) => cell.test(own));
  return isUnderTitle(block);
}

/** By the headings and items above it. */
function isUnderTitle(block: MarkdownBlock): boolean {
  for (let up = block.parent ?? block.heading; up; up = up.parent ?? up.heading)
    if (title.test(up.text.slice(0, 120))) return true;
  return false;
}
