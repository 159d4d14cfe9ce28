// The tools that memory adds to an agent, and the folder that they may reach, as data for the
// permission policy.
import { canonicalToolName } from "../base/tool-names.ts";

const needed = ["Read", "Write", "Edit"];

export type MemoryGrant = {
  /** For the policy's workspace. */
  memoryDirectory: string;
  /** Tools that the agent did not have: they are enabled for that folder only. */
  onlyMemory: string[];
};

/** `tools` are the agent's tools without memory; undefined means that it inherits all. */
export function memoryTools(
  memoryDirectory: string,
  tools: readonly string[] | undefined,
): MemoryGrant {
  if (tools === undefined) return { memoryDirectory, onlyMemory: [] };
  // `Read(src/**)` gives a part of Read: the tool is present, and its own rules still apply.
  const present = new Set(
    tools.map((tool) => canonicalToolName(tool.replace(/\(.*$/s, "").trim())),
  );
  return {
    memoryDirectory,
    onlyMemory: present.has("*") ? [] : needed.filter((tool) => !present.has(tool)),
  };
}
