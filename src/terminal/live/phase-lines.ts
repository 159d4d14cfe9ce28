// One phase of a flow for people: its decision with the agent's own word, its checks, what it found,
// and what blocks it.
import { isObject } from "../../base/data/json.ts";
import { oneLine, printable } from "../../base/text/printable.ts";
import { blockerWords, errorWords } from "../../contract/failure.ts";
import type { PhaseRecord } from "../../patterns/flow.ts";
import type { Paint } from "../paint.ts";
import { markOfAnswer, type AgentMark } from "../view/agent-view.ts";
import { signOf } from "./agent-lines.ts";

const shownItems = 5;
const shownUnheld = 10;

export function phaseLines(entry: PhaseRecord, io: { paintErr: Paint }): string[] {
  const { agent, outcome, trust, warned, error, blockers = [], findings = {} } = entry;
  const mark = signOf(markOfPhase(entry), io.paintErr);
  const axes = `${agent} · ${decisionWords(entry)} · ${outcome} · ${trust}`;
  return [
    `${mark} ${io.paintErr("bold", entry.phase)} ${io.paintErr("dim", axes)}`,
    `  ${printable(entry.context_summary).replaceAll("\n", "\n  ")}`,
    ...unheldLines(unheldIssues(entry), io.paintErr),
    ...checkLines(entry),
    ...findingLines(findings),
    ...(error ? [`  error: ${oneLine(errorWords(error), 300)}`] : []),
    ...blockers.map((blocker) => `  blocked: ${oneLine(blockerWords(blocker), 300)}`),
    ...(warned === undefined
      ? []
      : [`  ${io.paintErr("yellow", "!")} ${oneLine(warned, 200)}; this warns and does not stop`]),
  ];
}

/**
 * A phase that a flow passes over has not done well for that, nor has one in which something does
 * not hold.
 */
function markOfPhase(entry: PhaseRecord): AgentMark {
  if (entry.decision === "CLARIFY") return "asking";
  if (entry.decision === "STOP" || markOfAnswer(entry) === "bad") return "bad";
  return unheldIssues(entry).length > 0 ? "doubtful" : "good";
}

/** What does not hold, a line each; the rest of many is counted. */
function unheldLines(issues: readonly string[], paint: Paint): string[] {
  const left = issues.length - shownUnheld;
  return [
    ...issues
      .slice(0, shownUnheld)
      .map((issue) => `  ${paint("yellow", "!")} ${oneLine(issue, 300)}`),
    ...(left > 0 ? [`  ${paint("yellow", "!")} and ${left} more that do not hold`] : []),
  ];
}

/** The settled decision; the agent's own word beside it where that does not stand. */
const decisionWords = ({ decision, overridden }: PhaseRecord): string =>
  overridden === undefined
    ? decision
    : `${decision} (the agent said ${overridden.claimed}: ${oneLine(overridden.why, 200)})`;

/** What counts: a check that the record refutes has failed, with the agent's own word behind it. */
function checkLines({ findings, overridden }: PhaseRecord): string[] {
  const said = findings?.["checks"];
  const checks = isObject(said) ? Object.entries(said) : [];
  const refuted = overridden?.failed_checks ?? [];
  const words = checks.map(([name, check]) => {
    const word = checkWord(check);
    const why = refuted.map((one) => whyFailed(one, name)).find((one) => one !== undefined);
    return why === undefined || word.startsWith("failed")
      ? `${name} ${word}`
      : `${name} failed (${[why, `the agent said ${word}`].filter((one) => one !== "").join("; ")})`;
  });
  const unnamed = refuted.filter((one) =>
    checks.every(([name]) => whyFailed(one, name) === undefined),
  );
  const all = [...words, ...unnamed.map((one) => `${one}: failed`)];
  return all.length === 0 ? [] : [`  checks: ${oneLine(all.join(" · "), 600)}`];
}

/** The reason in `tests (no run is recorded)`, where that is about this check. */
function whyFailed(failed: string, name: string): string | undefined {
  const short = name.slice(0, 60);
  if (failed === short) return "";
  return failed.startsWith(`${short} (`) ? failed.slice(short.length + 2, -1) : undefined;
}

function checkWord(check: unknown): string {
  const { passed, skipped, reason, errors } = isObject(check) ? check : { passed: check };
  if (skipped) return typeof reason === "string" ? `skipped (${oneLine(reason, 80)})` : "skipped";
  if (passed === true) return "passed";
  const why = [reason, Array.isArray(errors) ? (errors[0] as unknown) : undefined].find(
    (one) => typeof one === "string",
  );
  return typeof why === "string" ? `failed (${oneLine(why, 120)})` : "failed";
}

/** The first entries of each list that it found; all of them are in the JSON. */
function findingLines(findings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(findings).flatMap(([key, value]) => {
    if (key === "checks" || !Array.isArray(value) || value.length === 0) return [];
    const items = value.slice(0, shownItems).map(itemWords);
    const more = value.length > items.length ? ` and ${value.length - items.length} more` : "";
    return [`  ${oneLine(key.replaceAll("_", " "), 40)}: ${oneLine(items.join("; "), 400)}${more}`];
  });
}

function itemWords(item: unknown): string {
  if (!isObject(item)) return typeof item === "string" ? item : (JSON.stringify(item) ?? "");
  const place = [item["path"] ?? item["location"], item["line"]].filter(
    (part) => typeof part === "string" || typeof part === "number",
  );
  const words = ["title", "issue", "what", "description", "name"]
    .map((key) => item[key])
    .find((part) => typeof part === "string");
  return [place.join(":"), words ?? (place.length > 0 ? "" : JSON.stringify(item))]
    .filter((part) => part !== "")
    .join(" ");
}

/** What the runtime found untrue in an answer, and what an agent changed without naming it. */
const unheld: readonly string[] = ["contradicted: ", "undeclared: "];

/** The issues of a phase that say what does not hold. */
const unheldIssues = ({ issues }: { issues: readonly string[] }): string[] =>
  issues.filter((issue) => unheld.some((mark) => issue.startsWith(mark)));
