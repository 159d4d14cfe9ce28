// Which agents can be started: the session's definitions and those that the library's user added,
// the higher rank first.
import { RetinueError } from "../../base/errors.ts";
import { suggest } from "../../base/text/suggest.ts";
import {
  sourcePriority,
  type AgentDefinition,
  type AgentPlan,
  type AgentSource,
} from "../../definitions/agent-definition.ts";
import type { DefinitionPlace, LoadedDefinition } from "../../definitions/load-definitions.ts";
import { readDefinitionObject } from "../../definitions/reading/read-definition.ts";
import type { Session } from "../session/session.ts";

/** One line of `listAgentInfo()`: a definition, its source, and whether it is the one in use. */
export type AgentInfo = {
  name: string;
  description: string;
  model: string | null;
  source: AgentSource;
  priority: number;
  tools: string[] | null;
  isActive: boolean;
  overrides: DefinitionPlace[];
  filePath: string | null;
};

export class AgentRegister {
  readonly #session: Session;
  readonly #added = new Map<string, AgentDefinition>();

  constructor(session: Session) {
    this.#session = session;
  }

  add(definitions: Readonly<Record<string, AgentPlan>>): void {
    const read = Object.entries(definitions).map(([name, fields]) => this.#read(name, fields));
    for (const definition of read) this.#added.set(definition.name, definition);
  }

  /** An administrator's definition is not replaced by anybody. */
  definitions(): ReadonlyMap<string, AgentDefinition> {
    const all = new Map(this.#session.definitions());
    for (const [name, definition] of this.#added)
      if ((all.get(name)?.priority ?? 0) <= definition.priority) all.set(name, definition);
    return all;
  }

  /** Throws `unknown_agent`. */
  find(type: string): AgentDefinition {
    const definitions = this.definitions();
    const found = definitions.get(type);
    if (found) return found;
    const near = suggest(type, definitions.keys());
    throw new RetinueError(
      "unknown_agent",
      `unknown subagent_type: ${type}${near ? `. Did you mean ${near}?` : ""} ` +
        `(available: ${[...definitions.keys()].join(", ")})`,
    );
  }

  list(): AgentInfo[] {
    const active = this.definitions();
    const loaded = this.#session
      .listing()
      .map((entry) =>
        info(
          entry,
          entry.isActive && active.get(entry.definition.name)?.source === entry.definition.source,
        ),
      );
    const added = [...this.#added.values()].map((definition) => {
      const hidden = this.#session
        .listing()
        .filter((entry) => entry.isActive && entry.definition.name === definition.name);
      const overrides = hidden.map(({ definition: { source, filePath } }) => ({
        source,
        ...(filePath === undefined ? {} : { filePath }),
      }));
      const isActive = active.get(definition.name) === definition;
      return info({ definition, isActive, overrides: isActive ? overrides : [] }, isActive);
    });
    return [...added, ...loaded];
  }

  #read(name: string, fields: AgentPlan): AgentDefinition {
    const { definition, problems } = readDefinitionObject(
      { ...fields, name },
      {
        source: "library",
        path: "registerAgents",
        priority: sourcePriority.library,
        tools: this.#session.tools.map((tool) => tool.name),
      },
    );
    if (definition) return definition;
    throw new RetinueError(
      "config",
      `the agent ${JSON.stringify(name)} cannot be used: ${problems
        .filter(({ severity }) => severity === "error")
        .map(({ message }) => message)
        .join("; ")}`,
    );
  }
}

function info({ definition, overrides }: LoadedDefinition, isActive: boolean): AgentInfo {
  const {
    name,
    description,
    model = null,
    source,
    priority,
    tools = null,
    filePath = null,
  } = definition;
  return { name, description, model, source, priority, tools, isActive, overrides, filePath };
}
