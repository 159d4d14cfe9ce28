// Which lines of which file a tool result showed. The model's own words are never counted: a
// command must be one that can only print files.
import { isObject } from "../../base/data/json.ts";
import { analyseCommand } from "../../permissions/shell/reading/analyse-command.ts";
import type { ShellAnalysis, SimpleCommand } from "../../permissions/shell/analysis.ts";
import type { ToolCall } from "./tool-calls.ts";

/** `line` is null where the text was shown without its number. */
export type ShownLine = { path: string; line: number | null; text: string };

/** What `call` showed, paths as the tool gave them. Nothing for a call that failed or was denied. */
export function shownLines(call: ToolCall): ShownLine[] {
  if (call.isError) return [];
  if (call.tool === "Read") return readLines(call);
  if (call.tool === "Grep") return grepLines(call.output, stringOf(call.input["path"]));
  return call.tool === "Bash" ? commandLines(call) : [];
}

const stringOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

const fileOf = ({ facts }: Pick<ToolCall, "facts">): Record<string, unknown> =>
  isObject(facts["file"]) ? facts["file"] : {};

/** The file that a call of Read read. */
export const readPath = ({ input, facts }: Pick<ToolCall, "input" | "facts">): string | null =>
  stringOf(facts["path"]) ??
  stringOf(fileOf({ facts })["filePath"]) ??
  stringOf(input["file_path"]);

/** No call shows more characters. */
export function shownLength({ output, facts }: ToolCall): number {
  const { content } = fileOf({ facts });
  return output.length + (typeof content === "string" ? content.length : 0);
}

function readLines({ input, facts, output }: ToolCall): ShownLine[] {
  const file = fileOf({ facts });
  const path = readPath({ input, facts });
  if (path === null) return [];
  const numbered = numberedLines(output).map(({ line, text }) => ({ path, line, text }));
  if (numbered.length > 0 || typeof file["content"] !== "string") return numbered;
  const from = typeof file["startLine"] === "number" ? file["startLine"] : 1;
  return file["content"].split("\n").map((text, index) => ({ path, line: from + index, text }));
}

/** Lines as `cat -n` prints them, up to the first that is none: what follows are a tool's notes. */
function numberedLines(output: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  for (const row of output.split("\n")) {
    const match = /^\s*(\d{1,9})(?:\t|→)(.*)$/s.exec(row);
    const line = Number(match?.[1]);
    if (!match || (found.length > 0 && line !== found.at(-1)!.line + 1)) break;
    found.push({ line, text: match[2]!.replace(/\r$/, "") });
  }
  return found;
}

/** `path:12:text`, context lines `path-11-text` of a path that occurred, and `12:text` where one file was searched. */
function grepLines(output: string, onlyFile: string | null): ShownLine[] {
  const rows = output.split("\n");
  const matches = rows.map((row) => /^([^\0:]{1,4096}):(\d{1,9}):(.*)$/s.exec(row));
  const paths = [
    ...new Set(matches.flatMap((match) => (match && !/^\d+$/.test(match[1]!) ? [match[1]!] : []))),
  ];
  return rows.flatMap((row, index): ShownLine[] => {
    const match = matches[index];
    if (match && !/^\d+$/.test(match[1]!))
      return [{ path: match[1]!, line: Number(match[2]), text: match[3]! }];
    const bare = onlyFile === null ? null : /^(\d{1,9})[:-](.*)$/s.exec(row);
    if (bare) return [{ path: onlyFile!, line: Number(bare[1]), text: bare[2]! }];
    return contextLine(row, paths);
  });
}

function contextLine(row: string, paths: readonly string[]): ShownLine[] {
  const path = paths.slice(0, 500).find((one) => row.startsWith(`${one}-`));
  const match = path === undefined ? null : /^(\d{1,9})-(.*)$/s.exec(row.slice(path.length + 1));
  return match ? [{ path: path!, line: Number(match[1]), text: match[2]! }] : [];
}

const filters = new Set(["head", "tail", "sort", "uniq", "cd", "wc"]);

/** `cat`, `head`, `tail`, `nl`, `sed -n 5,9p`, `grep -n` and `rg -n`, piped through nothing that could make up text. */
function commandLines({ input, cwd, output }: ToolCall): ShownLine[] {
  const command = stringOf(input["command"]);
  if (command === null || !/\b(?:cat|head|tail|nl|sed|grep|rg)\b/.test(command)) return [];
  const analysis = analyseCommand(command, { cwd: cwd ?? "/", home: "/" });
  const viewer = onlyViewer(analysis);
  if (viewer === undefined) return [];
  const path = onlyFile(analysis);
  if (viewer.name === "grep" || viewer.name === "rg")
    return searches(viewer) ? grepLines(output, path) : [];
  const from = firstLine(viewer);
  if (path === null || from === undefined) return [];
  const numbered = isNumbering(viewer) ? numberedLines(output) : [];
  if (numbered.length > 0) return numbered.map((one) => ({ path, ...one }));
  const isAlone = analysis.commands.filter(({ name }) => name !== "cd").length === 1;
  return output.split("\n").map((text, index) => ({
    path,
    line: from !== null && isAlone ? from + index : null,
    text,
  }));
}

/** The one command that prints; undefined where another could make up text, or where more is done than printing. */
function onlyViewer({ commands, accesses, complete }: ShellAnalysis): SimpleCommand | undefined {
  const viewer = commands.find(({ name }) => name !== "cd");
  const printsOnly =
    complete &&
    commands.every((one) => one === viewer || filters.has(one.name ?? "")) &&
    !accesses.some(({ kind, path }) => kind !== "read" && kind !== "list" && path !== "/dev/null");
  return printsOnly && !viewer?.argv.includes(null) ? viewer : undefined;
}

function onlyFile({ accesses }: ShellAnalysis): string | null {
  const files = accesses.filter(
    ({ kind, path }) => kind === "read" && path !== null && path !== "/dev/null",
  );
  const [file] = files;
  return file && files.length === 1 && !file.recursive && !file.glob ? file.path : null;
}

const isNumbering = ({ name, argv }: SimpleCommand): boolean =>
  name === "nl" || (name === "cat" && argv.includes("-n"));

/** A search whose output is the files' text and nothing else. */
const searches = ({ name, argv }: SimpleCommand): boolean =>
  !argv.some(
    (word) =>
      /^--(?:label|replace|passthru|field-|context-separator)/.test(word ?? "") ||
      (name === "rg" && /^-[a-zA-Z]*r/.test(word ?? "")),
  );

/** The number of the first printed line, null where it is not known, undefined where the command may print anything. */
function firstLine({ name, argv }: SimpleCommand): number | null | undefined {
  if (name === "cat" || name === "head")
    return argv.some((word) => /^-(?:c|-bytes)/.test(word ?? "")) ? undefined : 1;
  if (name === "tail" || name === "nl") return null;
  const script = argv.find((word) => /^\d+(?:,(?:\d+|\$))?p$/.test(word ?? ""));
  return name === "sed" && script && argv.includes("-n") && argv.length === 4
    ? Number.parseInt(script, 10)
    : undefined;
}
