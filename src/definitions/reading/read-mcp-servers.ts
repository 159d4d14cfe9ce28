// Reads the `mcpServers` of a definition in every form in which people write them.
import { isObject } from "../../base/data/json.ts";
import type { AgentMcpServer } from "../agent-definition.ts";
import type { FieldReader } from "./field-reader.ts";

/**
 * By name, inline as `{name: config}`, narrowed as `{serverName, tools}`, or one mapping of
 * several.
 */
export function readMcpServers(reader: FieldReader): AgentMcpServer[] | undefined {
  if (!reader.has("mcpServers")) return undefined;
  const value = reader.data["mcpServers"];
  const items: unknown[] = Array.isArray(value)
    ? value
    : typeof value === "string"
      ? value.split(",")
      : [value];
  const servers: AgentMcpServer[] = [];
  for (const item of items) {
    const read = oneServer(item);
    if (read) {
      servers.push(...read);
      tellTransports(read, reader);
    } else
      reader.refuse("mcpServers", {
        code: "invalid-mcpServers",
        message: "an entry of `mcpServers` is a name, `{name: config}` or `{serverName, tools}`",
        suggestion: "mcpServers: [github]",
      });
  }
  return servers;
}

const spoken: readonly unknown[] = [undefined, "stdio", "http", "streamable-http"];

/** The server is refused when it is to be opened; whoever writes the file should hear it before. */
function tellTransports(servers: readonly AgentMcpServer[], reader: FieldReader): void {
  for (const { name, config } of servers)
    if (config && !spoken.includes(config["type"]))
      reader.warn("mcpServers", {
        code: "absent-transport",
        message:
          `the server "${name.slice(0, 60)}" has the transport ` +
          `${JSON.stringify(config["type"])?.slice(0, 40)}, which is not spoken here (stdio, http)`,
      });
}

type ServerForm = (item: Record<string, unknown>) => AgentMcpServer[] | "invalid" | undefined;

/** The forms of a server that is an object; the first that recognises the item decides. */
const serverForms: readonly ServerForm[] = [
  narrowedServer,
  plannedServer,
  inlineServer,
  serverTable,
];

function oneServer(item: unknown): AgentMcpServer[] | undefined {
  if (typeof item === "string") return item.trim() === "" ? undefined : [{ name: item.trim() }];
  if (!isObject(item)) return undefined;
  for (const form of serverForms) {
    const servers = form(item);
    if (servers !== undefined) return servers === "invalid" ? undefined : servers;
  }
  return undefined;
}

/** `{serverName, tools}` */
function narrowedServer({ serverName, tools }: Record<string, unknown>): ReturnType<ServerForm> {
  return typeof serverName === "string" ? withTools({ name: serverName }, tools) : undefined;
}

/** `{name, config, tools}`, as a definition holds it once it is read. */
function plannedServer(item: Record<string, unknown>): ReturnType<ServerForm> {
  const { name, config, tools, ...others } = item;
  const isPlan =
    typeof name === "string" &&
    (config === undefined || isServerConfig(config)) &&
    Object.keys(others).length === 0;
  if (!isPlan) return undefined;
  return withTools({ name, ...(config === undefined ? {} : { config }) }, tools);
}

/** `{name, command}` or `{name, url}` */
function inlineServer({ name, ...config }: Record<string, unknown>): ReturnType<ServerForm> {
  return typeof name === "string" && isServerConfig(config) ? [{ name, config }] : undefined;
}

/** `{name: config, …}`; an empty configuration means a server of the session. */
function serverTable(item: Record<string, unknown>): ReturnType<ServerForm> {
  const servers: AgentMcpServer[] = [];
  for (const [name, config] of Object.entries(item)) {
    if (config === null || (isObject(config) && Object.keys(config).length === 0))
      servers.push({ name });
    else if (isServerConfig(config)) servers.push({ name, config });
    else return "invalid";
  }
  return servers.length > 0 ? servers : "invalid";
}

const withTools = (server: AgentMcpServer, tools: unknown): AgentMcpServer[] | "invalid" =>
  tools === undefined
    ? [server]
    : Array.isArray(tools) && tools.every((tool) => typeof tool === "string")
      ? [{ ...server, tools }]
      : "invalid";

const isServerConfig = (config: unknown): config is Record<string, unknown> =>
  isObject(config) && (typeof config["command"] === "string" || typeof config["url"] === "string");
