// Which tools memory adds to an agent, and where those may reach, as data for the permission engine.
import { canonicalToolName } from "../base/tool-names.ts";

const needed = ["Read", "Write", "Edit"];

export type MemoryGrant = {
  /** For the policy's workspace. */
  memoryDirectory: string;
  /** Tools the agent did not have: they are enabled, and reach nothing but that directory. */
  onlyMemory: string[];
};

/** `tools` are those the agent has without memory; undefined means that it inherits all of them. */
export function memoryTools(
  memoryDirectory: string,
  tools: readonly string[] | undefined,
): MemoryGrant {
  if (tools === undefined) return { memoryDirectory, onlyMemory: [] };
  // Read(src/**) gives Read in part: that tool is present, and its own rules stay in force.
  const present = new Set(
    tools.map((tool) => canonicalToolName(tool.replace(/\(.*$/s, "").trim())),
  );
  return {
    memoryDirectory,
    onlyMemory: present.has("*") ? [] : needed.filter((tool) => !present.has(tool)),
  };
}
