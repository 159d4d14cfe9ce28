// Grep and Glob of an orchestrator: a targeted look as it is, everything wider as file names, with
// whom to delegate to.
import { relative, resolve } from "node:path";
import { realPath } from "../../../base/files/project-folders.ts";
import { isObject } from "../../../base/data/json.ts";
import { limits } from "../../../base/limits.ts";
import type { Found, Refusal } from "../../../permissions/orchestrator/orchestrator-rules.ts";
import { withExecute, type Tool, type ToolResult } from "../../../tool/tool.ts";
import type { Orchestrator } from "./orchestrator.ts";

type File = Found["files"][number];

export function guardedSearch(
  tool: Tool,
  orchestrator: Pick<Orchestrator, "refuseFound">,
  cwd: string,
): Tool {
  return withExecute(tool, async (input, context) => {
    const result = await tool.execute(input, context);
    if (result.isError) return result;
    const files = filesIn(tool.name, result, cwd);
    const refused = await orchestrator.refuseFound({
      files,
      isContent:
        tool.name === "Grep" &&
        (input["output_mode"] ?? "files_with_matches") !== "files_with_matches",
    });
    return refused ? cut(result, files, refused) : result;
  });
}

/** Glob shows nothing but names; Grep notes the files whose lines it shows. */
function filesIn(tool: string, { content, facts }: ToolResult, cwd: string): File[] {
  if (tool === "Grep")
    return Object.keys(isObject(facts?.["files"]) ? facts["files"] : {}).map((real) => ({
      real,
      shown: within(real, cwd),
    }));
  const names =
    typeof content === "string" && facts?.["results"] !== 0
      ? content.split("\n").slice(0, Number(facts?.["results"]))
      : [];
  return names.map((shown) => ({ real: resolve(cwd, shown), shown }));
}

function within(real: string, cwd: string): string {
  const place = relative(realPath(cwd), real);
  return place.startsWith("..") ? real : place;
}

function cut(
  { facts, summary }: ToolResult,
  files: readonly File[],
  { layer, rule, reason }: Refusal,
): ToolResult {
  const shown = files.slice(0, limits.orchestrator.fileNames).map((file) => file.shown);
  const more = files.length > shown.length ? [`(and ${files.length - shown.length} more)`] : [];
  const known = facts
    ? {
        facts: {
          ...facts,
          ...(facts["files"] === undefined
            ? {}
            : { files: Object.fromEntries(files.map(({ real }) => [real, []])) }),
        },
      }
    : {};
  return {
    content: [
      ...shown,
      ...more,
      "",
      `permission denied: ${reason}. Only file names are shown.`,
    ].join("\n"),
    ...(summary === undefined ? {} : { summary }),
    ...known,
    denied: { layer, rule, reason },
  };
}
