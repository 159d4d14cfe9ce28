// Tasks with what they run and what runs before them, as Makefiles, justfiles, Taskfiles, Rakefiles and
// mix.exs name them. A file that takes tasks from elsewhere tells of none: what it has cannot be known.
import { parse as parseYaml } from "yaml";
import { isObject } from "../../../../base/data/json.ts";

export type ReadTask = { name: string; text: string; needs: readonly string[] };
type TaskReader = { files: RegExp; runner: string; read: (text: string) => ReadTask[] };

const words = (text: string): string[] => text.match(/[\w][\w./:-]*/g) ?? [];

export const readRecipes = (text: string): ReadTask[] => [
  ...[
    ...text.matchAll(
      /^@?([\w][\w./-]*)(?:[ \t][^:=\n]*)?:(?![=])([^\n]*)\n?((?:[ \t]+[^\n]*\n?|\n)*)/gm,
    ),
  ].map(([, name, needs, body]) => ({
    name: name!,
    text: body!.trim(),
    needs: words(needs!.replace(/[#|;].*/, "")),
  })),
  ...[...text.matchAll(/^\.PHONY:\s*(.*)$/gm)].flatMap(([, names]) =>
    words(names!).map((name) => ({ name, text: "", needs: [] })),
  ),
];

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

function commandOf(one: unknown): string {
  const command = isObject(one) ? (one["cmd"] ?? `task ${String(one["task"])}`) : one;
  return typeof command === "string" ? command : "";
}

export function readTaskfile(text: string): ReadTask[] {
  const data = yaml(text);
  const tasks = data["tasks"];
  if (data["includes"] !== undefined || !isObject(tasks)) return [];
  return Object.entries(tasks).map(([name, task]) => {
    const own = isObject(task) ? task : { cmds: task };
    const commands = [...listOf(own["cmds"]), ...listOf(own["cmd"])].map(commandOf);
    const needs = listOf(own["deps"]).map((one) =>
      isObject(one) ? String(one["task"]) : String(one),
    );
    return { name, text: commands.join("\n"), needs };
  });
}

function yaml(text: string): Record<string, unknown> {
  try {
    const data: unknown = parseYaml(text);
    return isObject(data) ? data : {};
  } catch {
    return {};
  }
}

/** Other gems and files may define tasks that stand nowhere here. */
const takesMore =
  /RakeTask\.new(?!\(:)|gem_tasks|load_tasks|^\s*(?:import|load)\b|TestTask\.new(?!\(:)/m;

const rakeLines: readonly RegExp[] = [
  /^\s*task [:"'](\w+)["']?(?:, \[[^\]]*\])?(?: => (.*?))?(?: do.*)?$/,
  /^\s*task (\w+): (.*?)(?: do.*)?$/,
  /Task\.new\(:(\w+)/,
];

function readRakefile(text: string): ReadTask[] {
  if (takesMore.test(text)) return [];
  const found: ReadTask[] = [];
  let own = 0;
  let spaces: { indent: number; name: string }[] = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const indent = /^\s*/.exec(line)![0].length;
    spaces = spaces.filter((one) => one.indent < indent);
    const space = /^\s*namespace [:"'](\w+)/.exec(line)?.[1];
    if (space !== undefined) spaces.push({ indent, name: space });
    const task = rakeLines.map((row) => row.exec(line)).find((match) => match !== null);
    const last = found.at(-1);
    if (!task && last && indent > own) last.text += `${line.trim()}\n`;
    if (!task) continue;
    own = indent;
    const named = (name: string): string => [...spaces.map((one) => one.name), name].join(":");
    found.push({
      name: named(task[1]!),
      text: "",
      needs: words(task[2] ?? "")
        .filter((word) => !/^[iw]$/.test(word))
        .map(named),
    });
  }
  return found;
}

/** Names of gems' tasks are what they run: `spec` is `rake spec`. */
export const readRake = (text: string): ReadTask[] =>
  [
    ...text.matchAll(
      /^\s*task\s+:?["']?(\w+)["']?\s*(?:=>|:)\s*(?:\[([^\]]*)\]|%[iw]\[([^\]]*)\]|(:\w+))/gm,
    ),
  ].map(([, name, list, short, one]) => ({
    name: name!,
    text: words((list ?? short ?? one ?? "").replace(/[:"',]/g, " "))
      .map((need) => `rake ${need}`)
      .join("\n"),
    needs: [],
  }));

/** Aliases of a mix project: `check: ["format --check-formatted", "credo", "test"]`. */
export const readAliases = (text: string): ReadTask[] =>
  [...text.matchAll(/(?<![\w"'])["']?([\w.]+)["']?:\s*\[((?:\s*"[^"\n]*",?)+)\s*\]/g)].map(
    ([, name, list]) => ({
      name: name!,
      text: [...list!.matchAll(/"([^"]*)"/g)]
        .map(([, one]) => (one!.startsWith("cmd ") ? one!.slice(4) : `mix ${one!}`))
        .join("\n"),
      needs: [],
    }),
  );

const readCargoAliases = (text: string): ReadTask[] => {
  const [, body = ""] = /^\[alias\]\s*\n((?:(?!^\[).*\n?)*)/m.exec(text) ?? [];
  return [...body.matchAll(/^([\w-]+)\s*=\s*(?:"([^"]*)"|\[([^\]]*)\])/gm)].map(
    ([, name, line, list]) => ({
      name: name!,
      text: line ?? list!.replace(/[",]+/g, " "),
      needs: [],
    }),
  );
};

const readMavenProfiles = (text: string): ReadTask[] =>
  [...text.matchAll(/<profile>\s*<id>([\w.-]+)<\/id>/g)].map(([, name]) => ({
    name: name!,
    text: "",
    needs: [],
  }));

export const taskReaders: readonly TaskReader[] = [
  { files: /^\.cargo\/config(?:\.toml)?$/, runner: "cargo", read: readCargoAliases },
  { files: /^pom\.xml$/, runner: "mvn", read: readMavenProfiles },
  { files: /(?:^|\/)(?:GNUm|[mM])akefile$/, runner: "make", read: readRecipes },
  { files: /(?:^|\/)\.?[jJ]ustfile$/, runner: "just", read: readRecipes },
  { files: /^[tT]askfile\.ya?ml$/, runner: "task", read: readTaskfile },
  { files: /^Rakefile$/, runner: "rake", read: readRakefile },
];
