// The agents that need no file. Any source overrides one of them by name.
import { sourcePriority } from "./agent-definition.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { checkers } from "./built-in/checkers.ts";
import { everydayAgents } from "./built-in/everyday.ts";
import { flowPeople } from "./built-in/flow-people.ts";

export const builtInDefinitions: readonly AgentDefinition[] = [
  ...everydayAgents,
  ...flowPeople,
  ...checkers,
].map((fields) => ({ ...fields, source: "built-in", priority: sourcePriority["built-in"] }));
