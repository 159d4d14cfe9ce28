// Events of a run as an async iterable: a slow reader loses signals before it costs memory, never
// facts.
import { limits } from "../../base/limits.ts";
import type { RunEvent } from "../../events/event.ts";
import type { RunHandle } from "../run/run-handle.ts";

export async function* eventStream(run: RunHandle): AsyncGenerator<RunEvent> {
  const waiting: RunEvent[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;
  const stop = run.listen((event) => {
    if (
      waiting.length >= limits.run.waitingEvents &&
      (event.type === "reply-delta" || event.type === "tool-progress")
    )
      return;
    waiting.push(event);
    if (event.type === "run-end") isOver = true;
    wake?.();
  });
  // A run that fails before its first fact has no run-end event.
  void run.done.then(() => {
    isOver = true;
    wake?.();
  });
  try {
    for (;;) {
      const event = waiting.shift();
      if (event) yield event;
      else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop();
  }
}
