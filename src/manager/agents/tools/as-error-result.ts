// A person's mistake, made by a model: told to it as an error result.
import { RetinueError } from "../../../base/errors.ts";
import { errorResult, type ToolResult } from "../../../tool/tool.ts";

export async function asErrorResult(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RetinueError) return errorResult(error.message, error.code);
    throw error;
  }
}
