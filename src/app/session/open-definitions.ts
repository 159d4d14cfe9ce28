// The definitions of a session: read again when files change, and without what widens until the
// folder is trusted.
import { isDeepStrictEqual } from "node:util";
import { withoutTrust, type AgentDefinition } from "../../definitions/agent-definition.ts";
import {
  loadDefinitions,
  type LoadedDefinitions,
  type LoadOptions,
} from "../../definitions/load-definitions.ts";
import type { Session } from "../../manager/session/session.ts";
import { trustState } from "../../settings/trust.ts";

export type Definitions = {
  parts: Pick<Session, "definitions" | "listing" | "reload" | "withheldOf">;
  loaded(): LoadedDefinitions;
};

/**
 * Trust was given to what stood there: what changes while the session runs is picked up, and widens
 * nothing before it is trusted again.
 */
export function openDefinitions(options: LoadOptions, trusted: boolean): Definitions {
  let loaded = loadDefinitions(options);
  let seen = loaded.definitions;
  let usable = trustedOnly(loaded.definitions, () => trusted);
  const reload = (): void => {
    loaded = loadDefinitions(options);
    if (trusted && trustState(options.cwd, { configDir: options.configDir! }).state === "trusted")
      seen = loaded.definitions;
    usable = trustedOnly(
      loaded.definitions,
      (definition) => trusted && bringsTheSame(definition, seen.get(definition.name)),
    );
  };
  const withheldOf = (name: string): string[] => {
    const [own, given] = [loaded.definitions.get(name), usable.get(name)];
    return own === undefined || own === given ? [] : withoutTrust(own).withheld;
  };
  return {
    parts: { definitions: () => usable, listing: () => loaded.all, reload, withheldOf },
    loaded: () => loaded,
  };
}

const bringsTheSame = (now: AgentDefinition, before: AgentDefinition | undefined): boolean =>
  isDeepStrictEqual(
    [now.hooks, now.mcpServers, now.permissionMode, now.memory],
    [before?.hooks, before?.mcpServers, before?.permissionMode, before?.memory],
  );

/** A project's own definitions lose what widens until it is trusted. */
function trustedOnly(
  definitions: ReadonlyMap<string, AgentDefinition>,
  isTrusted: (definition: AgentDefinition) => boolean,
): ReadonlyMap<string, AgentDefinition> {
  return new Map(
    [...definitions].map(([name, definition]) => [
      name,
      definition.source === "project" && !isTrusted(definition)
        ? withoutTrust(definition).definition
        : definition,
    ]),
  );
}

/**
 * Their guards are among it: an agent that runs without its hooks must not look like one that has
 * them.
 */
export function withheldOfAgents(
  definitions: ReadonlyMap<string, AgentDefinition>,
  trusted: boolean,
): string[] {
  const lessened = trusted
    ? []
    : [...definitions.values()]
        .filter((definition) => definition.source === "project")
        .map((definition) => ({ name: definition.name, what: withoutTrust(definition).withheld }))
        .filter(({ what }) => what.length > 0);
  const shown = lessened.slice(0, 5).map(({ name, what }) => `${name} (${what.join(", ")})`);
  return lessened.length === 0
    ? []
    : [
        "what agents of this folder bring: " +
          `${shown.join("; ")}${lessened.length > 5 ? ` and ${lessened.length - 5} more` : ""}`,
      ];
}
