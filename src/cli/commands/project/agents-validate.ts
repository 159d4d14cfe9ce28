// `retinue agents validate`: every problem with its line; --fix repairs what can be repaired.
import { limits } from "../../../base/limits.ts";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { RetinueError } from "../../../base/errors.ts";
import type { Problem } from "../../../base/problem.ts";
import { counted } from "../../../base/text/grouped.ts";
import { printable } from "../../../base/text/printable.ts";
import { readTextFile } from "../../../base/files/read-text-file.ts";
import { scanFolder, type FolderScan } from "../../../base/files/scan-folder.ts";
import { writeFileAtomic } from "../../../base/files/write-file-atomic.ts";
import type { DefinitionOrigin, KnownNames } from "../../../definitions/agent-definition.ts";
import { fixDefinition } from "../../../definitions/reading/fix-definition.ts";
import type { LoadedDefinitions } from "../../../definitions/load-definitions.ts";
import { readPluginManifest } from "../../../definitions/plugin-manifest.ts";
import { readDefinition } from "../../../definitions/reading/read-definition.ts";
import type { ExitCode } from "../../command.ts";
import type { Io } from "../../io.ts";

export type ValidateOptions = { fix?: boolean; json?: boolean };

/** `documentation`: files without an agent's name and without problems. */
type Validation = { checked: number; loaded: number; problems: Problem[]; documentation: string[] };

const maxFileBytes = limits.definition.fileBytes;

/** What exists in the file's project and plugin, if it has them. */
type LookFrom = (project: string | undefined, plugin: string | undefined) => KnownNames;

/** Without paths: everything that `load` finds. */
export function validate(
  paths: string[],
  io: Io,
  options: ValidateOptions & { load: () => LoadedDefinitions; lookFrom: LookFrom },
): ExitCode {
  const given = paths.length > 0 ? filesOf(paths) : undefined;
  const fixed = options.fix ? (given ?? options.load()).files.flatMap(fixFile) : [];
  const validation = given ? checkFiles(given, options.lookFrom) : checkAll(options.load());
  const errors = validation.problems.filter((problem) => problem.severity === "error").length;
  for (const { path, what } of fixed)
    io.err(`fixed ${relative(io.cwd, path) || path}: ${what.join("; ")}`);
  if (options.json)
    io.out(
      JSON.stringify(
        {
          checked: validation.checked,
          loaded: validation.loaded,
          problems: validation.problems.map((problem) => ({
            ...problem,
            suggestion: problem.suggestion ?? null,
          })),
        },
        undefined,
        2,
      ),
    );
  else printProblems(validation, errors, io);
  return errors > 0 ? 1 : 0;
}

function filesOf(paths: string[]): FolderScan {
  const scans = paths.map((path): FolderScan => {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (!facts)
      throw new RetinueError(
        "usage",
        `there is no ${path}; give files or folders that hold definitions`,
      );
    return facts.isDirectory()
      ? scanFolder(path, { wanted: /\.md$/i })
      : { files: [path], skipped: [] };
  });
  return {
    files: scans.flatMap((scan) => scan.files),
    skipped: scans.flatMap((scan) => scan.skipped),
  };
}

function checkFiles({ files, skipped }: FolderScan, lookFrom: LookFrom): Validation {
  const validation: Validation = {
    checked: files.length,
    loaded: 0,
    documentation: [],
    problems: skipped.map(({ path, reason }) => ({
      path,
      line: 1,
      severity: "error",
      code: "skipped-file",
      message: `not read: ${reason}`,
    })),
  };
  for (const path of files) {
    const file = readTextFile(path, maxFileBytes);
    const reading = file.ok
      ? readDefinition(file.text, originOf(path, lookFrom))
      : {
          problems: [
            {
              path,
              line: 1,
              severity: "error" as const,
              code: "unreadable-file",
              message: `not read: ${file.reason}`,
            },
          ],
        };
    validation.problems.push(...reading.problems);
    if ("definition" in reading && reading.definition) validation.loaded++;
    else if (reading.problems.length === 0) validation.documentation.push(path);
  }
  return validation;
}

/**
 * A file below a plugin's folder belongs to the plugin; one below `.claude` to the project around
 * it.
 */
function originOf(path: string, lookFrom: LookFrom): DefinitionOrigin {
  const parts = path.split(sep);
  const inner = parts.lastIndexOf(".claude");
  const project = inner > 0 ? parts.slice(0, inner).join(sep) || sep : undefined;
  const plugin = project === undefined ? pluginAround(dirname(path)) : undefined;
  const known = lookFrom(project, plugin);
  return plugin === undefined
    ? { source: "project", path, known }
    : { source: "plugin", plugin: readPluginManifest(plugin).name, path, known };
}

function pluginAround(folder: string): string | undefined {
  if (existsSync(join(folder, ".claude-plugin", "plugin.json"))) return folder;
  return dirname(folder) === folder ? undefined : pluginAround(dirname(folder));
}

function checkAll({ all, problems, files }: LoadedDefinitions): Validation {
  const spokenOf = new Set([
    ...all.map(({ definition }) => definition.filePath),
    ...problems.map(({ path }) => path),
  ]);
  return {
    checked: files.length,
    loaded: all.filter(({ definition }) => definition.filePath !== undefined).length,
    problems,
    documentation: files.filter((path) => !spokenOf.has(path)),
  };
}

/**
 * Only for a file that is valid UTF-8, so that the untouched part stays the same bytes. Links are
 * written through.
 */
function fixFile(path: string): { path: string; what: string[] }[] {
  const file = readTextFile(path, maxFileBytes);
  if (!file.ok || !readFileSync(path).equals(Buffer.from(file.text, "utf8"))) return [];
  const fix = fixDefinition(file.text, { source: "project", path });
  if (!fix) return [];
  const target = realpathSync(path);
  writeFileAtomic(target, fix.text, { mode: statSync(target).mode & 0o777 });
  return [{ path, what: fix.fixed }];
}

function printProblems(
  { checked, loaded, problems, documentation }: Validation,
  errors: number,
  io: Io,
): void {
  const shownPath = (path: string): string => {
    const shown = relative(io.cwd, path);
    return printable(shown.startsWith("..") || shown === "" ? path : shown);
  };
  for (const { path, line, severity, code, message, suggestion } of problems) {
    const mark = severity === "error" ? io.paint("red", "error") : io.paint("yellow", "warning");
    const advice =
      suggestion === undefined ? "" : `\n    ${io.paint("dim", "try:")} ${printable(suggestion)}`;
    const tag = io.paint("dim", `[${code}]`);
    io.out(`${shownPath(path)}:${line}: ${mark} ${printable(message)} ${tag}${advice}`);
  }
  if (documentation.length > 0) {
    const names = documentation.slice(0, 10).map(shownPath).join(", ");
    const more = documentation.length > 10 ? ` and ${documentation.length - 10} more` : "";
    io.out(io.paint("dim", `no agent, because no frontmatter names one: ${names}${more}`));
  }
  const warnings = problems.length - errors;
  io.out(
    `${counted(checked, "file")} checked, ${loaded} loaded, ${counted(errors, "error")}, ` +
      counted(warnings, "warning"),
  );
}
