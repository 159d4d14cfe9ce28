// Writes a report that was given as data in the contract's Markdown: the forms for exploration,
// design, review, implementation and failure, by what was given. Lines, ticks and bands are computed.
import { bandOf } from "../report/read-confidence.ts";
import { findingSections, type Placed } from "./finding-sections.ts";
import {
  inLine,
  joinPieces,
  runtimeWords,
  paragraph,
  place,
  tableOf,
  type MarkedText,
  type TextPiece,
} from "./marked-text.ts";
import { combinedConfidence, type ReportInput } from "./report-input.ts";

/** What the runtime knows: where each entry stands, by index, and who reports. */
export type RenderFacts = {
  agent: string;
  findings: readonly Placed[];
  references: readonly Placed[];
};

/** The Markdown, and where the computed references stand in it. */
export function renderToolReport(report: ReportInput, facts: RenderFacts): MarkedText {
  const sections: [string, TextPiece[]][] = [
    ["Status", [report.status]],
    ["Summary", [paragraph(report.summary)]],
    ...errorSections(report),
    ["Findings", findingsOf(report, facts)],
    ["Key References", referenceTable(report, facts.references)],
    ["Confidence", confidenceText(report)],
    ...doubtSections(report, facts),
    ["Severity Summary", severitySummary(report)],
    ["Trade-offs Considered", [bullets(report.trade_offs)]],
    ["Issues", [bullets(report.issues.map(issueLine))]],
    ["Next Steps", [numbered(report.next_steps)]],
    ["Blockers", [bullets(report.blockers.map(blockerLine))]],
    ["Verification Completed", [runtimeWords(tickList(facts))]],
  ];
  const given = sections.filter(([, body]) => body.some((piece) => piece !== ""));
  return joinPieces([
    `## ${titleOf(facts.agent)} Result\n`,
    ...given.flatMap(([name, body]): TextPiece[] => [`\n### ${name}\n`, ...body, "\n"]),
  ]);
}

/** A report that found nothing says so; a failure has the sections of the error form. */
const findingsOf = (report: ReportInput, { findings }: RenderFacts): TextPiece[] =>
  report.findings.length === 0 && !report.error
    ? [runtimeWords("No findings.")]
    : findingSections(report, findings);

/** `code-explorer` is Code Explorer. */
const titleOf = (agent: string): string =>
  inLine(agent)
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(" ")
    .replace(/[#|`*]/g, "") || "Agent";

function errorSections({ error }: ReportInput): [string, TextPiece[]][] {
  if (!error) return [];
  const rows = [
    ["Type", error.type],
    ["Message", error.message],
    ["Occurred At", error.occurred_at],
    ["Recoverable", String(error.recoverable)],
  ];
  return [
    ["Error Details", tableOf(["Aspect", "Value"], rows)],
    ["Attempted Actions", [numbered(error.attempted)]],
    ["Root Cause Analysis", [paragraph(error.root_cause)]],
    ["Recovery Options", [numbered(error.recovery_options)]],
  ];
}

function referenceTable(
  { key_references }: ReportInput,
  references: readonly Placed[],
): TextPiece[] {
  if (key_references.length === 0) return [];
  const rows = key_references.map(({ item, relevance }, index): TextPiece[] => [
    item,
    place({ list: "key_references", index }, `\`${references[index]!.label}\``),
    relevance,
  ]);
  return tableOf(["Item", "Location", "Relevance"], rows);
}

function confidenceText({ confidence }: ReportInput): TextPiece[] {
  const score = combinedConfidence(confidence);
  const scores = [
    `- verified_confidence: ${confidence.verified}`,
    `- inferred_confidence: ${confidence.inferred}`,
    `- combined_confidence: ${score}`,
  ];
  return [
    `${score} - ${paragraph(confidence.justification)} (${bandOf(score)})\n\n`,
    runtimeWords(scores.join("\n")),
  ];
}

function doubtSections(
  { confidence }: ReportInput,
  { findings, references }: RenderFacts,
): [string, TextPiece[]][] {
  const score = combinedConfidence(confidence);
  const spots = paragraph(confidence.blind_spots ?? "");
  const placed = [...findings, ...references].filter(({ isQuoted }) => isQuoted).length;
  const proven = findings.filter(({ isProven }) => isProven).length;
  const counts = [
    `**Score**: ${score}`,
    `**Evidence Count**: ${proven} of ${findings.length} findings with evidence`,
    `**Verification Method**: the runtime found ${placed} quotations in the files`,
  ];
  const justification = [
    runtimeWords(counts.join("\n")),
    `\n**Potential Blind Spots**: ${spots || "none named"}`,
  ];
  return [
    ...(score >= 85 ? [["Confidence Justification", justification] as [string, TextPiece[]]] : []),
    ...(score < 70 ? [["Uncertainty", [spots]] as [string, TextPiece[]]] : []),
  ];
}

function severitySummary({ findings }: ReportInput): TextPiece[] {
  const count = (severity: string): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const counts = `- Critical: ${count("critical")}\n- Important: ${count("important")}\n- Minor: ${count("minor")}`;
  return findings.some(({ severity }) => severity !== undefined) ? [runtimeWords(counts)] : [];
}

/** The contract's four ticks, by what the runtime found. */
function tickList({ findings, references }: RenderFacts): string {
  const all = [...findings, ...references];
  const tick = (holds: boolean): string => (holds ? "x" : " ");
  const isProven = findings.every((finding) => finding.isProven);
  const isThere = all.every(({ isFound }) => isFound);
  return [
    `- [${tick(isThere)}] **File References Valid**: every line was computed from the file`,
    `- [${tick(isThere)}] **Code Snippets Accurate**: every quotation was compared with the file`,
    `- [${tick(isThere)}] **No Hallucinated Paths**: every path was looked up`,
    `- [${tick(isProven)}] **Evidence Documented**: each finding has its place, search or run`,
  ].join("\n");
}

const issueLine = ({ title, description, severity }: ReportInput["issues"][number]): string =>
  `${title}${description ? `: ${description}` : ""} | Severity: ${severity}`;

const blockerLine = ({ description, resolution }: ReportInput["blockers"][number]): string =>
  `${description}${resolution ? ` | Resolution: ${resolution}` : ""}`;

const bullets = (items: readonly string[]): string =>
  items.map((item) => `- ${paragraph(item)}`).join("\n");

const numbered = (items: readonly string[]): string =>
  items.map((item, index) => `${index + 1}. ${paragraph(item)}`).join("\n");
