// An aggregate for a terminal: the decision first, then the findings, then what needs a person.
import { oneLine } from "../../base/text/printable.ts";
import type { Severity } from "../../contract/axes.ts";
import type { Aggregate } from "../../contract/aggregate/aggregate-reports.ts";
import type { Style } from "../../terminal/paint.ts";
import type { Io } from "../io.ts";

const styles: Record<Severity, Style> = { critical: "red", important: "yellow", minor: "dim" };

export function aggregateText(
  {
    outcome,
    decision,
    trust,
    findings,
    conflicts,
    triggers,
    issues,
    checks,
    possible_duplicates,
  }: Aggregate,
  io: Pick<Io, "paint">,
): string {
  const rows = findings.flatMap(
    ({ id, title, severity, confidence, grade, path, lines, members }) => [
      `${io.paint(severity === null ? "dim" : styles[severity], `${id.padEnd(4)} ${(severity ?? "").padEnd(9)}`)} ` +
        `${oneLine(title, 90)}  ${io.paint("dim", `${confidence ?? "–"} ${grade}`)}`,
      io.paint(
        "dim",
        "     " +
          `${path === null ? "no place" : oneLine(`${path}${lines === null ? "" : `:${lines[0]}`}`, 120)} ` +
          "· " +
          [...new Set(members.map(({ agent_type, id: own }) => `${agent_type} ${own}`))].join(", "),
      ),
    ],
  );
  const open = conflicts.map(({ kind, subject, sides, decided, human_review }) => {
    const said = sides.map((side) => `${side.agent_id} says ${side.says}`).join(", ");
    const mark = io.paint(human_review ? "red" : "yellow", "conflict");
    const end = human_review ? "; needs a person" : `; the source decides: ${decided}`;
    return `${mark} ${oneLine(`${subject} (${kind}): ${said}`, 160)}${end}`;
  });
  return [
    ...rows,
    ...open,
    ...possible_duplicates.map(({ a, b }) => io.paint("dim", `${a} and ${b} may be the same`)),
    ...triggers.map(({ kind, finding, reason }) =>
      io.paint("dim", `${finding} ${kind}: ${reason}`),
    ),
    ...issues.map((issue) => `issue ${oneLine(issue, 160)}`),
    ...Object.entries(checks).map(([task, check]) =>
      io.paint(
        "dim",
        `${oneLine(task, 60)}: ${check.agent}, ${check.outcome}, ${check.decision}, ${check.trust}`,
      ),
    ),
    ...(decision === "PROCEED" ? warnedOnly(checks) : []).map(
      (agent) =>
        `${io.paint("yellow", "!")} ${oneLine(agent, 60)} is CONTRADICTED by verdicts that warn: ` +
        "they do not change the decision",
    ),
    `${decision} · outcome ${outcome} · trust ${trust} · ${findings.length} ` +
      `${findings.length === 1 ? "finding" : "findings"} of ${Object.keys(checks).length} ` +
      (Object.keys(checks).length === 1 ? "report" : "reports"),
  ].join("\n");
}

/** Contradicted, and by nothing that binds: its decision would be STOP otherwise. */
const warnedOnly = (checks: Aggregate["checks"]): string[] => [
  ...new Set(
    Object.values(checks).flatMap(({ agent, trust, decision }) =>
      trust === "CONTRADICTED" && decision === "PROCEED" ? [agent] : [],
    ),
  ),
];
