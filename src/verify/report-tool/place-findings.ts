// Looks up every entry of a report that was given as data: quotations in their files, deeds in the
// trees, results in the record, absence in a search.
import type { ReportFinding, ReportInput } from "../../contract/report-tool/report-input.ts";
import { judgeAbsence } from "./judge-absence.ts";
import { judgeRun } from "./judge-run.ts";
import type { Lookup, ReportEvidence } from "./lookup.ts";
import { placeDeed, placePlan } from "./place-deed.ts";
import { namesInSentence, placePresent } from "./place-present.ts";

export function placeFindings(
  { findings }: Pick<ReportInput, "findings">,
  evidence: ReportEvidence,
): Lookup[] {
  return findings.map((finding, index) => lookUp(finding, `findings[${index}]`, evidence));
}

export function placeReferences(
  { key_references }: Pick<ReportInput, "key_references">,
  evidence: ReportEvidence,
): Lookup[] {
  return key_references.map((reference, index) =>
    placePresent(reference, { at: `key_references[${index}]`, names: [reference.item] }, evidence),
  );
}

function lookUp(finding: ReportFinding, at: string, evidence: ReportEvidence): Lookup {
  const { kind, title, statement, path = "", quote } = finding;
  if (kind === "absent") return judgeAbsence(finding, at, evidence);
  if (kind === "plan") return placePlan(path, at, evidence);
  if (kind === "result" || (kind === "did" && finding.path === undefined))
    return judgeRun(finding, at, evidence);
  const entry = { path, quote: quote ?? "", near: finding.near };
  if (kind === "present")
    return placePresent(entry, { at, names: namesInSentence(`${title} ${statement}`) }, evidence);
  return placeDeed(finding, at, evidence);
}
