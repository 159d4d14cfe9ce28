// The agents that need no file. Every source can override one of them by name.
import { sourcePriority } from "./agent-definition.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { checkers } from "./built-in/checkers.ts";
import { everydayAgents } from "./built-in/everyday.ts";
import { flowAgents } from "./built-in/flow-agents.ts";

export const builtInDefinitions: readonly AgentDefinition[] = [
  ...everydayAgents,
  ...flowAgents,
  ...checkers,
].map((fields) => ({ ...fields, source: "built-in", priority: sourcePriority["built-in"] }));
