// The built-in tools of one run, with the state of what the run has read and started. `close()`
// ends all its processes.
import type { Tool } from "../tool/tool.ts";
import { bashTool } from "./bash-tool.ts";
import { editTool } from "./files/edit-tool.ts";
import { globTool } from "./search/glob-tool.ts";
import { grepTool } from "./search/grep-tool.ts";
import { createReadStamps, type ReadStamps } from "./files/read-stamps.ts";
import { readTool } from "./files/read-tool.ts";
import { createShells, type ShellKeeper, type Shells } from "./shells.ts";
import { todoWriteTool } from "./todo-write-tool.ts";
import type { ToolEnvironment } from "./tool-environment.ts";
import { webFetchTool } from "./web/web-fetch-tool.ts";
import { writeTool } from "./files/write-tool.ts";

export type BuiltInToolSet = {
  tools: Tool[];
  /** The background shells, for TaskOutput and TaskStop. */
  shells: Shells;
  /** Ends every background shell; resolves when their processes are gone. */
  close: () => Promise<void>;
};

const makers: [
  name: string,
  make: (environment: ToolEnvironment, held: { stamps: ReadStamps; shells: ShellKeeper }) => Tool,
][] = [
  ["Read", (environment, { stamps }) => readTool(environment, stamps)],
  ["Write", (environment, { stamps }) => writeTool(environment, stamps)],
  ["Edit", (environment, { stamps }) => editTool(environment, stamps)],
  ["Bash", (environment, { shells }) => bashTool(environment, shells)],
  ["Grep", grepTool],
  ["Glob", globTool],
  ["WebFetch", webFetchTool],
  ["TodoWrite", todoWriteTool],
];

/** For runs without Bash, which start no shells. */
const noShells = createShells();

/** For runs without built-in tools: nothing is created, and all such runs share it. */
export const noBuiltIns: BuiltInToolSet = {
  tools: [],
  shells: noShells,
  close: () => noShells.close(),
};

export const wantsBuiltIns = (wanted: ReadonlySet<string>): boolean =>
  makers.some(([name]) => wanted.has(name));

/**
 * All tools, or only those of `wanted`: with a thousand runs in one process, unused tools would be
 * most of a run's memory.
 */
export function createTools(
  environment: ToolEnvironment,
  wanted?: ReadonlySet<string>,
): BuiltInToolSet {
  const shells = wanted === undefined || wanted.has("Bash") ? createShells() : noShells;
  const held = { stamps: createReadStamps(), shells };
  const tools = makers
    .filter(([name]) => wanted === undefined || wanted.has(name))
    .map(([, make]) => make(environment, held));
  return { tools, shells, close: () => shells.close() };
}
