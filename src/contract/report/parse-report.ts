// Reads a report as agents really write it. Never throws, linear in time, keeps what it does not know.
import { axes, readDecision, readOutcome, readSeverity, type Severity } from "../axes.ts";
import { namedConfidence, readConfidence } from "./read-confidence.ts";
import {
  findFileClaims,
  findFindings,
  type PlacedFileClaim,
  type PlacedFinding,
} from "./find-findings.ts";
import { readYesNo, type Blocker, type ErrorDetails } from "../failure.ts";
import type { Confidence, Issue, KeyReference, Report, Tick } from "./report.ts";
import {
  columnReader,
  isPlaceholder,
  named,
  plainText,
  sectionItems,
  sectionText,
  tablesOf,
} from "./section-text.ts";
import { sectionTree, type Section } from "./section-tree.ts";

/** The report and, beside it, where each finding and file claim stands in the text. */
export type PlacedReport = {
  report: Report;
  findings: PlacedFinding[];
  file_claims: PlacedFileClaim[];
};

/** Reads a report written in Markdown; every text gives a report, if an empty one. */
export const parseReport = (text: string): Report => parsePlacedReport(text).report;

export function parsePlacedReport(text: string): PlacedReport {
  const tree = sectionTree(text);
  const findings = findFindings(tree.sections, tree.places);
  const file_claims = findFileClaims(tree.sections, tree.places);
  const agent = tree.title?.replace(/\s*\b(?:results?|reports?)\b\s*:?.*$/i, "").trim() || null;
  return {
    report: {
      agent,
      preamble: tree.preamble,
      ...(tree.sections.length === 0
        ? { ...viewsOfNothing(), sections: [] }
        : viewsOf(tree.sections)),
      findings: findings.map(({ finding }) => finding),
      file_claims: file_claims.map(({ claim }) => claim),
    },
    findings,
    file_claims,
  };
}

let nothing: ReturnType<typeof viewsOf> | undefined;

/** A text without a section is read by many, and always the same. */
const viewsOfNothing = (): ReturnType<typeof viewsOf> => (nothing ??= viewsOf([]));

/** Everything that can be read off sections; what needs its place aside. */
function viewsOf(
  sections: Section[],
): Omit<Report, "agent" | "preamble" | "findings" | "file_claims"> {
  const text = (name: Parameters<typeof named>[1]): string =>
    named(sections, name).map(sectionText).join("\n\n").trim();
  const items = (name: Parameters<typeof named>[1]): string[] =>
    named(sections, name)
      .flatMap(sectionItems)
      .map((item) => plainText(item.text))
      .filter((item) => !isPlaceholder(item));
  const status = plainText(text("Status"));
  const decision = plainText(text("Decision"));
  return {
    sections,
    outcome: readOutcome(status),
    status_words: status || null,
    // The word alone, on the first line: "DO NOT PROCEED" and "PROCEED after the fix" are none.
    decision: readDecision(decision.split("\n", 1)[0]!.replace(/[.!]$/, "")),
    decision_words: decision || null,
    summary: text("Summary"),
    key_references: named(sections, "Key References").flatMap(keyReferences),
    confidence: confidenceOf(
      text("Confidence"),
      [text("Confidence Breakdown"), text("Confidence Justification")].join("\n"),
    ),
    issues: named(sections, "Issues").flatMap(issuesOf),
    next_steps: items("Next Steps"),
    blockers: named(sections, "Blockers").flatMap(blockersOf),
    error: errorDetails(named(sections, "Error Details")),
    questions: items("Questions"),
    ticks: named(sections, "Verification Completed").flatMap(ticksOf),
    severity_summary: severitySummary(text("Severity Summary")),
  };
}

function keyReferences(section: Section): KeyReference[] {
  const rows = tablesOf(section).flatMap((table) => {
    const cell = columnReader(table);
    return table.rows.map((row) => ({
      item: cell(row, /item|name|symbol|component|what/i),
      location: cell(row, /location|file|path|where|line/i),
      relevance: cell(row, /relevance|why|purpose|description|note/i),
    }));
  });
  const listed = sectionItems(section).map(({ text }) => ({
    item: plainText(text).split(/\s+[-–—:]\s+/)[0]!,
    location: text,
    relevance: plainText(text),
  }));
  return [...rows, ...listed].filter(({ location }) => !isPlaceholder(location));
}

