// Which files a tool call wrote, as its input and its result tell.
import { isObject } from "../../base/data/json.ts";
import { analyseCommand } from "../../permissions/shell/reading/analyse-command.ts";
import { programsOf } from "../claims/runs/programs-of.ts";
import type { CommandRun } from "./command-runs.ts";
import type { ToolCall } from "./tool-calls.ts";

/** A file that a tool of the run wrote; `command` where Bash did. */
export type Edit = {
  order: number;
  path: string;
  action: "create" | "modify" | "delete";
  by: string;
  /** The words before and after, where the tool was told them. */
  change: { from: string; to: string } | null;
};

const writers: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** Paths as the tool gave them. */
export function editsOf({ order, tool, input, facts, cwd, output }: ToolCall): Edit[] {
  if (tool === "Bash")
    return typeof input["command"] === "string"
      ? commandEdits(input["command"], order, cwd ?? "/")
      : [];
  if (!writers.has(tool)) return [];
  const path = [facts["path"], facts["filePath"], input["file_path"], input["notebook_path"]].find(
    (value) => typeof value === "string",
  );
  // A Write that nobody said more about may have created the file: doubt is no accusation.
  const created =
    facts["created"] === true ||
    facts["type"] === "create" ||
    (tool === "Write" &&
      facts["created"] === undefined &&
      facts["type"] === undefined &&
      !/\b(?:updated|overwr[io]t)/i.test(output.slice(0, 500)));
  return path === undefined
    ? []
    : [{ order, path, action: created ? "create" : "modify", by: tool, change: changeOf(input) }];
}

const changeOf = ({ old_string: from, new_string: to }: Record<string, unknown>): Edit["change"] =>
  typeof from === "string" && typeof to === "string"
    ? { from: from.slice(0, 4_000), to: to.slice(0, 4_000) }
    : null;

/**
 * Files that a command names as written or removed; `sed -i`, `mv`, redirections. What it does
 * inside stays unknown.
 */
function commandEdits(command: string, order: number, cwd: string): Edit[] {
  const { accesses } = analyseCommand(command, { cwd, home: "/" });
  return accesses.flatMap(({ kind, path }): Edit[] =>
    // `cargo fmt -- --check`: an option behind two dashes is no file.
    (kind === "write" || kind === "delete") &&
    path !== null &&
    !/^\/dev\/|\/--?\w[\w-]*$/.test(path)
      ? [{ order, path, action: kind === "delete" ? "delete" : "modify", by: "Bash", change: null }]
      : [],
  );
}

/** A write that was asked for and did not happen; `text`: what it would have put there. */
export type RefusedWrite = { order: number; path: string; text: string };

const longestText = 20_000;

/** Paths as the tool gave them; `edits`: what the call would have written. */
export function refusedWritesOf(call: ToolCall, edits: readonly Edit[]): RefusedWrite[] {
  const { order, tool, input } = call;
  const text = textsIn(input).join("\n").slice(0, longestText);
  if (!/^mcp__.*(?:write|edit|creat|save|updat|append|delet|remov|move)/i.test(tool))
    return edits.map(({ path }) => ({ order, path, text }));
  const path = [input["path"], input["file_path"], input["filePath"], input["filename"]].find(
    (value) => typeof value === "string",
  );
  return path === undefined ? [] : [{ order, path, text }];
}

/** What a call would have put into a file: of a command, what it quotes. */
const textsIn = ({
  command,
  content,
  new_string: part,
  new_source: cell,
  edits,
}: Record<string, unknown>): string[] => [
  ...[content, part, cell].filter((one) => typeof one === "string"),
  ...(typeof command === "string" ? (command.match(quoted) ?? []) : []),
  ...(Array.isArray(edits) ? edits.filter(isObject).flatMap(textsIn) : []),
];

const quoted = /'[^']+'|"[^"]+"|(?<=<<-?\s?['"]?(\w+)['"]?\n)[^]*?(?=\n\1|$)/g;

/**
 * It failed, and did not write this file: one program that only handles files (`mv a b`, `sed -i … a`), or
 * the output says that this file or its folder could not be written. What a redirection leaves else is written.
 */
export function failedToWrite(
  { command, exitCode, output }: Pick<CommandRun, "command" | "exitCode" | "output">,
  path: string,
): boolean {
  if (exitCode === null || exitCode === 0) return false;
  if (refused.test(output.slice(0, 200))) return true;
  const names = path.split("/").slice(-2);
  const isTold = output
    .split("\n", 200)
    .some((line) => unwritable.test(line) && names.some((name) => name && line.includes(name)));
  if (isTold || /[^\d&]>/.test(command)) return isTold;
  const found = programsOf(command, "/");
  return found.length === 1 && handlesFiles.test(found[0]!.argv[0] ?? "");
}
const handlesFiles = /^(?:mv|cp|rm|rmdir|sed|perl|git|ln|patch|touch|tee|install|mkdir)$/;
const refused = /requires approval|doesn't want to proceed|Permission to use|haven't granted/;
const unwritable =
  /permission denied|not permitted|read-only|no space left|cannot create|E(?:ACCES|ROFS|PERM|NOSPC)\b/i;
