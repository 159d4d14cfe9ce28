// The verification of a report as SARIF: the result stands in the report, the place that was meant
// is a related location.
import { sarifLog, type SarifItem, type SarifLog, type SarifPlace } from "../../contract/sarif.ts";
import { faultsOf, type AssessedCheck, type Assessment } from "../assessment.ts";
import type { Verdict } from "../verdict.ts";

const rules: Partial<Record<Verdict, string>> = {
  relocated: "The content stands elsewhere.",
  stale:
    "It was right when the agent saw it, or in an earlier version of the file, and is not any more.",
  altered: "The place is found, but what stands there differs.",
  missing: "Path, symbol, quotation or record is nowhere.",
  out_of_range: "The file has no such line.",
  wrong_symbol: "The symbol exists, but not there.",
  outside_root: "The path leads outside the root.",
  unsupported: "Nothing on record shows what is claimed.",
  weakened: "The result holds, and this run weakened what proves it.",
  countered: "The tree has an example against the statement.",
};

/** `uri`: the report's own path. */
export function assessmentSarif(
  assessment: Assessment,
  { uri, version }: { uri: string; version: string },
): SarifLog {
  const place = placeIn(assessment.text, uri);
  const faults = faultsOf(assessment);
  const items = [
    ...faults.checks.map((check) => checkItem(check, place(check.span))),
    ...faults.invalid.map((reasons): SarifItem => ({
      rule: "invalid_report",
      level: "error",
      message: `The report is INVALID: ${reasons}`,
      at: { path: uri },
      related: [],
      fingerprint: "invalid",
      properties: {},
    })),
    ...faults.undeclared.map(({ path, change }): SarifItem => ({
      rule: "undeclared_change",
      level: "error",
      message: `${path} was ${change} in this run and is not in the report.`,
      at: { path },
      related: [],
      fingerprint: `undeclared ${path}`,
      properties: { change },
    })),
  ];
  return sarifLog({
    rules: [
      ...Object.entries(rules).map(([id, words]) => ({ id, text: words })),
      { id: "invalid_report", text: "The report claims more than any report of this run can." },
      { id: "undeclared_change", text: "A file was changed and is not in the report." },
    ],
    items,
    version,
  });
}

function checkItem(
  { verdict, grade, kind, text, reason, suggestion, path, lines }: AssessedCheck,
  at: SarifPlace,
): SarifItem {
  const meant = suggestion
    ? [
        {
          place: { path: suggestion.path, startLine: suggestion.line },
          message: "the nearest match",
        },
      ]
    : [];
  return {
    rule: verdict,
    level: grade === "X" ? "error" : "warning",
    message: `${text}: ${reason}`,
    at,
    related: meant,
    fingerprint: `${verdict} ${kind} ${path ?? ""} ${lines?.[0] ?? ""} ${text}`,
    properties: { grade, kind },
  };
}

/** Offsets of the report as lines and columns. */
function placeIn(text: string, uri: string): (span: [number, number]) => SarifPlace {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const at = (offset: number): { line: number; column: number } => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
  return ([start, end]) => ({
    path: uri,
    startLine: at(start).line,
    startColumn: at(start).column,
    endLine: at(end).line,
    endColumn: at(end).column,
  });
}
