// The scripts and targets that a project names itself: what `npm run x`, `make x`, `just x` or a shell
// script of the project really run, read from the tree.
import { posix } from "node:path";
import { isObject } from "../../../base/data/json.ts";
import { argumentsOf, type Words } from "./arguments-of.ts";
import type { NamedRunner } from "./tools-for.ts";
import { taskFiles, type TaskFile } from "./tables/task-files.ts";

/** `read`: the text of a file by its path from the root; undefined where there is none. */
export type Project = {
  root: string;
  read(path: string): string | undefined;
  paths(): readonly string[];
  /** What its owner says that commands of its own show. */
  runners: readonly NamedRunner[];
};

/** `texts`: what the script runs; null where it could not be found. */
export type Script = { name: string; folder: string; texts: string[] | null; rest: string[] };

export const managers: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
/** Words of package managers that run no script. */
const ownWords = new Set(
  (
    "install i ci add remove rm uninstall update upgrade up outdated list ls why audit init create " +
    "publish pack link " +
    "unlink config cache info view version help login logout whoami exec dlx x prune dedupe " +
    "rebuild store import patch " +
    "set-script fund search root bin prefix doctor licenses pm node npm"
  ).split(" "),
);

/** The script that a call names, or undefined where it names none. */
export function scriptOf(
  { argv, called }: { argv: Words; called: string },
  folder: string,
  project: Project,
): Script | undefined {
  const program = argv[0];
  if (typeof program !== "string") return undefined;
  if (managers.has(program)) return packageScript(argv, folder, project);
  const kind = taskFiles.find(({ programs }) => programs.includes(program));
  if (kind) return taskScript(kind, argv, { folder, project });
  return fileScript([called, ...argv.slice(1)], folder, project);
}

function packageScript(argv: Words, folder: string, project: Project): Script | undefined {
  const called = calledScript(argv);
  if (called === undefined) return undefined;
  const { name, words, workspace } = called;
  const { home, moved } = homeOf(argv, { folder, workspace, project });
  if (isEverywhere(argv) || picksSeveral(argv)) return everyScript(name, words.slice(1), project);
  const found = nearestScripts(home, project);
  const scripts = found?.scripts ?? {};
  const text = scripts[name];
  const texts = [scripts[`pre${name}`], text, scripts[`post${name}`]].filter(isText);
  return {
    name,
    folder: moved ? home : (found?.folder ?? home),
    texts: isText(text) ? texts : null,
    rest: words.slice(1),
  };
}

/** The folder that a package manager's options lead to: `-C x`, `--filter @a/b`. */
export function homeOf(
  argv: Words,
  given: { folder: string; workspace: string | undefined; project: Project },
): { home: string; moved: boolean } {
  const { folder, workspace, project } = given;
  const moved = valueOf(argv, ["--prefix", "-C", "--cwd", "--dir"]);
  const asked = valueOf(argv, ["--filter", "-F", "-w", "--workspace"]) ?? workspace;
  const base = moved === undefined ? folder : posix.join(folder, moved);
  const home = asked === undefined ? base : (workspaceFolder(asked, project) ?? base);
  return { home, moved: moved !== undefined || asked !== undefined };
}

/** `pnpm -r test`, `npm test --workspaces`: the script of every package. */
const isEverywhere = (argv: Words): boolean =>
  argv.some((word) => /^(?:-r|--recursive|--workspaces|-ws)$/.test(word ?? "")) ||
  (argv[0] === "yarn" &&
    /^workspaces?$/.test(argv[1] ?? "") &&
    /^(?:foreach|run)$/.test(argv[2] ?? ""));

/** `--filter a --filter b` */
const picksSeveral = (argv: Words): boolean =>
  argv.filter((word) => /^(?:--filter|-F|-w|--workspace)(?:=|$)/.test(word ?? "")).length > 1;

function everyScript(name: string, rest: string[], project: Project): Script {
  const texts = project
    .paths()
    .filter((path) => path.endsWith("/package.json") && !path.includes("node_modules"))
    .slice(0, 200)
    .flatMap((path) => {
      const scripts = jsonOf(path, project)?.["scripts"];
      const text = isObject(scripts) ? scripts[name] : undefined;
      return isText(text) ? [text] : [];
    });
  return { name, folder: ".", texts: texts.length > 0 ? [...new Set(texts)] : null, rest };
}

