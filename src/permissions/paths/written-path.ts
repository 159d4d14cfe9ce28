// Paths as text, without a disk: made absolute, normalised, compared. Nothing here follows a link.

/**
 * `unclear`: the words mean another place to a shell than to a file tool (`~root/x`, `$HOME/x`), so
 * a person should look.
 */
export type WrittenPath =
  | { ok: true; raw: string; lexical: string; unclear: boolean }
  | { ok: false; reason: string };

/**
 * Resolves a path as a tool was given it. `raw` keeps `..` as written, because a link may stand
 * before it.
 */
export function resolveWritten(
  written: unknown,
  { cwd, home }: { cwd: string; home: string },
): WrittenPath {
  if (typeof written !== "string" || written === "")
    return { ok: false, reason: "the path is missing or empty" };
  if (written.includes("\0")) return { ok: false, reason: "the path holds a NUL character" };
  if (written.length > 4_096)
    return { ok: false, reason: "the path is longer than 4,096 characters" };
  if (written.startsWith("\\"))
    return {
      ok: false,
      reason:
        "a path that begins with a backslash names a network share or a device of another system",
    };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written))
    return { ok: false, reason: "an address is not a path" };
  const raw =
    written === "~" || written.startsWith("~/")
      ? `${home}${written.slice(1)}`
      : written.startsWith("/")
        ? written
        : `${cwd}/${written}`;
  return {
    ok: true,
    raw,
    lexical: normalise(raw),
    unclear: /^(?:~[^/]|\$\{?[A-Z_]+\}?\/)/.test(written),
  };
}

/** Collapses `//`, `.` and `..` of an absolute path. */
export function normalise(path: string): string {
  // Most paths have none of them.
  if (path.startsWith("/") && !/\/\.{0,2}(?:\/|$)/.test(path)) return path;
  return `/${segmentsOf(path).join("/")}`;
}

/** The segments of a path, `.` and `..` resolved as text. */
export function segmentsOf(path: string): string[] {
  const out: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") out.pop();
    else out.push(segment);
  }
  return out;
}

/** True for `directory` itself and everything below; both normalised. */
export function isWithin(path: string, directory: string): boolean {
  if (directory === "/") return true;
  const { length } = directory;
  return path.startsWith(directory) && (path.length === length || path[length] === "/");
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";
export const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/**
 * Characters that some file systems and every reader overlook: zero-width, direction marks, soft
 * hyphen.
 */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** The form in which refusals compare: what any common file system could take for the same name. */
export function foldPath(path: string): string {
  if (/^[a-z0-9/_-]*$/.test(path)) return path;
  // Of plain letters nothing but their size and the end of a name can be overlooked.
  if (/^[ -~]*$/.test(path) && !/[. ](?:\/|$)/.test(path)) return path.toLowerCase();
  return path.split("/").map(foldSegment).join("/");
}

function foldSegment(segment: string): string {
  const folded = segment.normalize("NFKC").replace(invisible, "").toLowerCase();
  const trimmed = folded.replace(/[. ]+$/, "");
  return trimmed === "" ? folded : trimmed;
}
