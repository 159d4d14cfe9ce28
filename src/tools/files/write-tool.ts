// Write: a whole file, new or known to this run, replaced in one step.
import * as z from "zod";
import { counted } from "../../base/text/grouped.ts";
import { limits } from "../../base/limits.ts";
import { defineZodTool } from "../../tool/define-tool.ts";
import { errorResult, type Tool, type ToolResult } from "../../tool/tool.ts";
import { knownFile, mayWriteAt, sha256Of, type Wanted } from "./known-file.ts";
import type { ReadStamps } from "./read-stamps.ts";
import { replaceFile } from "./replace-file.ts";
import { shortDiff } from "./short-diff.ts";
import type { ToolEnvironment } from "../tool-environment.ts";

const input = z.object({
  file_path: z
    .string()
    .describe("The path of the file, absolute or relative to the working directory"),
  content: z.string().describe("The whole content of the file"),
});

const description =
  "Writes a file, replacing what it held; missing folders are made. A file that exists " +
  "must have been read in this run and not have changed since. For a change to a part " +
  "of a file, Edit is the better tool.";

export function writeTool(environment: ToolEnvironment, stamps: ReadStamps): Tool {
  return defineZodTool({
    name: "Write",
    description,
    input,
    readOnly: false,
    run: (given, { judgedPath }) => write({ environment, stamps, judgedPath }, given),
    recall: stamps.recall,
  });
}

async function write(wanted: Wanted, given: z.output<typeof input>): Promise<ToolResult> {
  const { environment, stamps } = wanted;
  const content = Buffer.from(given.content, "utf8");
  if (content.length > limits.write.fileBytes)
    return errorResult(
      `The content has ${content.length} bytes; Write takes up to ${limits.write.fileBytes} bytes.`,
    );
  const known = await knownFile(wanted, given.file_path);
  if (!known.ok) return errorResult(known.problem);
  const { real, shown, before } = known;
  const replaced = await replaceFile({
    real,
    shown,
    content,
    ...(before ? { before: before.stats } : {}),
    mayWrite: mayWriteAt(environment, given.file_path),
  });
  if (!replaced.ok) return errorResult(replaced.problem);
  const after = sha256Of(content);
  stamps.seen(real, after);
  const diff = shortDiff(shown, before?.bytes.toString("utf8") ?? "", given.content);
  const lines =
    given.content === ""
      ? 0
      : given.content.split("\n").length - (given.content.endsWith("\n") ? 1 : 0);
  return {
    content: [
      `${shown} was ${before ? "replaced" : "created"} (${counted(lines, "line")}).`,
      ...replaced.warnings.map((warning) => `Warning: ${warning}.`),
    ].join("\n"),
    summary: `${before ? "replaced" : "created"}, ${counted(lines, "line")}`,
    facts: {
      path: real,
      created: before === undefined,
      before: before?.sha256 ?? null,
      after,
      bytes: content.length,
      ...(diff === undefined ? {} : { diff }),
    },
  };
}
