// Collects the events of a run as one line each, so that a test can compare the whole sequence.
import type { RunEvent } from "../events/event.ts";

export type EventCollector = {
  readonly events: RunEvent[];
  onEvent(event: RunEvent): void;
  /** `type`, or `type:detail` for the common events; deltas are left out. */ story(): string[];
  of<T extends RunEvent["type"]>(type: T): Extract<RunEvent, { type: T }>[];
};

export function collectEvents(): EventCollector {
  const events: RunEvent[] = [];
  return {
    events,
    onEvent: (event) => void events.push(event),
    story: () =>
      events
        .filter((event) => event.type !== "reply-delta" && event.type !== "tool-progress")
        .map(tell),
    of: (type) =>
      events.filter(
        (event): event is Extract<RunEvent, { type: typeof type }> => event.type === type,
      ),
  };
}

function tell(event: RunEvent): string {
  switch (event.type) {
    case "message":
      return `message:${event.origin}`;
    case "tool-start":
      return `tool-start:${event.tool}`;
    case "tool-end":
      return `tool-end:${event.tool}${event.isError ? ":error" : ""}`;
    case "permission-decision":
      return `permission-decision:${event.behavior}`;
    case "run-end":
      return `run-end:${event.outcome.state}${event.outcome.reason ? `:${event.outcome.reason}` : ""}`;
    default:
      return event.type;
  }
}
