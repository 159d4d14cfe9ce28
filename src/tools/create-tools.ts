// The built-in tools of one run, closed over what the run has read and started; close() leaves no process behind.
import type { Tool } from "../tool/tool.ts";
import { bashTool } from "./bash-tool.ts";
import { editTool } from "./edit-tool.ts";
import { globTool } from "./glob-tool.ts";
import { grepTool } from "./grep-tool.ts";
import { createReadStamps } from "./read-stamps.ts";
import { readTool } from "./read-tool.ts";
import { createShells, type Shells } from "./shells.ts";
import { todoWriteTool } from "./todo-write-tool.ts";
import type { ToolEnvironment } from "./tool-environment.ts";
import { webFetchTool } from "./web-fetch-tool.ts";
import { writeTool } from "./write-tool.ts";

export type ToolSet = {
  tools: Tool[];
  /** The background shells, for TaskOutput and TaskStop. */
  shells: Shells;
  /** Ends every background shell; settles when their processes are gone. */
  close(): Promise<void>;
};

export function createTools(environment: ToolEnvironment): ToolSet {
  const stamps = createReadStamps();
  const shells = createShells();
  const tools = [
    readTool(environment, stamps),
    writeTool(environment, stamps),
    editTool(environment, stamps),
    bashTool(environment, shells),
    grepTool(environment),
    globTool(environment),
    webFetchTool(environment),
    todoWriteTool(),
  ];
  return { tools, shells, close: () => shells.close() };
}
