// Whether a document says that what it speaks of is over: then its places are those of an earlier state.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";

/** What a repository keeps and no longer holds to. */
const pastFolders = new RegExp(
  String.raw`(?:^|\/)(?:attic|archived?|archives|old|legacy|history|historical|deprecated|obsolete|` +
    String.raw`superseded|done|completed?|归档)(?:[_-][^/]*)?\/`,
  "i",
);
export const isInPastFolder = (document: string): boolean => pastFolders.test(document);

const atTheHead = 2_500;
/** "**Status**: ✅ COMPLETE". */
const statusLine =
  /^[\s>*_#|-]*(?:\w+ )?(?:status|estado|statut|статус|状态)[*_\s|]*[:：=|](.{0,80})/im;
const finished =
  /complet|\bdone\b|implemented|finished|merged|shipped|superseded|完成|已实现|завершен|выполнен|erledigt|conclu/i;
const unfinished = /\b(?:not|pending|partial\w*|draft|to be|in progress)\b/i;

/** A plan whose head says that its work is done: its places are those before that work. */
export function isFinishedPlan(report: string): boolean {
  const status = statusLine.exec(report.slice(0, atTheHead))?.[1];
  return status !== undefined && finished.test(status) && !unfinished.test(status);
}

/** "All 16 bugs fixed", "The findings below apply to the legacy server and are retained for historical reference." */
const history = new RegExp(
  String.raw`\b(?:historical (?:reference|record|purposes|context)|` +
    String.raw`(?:kept|retained|preserved) (?:\w+ )?(?:for|as) (?:history|reference|the record)|` +
    String.raw`(?:document|file|page|plan|report|doc) (?:is|has been|was) (?:\w+ )?` +
    String.raw`(?:superseded|obsolete|outdated|archived)|` +
    String.raw`all (?:[\w-]+ ){0,4}(?:bugs?|issues?|findings?|warnings?|defects?) (?:have been |were |are |now )?` +
    "(?:fixed|resolved|addressed|closed|mended))",
  "i",
);
export const isKeptAsHistory = (report: string): boolean =>
  history.test(report.slice(0, atTheHead));

const ticked = /^\s*(?:[-*+]|\d+[.)])?\s*\[[xX]\]\s/;
const over = new RegExp(
  String.raw`\b(?:FIXED|RESOLVED|DONE|COMPLETED?|Fixed|Resolved|Implemented|Completed?|` +
    String.raw`(?:Remov|Delet|REMOV|DELET)(?:ed|ED))\b|~~`,
);
const tick = /[✅☑]/u;
/** "✅ 已修复", "✅ Fixed in 2.1" of the line itself. */
const doneHere = new RegExp(
  String.raw`[✅☑✔]\uFE0F?[\s*_\x60]*(?:fixed|resolved|mended|removed|deleted|implemented|corregid|` +
    "resuelt|corrigid|behoben|corrigé|исправлен|수정|已修复|已解决|已完成|已处理|已移除|修正済|対応済)",
  "iu",
);
const fixColumn = /^\W*(?:fix(?:es)? applied|resolution|fixed in|mended by)\W*$/i;
/** "PERF-001", "C11", "BUG-04/05/06". */
const findingId = /(?<![\w-])([A-Z]{1,8}-?)(\d{1,4}(?:\/\d{1,4})*)(?![\w-])/g;
const idsIn = (text: string): string[] =>
  [...text.matchAll(findingId)].flatMap(([, kind, numbers]) =>
    numbers!.split("/").map((number) => `${kind!}${number}`),
  );
