// The agents that are at work, each with what it does now and what it has used: from the events of a
// run, for the lines that a person watches.
import { counted, grouped } from "../../../base/text/grouped.ts";
import type { RunEvent } from "../../../events/event.ts";
import { addUsage, noUsage, totalTokens, type Usage } from "../../../model/model.ts";
import { costUsd, priceOf } from "../../../model/prices.ts";

type AtWork = {
  label: string;
  isMain: boolean;
  model: string;
  doing: string;
  turns: number;
  usage: Usage;
  startedAtMs: number;
};

export class AgentsAtWork {
  readonly #agents = new Map<string, AtWork>();

  /** `doing` is what the event says about the moment, if it says anything. */
  hear(event: RunEvent, doing: string | undefined): void {
    if (event.type === "run-start") {
      const { agentType, name, isMain, model } = event.spec;
      this.#agents.set(event.agentId, {
        label: name ?? agentType,
        isMain,
        model,
        doing: "starting",
        turns: 0,
        usage: noUsage,
        startedAtMs: performance.now(),
      });
    }
    const agent = this.#agents.get(event.agentId);
    if (!agent) return;
    if (event.type === "run-end") return void this.#agents.delete(event.agentId);
    if (doing !== undefined) agent.doing = doing;
    if (event.type !== "message" || !event.reply) return;
    agent.turns += 1;
    agent.usage = addUsage(agent.usage, event.reply.usage);
  }

  /** The name of a sub-agent; undefined for the main thread and for one that nobody knows. */
  childLabel(agentId: string): string | undefined {
    const agent = this.#agents.get(agentId);
    return agent && !agent.isMain ? agent.label : undefined;
  }

  /** A line for each: what it is called, what it does, what it has used. Children stand below. */
  lines(): string[] {
    const all = [...this.#agents.values()];
    return [...all.filter(({ isMain }) => isMain), ...all.filter(({ isMain }) => !isMain)].map(
      (agent) => `${agent.isMain ? "" : "└ "}${lineOf(agent)}`,
    );
  }
}

function lineOf({ label, doing, turns, usage, model, startedAtMs }: AtWork): string {
  const [provider, id = ""] = model.split(/:(.*)/s);
  const cost = costUsd(usage, priceOf(id, provider));
  return [
    label,
    doing,
    counted(turns, "turn"),
    `${grouped(totalTokens(usage))} tokens`,
    ...(cost === null ? [] : [`$${cost.toFixed(4)}`]),
    `${Math.round((performance.now() - startedAtMs) / 1000)} s`,
  ].join(" · ");
}
