// Grep: lines, files or counts for a regular expression, in path order, among the files that the
// run may read.
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { counted } from "../../base/text/grouped.ts";
import { limits } from "../../base/limits.ts";
import { suggest } from "../../base/text/suggest.ts";
import { defineZodTool } from "../../tool/define-tool.ts";
import { errorResult, type Tool, type ToolContext, type ToolResult } from "../../tool/tool.ts";
import { fileType, fileTypeNames } from "./file-types.ts";
import { compileGlobs } from "./glob-pattern.ts";
import { displayPath, workspaceRoots } from "../files/locate.ts";
import { binaryKind } from "./scan-text.ts";
import { PatternProblem, type SearchHit, type SearchPlan } from "./search-engine.ts";
import {
  filesInScope,
  searchEngine,
  searchScope,
  type FilesWanted,
  type SearchScope,
} from "./search-scope.ts";
import type { ToolEnvironment } from "../tool-environment.ts";

const count = z.number().int().min(0);
const input = z.object({
  pattern: z
    .string()
    .min(1)
    .max(10_000)
    .describe("The regular expression (RE2 syntax: no look-around, no back-references)"),
  path: z
    .string()
    .optional()
    .describe("The file or folder to search (default: the working directory)"),
  glob: z
    .string()
    .optional()
    .describe('Only files of these patterns ("*.ts", "src/**/*.{js,ts}", "!*.test.ts")'),
  type: z.string().optional().describe("Only files of this type (js, py, rust, go, java …)"),
  output_mode: z
    .enum(["content", "files_with_matches", "count"])
    .optional()
    .describe(
      "content: matching lines; files_with_matches: names (default); count: matches per file",
    ),
  "-A": count.max(1_000).optional().describe("Lines of context after each match"),
  "-B": count.max(1_000).optional().describe("Lines of context before each match"),
  "-C": count.max(1_000).optional().describe("Lines of context before and after each match"),
  "-n": z.boolean().optional().describe("Show line numbers in content mode (default true)"),
  "-i": z.boolean().optional().describe("Ignore case"),
  multiline: z.boolean().optional().describe("Let the pattern span lines; . matches line breaks"),
  head_limit: count
    .optional()
    .describe(
      `How many lines or entries to show (default ${limits.grep.lines}; 0: as many as fit)`,
    ),
  offset: count.optional().describe("How many lines or entries to skip"),
});
type Input = z.output<typeof input>;

const description =
  "Searches file contents for a regular expression. Files that .gitignore names, " +
  "version-control folders, binary files and files this run may not read are left out. " +
  `Results come in path order, ${limits.grep.lines} lines at most unless head_limit ` +
  "says otherwise.";

export function grepTool(environment: ToolEnvironment): Tool {
  return defineZodTool({
    name: "Grep",
    description,
    input,
    readOnly: true,
    run: (given, context) => grep(environment, given, context),
  });
}

async function grep(
  environment: ToolEnvironment,
  given: Input,
  context: ToolContext,
): Promise<ToolResult> {
  const scope = searchScope(environment, given.path ?? ".", context.judgedPath);
  if (!scope.ok) return errorResult(scope.problem);
  const filter = fileFilter(given);
  if (!filter.ok) return errorResult(filter.problem);
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(limits.grep.timeoutMs)]);
  const engine = searchEngine(environment);
  const page = createPage(environment, given, scope);
  try {
    for await (const hit of hits(
      { environment, engine, scope, matches: filter.matches, signal },
      planOf(given),
    ))
      if (!page.add(hit)) break;
  } catch (error) {
    if (error instanceof PatternProblem)
      return errorResult(
        `The pattern ${JSON.stringify(given.pattern)} cannot be read: ${error.message}`,
      );
    if (!signal.aborted) throw error;
    page.note(
      context.signal.aborted
        ? "the search was stopped; these are the results so far"
        : `the search was ended after ${limits.grep.timeoutMs} ms; narrow it with path, glob or type`,
    );
  }
  return page.result();
}

function fileFilter({
  glob,
  type,
}: Input): { ok: true; matches: (path: string) => boolean } | { ok: false; problem: string } {
  const byGlob = compileGlobs(glob ?? "");
  if (!byGlob.ok) return byGlob;
  const byType = type === undefined ? () => true : fileType(type);
  if (byType) return { ok: true, matches: (path) => byType(path) && byGlob.matches(path) };
  const near = suggest(type!, fileTypeNames);
  return {
    ok: false,
    problem:
      `The file type ${JSON.stringify(type)} is not ` +
      `known${near === undefined ? "" : `; did you mean "${near}"?`} Use glob for anything ` +
      "that has no type.",
  };
}

