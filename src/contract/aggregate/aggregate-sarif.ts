// An aggregate as SARIF: one result a merged finding, one a conflict that a person has to look at.
import { sarifLog, type SarifItem, type SarifLevel, type SarifLog } from "../sarif.ts";
import type { Severity } from "../axes.ts";
import type { Aggregate, MergedFinding } from "./aggregate-reports.ts";

const levels: Record<Severity, SarifLevel> = {
  critical: "error",
  important: "warning",
  minor: "note",
};

export function aggregateSarif({ findings, conflicts }: Aggregate, version: string): SarifLog {
  const items = [
    ...findings.map(findingItem),
    ...conflicts
      .filter((conflict) => conflict.human_review)
      .map((conflict): SarifItem => ({
        rule: "conflict",
        level: conflict.blocks ? "error" : "warning",
        message:
          `Agents contradict each other about ${conflict.subject}: ` +
          `${conflict.sides.map(({ agent_id, says }) => `${agent_id} says ${says}`).join(", ")}.`,
        at: placeOf(findings.find(({ id }) => id === conflict.subject)),
        related: [],
        fingerprint: `conflict ${conflict.kind} ${conflict.subject}`,
        properties: { kind: conflict.kind, human_review: true },
      })),
  ];
  const categories = [...new Set(findings.map(({ category }) => category))].sort();
  return sarifLog({
    rules: [
      ...categories.map((id) => ({ id, text: `Findings of the category ${id}.` })),
      { id: "conflict", text: "Reports that contradict each other." },
    ],
    items,
    version,
  });
}

function findingItem(finding: MergedFinding): SarifItem {
  const { title, category, severity, confidence, grade, members } = finding;
  const agents = [...new Set(members.map(({ agent_type }) => agent_type))];
  return {
    rule: category,
    level: severity === null ? "note" : levels[severity],
    message: `${title || category} (${agents.join(", ")})`,
    at: placeOf(finding),
    related: [],
    fingerprint: `${category} ${finding.path ?? ""} ${members[0]?.line_text.replace(/\s+/g, " ") || title}`,
    properties: { confidence, grade, severity },
  };
}

function placeOf(finding: MergedFinding | undefined): SarifItem["at"] {
  if (!finding || finding.path === null) return null;
  return {
    path: finding.path,
    ...(finding.lines && finding.lines[0] >= 1
      ? { startLine: finding.lines[0], endLine: Math.max(...finding.lines) }
      : {}),
  };
}
