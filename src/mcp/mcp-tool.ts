// An MCP tool as a Tool of the loop, with the facts that the policy needs.
import { isObject } from "../base/data/json.ts";
import type { Tool } from "../tool/tool.ts";
import type { Connection } from "./connection.ts";
import type { Annotations, ListedTool } from "./listed-tool.ts";

export type McpTool = Tool & {
  mcp: {
    server: string;
    /** The server's own name for it. */
    tool: string;
    annotations: Annotations;
    /**
     * True once the server describes the tool differently than at the start: the permission was
     * given for another tool.
     */
    hasChanged(): boolean;
  };
};

/**
 * `readOnly` is the server's claim and only saves time: the gate decides whether a call may run.
 */
export function mcpTool(
  name: string,
  listed: ListedTool,
  { server, connection }: { server: string; connection: Connection },
): McpTool {
  return {
    name,
    description: listed.description,
    inputSchema: listed.inputSchema,
    readOnly:
      listed.annotations.readOnlyHint === true && listed.annotations.destructiveHint !== true,
    parse: (input) =>
      isObject(input)
        ? { ok: true, value: input }
        : { ok: false, problem: "input: expected an object" },
    execute: (input, context) => connection.call(listed, input, context),
    mcp: {
      server,
      tool: listed.name,
      annotations: listed.annotations,
      hasChanged: () => connection.hasChanged(listed),
    },
  };
}