function confidenceOf(text: string, breakdown: string): Confidence {
  // The breakdown's numbers are not the score.
  const own = plainText(text)
    .split("\n")
    .filter(
      (line) => !/\b(?:verified|inferred|combined)(?:[_ -]?confidence)?[*`_\s]*[:=|]/i.test(line),
    )
    .join("\n");
  const { score, words } = readConfidence(own);
  const all = `${text}\n${breakdown}`;
  const combined = namedConfidence(all, "combined");
  const justification =
    /^[^\n]*?\d[\d.]*\s*(?:%|\/\s*100?)?\s*(?:\([^)]*\)\s*)?[-–—:]\s*([^\n]+)/
      .exec(own)?.[1]
      ?.trim() ?? null;
  return {
    score: score ?? combined,
    words,
    justification,
    verified: namedConfidence(all, "verified"),
    inferred: namedConfidence(all, "inferred"),
    combined,
  };
}

function issuesOf(section: Section): Issue[] {
  const rows = tablesOf(section).flatMap((table) => {
    const cell = columnReader(table);
    return table.rows.map((row) =>
      newIssue(
        cell(row, /issue|title|problem|name/i),
        cell(row, /description|detail|note/i),
        cell(row, /severity|priority/i),
      ),
    );
  });
  const listed = sectionItems(section).map(({ text }) => {
    const [words = "", severity = ""] = plainText(text).split(/\|?\s*severity\s*:\s*/i);
    const [title = "", ...rest] = words.replace(/[|\s]+$/, "").split(/:\s+/);
    return newIssue(title, rest.join(": "), severity);
  });
  return [...rows, ...listed].filter(({ title }) => !isPlaceholder(title));
}

function newIssue(title: string, description: string, word: string): Issue {
  return {
    title: title.replace(/^\[|\]$/g, "").trim(),
    description: description.trim(),
    severity: readSeverity(word),
    severity_word: word.trim() || null,
  };
}

/** Both spellings: "… | Resolution: …" on one line, or Resolution on a line below. */
function blockersOf(section: Section): Blocker[] {
  return sectionItems(section)
    .map(({ text }) => {
      const [description = "", resolution] = plainText(text).split(
        /\s*\|?\s*\n?\s*resolution\s*:\s*/i,
      );
      return { description: description.trim(), resolution: resolution?.trim() || null };
    })
    .filter(({ description }) => !isPlaceholder(description));
}

/** A table of Aspect and Value, or lines such as "Type: Timeout". */
function errorDetails(sections: readonly Section[]): ErrorDetails | null {
  if (sections.length === 0) return null;
  const pairs = sections.flatMap((section) => [
    ...tablesOf(section).flatMap(({ columns, rows }) => [columns, ...rows]),
    ...sectionText(section)
      .split("\n")
      .map((line) =>
        plainText(line)
          .replace(/^\W+/, "")
          .split(/\s*:\s+/, 2),
      ),
  ]);
  const valueOf = (aspect: RegExp): string | null => {
    const value = pairs.find(([name = ""]) => aspect.test(plainText(name)))?.[1];
    return value === undefined || isPlaceholder(plainText(value)) ? null : plainText(value);
  };
  return {
    type: valueOf(/^(?:error )?type\b/i),
    message: valueOf(/^(?:error )?message\b/i),
    occurredAt: valueOf(/^(?:occurred|at\b|where\b|location|step)/i),
    recoverable: readYesNo(valueOf(/^recoverable\b/i)),
  };
}

function ticksOf(section: Section): Tick[] {
  return sectionText(section)
    .split("\n")
    .flatMap((line) => {
      const found = /^\s*(?:[-*+]|\d+[.)])\s*\[([ xX✓✔])\]\s*(.*)$/.exec(line);
      return found ? [{ label: plainText(found[2]!), ticked: found[1] !== " " }] : [];
    });
}

function severitySummary(text: string): Partial<Record<Severity, number>> | null {
  const counts: Partial<Record<Severity, number>> = {};
  for (const line of text.split("\n")) {
    const found = /^\W*([A-Za-z]+)\W*[:=-]\W*(\d{1,6})\b/.exec(line);
    const severity = found ? readSeverity(found[1]!) : null;
    if (severity) counts[severity] = (counts[severity] ?? 0) + Number(found![2]);
  }
  return axes.severities.some((severity) => severity in counts) ? counts : null;
}
