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

export function phaseLines(entry: PhaseRecord, io: { paintErr: Paint }): string[] {
  const { agent, outcome, trust, warned, error, blockers = [], findings = {} } = entry;
  const mark = signOf(markOfPhase(entry), io.paintErr);
  const axes = `${agent} · ${decisionWords(entry)} · ${outcome} · ${trust}`;
  return [
    `${mark} ${io.paintErr("bold", entry.phase)} ${io.paintErr("dim", axes)}`,
    `  ${printable(entry.context_summary).replaceAll("\n", "\n  ")}`,
    ...checkLines(findings["checks"]),
    ...findingLines(findings),
    ...(error ? [`  error: ${oneLine(errorWords(error), 300)}`] : []),
    ...blockers.map((blocker) => `  blocked: ${oneLine(blockerWords(blocker), 300)}`),
    ...(warned === undefined
      ? []
      : [`  ${io.paintErr("yellow", "!")} ${oneLine(warned, 200)}; this warns and does not stop`]),
  ];
}

/** A phase that a flow passes over has not done well for that. */
function markOfPhase({ decision, outcome, trust }: PhaseRecord): AgentMark {
  if (decision === "CLARIFY") return "asking";
  if (decision === "STOP") return "bad";
  const mark = markOfAnswer({ outcome, trust });
  return mark === "bad" ? "bad" : "good";
}

/** The settled decision; the agent's own word beside it where that does not stand. */
const decisionWords = ({ decision, overridden }: PhaseRecord): string =>
  overridden === undefined
    ? decision
    : `${decision} (the agent said ${overridden.claimed}: ${oneLine(overridden.why, 200)})`;

function checkLines(checks: unknown): string[] {
  if (!isObject(checks) || Object.keys(checks).length === 0) return [];
  const words = Object.entries(checks).map(([name, check]) => `${name} ${checkWord(check)}`);
  return [`  checks: ${oneLine(words.join(" · "), 400)}`];
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