/** A cell that says nothing else. */
const doneCell = new RegExp(
  String.raw`^\W*(?:fixed|resolved|done|closed|completed?|mended|corregido|corrigido|behoben|corrigé|` +
    String.raw`исправлено|수정|해결|已修复|已解决|修正済み?)\W*$`,
  "iu",
);
/** "The status page in the `dev` branch" */
const onBranch = /\b(?:in|on) (?:the |this )?(?:[\w/\x60-]+ )?branch\b/i;
/** What a line or a row is about stands at its head. */
const head = /^[\s|>*_#★☆+\-\d.)[\]]*/;
const codeSpan = /`([^`\n]{2,80})`/g;

/** "**Fixed in this change:**" stands above the ids of what was. */
const label = /^(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)/;
const fixedLabel = /\b(?:fixed|resolved|closed|done)\b(?!-)/i;
const stillOpen = /\b(?:not|never|to be|un(?:fixed|resolved)|how|when|if)\b/i;

/** What a document says was dealt with: ids of findings, names, files. Each with where the lines that say so begin. */
export type SettledThings = ReadonlyMap<string, ReadonlySet<number>>;

export function settledThings(report: string): SettledThings {
  const settled = new Map<string, Set<number>>();
  let start = 0;
  let isListed = false;
  for (const line of report.split("\n")) {
    const isOver = over.test(line);
    if (label.test(line)) isListed = fixedLabel.test(line) && !stillOpen.test(line);
    // A tick alone may praise what it names.
    const ids = isOver || isListed || tick.test(line) ? idsIn(line) : [];
    for (const thing of [...ids, ...(isOver ? namedIn(line) : [])]) {
      const lines = settled.get(thing) ?? new Set();
      settled.set(thing, lines.add(start));
    }
    start += line.length + 1;
  }
  return settled;
}

/** "`login()`" and "`src/a.ts:12`" without what follows the name or the path. */
const namedIn = (line: string): string[] =>
  [...line.matchAll(codeSpan)].map((match) => match[1]!.replace(/(?:\(|[:#]L?\d).*$/, ""));

const beforeLabel =
  /(?:^|[\s*_#/(|-])(?:before|vorher|antes|avant|prima|было|до|修改前|변경 전)\W{0,4}[:：|]/im;
const afterLabel =
  /(?:^|[\s*_#/(|-])(?:after|nachher|después|depois|après|dopo|стало|после|修改后|변경 후)\W{0,4}[:：|]/im;
const around = 1_200;

/** The part of a document around a place shows code before and after a change. */
export function showsChange({ report, block, start }: Place): boolean {
  const from = Math.max(block.heading?.start ?? 0, start - around);
  const rest = report.slice(start, start + around);
  const next = rest.search(/\n#{1,6}\s/);
  const part = report.slice(from, start) + (next < 0 ? rest : rest.slice(0, next));
  return beforeLabel.test(part) && afterLabel.test(part);
}

/** So much of a line is read around a place. */
const reach = 400;

type Place = { report: string; block: MarkdownBlock; start: number };

/** In a box that is ticked, or of a finding, a name or a file that the document says elsewhere was dealt with. */
export function isSettled({ report, block, start }: Place, settled: SettledThings): boolean {
  for (let at: MarkdownBlock | null = block; at; at = at.parent)
    if (at.kind === "item" && ticked.test(at.text)) return true;
  if (block.columns.some(({ text }) => fixColumn.test(text))) return true;
  if (block.cells.some(({ text }) => doneCell.test(text))) return true;
  for (let at = block.heading; at !== null && at.level > 1; at = at.heading) {
    if (over.test(at.text) || doneHere.test(at.text)) return true;
    if (
      idsIn(at.text)
        .slice(0, 1)
        .some((id) => settled.has(id))
    )
      return true;
    // A line in bold only labels what stands below it.
    if (at.level < boldLine) break;
  }
  const before = report.slice(Math.max(0, start - reach), start);
  const own = start - before.length + before.lastIndexOf("\n") + 1;
  const line = report.slice(own, start + reach).split("\n", 1)[0]!;
  // Before the place stands what the place shows: the mending itself.
  if (doneHere.test(line.slice(start - own)) || onBranch.test(line)) return true;
  const about = line.replace(head, "");
  const [id] = idsIn(about).filter((one) => about.startsWith(one));
  return [...(id === undefined ? [] : [id]), ...namedIn(line)].some((thing) =>
    [...(settled.get(thing) ?? [])].some((at) => at !== own),
  );
}

const boldLine = 7;
