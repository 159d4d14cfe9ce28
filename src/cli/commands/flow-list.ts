// `retinue flow list`: the flows of this user, how each stands, and the command that goes on with
// it.
import { listFlows, type FlowStatus } from "../../app/flows/list-flows.ts";
import { oneLine } from "../../base/text/printable.ts";
import type { ExitCode } from "../command.ts";
import type { Io } from "../io.ts";
import { age, tableLines } from "../render/table.ts";

export function showFlows(io: Io, { json }: { json?: boolean }): ExitCode {
  const flows = listFlows(io.env);
  if (json) io.out(JSON.stringify(flows, undefined, 2));
  else if (flows.length === 0)
    io.err("no flow has run yet; `retinue flow sequence PROMPT` starts one");
  else for (const line of linesOf(flows, io)) io.out(line);
  return 0;
}

function linesOf(flows: readonly FlowStatus[], io: Io): string[] {
  const rows = flows.map((flow) => [
    flow.flow_id,
    flow.decision === null ? flow.state : `${flow.state} ${flow.decision}`,
    flow.pattern ?? "",
    phasesText(flow),
    age(flow.changed_at),
    oneLine(flow.feature ?? "", 48),
  ]);
  const lines = tableLines(rows, {
    width: io.width(),
    paint: (cell, row, column) => (column === 1 ? io.paint(colourOf(flows[row]!), cell) : cell),
  });
  return flows.flatMap((flow, index) => [
    lines[index]!,
    ...moreOf(flow).map((more) => io.paint("dim", `  ${more}`)),
  ]);
}

function phasesText({ phases_done, phases_left }: FlowStatus): string {
  if (phases_done.length === 0)
    return phases_left.length === 0 ? "no phase done" : `0 of ${phases_left.length}`;
  const of =
    phases_left.length === 0
      ? ""
      : ` (${phases_done.length} of ${phases_done.length + phases_left.length})`;
  return oneLine(`${phases_done.join(", ")}${of}`, 60);
}

function moreOf({ questions, problem, next, host_pid }: FlowStatus): string[] {
  return [
    ...questions.map((question) => `? ${oneLine(question, 150)}`),
    ...(problem === undefined ? [] : [oneLine(problem, 300)]),
    ...(next === null ? [] : [`→ ${next}`]),
    ...(host_pid === null ? [] : [`process ${host_pid}`]),
  ];
}

const colourOf = ({ state, decision }: FlowStatus): "cyan" | "green" | "red" | "yellow" =>
  state === "running"
    ? "cyan"
    : decision === "PROCEED"
      ? "green"
      : state === "damaged" || decision === "STOP"
        ? "red"
        : "yellow";