function planOf(given: Input): SearchPlan {
  const context = given["-C"] ?? 0;
  return {
    pattern: given.pattern,
    ignoreCase: given["-i"] ?? false,
    multiline: given.multiline ?? false,
    mode: given.output_mode ?? "files_with_matches",
    before: given["-B"] ?? context,
    after: given["-A"] ?? context,
  };
}

const firstBatch = 200;
const largestBatch = 4_000;
const batchBytes = 400_000;

/** Files go to the engine in growing batches: a search that finds enough early skips the rest. */
async function* hits(wanted: FilesWanted, plan: SearchPlan): AsyncGenerator<SearchHit> {
  const isBinary = binaryCheck(wanted.scope.root);
  let batch: string[] = [];
  let bytes = 0;
  let size = firstBatch;
  const search = async function* (files: readonly string[]): AsyncGenerator<SearchHit> {
    for await (const hit of wanted.engine.search({
      ...plan,
      root: wanted.scope.root,
      files,
      signal: wanted.signal,
    }))
      if (!isBinary(hit.path)) yield hit;
  };
  for await (const file of filesInScope(wanted)) {
    batch.push(file);
    bytes += Buffer.byteLength(file) + 3;
    if (batch.length < size && bytes < batchBytes) continue;
    yield* search(batch);
    [batch, bytes, size] = [[], 0, Math.min(size * 3, largestBatch)];
  }
  if (batch.length > 0) yield* search(batch);
}

/** Checks each file once, and only files with a hit. */
function binaryCheck(root: string): (path: string) => boolean {
  let last: { path: string; binary: boolean } | undefined;
  return (path) => {
    if (last?.path !== path) last = { path, binary: startsBinary(join(root, path)) };
    return last.binary;
  };
}

function startsBinary(path: string): boolean {
  try {
    const file = openSync(path, "r");
    try {
      const start = Buffer.alloc(8_192);
      return binaryKind(start.subarray(0, readSync(file, start, 0, start.length, 0))) !== undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return true;
  }
}

function createPage(
  environment: ToolEnvironment,
  given: Input,
  scope: Extract<SearchScope, { ok: true }>,
) {
  const cwd = workspaceRoots(environment)[0]!;
  const limit = given.head_limit === undefined ? limits.grep.lines : given.head_limit || Infinity;
  const offset = given.offset ?? 0;
  const shown: string[] = [];
  const notes: string[] = [];
  const seenLines = new Map<string, number[]>();
  let characters = 0;
  let seen = 0;
  let last: SearchHit | undefined;
  const context = (given["-A"] ?? given["-B"] ?? given["-C"] ?? 0) > 0;

  const add = (hit: SearchHit): boolean => {
    const gap =
      context && last?.line !== undefined && (last.path !== hit.path || hit.line! > last.line + 1);
    last = hit;
    seen += 1;
    if (seen <= offset) return true;
    if (shown.length >= limit || characters > limits.grep.characters) {
      notes.push(`more results follow; go on with offset ${seen - 1}, or narrow the search`);
      return false;
    }
    const real = join(scope.root, hit.path);
    const path = displayPath(environment, cwd, real);
    const line = `${gap && shown.length > 0 ? "--\n" : ""}${lineOf(path, hit, given["-n"] ?? true)}`;
    remember(seenLines, real, hit.line);
    shown.push(line);
    characters += line.length + 1;
    return true;
  };
  const result = (): ToolResult => {
    const nothing =
      seen > 0 ? `No results beyond offset ${offset}; there are ${seen}.` : "No matches found.";
    const text = [
      ...(shown.length > 0 ? shown : [nothing]),
      ...notes.map((note) => `(${note})`),
    ].join("\n");
    return {
      content: text,
      summary: counted(shown.length, given.output_mode === "content" ? "line" : "file"),
      facts: {
        pattern: given.pattern,
        root: scope.root,
        files: Object.fromEntries(seenLines),
        results: shown.length,
        complete: notes.length === 0,
      },
    };
  };
  return { add, note: (note: string) => void notes.push(note), result };
}

/**
 * The lines of each file that were shown, for the evidence ledger; bounded, because facts are kept
 * forever.
 */
function remember(seen: Map<string, number[]>, real: string, line: number | undefined): void {
  if (!seen.has(real) && seen.size >= 500) return;
  const lines = seen.get(real) ?? [];
  if (line !== undefined && lines.length < 1_000) lines.push(line);
  seen.set(real, lines);
}

function lineOf(path: string, hit: SearchHit, numbers: boolean): string {
  if (hit.count !== undefined) return `${path}:${hit.count}`;
  if (hit.line === undefined) return path;
  const mark = hit.matched ? ":" : "-";
  const text = hit.text!.replace(/\r$/, "");
  const cut =
    text.length > limits.grep.lineCharacters
      ? `${text.slice(0, limits.grep.lineCharacters)}… (line cut)`
      : text;
  return `${path}${mark}${numbers ? `${hit.line}${mark}` : ""}${cut}`;
}
