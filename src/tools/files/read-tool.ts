// Read: a text file with line numbers, or an image or PDF as a block for models that accept it. For
// everything else the error says what it is.
import type { FileHandle } from "node:fs/promises";
import * as z from "zod";
import { counted } from "../../base/text/grouped.ts";
import { limits } from "../../base/limits.ts";
import { defineZodTool } from "../../tool/define-tool.ts";
import { errorResult, type Tool, type ToolContext, type ToolResult } from "../../tool/tool.ts";
import { locate, maySee } from "./locate.ts";
import { nearName } from "../near-names.ts";
import { notAFile, openRegular } from "./open-regular.ts";
import { mediaType, readMedia } from "./read-media.ts";
import type { ReadStamps } from "./read-stamps.ts";
import { numbered, scanText, type ScannedText, type LineRange } from "../search/scan-text.ts";
import type { ToolEnvironment } from "../tool-environment.ts";

const input = z.object({
  file_path: z
    .string()
    .describe("The path of the file, absolute or relative to the working directory"),
  offset: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("The line to start at (1 is the first); for files too long to read at once"),
  limit: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("How many lines to read; for files too long to read at once"),
  pages: z.string().optional().describe("Accepted for PDF files; the whole document is shown"),
});
type Input = z.output<typeof input>;

const description = `Reads a file. Text comes with line numbers, as cat -n prints them: up to ${limits.read.lines} \
lines from the start or from offset, each cut at ${limits.read.lineCharacters} \
characters. \
Images (PNG, JPEG, GIF, WebP) and PDF files are shown as such where the model takes them. Reads \
files only: list a directory with Glob. A file must be read before it can be edited or \
overwritten.`;

export function readTool(environment: ToolEnvironment, stamps: ReadStamps): Tool {
  return defineZodTool({
    name: "Read",
    description,
    input,
    readOnly: true,
    run: (value, context) => read({ environment, stamps, context }, value),
    recall: stamps.recall,
  });
}

type Parts = { environment: ToolEnvironment; stamps: ReadStamps; context: ToolContext };

async function read(parts: Parts, given: Input): Promise<ToolResult> {
  const { environment } = parts;
  const located = locate(environment, given.file_path, parts.context.judgedPath);
  if (!located.ok) return errorResult(located.problem);
  const { facts, shown } = located;
  if (!maySee(environment, facts.real, "file"))
    return errorResult(`${shown} may not be read in this run.`);
  if (!facts.exists) return errorResult(absent(environment, facts.real, shown));
  if (facts.kind !== "file") return errorResult(notAFile(facts.kind, shown));
  const opened = await openRegular(facts.real, shown);
  if (!opened.ok) return errorResult(opened.problem);
  try {
    const size = Number(opened.stats.size);
    const type = await mediaType(opened.handle);
    if (type)
      return await media({ parts, given, handle: opened.handle, type, size, real: facts.real });
    if (size > limits.read.fileBytes) return errorResult(tooLarge(shown, size));
    return await text({ parts, given, handle: opened.handle, real: facts.real });
  } finally {
    await opened.handle.close();
  }
}

async function text({
  parts,
  given,
  handle,
  real,
}: {
  parts: Parts;
  given: Input;
  handle: FileHandle;
  real: string;
}): Promise<ToolResult> {
  const window: LineRange = {
    offset: Math.max(1, given.offset ?? 1),
    limit: Math.min(given.limit ?? limits.read.lines, limits.read.lines),
  };
  const scanned = await scanText(handle, window, parts.context.signal);
  if (scanned.bytes > limits.read.fileBytes)
    return errorResult(tooLarge(given.file_path, scanned.bytes));
  if (scanned.binary === "utf16")
    return errorResult(
      `${given.file_path} is UTF-16 text. Convert it first, for example: iconv -f UTF-16 -t UTF-8.`,
    );
  if (scanned.binary)
    return errorResult(
      `${given.file_path} is a binary file (${scanned.bytes} bytes); it cannot be shown as text.`,
    );
  parts.stamps.seen(real, scanned.sha256);
  if (scanned.totalLines > 0 && scanned.lines.length === 0) {
    return errorResult(
      `${given.file_path} has ${scanned.totalLines} ` +
        `line${scanned.totalLines === 1 ? "" : "s"}; offset ${window.offset} is past its end.`,
    );
  }
  const to = window.offset + scanned.lines.length - 1;
  return {
    content:
      scanned.totalLines === 0
        ? "The file exists and is empty."
        : [numbered(scanned.lines, window.offset), ...notes(scanned, window.offset, to)].join("\n"),
    summary: counted(scanned.lines.length, "line"),
    facts: {
      path: real,
      lines: scanned.totalLines === 0 ? [0, 0] : [window.offset, to],
      sha256: scanned.sha256,
      totalLines: scanned.totalLines,
      bytes: scanned.bytes,
    },
  };
}

function notes(scanned: ScannedText, from: number, to: number): string[] {
  const lines: string[] = [];
  if (from > 1 || to < scanned.totalLines)
    lines.push(
      `(lines ${from}-${to} of ${scanned.totalLines}${to < scanned.totalLines ? `; go on with offset ${to + 1}` : ""})`,
    );
  if (scanned.cutLines > 0)
    lines.push(
      `(${counted(scanned.cutLines, "line")} of more than ${limits.read.lineCharacters} characters cut)`,
    );
  if (scanned.invalidUtf8)
    lines.push("(the file is not valid UTF-8; what could not be decoded is shown as \uFFFD)");
  return lines.length > 0 ? ["", ...lines] : [];
}

type MediaParts = {
  parts: Parts;
  given: Input;
  handle: FileHandle;
  type: string;
  size: number;
  real: string;
};

async function media({ parts, given, handle, type, size, real }: MediaParts): Promise<ToolResult> {
  const document = type === "application/pdf";
  if (!(document ? parts.environment.takesDocuments : parts.environment.takesImages)) {
    return errorResult(
      `${given.file_path} is ${document ? "a PDF" : `an image (${type})`}, and this model ` +
        "takes none. Extract its text with a program if one is there.",
    );
  }
  if (size > limits.read.mediaBytes)
    return errorResult(
      `${given.file_path} has ${size} bytes; images and PDFs can be shown up to ${limits.read.mediaBytes} bytes.`,
    );
  const { data, sha256 } = await readMedia(handle, size);
  parts.stamps.seen(real, sha256);
  const source = { type: "base64" as const, media_type: type, data };
  const note =
    document && given.pages !== undefined
      ? [{ type: "text" as const, text: "(pages was ignored: the whole document is shown)" }]
      : [];
  return {
    content: [document ? { type: "document", source } : { type: "image", source }, ...note],
    summary: `${type}, ${size} bytes`,
    facts: { path: real, sha256, bytes: size, mediaType: type },
  };
}

function absent(environment: ToolEnvironment, real: string, shown: string): string {
  const near = nearName(environment, real);
  return near === undefined
    ? `${shown} does not exist. The working directory is ${environment.cwd}.`
    : `${shown} does not exist; did you mean "${near}" in the same folder?`;
}

function tooLarge(shown: string, size: number): string {
  return (
    `${shown} has ${size} bytes; Read takes files up to ${limits.read.fileBytes} bytes. ` +
    "Search it with Grep, or take a part of it with Bash (head, sed -n)."
  );
}
