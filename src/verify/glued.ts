// A path that marks glue to something else: the file that is there decides where it begins and ends, whatever the marks are.
import { isCodeShaped, lastName } from "./claims.ts";
import type { Range } from "./path-token.ts";
import type { Repository } from "./repository.ts";

/** `before` and `behind`: words that were glued to the path and may name what stands there. */
export type Unglued = { path: string; range: Range | null; before: string[]; behind: string[] };

const mark = /[^\p{L}\p{N}\p{M}_./\\-]/u;
/** The same, quick to refuse: most paths are plain. */
const maybeMark = /[^\w./\\-]/;
const marks = /[^\p{L}\p{N}\p{M}_./\\-]+/gu;
const name = /^[A-Za-z_$][\w$]{2,}(?:\.[A-Za-z_$][\w$]+)*$/;
const lineNumber = /^(?:l|ln|lines?)?(\d{1,7})$/i;
const most = 12;

/** Reads "📍src/x.ts", "webpack:///./src/x.ts", "foo@src/x.ts" or "src/x.ts|45|foo" where exactly one part of it is a file; undefined for anything else. */
export function unglue(written: string, repo: Repository): Unglued | undefined {
  if (written.length > 400) return undefined;
  if (written.charCodeAt(1) === slash && /^[abciow]/.test(written))
    return withoutSide(written, repo);
  if (!maybeMark.test(written) || !mark.test(written)) return undefined;
  const parts = written.split(marks);
  if (parts.length > most) return undefined;
  const paths = parts.map((part, index) =>
    fileIn(
      part,
      repo,
      parts.slice(0, index).some((other) => other.includes("/")),
    ),
  );
  const at = paths.findIndex((path) => path !== undefined);
  if (at < 0 || paths.some((path, index) => index > at && path !== undefined && path !== paths[at]))
    return undefined;
  const names = (from: number, to: number): string[] =>
    parts
      .slice(from, to)
      .filter((part) => name.test(part))
      .slice(0, 3);
  return {
    path: paths[at]!,
    range: rangeIn(parts, at),
    before: names(0, at),
    behind: names(at + 1, parts.length),
  };
}

const slash = 47;

/** git's a/ and b/, where no folder is called so. */
function withoutSide(written: string, repo: Repository): Unglued | undefined {
  const path = written.slice(2);
  return !repo.isListed(written[0]!) && repo.isListed(path) && repo.kindOf(path) === "file"
    ? { path, range: null, before: [], behind: [] }
    : undefined;
}

/** The file that `part` is, or abbreviates. Behind a slash only a whole path counts; `cut`: a folder stands before the mark, so this is the end of another path. */
function fileIn(part: string, repo: Repository, cut: boolean): string | undefined {
  if (!/[^./]\.\w|[/\\]/.test(part)) return undefined;
  const path = part
    .replaceAll("\\", "/")
    .replace(/^\p{M}+/u, "")
    .replace(/^(?:\.?\/)+/, "")
    .replace(/\.+$/, "");
  if (path.endsWith("/")) return undefined;
  const rooted = part.startsWith("/");
  if (repo.isListed(path))
    return repo.kindOf(path) === "file" && (path.includes("/") || !rooted || !cut)
      ? path
      : undefined;
  return !rooted && !cut && /\.\w+$/.test(path) && repo.endingIn(path).length > 0
    ? path
    : undefined;
}

const lineBehind =
  /^[\])}"'>]*(?:[:;,|!#@=~([{]|::|[\s>]+)(?:l|ln|lines?[:= ]?)?(\d{1,7})(?:[^\p{L}\p{N}\s_.:;,|=]{1,2}l?(\d{1,7}))?(?![\p{L}\p{N}_%+×.])/iu;

/** The same for a word that is no path by its looks: only where a number is glued to the path as a line is. `name`: a glued word that the file defines. */
export function ungluePlace(
  written: string,
  repo: Repository,
): { path: string; range: Range; name: string | undefined } | undefined {
  const found =
    written.length <= 400 && /\.\w.*\d/.test(written) ? unglue(written, repo) : undefined;
  const at = found ? written.replaceAll("\\", "/").indexOf(found.path) : -1;
  const line = at < 0 ? null : lineBehind.exec(written.slice(at + found!.path.length));
  return line
    ? {
        path: found!.path,
        range: [Number(line[1]), Number(line[2] ?? line[1])],
        name: definedNames(found!, repo)[0],
      }
    : undefined;
}

/** A glued word may be anything: it names what stands there only where this very file defines it, and before the path only where it looks like code. */
export function definedNames({ path, before, behind }: Unglued, repo: Repository): string[] {
  const state = repo.open(path);
  return state.ok
    ? [...behind, ...before.filter(isCodeShaped)].filter(
        (word) => state.file.definitionsOf(lastName(word)).length > 0,
      )
    : [];
}

/** The first number behind the path, else the one directly before it. */
function rangeIn(parts: string[], at: number): Range | null {
  const behind = parts.slice(at + 1).find((part) => lineNumber.test(part));
  const found = lineNumber.exec(behind ?? parts[at - 1] ?? "");
  return found ? [Number(found[1]), Number(found[1])] : null;
}
