// Searches with ripgrep: without configuration or preprocessors, patterns only after -e and files
// only after --. Output is parsed as it arrives and cut off when there is enough.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { limits } from "../../base/limits.ts";
import { isInside } from "../files/locate.ts";
import {
  PatternProblem,
  type SearchHit,
  type SearchEngine,
  type SearchPlan,
} from "./search-engine.ts";
import { insideRepository, skippedNames } from "./walk-files.ts";

/**
 * The ripgrep of the PATH, else the one in the package, else none. A program of the workspace is
 * never used: a search must not run a repository's code.
 */
export function findRipgrep(
  workspace: readonly string[],
  path = process.env["PATH"] ?? "",
): string | undefined {
  for (const folder of path.split(delimiter)) {
    const binary = join(folder, "rg");
    if (!folder.startsWith("/") || folder.includes("/node_modules/") || !isProgram(binary))
      continue;
    const real = realpathSync(binary);
    if (!workspace.some((root) => isInside(root, real) || isInside(root, folder))) return binary;
  }
  try {
    return createRequire(import.meta.url).resolve(
      `@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`,
    );
  } catch {
    return undefined;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const fixed = ["--no-config", "--color=never", "--no-messages"];
const listing = [
  "--files",
  "--hidden",
  "--no-ignore-global",
  "--no-ignore-dot",
  "--no-ignore-exclude",
  "--sort=path",
  "--null",
  ...skippedNames.map((name) => `--glob=!${name}`),
];
// What counts as text is decided here: the caller drops binary files, so ripgrep must not decide.
const searching = [
  "--text",
  "--encoding=none",
  "--threads=1",
  "--with-filename",
  "--no-heading",
  "--null",
  "--no-context-separator",
];

export function ripgrepEngine(binary: string): SearchEngine {
  return {
    list: (root, signal) => list(binary, root, signal),
    search: (plan) => search(binary, plan),
  };
}

async function* list(binary: string, root: string, signal: AbortSignal): AsyncGenerator<string> {
  const child = start(binary, {
    args: [
      ...fixed,
      ...listing,
      ...(insideRepository(root) ? [] : ["--no-require-git"]),
      "--",
      "./",
    ],
    cwd: root,
    signal,
  });
  try {
    let rest = "";
    for await (const chunk of child.stdout!) {
      const parts = (rest + (chunk as string)).split("\0");
      rest = parts.pop()!;
      for (const part of parts) yield part.replace(/^\.\//, "");
    }
    signal.throwIfAborted();
  } finally {
    child.kill("SIGKILL");
  }
}

async function* search(
  binary: string,
  plan: SearchPlan & { root: string; files: readonly string[]; signal: AbortSignal },
): AsyncGenerator<SearchHit> {
  const child = start(binary, {
    args: [
      ...fixed,
      ...searching,
      ...planArgs(plan),
      "-e",
      plan.pattern,
      "--",
      ...plan.files.map((file) => `./${file}`),
    ],
    cwd: plan.root,
    signal: plan.signal,
  });
  let complaint = "";
  child.stderr!.on("data", (chunk: string) => (complaint = (complaint + chunk).slice(0, 2_000)));
  const exited = once(child, "close") as Promise<[number | null]>;
  exited.catch(() => {});
  try {
    const parser = createParser(plan.mode);
    for await (const chunk of child.stdout!) yield* parser(chunk as string);
    const [code] = await exited;
    plan.signal.throwIfAborted();
    if (code === 2 && complaint !== "") throw new PatternProblem(complaint.trim());
  } finally {
    child.kill("SIGKILL");
  }
}

function planArgs({ ignoreCase, multiline, mode, before, after }: SearchPlan): string[] {
  const args = [ignoreCase ? "--ignore-case" : "--case-sensitive"];
  if (multiline) args.push("--multiline", "--multiline-dotall");
  if (mode === "files_with_matches") return [...args, "--files-with-matches"];
  if (mode === "count") return [...args, "--count"];
  return [...args, "--line-number", `--before-context=${before}`, `--after-context=${after}`];
}

function start(
  binary: string,
  { args, cwd, signal }: { args: string[]; cwd: string; signal: AbortSignal },
): ChildProcess {
  const child = spawn(binary, args, {
    cwd,
    signal,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
  });
  child.on("error", () => {});
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  // Nobody reads stderr of the listing; a full pipe would block the child.
  child.stderr.resume();
  return child;
}

/**
 * Parses `path NUL rest NEWLINE` piece by piece; of a long line only the part that can be shown is
 * kept.
 */
function createParser(mode: SearchPlan["mode"]): (chunk: string) => Generator<SearchHit> {
  const keep = limits.grep.lineCharacters + 20;
  let path: string | undefined;
  let held = "";
  return function* (chunk) {
    for (let at = 0; at < chunk.length;) {
      const stop = chunk.indexOf(path === undefined ? "\0" : "\n", at);
      const piece = chunk.slice(at, stop < 0 ? undefined : stop);
      held = path === undefined ? held + piece : (held + piece).slice(0, keep);
      if (stop < 0) return;
      at = stop + 1;
      const piecewise = path === undefined && mode !== "files_with_matches";
      if (!piecewise) yield hitOf({ path: (path ?? held).replace(/^\.\//, ""), rest: held, mode });
      path = piecewise ? held : undefined;
      held = "";
    }
  };
}

function hitOf({
  path,
  rest,
  mode,
}: {
  path: string;
  rest: string;
  mode: SearchPlan["mode"];
}): SearchHit {
  if (mode === "files_with_matches") return { path };
  if (mode === "count") return { path, count: Number(rest) };
  const [, line, mark] = /^(\d+)([:-])/.exec(rest) ?? [];
  return {
    path,
    line: Number(line),
    text: rest.slice((line?.length ?? 0) + 1),
    matched: mark === ":",
  };
}
