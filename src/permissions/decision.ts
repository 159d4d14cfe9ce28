// The answer of the permission room: what happens to a call, which layer said so, and every step on
// the way for `explain`.

export type Behavior = "allow" | "ask" | "deny";

/** In the order in which they are asked. */
export const layers = [
  "tools",
  "hook",
  "deny",
  "ask",
  "protected",
  "orchestrator-guard",
  "mode",
  "allow",
  "default",
] as const;
export type Layer = (typeof layers)[number];

/** What was said about one part of the call: a command, a path, the tool itself. */
export type Step = {
  part: string;
  behavior: Behavior;
  layer: Layer;
  rule?: string;
  reason: string;
};

export type CallDecision = {
  behavior: Behavior;
  layer: Layer;
  rule?: string;
  reason: string;
  steps: Step[];
};

/** One layer's word about one part of a call (a command, a path, a host). */
export type PartVerdict = { behavior: Behavior; layer: Layer; rule?: string; reason: string };

const severity: Record<Behavior, number> = { allow: 0, ask: 1, deny: 2 };

/** The stricter of two verdicts; of equals the one of the earlier layer, then the first. */
export function worse(a: PartVerdict, b: PartVerdict): PartVerdict {
  if (severity[a.behavior] !== severity[b.behavior])
    return severity[a.behavior] > severity[b.behavior] ? a : b;
  if (a.behavior === "allow") return layers.indexOf(b.layer) > layers.indexOf(a.layer) ? b : a;
  return layers.indexOf(b.layer) < layers.indexOf(a.layer) ? b : a;
}
