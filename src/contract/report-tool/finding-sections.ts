// The Findings of a report that was given as data: which table each kind stands in, and the details
// below it with the quoted lines.
import {
  fenceOf,
  inLine,
  paragraph,
  place,
  tableOf,
  type Owner,
  type TextPiece,
} from "./marked-text.ts";
import type { ReportFinding, ReportInput } from "./report-input.ts";

/** What the runtime found for one entry. */
export type Placed = {
  /** As it is printed: `path:line`, a path, what was searched, what ran. */
  label: string;
  path: string | null;
  /** The lines themselves, as they stand in the file; null where none are shown. */
  excerpt: string | null;
  /** A deed: what happened to the file. */
  action: "create" | "modify" | "delete" | null;
  isFound: boolean;
  isQuoted: boolean;
  isProven: boolean;
};

type Entry = { finding: ReportFinding; placed: Placed; owner: Owner; id: string };

export function findingSections(
  { findings }: Pick<ReportInput, "findings">,
  placed: readonly Placed[],
): TextPiece[] {
  const entries = findings.map((finding, index): Entry => ({
    finding,
    placed: placed[index]!,
    owner: { list: "findings", index },
    id: `F${index + 1}`,
  }));
  const isDesign = entries.some(({ finding }) => finding.kind === "plan");
  const stated = entries.filter(({ finding: { kind } }) => kind === "present" || kind === "absent");
  const graded = stated.filter(({ finding }) => finding.severity !== undefined);
  const found = stated.filter(({ finding }) => finding.severity === undefined);
  const sections: [string, TextPiece[]][] = [
    ["Issues Detected", issueTable(graded)],
    isDesign ? ["Pattern Analysis", patternTable(found)] : ["Places Found", placeTable(found)],
    ["Issue Details", details(graded)],
    ["Details", details(isDesign ? [] : found)],
    ["Implementation Map", planTable(entries)],
    ["Build Sequence", [buildSequence(entries)]],
    ...deedSections(entries),
    ["Test Results", runList(entries, "result")],
    ["Implementation Notes", runList(entries, "did")],
  ];
  return sections
    .filter(([, body]) => body.some((piece) => piece !== ""))
    .flatMap(([name, body], index): TextPiece[] => [
      `${index === 0 ? "\n" : "\n\n"}#### ${name}\n`,
      ...body,
    ]);
}

const code = (text: string): string => `\`${text}\``;
const placeOf = ({ owner, placed }: Entry): TextPiece => place(owner, code(placed.label));
const sure = ({ finding }: Entry): string => String(finding.confidence ?? "");
const hasAny = (entries: readonly Entry[], key: "category" | "confidence"): boolean =>
  entries.some(({ finding }) => finding[key] !== undefined);

