// The names under which the engine knows Retinue's services, and what their handlers take and give.
// Gateways and workers agree on them.
import type { RunOutcome } from "../events/outcome.ts";

export const services = {
  run: "RetinueRun",
  place: "RetinuePlace",
  queue: "RetinueQueue",
} as const;

/** What a life ends with: its outcome, or the key of the life that goes on. */
export type LifeEnd = { outcome: RunOutcome } | { next: string };

/** The worker that shows a life, and which try at it that is, from 1 on. */
export type ShownAt = { url: string; attempt: number };

/** A question that has no answer yet. */
export type Asking = { toolUseId: string; question: object };
