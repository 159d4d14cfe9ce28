// Names of MCP tools as rules see them: `mcp__server__tool`. Two different (server, tool) pairs
// never share a name.
import { limits } from "../base/limits.ts";
import { suggest } from "../base/text/suggest.ts";

export type NameResult = { ok: true; name: string } | { ok: false; problem: string };

/**
 * The server's part of a tool name. Characters that providers refuse become `_`. Ambiguous names
 * (`a__b` could be tool `b` of `a`; `a_` could be tool `_x` of `a`) are refused, so that the first
 * `__` always ends the server's part.
 */
export function serverKey(name: string): NameResult {
  const key = name.replace(/[^A-Za-z0-9_-]/g, "_");
  if (key === "" || key.includes("__") || key.startsWith("_") || key.endsWith("_")) {
    return {
      ok: false,
      problem:
        `MCP server name ${JSON.stringify(name.slice(0, 100))}: two underscores in a row, or ` +
        "one at either end, could be taken for another server's tool; rename it",
    };
  }
  if (key.length > 40)
    return {
      ok: false,
      problem: `MCP server name ${JSON.stringify(name.slice(0, 100))} is longer than 40 characters; rename it`,
    };
  return { ok: true, name: key };
}

export type NamedTools<T> = { named: { name: string; tool: T }[]; problems: string[] };

/**
 * Gives every tool of one server its full name. Unchanged names come first; names that would clash
 * or are too long are left out.
 */
export function nameTools<T extends { name: string }>(
  server: string,
  tools: readonly T[],
): NamedTools<T> {
  const result: NamedTools<T> = { named: [], problems: [] };
  const taken = new Set<string>();
  const exactFirst = [...tools].sort((a, b) => Number(isPlain(b.name)) - Number(isPlain(a.name)));
  for (const tool of exactFirst) {
    const name = `mcp__${server}__${tool.name.replace(/[^A-Za-z0-9_-]/g, "_")}`;
    const shown = JSON.stringify(tool.name.slice(0, 100));
    if (tool.name === "")
      result.problems.push(`MCP server ${server} offers a tool without a name; it is left out`);
    else if (name.length > limits.mcp.toolNameCharacters) {
      result.problems.push(
        `MCP tool ${shown} of ${server} is left out: ${name.length} characters with its ` +
          `prefix, the limit is ${limits.mcp.toolNameCharacters}`,
      );
    } else if (taken.has(name))
      result.problems.push(
        `MCP tool ${shown} of ${server} is left out: ${name} is taken by another tool of that server`,
      );
    else {
      taken.add(name);
      result.named.push({ name, tool });
    }
  }
  return result;
}

const isPlain = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name);

/** The tools of a `{serverName, tools}` entry; names may have their prefix or not. */
export function pickTools<T extends { name: string }>(
  server: string,
  wanted: readonly string[] | undefined,
  tools: readonly T[],
): { tools: T[]; problems: string[] } {
  if (wanted === undefined) return { tools: [...tools], problems: [] };
  const prefix = `mcp__${server}__`;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const picked = new Set<T>();
  const problems: string[] = [];
  for (const want of wanted) {
    const tool = byName.get(want) ?? byName.get(prefix + want);
    if (tool) picked.add(tool);
    else {
      const near = suggest(
        want,
        [...byName.keys()].map((name) => name.slice(prefix.length)),
      );
      problems.push(
        `MCP server ${server} has no tool ` +
          `${JSON.stringify(want.slice(0, 100))}${near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`}`,
      );
    }
  }
  return { tools: [...picked], problems };
}
