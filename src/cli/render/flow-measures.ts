// A flow in figures: context by phase beside that of one conversation, and the contract's rules
// with what was measured.
import { grouped } from "../../base/text/grouped.ts";
import { printable } from "../../base/text/printable.ts";
import type { ContextReport } from "../../flows/context-report.ts";
import type { Measure } from "../../flows/measuring/measure-rules.ts";
import type { LookResult } from "../../patterns/flow.ts";
import type { Io } from "../io.ts";

type Paint = Pick<Io, "paint">;

const columns = ["phase", "sub-agent", "one context", "saved", "orchestrator"] as const;

export function contextTable({ rows, total, limit }: ContextReport, { paint }: Paint): string[] {
  const cells = rows.map((row) => [
    printable(row.phase),
    grouped(row.sub_agent),
    grouped(row.single_context),
    `${row.saved_percent} %`,
    `+${grouped(row.orchestrator)}`,
  ]);
  const sums = [
    "total",
    grouped(total.sub_agents),
    grouped(total.single_context),
    "",
    `+${grouped(total.orchestrator)}`,
  ];
  const widths = columns.map((name, index) =>
    Math.max(name.length, ...[...cells, sums].map((line) => line[index]!.length)),
  );
  const line = (parts: readonly string[]): string =>
    (
      "  " +
      parts
        .map((part, index) =>
          index === 0 ? part.padEnd(widths[0]!) : part.padStart(widths[index]!),
        )
        .join("  ")
    ).trimEnd();
  return [
    `${paint("bold", "Context")} ${paint("dim", "tokens, measured from the transcripts")}`,
    paint("dim", line(columns)),
    ...cells.map(line),
    line(sums),
    paint(
      "dim",
      `  no agent had more than ${grouped(total.largest)} tokens before it, where one ` +
        `conversation would have come to ${grouped(total.single_context)}`,
    ),
    ...(limit.holds
      ? []
      : [
          paint(
            "red",
            `  a phase added more than ${grouped(limit.orchestrator_per_phase)} tokens to the orchestrator`,
          ),
        ]),
  ];
}

/** What a second agent made of a finding. */
export function lookLines(looks: readonly LookResult[], { paint }: Paint): string[] {
  return looks.map(
    ({ finding, place, agent, verdict, triggers, confidence: { before, after } }) => {
      const change =
        after === null
          ? ""
          : `, confidence ${before === null || before === after ? "" : `${before} → `}${after}`;
      return (
        `  ${paint(verdict === "confirmed" ? "green" : "yellow", "⇄")} ` +
        `${printable(finding)}${place === null ? "" : ` (${printable(place)})`}: ${verdict} ` +
        `by ${printable(agent)}${change} ${paint("dim", triggers.join(", "))}`
      ).trimEnd();
    },
  );
}

/** What does not hold, and how much does. */
export function flowMeasureLines(
  measures: readonly Measure[],
  { paintErr }: Pick<Io, "paintErr">,
): string[] {
  const broken = measures.filter(({ holds }) => !holds);
  const head = `${measures.length - broken.length} of ${measures.length} measured rules hold: ${measures
    .filter(({ holds }) => holds)
    .map(({ level, rule, value }) => `${level} ${rule} ${grouped(value)}`)
    .join(", ")}`;
  return [
    paintErr("dim", head),
    ...broken.map(
      ({ level, rule, value, limit, at_least, detail }) =>
        `${paintErr("yellow", "!")} ${level} ${rule}: ${grouped(value)}, ` +
        `${at_least ? "at least" : "at most"} ${grouped(limit)} (${printable(detail)})`,
    ),
  ];
}
