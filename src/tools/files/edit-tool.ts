// Edit: replaces one exact piece of text in a file that this run has read. Absent or ambiguous text
// is refused with the number of matches.
import { isUtf8 } from "node:buffer";
import * as z from "zod";
import { limits } from "../../base/limits.ts";
import { counted } from "../../base/text/grouped.ts";
import { defineZodTool } from "../../tool/define-tool.ts";
import { errorResult, type Tool, type ToolResult } from "../../tool/tool.ts";
import { knownFile, mayWriteAt, sha256Of, type KnownFile, type Wanted } from "./known-file.ts";
import { nearName } from "../near-names.ts";
import type { ReadStamps } from "./read-stamps.ts";
import { replaceFile } from "./replace-file.ts";
import { replaceText } from "./replace-text.ts";
import { numbered } from "../search/scan-text.ts";
import { shortDiff } from "./short-diff.ts";
import type { ToolEnvironment } from "../tool-environment.ts";

const input = z.object({
  file_path: z
    .string()
    .describe("The path of the file, absolute or relative to the working directory"),
  old_string: z
    .string()
    .describe("The text to replace, exactly as it stands in the file, without line numbers"),
  new_string: z.string().describe("The text to put in its place"),
  replace_all: z.boolean().optional().describe("Replace every match (default false)"),
});
type Input = z.output<typeof input>;

const description = `Replaces a piece of text in a file. The file must have been read in this run \
and not have changed since. old_string must match exactly, white space included, and only once; \
give more context or set \
replace_all otherwise. An empty old_string creates a file that does not exist yet.`;

const bom = "\uFEFF";

export function editTool(environment: ToolEnvironment, stamps: ReadStamps): Tool {
  return defineZodTool({
    name: "Edit",
    description,
    input,
    readOnly: false,
    run: (given, { judgedPath }) => edit({ environment, stamps, judgedPath }, given),
    recall: stamps.recall,
  });
}

async function edit(wanted: Wanted, given: Input): Promise<ToolResult> {
  const { environment, stamps } = wanted;
  const known = await knownFile(wanted, given.file_path);
  if (!known.ok) return errorResult(known.problem);
  const { real, shown, before } = known;
  if (!before && given.old_string !== "") {
    const near = nearName(environment, real);
    const hint = near === undefined ? "." : `; did you mean "${near}" in the same folder?`;
    return errorResult(`${shown} does not exist${hint}`);
  }
  const planned = plan(before?.bytes, given, shown);
  if (!planned.ok) return errorResult(planned.problem);
  const content = Buffer.from(planned.text, "utf8");
  if (content.length > limits.write.fileBytes)
    return errorResult(
      `${shown} would have ${content.length} bytes; files up to ${limits.write.fileBytes} bytes can be written.`,
    );
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
  const warnings = replaced.warnings.map((warning) => `Warning: ${warning}.`);
  const excerpt = around(planned.text, planned.line, given.new_string);
  return editResult({ known, planned, after, lines: [...warnings, ...excerpt] });
}

function editResult({
  known: { real, shown, before },
  planned: { text, replacements },
  after,
  lines,
}: {
  known: KnownFile & { ok: true };
  planned: Planned & { ok: true };
  after: string;
  lines: string[];
}): ToolResult {
  const diff = shortDiff(shown, before?.bytes.toString("utf8") ?? "", text);
  const done = before
    ? `${shown} was edited (${counted(replacements, "replacement")}).`
    : `${shown} was created.`;
  return {
    content: [done, ...lines].join("\n"),
    summary: before ? `${replacements} replaced` : "created",
    facts: {
      path: real,
      created: before === undefined,
      before: before?.sha256 ?? null,
      after,
      replacements,
      ...(diff === undefined ? {} : { diff }),
    },
  };
}

type Planned =
  | { ok: true; text: string; replacements: number; line: number }
  | { ok: false; problem: string };

function plan(bytes: Buffer | undefined, given: Input, shown: string): Planned {
  if (!bytes || (bytes.length === 0 && given.old_string === ""))
    return { ok: true, text: given.new_string, replacements: 1, line: 1 };
  if (given.old_string === "")
    return {
      ok: false,
      problem: `old_string is empty and ${shown} is not. Name the text to replace, or use Write for the whole file.`,
    };
  if (!isUtf8(bytes))
    return {
      ok: false,
      problem: `${shown} is not valid UTF-8; editing it as text would damage it.`,
    };
  const text = bytes.toString("utf8");
  const mark = text.startsWith(bom) ? bom : "";
  const edited = replaceText(text.slice(mark.length), {
    oldText: given.old_string,
    newText: given.new_string,
    replaceAll: given.replace_all ?? false,
    maxCharacters: limits.write.fileBytes,
  });
  return edited.ok ? { ...edited, text: mark + edited.text } : edited;
}

/** The first change with the lines around it, so that the model sees the result. */
function around(text: string, line: number, newText: string): string[] {
  const lines = text.split("\n");
  const from = Math.max(1, line - 3);
  const to = Math.min(lines.length, line + newText.split("\n").length + 2, from + 40);
  return [
    numbered(
      lines.slice(from - 1, to).map((shown) => shown.replace(/\r$/, "").slice(0, 300)),
      from,
    ),
  ];
}