/** The name of the script and the words behind it; undefined where the manager runs no script. */
function calledScript(
  argv: Words,
): { name: string; words: string[]; workspace: string | undefined } | undefined {
  const args = argumentsOf(argv.slice(1));
  const isRun = /^run(?:-script)?$/.test(args[0] ?? "");
  const isWorkspace = /^workspaces?$/.test(args[0] ?? "");
  const behind = isRun ? args.slice(1) : isWorkspace ? args.slice(2) : args;
  const words = isWorkspace ? behind.filter((word) => word !== "run") : behind;
  if (words[0] === undefined) return undefined;
  const name = words[0].replace(/^(?:t|tst)$/, "test");
  // `bun test` is bun's own runner and `bun x.ts` runs a file; `bun run test` is a script.
  const isOwn = ownWords.has(name) || (argv[0] === "bun" && (name === "test" || /[./]/.test(name)));
  if (!isRun && isOwn) return undefined;
  return { name, words, workspace: isWorkspace ? args[1] : undefined };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function valueOf(argv: Words, names: readonly string[]): string | undefined {
  for (const [index, word] of argv.entries()) {
    if (typeof word !== "string") continue;
    if (names.includes(word)) return argv[index + 1] ?? undefined;
    const long = names.find((name) => name.startsWith("--") && word.startsWith(`${name}=`));
    if (long !== undefined) return word.slice(long.length + 1);
  }
  return undefined;
}

function jsonOf(path: string, project: Project): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(project.read(path) ?? "");
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** From the folder upwards, as the package managers look. */
function nearestScripts(
  folder: string,
  project: Project,
): { folder: string; scripts: Record<string, unknown> } | undefined {
  for (let at = folder; ; at = posix.dirname(at)) {
    const data = jsonOf(posix.join(at, "package.json"), project);
    if (data) return { folder: at, scripts: isObject(data["scripts"]) ? data["scripts"] : {} };
    if (at === "." || at === "" || at === "/") return undefined;
  }
}

function workspaceFolder(asked: string, project: Project): string | undefined {
  const wanted = asked.replace(/^\.\/|\.\.\.$|^\{|\}$|^\^/g, "").replace(/\/$/, "");
  const manifests = project
    .paths()
    .filter((path) => path.endsWith("package.json"))
    .slice(0, 500);
  const byFolder = manifests.find((path) => {
    const folder = posix.dirname(path);
    return folder === wanted || posix.basename(folder) === wanted;
  });
  const found = manifests.find((path) => jsonOf(path, project)?.["name"] === wanted) ?? byFolder;
  return found === undefined ? undefined : posix.dirname(found);
}

const ownTaskWords: Readonly<Record<string, RegExp>> = {
  composer: /^(?:install|update|require|remove|dump-autoload|validate|audit|show)$/,
  deno: /^(?:test|check|lint|fmt|run|cache|install|publish|deploy|bench|compile)$/,
  mise: /^(?:install|use|exec|x|ls|trust|env|activate|tasks)$/,
};

/** The tasks that a call names, or the one that it means without a name. */
function taskNames({ programs, lead, first }: TaskFile, argv: Words): string[] {
  const args = argumentsOf(argv.slice(1)).filter((word) => !word.includes("="));
  const isLed = lead.length > 0 && lead[0]!.split("|").includes(args[0] ?? "");
  const names = isLed ? args.slice(1) : args;
  if (names[0] === undefined) return first === undefined ? [] : [first];
  return !isLed && ownTaskWords[programs[0]!]?.test(names[0]) ? [] : names;
}

function taskScript(
  kind: TaskFile,
  argv: Words,
  { folder, project }: { folder: string; project: Project },
): Script | undefined {
  const { programs, files, find, isOpen } = kind;
  const names = taskNames(kind, argv);
  if (names.length === 0) return undefined;
  const moved = valueOf(argv, ["-C", "--directory", "-d", "--dir"]);
  const home = moved === undefined ? folder : posix.join(folder, moved);
  const text = upwards(home, files, project);
  const several = programs[0] === "make" || programs[0] === "just" ? names : names.slice(0, 1);
  const texts = several.map((name) => (text === undefined ? null : find(text, name)));
  if (isOpen && texts.includes(null)) return undefined;
  return {
    name: names[0]!,
    folder: home,
    texts: texts.includes(null) ? null : texts.flatMap((found) => found ?? []),
    rest: programs[0] === "make" ? [] : names.slice(1),
  };
}

function upwards(folder: string, files: readonly string[], project: Project): string | undefined {
  for (let at = folder; ; at = posix.dirname(at)) {
    for (const file of files) {
      const text = project.read(posix.join(at, file));
      if (text !== undefined) return text;
    }
    if (at === "." || at === "" || at === "/") return undefined;
  }
}

/** A shell script of the project is what it says. */
function fileScript(argv: Words, folder: string, project: Project): Script | undefined {
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(argv[0] ?? "");
  const path = isShell ? argumentsOf(argv.slice(1))[0] : argv[0];
  if (typeof path !== "string" || (isShell && argv.includes("-c"))) return undefined;
  if (!isShell && !/\.(?:sh|bash)$/.test(path)) return undefined;
  const text =
    project.read(posix.join(folder, path)) ??
    project
      .paths()
      .filter((one) => one.endsWith(`/${path}`))
      .map((one) => project.read(one))[0];
  const isKnown = text !== undefined && /^[^\S\n]*[^\s#]/m.test(text);
  return { name: path, folder, texts: isKnown ? [text] : null, rest: [] };
}
