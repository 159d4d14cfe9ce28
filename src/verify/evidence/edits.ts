// Which files a tool call wrote, as its input and its result tell.
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

/**
 * One program that only handles files, and that failed: `mv a b`, `sed -i … a`. What a redirection
 * leaves is written.
 */
export function failedToWrite({
  command,
  exitCode,
}: Pick<CommandRun, "command" | "exitCode">): boolean {
  if (exitCode === null || exitCode === 0 || /[^\d&]>/.test(command)) return false;
  const found = programsOf(command, "/");
  return found.length === 1 && handlesFiles.test(found[0]!.argv[0] ?? "");
}
const handlesFiles = /^(?:mv|cp|rm|rmdir|sed|perl|git|ln|patch|touch|tee|install|mkdir)$/;
