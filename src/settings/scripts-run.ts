// Which files of a project a command line runs, as far as its text tells: scripts it names, from
// any folder it goes to, scripts that these name, and what runners such as npm and make look up. A
// line whose command is only known when it runs is named as one that cannot be covered.
import { limits } from "../base/limits.ts";
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isObject } from "../base/data/json.ts";
import { readJson } from "../base/data/read-json.ts";
import { realPath } from "../base/files/project-folders.ts";
import { readTextFile } from "../base/files/read-text-file.ts";
import { isInsideFolder } from "../base/files/scan-folder.ts";

export type ScriptsRun = {
  files: Set<string>;
  /** Texts that stand in a larger file, by where they stand: scripts of a package. */
  parts: Map<string, string>;
  /** Lines that run what nobody can know before. */
  uncovered: Set<string>;
};

const maxTextBytes = limits.settings.trustTextBytes;
const maxFiles = limits.settings.trustScripts;
const here = "\u0001";

/** The project's folder, in the ways in which hooks write it; its quotes are often its own. */
const ownFolder = [
  /["']?\$(?:(?:CLAUDE_PROJECT_DIR|PWD)\b|\{(?:CLAUDE_PROJECT_DIR|PWD)(?::-[^}]*)?\})["']?/g,
  /["']?(?:\$\(\s*(?:pwd|git rev-parse --show-toplevel)\s*\)|`\s*pwd\s*`)["']?/g,
];
/** A variable or the output of a command where a program's name stands, and what runs a text. */
const unknowable = new RegExp(
  [
    "(?:^|[;&|(\\n]",
    "|\\b(?:exec|source|bash|sh|zsh|node|python3?|ruby|perl|sudo|xargs|env|command)\\s",
    "|(?:^|\\s)\\.\\s)",
    "\\s*[\"']?[$`]|\\beval\\b",
  ].join(""),
);
const packageRunner = /\b(?:npm|pnpm|yarn|bun)\b/;
/** Files that a runner reads its commands from. */
const runnerFiles: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bg?make\b/, ["Makefile", "makefile", "GNUmakefile"]],
  [/\bjust\b/, ["justfile", "Justfile", ".justfile"]],
  [/\btask\b/, ["Taskfile.yml", "Taskfile.yaml"]],
  [/\brake\b/, ["Rakefile"]],
  [/\b(?:tox|nox|invoke|poe|hatch|pdm)\b/, ["tox.ini", "noxfile.py", "tasks.py", "pyproject.toml"]],
  [/\bdeno\b/, ["deno.json", "deno.jsonc"]],
  [/\bcomposer\b/, ["composer.json"]],
  [/\bcargo\b/, [".cargo/config.toml", "Makefile.toml"]],
];
const isScript = /\.(?:sh|bash|zsh|py|[cm]?[jt]s|rb|pl|lua|php)$/;

/** `lines` are commands; `words` are further texts, such as arguments, that may name a script. */
export function scriptsRun(
  { lines, words }: { lines: readonly string[]; words: readonly string[] },
  folder: string,
): ScriptsRun {
  const run: ScriptsRun = { files: new Set(), parts: new Map(), uncovered: new Set() };
  for (const line of lines) {
    const text = withFolder(line);
    if (unknowable.test(text)) run.uncovered.add(line.slice(0, 300));
  }
  for (const text of [...lines, ...words]) follow(text, [folder], { run, folder, isNamed: true });
  return run;
}

const withFolder = (text: string): string =>
  ownFolder.reduce((known, pattern) => known.replace(pattern, here), text.slice(0, maxTextBytes));

type Following = { run: ScriptsRun; folder: string; /** In the line itself. */ isNamed: boolean };

function follow(text: string, from: readonly string[], at: Following): void {
  const words = [...new Set(withFolder(text).split(/[\s"'`;|&()<>=,]+/))]
    .filter((word) => word !== "" && word.length <= 1_000 && !/[\0*?]/.test(word))
    .map((word) => word.replace(here, () => at.folder));
  // Whatever folder is named may be one that the line goes to.
  const bases = [...from, ...words.flatMap((word) => inBases(word, from, isFolder))].slice(0, 50);
  const named = [
    ...words.flatMap((word) => inBases(word, bases, isFile)),
    ...runnerFiles
      .filter(([runner]) => runner.test(text))
      .flatMap(([, names]) => names.flatMap((name) => inBases(name, bases, isFile))),
  ];
  for (const path of named) if (at.isNamed || isScript.test(path) || isProgram(path)) add(path, at);
  if (packageRunner.test(text)) for (const base of bases) followPackage(base, words, at);
}

function add(path: string, at: Following): void {
  const { run, folder } = at;
  if (run.files.has(path) || !isInsideFolder(realPath(path), folder)) return;
  if (run.files.size >= maxFiles) return void run.uncovered.add(`more than ${maxFiles} scripts`);
  run.files.add(path);
  const file = readTextFile(path, maxTextBytes);
  // A program names files that it works on: only shells and runners name what they run.
  if (
    file.ok &&
    (/^#!.*sh\b/.test(file.text) || /\.(?:sh|bash|zsh)$|makefile$|justfile$/i.test(path))
  )
    follow(file.text, [folder, dirname(path)], { ...at, isNamed: false });
}

/** Of a package only the scripts that the line names, so that a new dependency asks nobody. */
function followPackage(base: string, words: readonly string[], at: Following): void {
  const path = join(base, "package.json");
  const file = isInsideFolder(realPath(path), at.folder)
    ? readTextFile(path, maxTextBytes)
    : undefined;
  const reading = file?.ok ? readJson(file.text) : undefined;
  const scripts = reading?.ok && isObject(reading.value) ? reading.value["scripts"] : undefined;
  if (!isObject(scripts)) return;
  for (const name of words.flatMap((word) => [`pre${word}`, word, `post${word}`])) {
    const key = `${path}#${name}`;
    const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    if (typeof script !== "string" || at.run.parts.has(key)) continue;
    at.run.parts.set(key, createHash("sha256").update(script).digest("hex"));
    follow(script, [base], { ...at, isNamed: true });
  }
}

function inBases(word: string, bases: readonly string[], is: (path: string) => boolean): string[] {
  const paths = isAbsolute(word) ? [word] : bases.map((base) => resolve(base, word));
  return paths.filter(is);
}

/**
 * Any word of any text is tried: one that is too long for a name, or leads through a file, is none.
 */
function facts(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
const isFile = (path: string): boolean => facts(path)?.isFile() === true;
const isFolder = (path: string): boolean => facts(path)?.isDirectory() === true;
const isProgram = (path: string): boolean => (Number(facts(path)?.mode ?? 0) & 0o111) !== 0;
