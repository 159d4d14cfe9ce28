// A decision in words: every layer in its order, what it said about which part, and where it ended.
import { oneLine } from "../base/text/printable.ts";
import { layers, type CallDecision, type Layer } from "./decision.ts";

const meaning: Record<Layer, string> = {
  tools: "the run's tools",
  hook: "a hook",
  deny: "deny rules",
  ask: "ask rules",
  protected: "protected paths and addresses",
  "orchestrator-guard": "the orchestrator's rules",
  mode: "the permission mode",
  allow: "allow rules",
  default: "no layer, so a person would be asked",
};

/**
 * Lines for a terminal: the answer first, then the layers; the guard only where it has something to
 * say, since most agents have none.
 */
export function explainDecision({ behavior, layer, rule, reason, steps }: CallDecision): string[] {
  const listed = layers.filter((name) => name !== "orchestrator-guard" || layer === name);
  const width = Math.max(...listed.map((name) => name.length));
  const rows = listed.flatMap((name) => {
    const said = steps
      .filter((step) => step.layer === name)
      .map((step) => `${step.behavior.padEnd(5)}  ${oneLine(step.reason, 200)}`);
    const lines =
      said.length > 0
        ? [...new Set(said)]
        : [
            name === layer && steps.every((step) => step.layer !== name)
              ? `${behavior.padEnd(5)}  ${oneLine(reason, 200)}`
              : "-",
          ];
    return lines.map((line, index) => `  ${(index === 0 ? name : "").padEnd(width)}  ${line}`);
  });
  return [
    `${behavior}: ${oneLine(reason, 400)}`,
    `decided by ${meaning[layer]}${rule === undefined ? "" : `: ${rule}`}`,
    "",
    ...rows,
  ];
}
