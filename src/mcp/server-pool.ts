// The MCP servers of a session: named servers are shared and end with their last user; inline
// servers belong to one run.
import { errorText } from "../base/errors.ts";
import { suggest } from "../base/text/suggest.ts";
import { newMark } from "../process/mark.ts";
import type { AgentMcpServer } from "../definitions/agent-definition.ts";
import { connect, type Connection } from "./connection.ts";
import { mcpTool, type McpTool } from "./mcp-tool.ts";
import type { McpSurroundings } from "./open-session.ts";
import { readServer, type ServerConfig } from "./server-config.ts";
import { nameTools, pickTools, serverKey } from "./tool-name.ts";

export type ServerLease = {
  tools: McpTool[];
  /**
   * Sentences for people: servers that could not be reached, tools that were left out. The rest
   * works.
   */
  problems: string[];
  /**
   * Gives the servers back; returns when those without other users have ended. A second call does
   * nothing.
   */
  release(): Promise<void>;
};

export type ServerPool = {
  /**
   * The `mcpServers` of a definition: `config` makes a server inline, `tools` narrows it. Never
   * rejects.
   */
  acquire(wishes: readonly AgentMcpServer[]): Promise<ServerLease>;
  /** Ends every server, also those in use. */
  close(): Promise<void>;
};

export type PoolOptions = Partial<McpSurroundings> & {
  cwd: string;
  /** The session's servers by name, from `readServers`. */
  servers: ReadonlyMap<string, ServerConfig>;
};

type Wanted = {
  name: string;
  key: string;
  config: ServerConfig;
  tools: readonly string[] | undefined;
  shared: boolean;
};
type Slot = { users: number; connection: Promise<Connection>; ending: AbortController };

export function createServerPool({ servers, ...options }: PoolOptions): ServerPool {
  const around: McpSurroundings = { environment: process.env, mark: newMark(), ...options };
  const shared = new Map<string, Slot>();
  const leases = new Set<ServerLease>();

  const take = (wanted: Wanted): Slot => {
    const slot = (wanted.shared ? shared.get(wanted.name) : undefined) ?? openSlot(wanted, around);
    slot.users++;
    if (!wanted.shared) return slot;
    shared.set(wanted.name, slot);
    // The next caller tries again instead of sharing a failure.
    slot.connection.catch(() => shared.get(wanted.name) === slot && shared.delete(wanted.name));
    return slot;
  };
  const giveBack = async (wanted: Wanted, slot: Slot): Promise<void> => {
    slot.users--;
    if (slot.users > 0) return;
    if (shared.get(wanted.name) === slot) shared.delete(wanted.name);
    slot.ending.abort();
    await slot.connection.then((connection) => connection.close()).catch(() => {});
  };
  const acquire = async (wishes: readonly AgentMcpServer[]): Promise<ServerLease> => {
    const { wanted, problems } = resolveWishes(wishes, servers, around.environment);
    const taken = wanted.map((item) => ({ wanted: item, slot: take(item) }));
    let released: Promise<unknown> | undefined;
    const lease: ServerLease = {
      tools: [],
      problems,
      async release() {
        leases.delete(lease);
        released ??= Promise.all(taken.map((item) => giveBack(item.wanted, item.slot)));
        await released;
      },
    };
    leases.add(lease);
    for (const item of taken) await addTools(lease, item);
    return lease;
  };
  const close = async (): Promise<void> =>
    void (await Promise.all([...leases].map((lease) => lease.release())));
  return { acquire, close };
}

function openSlot({ key, config }: Wanted, around: McpSurroundings): Slot {
  const ending = new AbortController();
  const connection = connect({ server: key, config, around, ending });
  connection.catch(() => {});
  return { users: 0, connection, ending };
}

async function addTools(
  lease: ServerLease,
  { wanted, slot }: { wanted: Wanted; slot: Slot },
): Promise<void> {
  try {
    const connection = await slot.connection;
    const { named, problems } = nameTools(wanted.key, connection.tools);
    const all = named.map(({ name, tool }) =>
      mcpTool(name, tool, { server: wanted.key, connection }),
    );
    const picked = pickTools(wanted.key, wanted.tools, all);
    lease.tools.push(...picked.tools);
    lease.problems.push(...connection.problems, ...problems, ...picked.problems);
  } catch (error) {
    lease.problems.push(`MCP server ${wanted.name} could not be reached: ${errorText(error)}`);
  }
}

function resolveWishes(
  wishes: readonly AgentMcpServer[],
  servers: PoolOptions["servers"],
  environment: NodeJS.ProcessEnv,
): { wanted: Wanted[]; problems: string[] } {
  const sharedKeys = new Set(
    [...servers.keys()].map((name) => serverKey(name)).flatMap((key) => (key.ok ? [key.name] : [])),
  );
  const wanted = new Map<string, Wanted>();
  const problems: string[] = [];
  for (const { name, tools, config: inline } of wishes) {
    const key = serverKey(name);
    const config =
      inline === undefined ? namedServer(name, servers) : readServer(inline, environment);
    if (!key.ok) problems.push(key.problem);
    else if (!config.ok)
      problems.push(`MCP server ${JSON.stringify(name.slice(0, 100))}: ${config.problem}`);
    // An inline server with a session server's name would get the rules written for that one.
    else if (inline !== undefined && sharedKeys.has(key.name))
      problems.push(
        `MCP server ${name}: the session has a server of that name; give the inline one another name`,
      );
    else if (wanted.has(key.name))
      problems.push(
        `MCP server ${name} is named twice, or like another one; the first entry holds`,
      );
    else
      wanted.set(key.name, {
        name,
        key: key.name,
        config: config.config,
        tools,
        shared: inline === undefined,
      });
  }
  return { wanted: [...wanted.values()], problems };
}

function namedServer(
  name: string,
  servers: PoolOptions["servers"],
): { ok: true; config: ServerConfig } | { ok: false; problem: string } {
  const config = servers.get(name);
  if (config) return { ok: true, config };
  const near = suggest(name, servers.keys());
  return {
    ok: false,
    problem:
      "no server of that name is " +
      `configured${near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`}`,
  };
}
