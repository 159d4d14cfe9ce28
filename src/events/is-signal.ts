// Tells signals, which are for watching only, from facts, which are on record.
import type { RunEvent, Signal } from "./event.ts";

const signals: Readonly<Record<Signal["type"], true>> = {
  "turn-start": true,
  "reply-delta": true,
  "model-wait": true,
  "tool-start": true,
  "tool-progress": true,
  "tool-end": true,
  warning: true,
};

export const isSignal = (event: RunEvent): boolean => Object.hasOwn(signals, event.type);
