// Glob: finds files by a pattern of names, in path order, among the files that the run may read.
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import { counted } from "../../base/text/grouped.ts";
import { limits } from "../../base/limits.ts";
import { absolutePath } from "../../base/files/path-facts.ts";
import { defineZodTool } from "../../tool/define-tool.ts";
import {
  errorResult,
  noJudgedPath,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../tool/tool.ts";
import { compileGlob } from "./glob-pattern.ts";
import { displayPath, workspaceRoots } from "../files/locate.ts";
import { filesInScope, searchEngine, searchScope } from "./search-scope.ts";
import type { ToolEnvironment } from "../tool-environment.ts";

const input = z.object({
  pattern: z
    .string()
    .min(1)
    .describe(
      'The pattern ("**/*.ts", "src/**/*.{js,ts}"); one without a slash matches names at any depth',
    ),
  path: z.string().optional().describe("The folder to search (default: the working directory)"),
});

const description =
  "Finds files by a pattern of their names. Files that .gitignore names, " +
  "version-control folders and files this run may not read are left out. Names come in " +
  `path order, ${limits.glob.files} at most.`;

export function globTool(environment: ToolEnvironment): Tool {
  return defineZodTool({
    name: "Glob",
    description,
    input,
    readOnly: true,
    run: (given, context) => glob(environment, given, context),
  });
}

async function glob(
  environment: ToolEnvironment,
  given: z.output<typeof input>,
  context: ToolContext,
): Promise<ToolResult> {
  const { folder, pattern } = splitPattern(given.pattern);
  const compiled = compileGlob(pattern);
  if (!compiled.ok) return errorResult(compiled.problem);
  const base =
    given.path === undefined
      ? environment.cwd
      : absolutePath(given.path, environment.cwd, environment.home);
  // The gate judged where `path` leads; a folder at the start of the pattern is another place.
  const scope =
    folder === ""
      ? searchScope(environment, base, context.judgedPath)
      : searchScope(environment, resolveFrom(base, folder), noJudgedPath);
  if (!scope.ok) return errorResult(scope.problem);
  if (scope.only !== undefined)
    return errorResult(`${given.path ?? folder} is a file; Glob searches folders.`);
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(limits.grep.timeoutMs)]);
  const cwd = workspaceRoots(environment)[0]!;
  const found: string[] = [];
  let note: string | undefined;
  try {
    for await (const path of filesInScope({
      environment,
      engine: searchEngine(environment),
      scope,
      matches: compiled.matches,
      signal,
    })) {
      if (found.length >= limits.glob.files) {
        note = `more than ${limits.glob.files} files match; narrow the pattern`;
        break;
      }
      found.push(displayPath(environment, cwd, join(scope.root, path)));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    note = context.signal.aborted
      ? "the search was stopped; these are the files so far"
      : `the search was ended after ${limits.grep.timeoutMs} ms; narrow it with path`;
  }
  return {
    content: [
      ...(found.length > 0 ? found : ["No files found."]),
      ...(note === undefined ? [] : [`(${note})`]),
    ].join("\n"),
    summary: counted(found.length, "file"),
    facts: {
      pattern: given.pattern,
      root: scope.root,
      results: found.length,
      complete: note === undefined,
    },
  };
}

/**
 * Separates the folders without wildcards from an absolute or climbing pattern: the search must
 * start there.
 */
function splitPattern(pattern: string): { folder: string; pattern: string } {
  if (!isAbsolute(pattern) && !/^(?:\.\/)*\.\.(?:\/|$)/.test(pattern))
    return { folder: "", pattern };
  const segments = pattern.split("/");
  const wild = segments.findIndex((segment) => /[*?[{\\]/.test(segment));
  const at = wild < 0 ? segments.length - 1 : wild;
  // `./` keeps the rest bound to the folder even if it is a single name.
  return {
    folder: segments.slice(0, at).join("/") || "/",
    pattern: `./${segments.slice(at).join("/") || "**"}`,
  };
}

/** Not normalised: the kernel resolves `link/../x` differently. */
const resolveFrom = (base: string, folder: string): string =>
  isAbsolute(folder) ? folder : `${base}/${folder}`;
