// The section names of the contract, with the spellings that occur.

export const sectionNames = [
  "Status",
  "Summary",
  "Findings",
  "Key References",
  "Confidence",
  "Confidence Breakdown",
  "Confidence Justification",
  "Issues",
  "Next Steps",
  "Blockers",
  "Questions",
  "Decision",
  "Uncertainty",
  "Severity Summary",
  "Trade-offs Considered",
  "Verification Completed",
  "Error Details",
  "Attempted Actions",
  "Root Cause Analysis",
  "Recovery Options",
] as const;
export type SectionName = (typeof sectionNames)[number];

const spellings: Record<string, SectionName> = {
  "executive summary": "Summary",
  "key reference": "Key References",
  references: "Key References",
  "key files": "Key References",
  "confidence score": "Confidence",
  "overall confidence": "Confidence",
  issue: "Issues",
  "next step": "Next Steps",
  "recommended next steps": "Next Steps",
  blocker: "Blockers",
  "open questions": "Questions",
  question: "Questions",
  uncertainties: "Uncertainty",
  "trade-offs": "Trade-offs Considered",
  tradeoffs: "Trade-offs Considered",
  "trade offs considered": "Trade-offs Considered",
  "tradeoffs considered": "Trade-offs Considered",
  "pre-submission verification": "Verification Completed",
  "verification checklist": "Verification Completed",
  "self-verification checklist": "Verification Completed",
  "root cause": "Root Cause Analysis",
  ...Object.fromEntries(sectionNames.map((name) => [name.toLowerCase(), name])),
};

/**
 * The canonical name of a heading; null when the contract does not know it. Case, emphasis, "(if
 * any)" and a trailing colon do not matter.
 */
export function sectionName(heading: string): SectionName | null {
  const bare = heading
    .slice(0, 80)
    .replace(/\((?:if any|if applicable|optional|l[123][^)]*)\)/i, "")
    .replace(/[*_`#]/g, "")
    .replace(/^[\s\d.]+|[\s:]+$/g, "")
    .replace(/^[^\p{L}]+/u, "")
    .toLowerCase();
  return Object.hasOwn(spellings, bare) ? spellings[bare]! : null;
}
