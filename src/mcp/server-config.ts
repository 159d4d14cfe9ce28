// Reads the configuration of MCP servers from `.mcp.json` and definitions: checks it and expands
// `${VAR}`. One bad entry does not affect the others.
import { isObject } from "../base/data/json.ts";

export type StdioServer = {
  type: "stdio";
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd?: string;
};
export type HttpServer = { type: "http"; url: string; headers: Record<string, string> };
export type ServerConfig = StdioServer | HttpServer;

export type ReadServers = { servers: Map<string, ServerConfig>; problems: string[] };

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads `{mcpServers: {name: config}}` or the inner object. */
export function readServers(value: unknown, variables: Variables): ReadServers {
  const result: ReadServers = { servers: new Map(), problems: [] };
  const table = isObject(value) && isObject(value["mcpServers"]) ? value["mcpServers"] : value;
  if (!isObject(table))
    return {
      ...result,
      problems: [
        'MCP servers must be an object of name: {command, args, env} or {type: "http", url}',
      ],
    };
  for (const [name, entry] of Object.entries(table)) {
    const read = readServer(entry, variables);
    if (read.ok) result.servers.set(name, read.config);
    else result.problems.push(`MCP server ${JSON.stringify(name.slice(0, 100))}: ${read.problem}`);
  }
  return result;
}

type ReadServer = { ok: true; config: ServerConfig } | { ok: false; problem: string };

export function readServer(entry: unknown, variables: Variables): ReadServer {
  if (!isObject(entry)) return no('expected {command, args, env} or {type: "http", url, headers}');
  const missing = new Set<string>();
  const expand = (text: string): string => expandVariables(text, variables, missing);
  const type = entry["type"] ?? (typeof entry["url"] === "string" ? "http" : "stdio");
  const read =
    type === "stdio"
      ? readStdio(entry, expand)
      : type === "http" || type === "streamable-http"
        ? readHttp(entry, expand)
        : otherType(type);
  if (read.ok && missing.size > 0) {
    return no(
      `the environment has no ${[...missing].join(", ")}; set ` +
        `${missing.size === 1 ? "it" : "them"} or write a default as \${NAME:-value}`,
    );
  }
  return read;
}

const no = (problem: string): ReadServer => ({ ok: false, problem });

function otherType(type: unknown): ReadServer {
  if (type === "sse")
    return no(
      'the transport "sse" was replaced in the protocol; use {type: "http", url} with the ' +
        "server's streamable HTTP address",
    );
  return no(`unknown transport ${JSON.stringify(type)}; "stdio" and "http" are spoken here`);
}

function readStdio(entry: Record<string, unknown>, expand: (text: string) => string): ReadServer {
  const { command, args = [], env = {}, cwd } = entry;
  if (typeof command !== "string" || command.trim() === "")
    return no("`command` must name a program");
  if (!Array.isArray(args) || !args.every((item) => typeof item === "string"))
    return no("`args` must be a list of strings");
  if (!isTextTable(env)) return no("`env` must be an object of strings");
  if (cwd !== undefined && typeof cwd !== "string") return no("`cwd` must be a path");
  const texts = [command, ...args, ...Object.entries(env).flat(), cwd ?? ""];
  if (texts.some((text) => text.includes("\0")))
    return no("a NUL character in command, args or env");
  return {
    ok: true,
    config: {
      type: "stdio",
      command: expand(command),
      args: args.map(expand),
      env: expandTable(env, expand),
      ...(cwd === undefined ? {} : { cwd: expand(cwd) }),
    },
  };
}

function readHttp(entry: Record<string, unknown>, expand: (text: string) => string): ReadServer {
  const { url, headers = {} } = entry;
  if (typeof url !== "string") return no("`url` must be an http or https address");
  if (!isTextTable(headers)) return no("`headers` must be an object of strings");
  const address = expand(url);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return no("`url` must be an http or https address");
  return {
    ok: true,
    config: { type: "http", url: address, headers: expandTable(headers, expand) },
  };
}

const isTextTable = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((item) => typeof item === "string");

const expandTable = (
  table: Record<string, string>,
  expand: (text: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, expand(value)]));

/**
 * Expands `${NAME}` and `${NAME:-default}`; a name without value and default is added to `missing`.
 * Values are not expanded again.
 */
function expandVariables(text: string, variables: Variables, missing: Set<string>): string {
  return text.replace(
    /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
    (_whole, name: string, fallback: string | undefined) => {
      const value = variables[name];
      if (value !== undefined && (value !== "" || fallback === undefined)) return value;
      if (fallback === undefined) missing.add(name);
      return fallback ?? "";
    },
  );
}
