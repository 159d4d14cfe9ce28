// Files in which a project names its tasks, and how the commands of one are found in each.
import { escapeRegExp } from "../../../../base/text/escape-reg-exp.ts";
import { parse as parseYaml } from "yaml";
import { isObject } from "../../../../base/data/json.ts";

/** A file of named tasks: who runs it, what it is called, how a task is found in it. */
export type TaskFile = {
  programs: readonly string[];
  /** Words before the task's name. */
  lead: readonly string[];
  files: readonly string[];
  find: (text: string, task: string) => string[] | null;
  /** The task without a name. */
  first?: string;
};

const recipe = (text: string, task: string): string[] | null => {
  const name = escapeRegExp(task);
  const match = new RegExp(
    `^@?${name}(?:[ \\t][^:=\\n]*)?:(?!=)([^\\n]*)\\n?((?:[ \\t]+[^\\n]*\\n?|\\n)*)`,
    "m",
  ).exec(text);
  if (!match) return null;
  const lines = match[2]!
    .split("\n")
    .map((line) => line.trim().replace(/^[@+-]+/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
  const needs = match[1]!
    .replace(/[#;].*/, "")
    .trim()
    .split(/\s+/)
    .filter((word) => /^[\w.-]+$/.test(word));
  return [...needs.flatMap((need) => (need === task ? [] : (recipe(text, need) ?? []))), ...lines];
};

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

const yamlTask = (text: string, task: string): string[] | null => {
  try {
    const data: unknown = parseYaml(text);
    const tasks = isObject(data) && isObject(data["tasks"]) ? data["tasks"] : {};
    const found = tasks[task];
    const cmds = isObject(found) ? (found["cmds"] ?? found["cmd"]) : found;
    return cmds === undefined ? null : [cmds].flat().filter(isText);
  } catch {
    return null;
  }
};

const jsonTask =
  (key: string) =>
  (text: string, task: string): string[] | null => {
    try {
      const data: unknown = JSON.parse(text.replace(/^\s*\/\/.*$/gm, ""));
      const tasks = isObject(data) && isObject(data[key]) ? data[key] : {};
      return tasks[task] === undefined ? null : [tasks[task]].flat().filter(isText);
    } catch {
      return null;
    }
  };

export const taskFiles: readonly TaskFile[] = [
  {
    programs: ["make", "gmake"],
    lead: [],
    files: ["Makefile", "makefile", "GNUmakefile"],
    find: recipe,
  },
  { programs: ["just"], lead: [], files: ["justfile", "Justfile", ".justfile"], find: recipe },
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
    find: yamlTask,
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
