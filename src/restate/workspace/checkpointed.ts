// Ties a run's tools to its folder: every call that may change files is followed by a checkpoint,
// which stands in the call's result, so that the step that keeps the result keeps the commit too.
import { isObject } from "../../base/data/json.ts";
import { errorText } from "../../base/errors.ts";
import type { TreeState } from "../../events/run-spec.ts";
import type { RunWorkspace } from "../../manager/session/run-workspace.ts";
import { withExecute, type Tool, type ToolResult } from "../../tool/tool.ts";
import { TreeOvertaken, type RunTree } from "./workspaces.ts";

/** The same tool in a folder that follows the run. */
export function checkpointed(tool: Tool, tree: RunTree): Tool {
  const following = withExecute(tool, async (input, context) => {
    await tree.arrive();
    const result = await tool.execute(input, context);
    return tool.readOnly ? result : withCheckpoint(result, tool, tree);
  });
  return {
    ...following,
    // The getter would be lost in a spread.
    get inputSchema() {
      return tool.inputSchema;
    },
    recall(input, result) {
      const state = stateIn(result);
      if (state) tree.note(state);
      return tool.recall?.(input, result);
    },
  };
}

async function withCheckpoint(result: ToolResult, tool: Tool, tree: RunTree): Promise<ToolResult> {
  try {
    const state = await tree.checkpoint(tool.name);
    return { ...result, facts: { ...result.facts, checkpoint: state } };
  } catch (error) {
    if (error instanceof TreeOvertaken) throw error;
    const told = `The call was made, but its files are on one machine only: ${errorText(error)}`;
    return {
      ...result,
      isError: true,
      content: withText(result.content, told),
      facts: { ...result.facts, checkpoint: tree.state },
    };
  }
}

const withText = (content: ToolResult["content"], text: string): ToolResult["content"] =>
  typeof content === "string" ? `${content}\n\n${text}` : [...content, { type: "text", text }];

function stateIn({ facts }: ToolResult): TreeState | undefined {
  const state = facts?.["checkpoint"];
  if (!isObject(state)) return undefined;
  const { base, commit } = state;
  return typeof base === "string" && typeof commit === "string" ? { base, commit } : undefined;
}

/** The core's port for one run's folder, which the worker has opened. */
export function workspaceOfTree(tree: RunTree): RunWorkspace {
  return {
    async open(_session, { cwd }) {
      if (cwd !== tree.path) throw new Error(`this worker has ${tree.path} open, and not ${cwd}`);
      await tree.arrive();
      return { path: tree.path, finish: async () => undefined };
    },
    async look({ cwd }) {
      await tree.arrive();
      const { takeSnapshot } = await import("../../verify/evidence/snapshot.ts");
      try {
        return takeSnapshot(cwd);
      } catch {
        return undefined;
      }
    },
  };
}
