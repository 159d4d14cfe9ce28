// Files in which a project names its tasks, and how the commands of one are found in each.
import { escapeRegExp } from "../../../../base/text/escape-reg-exp.ts";
import { isObject } from "../../../../base/data/json.ts";
import { readAliases, readRake, readRecipes, readTaskfile, type ReadTask } from "./task-readers.ts";

/** A file of named tasks: who runs it, what it is called, how a task is found in it. */
export type TaskFile = {
  programs: readonly string[];
  /** Words before the task's name. */
  lead: readonly string[];
  files: readonly string[];
  find: (text: string, task: string) => string[] | null;
  /** Its own words do more than tasks: a name that the file does not have is one of those. */
  isOpen?: true;
  /** The task without a name. */
  first?: string;
};

/** What a task runs, what it needs first; null where the file does not name it. */
const taskIn =
  (read: (text: string) => ReadTask[]) =>
  (text: string, task: string): string[] | null =>
    linesOf(read(text), task, []);

function linesOf(
  tasks: readonly ReadTask[],
  name: string,
  above: readonly string[],
): string[] | null {
  const found = tasks.find((one) => one.name === name && one.text + one.needs.join("") !== "");
  if (!found || above.includes(name)) return null;
  const lines = found.text
    .split("\n")
    .map((line) => line.trim().replace(/^[@+-]+/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
  return [...found.needs.flatMap((need) => linesOf(tasks, need, [...above, name]) ?? []), ...lines];
}

const tomlTask = (text: string, task: string): string[] | null => {
  const name = escapeRegExp(task);
  const table = new RegExp(
    `^\\[(?:tasks|tool\\.\\w+\\.(?:tasks|scripts))\\.["']?${name}["']?\\]\\n((?:(?!^\\[)[^\\n]*\\n?)*)`,
    "m",
  ).exec(text)?.[1];
  const line = new RegExp(
    `^["']?${name}["']?\\s*=\\s*(?:\\{.*?cmd\\s*=\\s*)?(["'])(.*?)\\1`,
    "m",
  ).exec(text)?.[2];
  if (table === undefined) return line === undefined ? null : [line];
  const body = new RegExp(
    '(?:run|cmd|shell|script)\\s*=\\s*(?:"""([\\s\\S]*?)"""|\'\'\'([\\s\\S]*?)\'\'\'|"((?:[^"\\\\]|' +
      "\\\\.)*)\"|'([^']*)'|\\[([^\\]]*)\\])",
  ).exec(table);
  const found = body?.[1] ?? body?.[2] ?? body?.[3] ?? body?.[4];
  if (found !== undefined)
    return found
      .split("\n")
      .map((one) => one.trim())
      .filter(Boolean);
  return [...(body?.[5] ?? "").matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(
    (one) => one[1] ?? one[2]!,
  );
};

const jsonTask =
  (key: string) =>
  (text: string, task: string): string[] | null => {
    try {
      const data: unknown = JSON.parse(text.replace(/^\s*\/\/.*$/gm, ""));
      const tasks = isObject(data) && isObject(data[key]) ? data[key] : {};
      const found = tasks[task] === undefined ? null : [tasks[task]].flat().filter(isText);
      // `@lint` is another script of a composer file.
      return found?.map((one) => one.replace(/^@(?!php\b)/, "composer ").replace(/^@/, "")) ?? null;
    } catch {
      return null;
    }
  };

export const taskFiles: readonly TaskFile[] = [
  {
    programs: ["make", "gmake"],
    lead: [],
    files: ["Makefile", "makefile", "GNUmakefile"],
    find: taskIn(readRecipes),
  },
  {
    programs: ["just"],
    lead: [],
    files: ["justfile", "Justfile", ".justfile"],
    find: taskIn(readRecipes),
  },
  { programs: ["mix"], lead: [], files: ["mix.exs"], find: taskIn(readAliases), isOpen: true },
  {
    programs: ["rake"],
    lead: [],
    files: ["Rakefile", "rakefile"],
    find: taskIn(readRake),
    isOpen: true,
    first: "default",
  },
  {
    programs: ["mise"],
    lead: ["run|r"],
    files: ["mise.toml", ".mise.toml", "mise/config.toml"],
    find: tomlTask,
  },
  {
    programs: ["task", "go-task"],
    lead: [],
    files: ["Taskfile.yml", "Taskfile.yaml"],
    find: taskIn(readTaskfile),
  },
  {
    programs: ["composer"],
    lead: ["run|run-script|exec"],
    files: ["composer.json"],
    find: jsonTask("scripts"),
  },
  {
    programs: ["deno"],
    lead: ["task"],
    files: ["deno.json", "deno.jsonc"],
    find: jsonTask("tasks"),
  },
  {
    programs: ["poe", "rye", "pdm", "hatch"],
    lead: ["run"],
    files: ["pyproject.toml"],
    find: tomlTask,
  },
];

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
