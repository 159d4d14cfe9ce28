// `init` in two steps: a plan that changes nothing and says what would happen to each file, then
// the writing, which is undone as a whole when it fails.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { projectFolders } from "../../base/files/project-folders.ts";
import { errorText, RetinueError } from "../../base/errors.ts";
import { writeFileAtomic } from "../../base/files/write-file-atomic.ts";
import { loadDefinitions } from "../../definitions/load-definitions.ts";
import { loadProfiles } from "../../settings/profiles.ts";
import { claudeMdParagraph, initFiles, type InitFile } from "./init-files.ts";

/**
 * `differs`: something else stands there. `taken`: the project has an agent or profile of that name
 * in another file, which stays the one in use. `extend`: a paragraph is added to what is there.
 */
export type PlannedState = "new" | "same" | "differs" | "taken" | "extend";
export type PlannedFile = {
  path: string;
  text: string;
  state: PlannedState;
  /** With `taken`. */ by?: string;
};
export type InitPlan = { root: string; files: PlannedFile[] };

export type InitOptions = { root: string; assets: string; configDir: string; claudeMd?: boolean };

export function planInit({
  root: given,
  assets,
  configDir,
  claudeMd = false,
}: InitOptions): InitPlan {
  if (!existsSync(given) || !statSync(given).isDirectory())
    throw new RetinueError(
      "usage",
      `there is no folder ${given}; give the one that holds the project`,
    );
  const root = realpathSync(given);
  const taken = takenNames(root, configDir);
  const files = initFiles(assets).map((file) => planFile(root, file, taken));
  return {
    root,
    files: claudeMd ? [...files, planClaudeMd(root, claudeMdParagraph(assets))] : files,
  };
}

/**
 * Writes what is new or extends, and of what differs only `overwrite`. Returns the paths written.
 * Throws a storage error after having undone everything.
 */
export function writeInit(
  { root, files }: InitPlan,
  overwrite: ReadonlySet<string> = new Set(),
): string[] {
  const wanted = files.filter(
    ({ path, state }) =>
      state === "new" || state === "extend" || (state === "differs" && overwrite.has(path)),
  );
  const undo: (() => void)[] = [];
  try {
    for (const { path, text } of wanted) writeOne(targetOf(root, path), text, undo);
  } catch (error) {
    for (const step of undo.reverse()) quietly(step);
    throw new RetinueError(
      "storage",
      `nothing was written to ${root}: ${errorText(error)}. Make the folder writable, or give another one`,
      { cause: error },
    );
  }
  return wanted.map(({ path }) => path);
}

function writeOne(target: string, text: string, undo: (() => void)[]): void {
  const made = mkdirSync(dirname(target), { recursive: true });
  if (made !== undefined) undo.push(() => removeEmptyFolders(dirname(target), made));
  const facts = lstatSync(target, { throwIfNoEntry: false });
  const before = facts?.isFile() ? readFileSync(target) : undefined;
  const mode = before === undefined ? 0o644 : facts!.mode & 0o777;
  // What stands there and is no file (a link, a folder) cannot be brought back, so it is not
  // replaced.
  if (facts && before === undefined) throw new Error(`${target} exists and is not a regular file`);
  writeFileAtomic(target, text, { mode, durable: false });
  undo.push(() =>
    before === undefined
      ? unlinkSync(target)
      : writeFileAtomic(target, before, { mode, durable: false }),
  );
}

/** From the innermost up to the first one that was made. */
function removeEmptyFolders(innermost: string, first: string): void {
  for (let at = innermost; at.length >= first.length; at = dirname(at)) rmdirSync(at);
}

function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // The first failure is the one to report; the other steps still have to be tried.
  }
}

type Taken = ReadonlyMap<string, string>;

/**
 * Agents and profiles that the project's own files define, with the file: from this folder up to
 * the repository's root.
 */
function takenNames(root: string, configDir: string): Taken {
  const agents = loadDefinitions({ cwd: root, configDir }).all.filter(
    ({ definition }) => definition.source === "project" && definition.filePath !== undefined,
  );
  const profiles = loadProfiles(projectFolders(root), configDir).profiles.filter(
    ({ source }) => source === "project",
  );
  return new Map([
    ...agents.map(({ definition }) => [`agent ${definition.name}`, definition.filePath!] as const),
    ...profiles.map(({ name, filePath }) => [`profile ${name}`, filePath] as const),
  ]);
}

function planFile(root: string, { path, text, defines }: InitFile, taken: Taken): PlannedFile {
  const by = defines && taken.get(`${defines.kind} ${defines.name}`);
  if (by !== undefined && resolve(by) !== join(root, path))
    return { path, text, state: "taken", by: relative(root, by) };
  try {
    return { path, text, state: stateOf(targetOf(root, path), text) };
  } catch (error) {
    if (error instanceof RetinueError) throw error;
    throw new RetinueError(
      "storage",
      `${join(root, path)} cannot be looked at: ${errorText(error)}. Nothing was written`,
      { cause: error },
    );
  }
}

function stateOf(target: string, text: string): PlannedState {
  const facts = lstatSync(target, { throwIfNoEntry: false });
  if (!facts) return "new";
  return facts.isFile() &&
    facts.size === Buffer.byteLength(text) &&
    readFileSync(target, "utf8") === text
    ? "same"
    : "differs";
}

const [opening, closing] = ["<!-- retinue:begin -->", "<!-- retinue:end -->"];

/** The paragraph stands between marks, so that a later version finds its own and nothing else. */
function planClaudeMd(root: string, paragraph: string): PlannedFile {
  const path = "CLAUDE.md";
  const block = `${opening}\n${paragraph.trim()}\n${closing}\n`;
  const target = targetOf(root, path);
  if (!lstatSync(target, { throwIfNoEntry: false })) return { path, text: block, state: "new" };
  const text = readFileSync(target, "utf8");
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
  if (start < 0 || end < start)
    return { path, text: `${text.trimEnd()}\n\n${block}`, state: "extend" };
  const renewed = `${text.slice(0, start)}${block}${text.slice(end + closing.length).replace(/^\r?\n/, "")}`;
  return { path, text: renewed, state: renewed === text ? "same" : "differs" };
}

/**
 * Where the file really goes: a linked folder (or a linked CLAUDE.md) may lead elsewhere in the
 * project, never out of it.
 */
function targetOf(root: string, path: string): string {
  const target = join(root, path);
  const isClaudeMd = path === "CLAUDE.md" && existsSync(target);
  const existing = isClaudeMd ? target : nearestExisting(dirname(target));
  if (!isClaudeMd && !statSync(existing).isDirectory())
    throw new RetinueError(
      "usage",
      `${existing} is a file where init needs a folder; move it away`,
    );
  const real = realpathSync(existing);
  if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
    throw new RetinueError(
      "usage",
      `${existing} leads to ${real}, outside of ${root}; run init there, or remove the link`,
    );
  return join(real, relative(existing, target));
}

function nearestExisting(path: string): string {
  let at = path;
  while (!existsSync(at)) at = dirname(at);
  return at;
}