function issueTable(entries: readonly Entry[]): TextPiece[] {
  if (entries.length === 0) return [];
  const withCategory = hasAny(entries, "category");
  return tableOf(
    ["ID", "Issue", "File:Line", "Severity", "Confidence", ...(withCategory ? ["Category"] : [])],
    entries.map((entry): TextPiece[] => [
      entry.id,
      entry.finding.title,
      placeOf(entry),
      capital(entry.finding.severity ?? ""),
      sure(entry),
      ...(withCategory ? [entry.finding.category ?? ""] : []),
    ]),
  );
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

function placeTable(entries: readonly Entry[]): TextPiece[] {
  if (entries.length === 0) return [];
  const withSure = hasAny(entries, "confidence");
  return tableOf(
    ["ID", "Entry", "File:Line", "Type", ...(withSure ? ["Confidence"] : [])],
    entries.map((entry): TextPiece[] => [
      entry.id,
      entry.finding.title,
      placeOf(entry),
      entry.finding.category ?? "",
      ...(withSure ? [sure(entry)] : []),
    ]),
  );
}

function patternTable(entries: readonly Entry[]): TextPiece[] {
  if (entries.length === 0) return [];
  return tableOf(
    ["ID", "Pattern", "Example", "Recommendation"],
    entries.map((entry): TextPiece[] => [
      entry.id,
      entry.finding.title,
      placeOf(entry),
      entry.finding.statement,
    ]),
  );
}

/** The title with its number, the lines as they stand, and what they mean. */
function details(entries: readonly Entry[]): TextPiece[] {
  return entries.flatMap((entry, index): TextPiece[] => {
    const { finding, id, placed } = entry;
    return [
      `${index === 0 ? "" : "\n\n"}**${id}: ${inLine(finding.title).replace(/[*`]/g, "")}**\n`,
      ...(placed.excerpt === null ? [] : quoted(entry, placed.excerpt)),
      `${paragraph(finding.statement)}${argument(finding)}`,
    ];
  });
}

const argument = ({ kind, evidence }: ReportFinding): string =>
  kind === "absent" && evidence !== undefined ? ` (${paragraph(evidence)})` : "";

function quoted({ owner, placed }: Entry, excerpt: string): TextPiece[] {
  const language = /\.(\w{1,12})$/.exec(placed.path ?? "")?.[1]?.toLowerCase() ?? "";
  const [opens, closes] = commentMarks[language] ?? ["// ", ""];
  const [open, close] = fenceOf(language, excerpt);
  return [
    { owner, part: "quote", text: `${open}${opens}${placed.label}${closes}\n${excerpt}${close}` },
    "\n",
  ];
}

const hash: [string, string] = ["# ", ""];
const markup: [string, string] = ["<!-- ", " -->"];
const dashes: [string, string] = ["-- ", ""];
/** How a language writes a comment; all others with two slashes. */
const commentMarks: Readonly<Record<string, [string, string]>> = {
  py: hash,
  rb: hash,
  sh: hash,
  bash: hash,
  yml: hash,
  yaml: hash,
  toml: hash,
  r: hash,
  pl: hash,
  ex: hash,
  exs: hash,
  md: markup,
  html: markup,
  xml: markup,
  vue: markup,
  svg: markup,
  sql: dashes,
  lua: dashes,
  hs: dashes,
  css: ["/* ", " */"],
};

/** A file that is there is to be modified, one that is not is to be created. */
function planTable(entries: readonly Entry[]): TextPiece[] {
  const plans = entries.filter(({ finding }) => finding.kind === "plan");
  if (plans.length === 0) return [];
  return tableOf(
    ["Component", "File", "Action"],
    plans.map((entry): TextPiece[] => [
      entry.finding.title,
      placeOf(entry),
      entry.placed.action === "create" ? "Create" : "Modify",
    ]),
  );
}

const buildSequence = (entries: readonly Entry[]): string =>
  entries
    .filter(({ finding }) => finding.kind === "plan")
    .map(({ finding }, index) => `${index + 1}. ${paragraph(finding.statement)}`)
    .join("\n");

const deeds = [
  ["create", "Files Created", "Purpose"],
  ["modify", "Files Modified", "Change"],
  ["delete", "Files Deleted", "Reason"],
] as const;

function deedSections(entries: readonly Entry[]): [string, TextPiece[]][] {
  return deeds.map(([action, heading, column]) => {
    const own = entries.filter(
      ({ finding, placed }) => finding.kind === "did" && placed.action === action,
    );
    return [
      heading,
      own.length === 0
        ? []
        : tableOf(
            ["File", column],
            own.map((entry): TextPiece[] => [placeOf(entry), entry.finding.statement]),
          ),
    ];
  });
}

/** What ran, with its exit code and numbers as they are on record. */
function runList(entries: readonly Entry[], kind: "did" | "result"): TextPiece[] {
  return entries
    .filter(({ finding, placed }) => finding.kind === kind && placed.action === null)
    .flatMap(({ finding, placed, owner }, index): TextPiece[] => [
      `${index === 0 ? "" : "\n"}- ${paragraph(finding.statement)} `,
      place(owner, `(${placed.label})`),
    ]);
}
