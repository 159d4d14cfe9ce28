// What file a written path means: an exact path wins; then a tail, a path from the document's own
// folder, a tail behind a foreign root, a shortened name. What is not about this tree says why.
import { posix } from "node:path";
import type { Repository } from "../../../source/repository.ts";

export type Resolution = {
  kind: "file" | "folder" | "unknown" | "outside" | "foreign";
  /** The files that may be meant, likeliest first; a folder's own path. */
  paths: string[];
  /** Files that may be meant where none of `paths` fits; looked for when somebody asks. */
  alternates: (() => readonly string[]) | undefined;
  /** Why a path is foreign to this tree. */
  why: string | undefined;
};

export type DocumentPlace = { document: string | undefined; folder: string | undefined };

const most = 60;
const foreignHome = /^(?:~|[$%]\w+%?)(?:\/|$)/;
const systemFolder =
  /^\/(?:etc|usr|var|tmp|opt|proc|sys|dev|bin|sbin|lib|root|mnt|System|Library)\//;
const produced =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|vendor|site-packages|__pycache__|tmp|temp|logs|\.\w[\w-]*)\//;

/** One spelling: from the root, `/` between names, no `./`, no escapes of Markdown or addresses, composed letters. */
export function plainPath(given: string, repo: Repository): string {
  return fromRoot(onePath(fromRoot(given, repo), repo), repo);
}

function onePath(written: string, repo: Repository): string {
  // `@src/x.ts` points a reader to a file; `@shared/x.ts` may be in a folder of that name.
  const first = written.split("/", 1)[0]!;
  const isOwn = first.charAt(0) !== "@" || repo.foldersEndingIn(first).length > 0;
  if (isOwn && !untidy.test(written)) return written;
  if (repo.isListed(written)) return written;
  const own = isOwn ? written : written.slice(1);
  if (!untidy.test(own)) return own;
  const unescaped = own.replace(/\\(?=[_*[\]()~#`.&-])/g, "");
  const separated = tidy(own);
  // A backslash before an underscore is Markdown's escape or a separator: the file decides.
  const isWindows = /^[A-Za-z]:\\/.test(own);
  if (unescaped === own || isWindows || repo.isListed(separated)) return separated;
  return repo.endingIn(separated).length > 0 ? separated : tidy(unescaped);
}

/** A path that begins with the root, and goes on, is one of this tree whether its file is there or not. */
function fromRoot(written: string, { reader: { root, names } }: Repository): string {
  if (root !== undefined && written.startsWith(`${root}/`))
    return written.slice(root.length + 1) || written;
  return belowName(written, names) ?? written;
}

/** `/home/a/shop/src/x.ts` of a project that is called `shop`. */
function belowName(written: string, names: readonly string[]): string | undefined {
  if (!written.startsWith("/") || written.includes("/../")) return undefined;
  const parts = written.split("/");
  const named = parts.findIndex((part) => names.includes(part));
  const below = parts.slice(named + 1).join("/");
  return named > 0 && below !== "" && !produced.test(below) ? below : undefined;
}

/** What another spelling of a path has: escapes, a drive, letters that are composed, steps that lead nowhere. */
const untidy = /[\\%:\u0080-\uffff]|^\.\/|\/\.{0,2}\//;

function tidy(written: string): string {
  const path = written
    .replaceAll("\\", "/")
    .replace(/^[A-Za-z]:(?=\/)/, "")
    .replace(/(?:%[\dA-Fa-f]{2})+/g, unescapedBytes)
    .normalize("NFC")
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/{2,}/g, "/");
  // Where the steps of an absolute path lead to is asked of the tree.
  if (path.startsWith("/") && path.includes("/../")) return path;
  return path.includes("/../") || path.includes("/./") ? posix.normalize(path) : path;
}

/** As a browser reads them; bytes that are no text, or no text of a path, stay as they are written. */
function unescapedBytes(written: string): string {
  try {
    const text = decodeURIComponent(written);
    return /\p{Cc}/u.test(text) ? written : text;
  } catch {
    return written;
  }
}

export function resolveMention(path: string, repo: Repository, place: DocumentPlace): Resolution {
  if (foreignHome.test(path)) return foreign("a path of somebody's home or environment");
  const trimmed = path.length > 1 && path.endsWith("/") ? path.replace(/\/+$/, "") : path;
  if (trimmed.startsWith("/")) {
    const found = resolveAbsolute(posix.normalize(trimmed), repo);
    if (!trimmed.includes("/../") || !stepsOut(trimmed, found, repo)) return found;
    return place.document === undefined
      ? resolved("outside")
      : foreign("a path beside this project, which was not opened");
  }
  const relative = trimmed.includes("..") ? posix.normalize(trimmed) : trimmed;
  const beside = place.folder === undefined ? undefined : posix.join(place.folder, relative);
  if (relative === ".." || relative.startsWith("../")) return resolveUpward(relative, beside, repo);
  return resolveRelative(relative === "." ? "" : relative, beside, repo);
}

/** From the document's own folder where that is known; otherwise it leads out. */
function resolveUpward(relative: string, beside: string | undefined, repo: Repository): Resolution {
  if (beside === undefined) return resolved("outside");
  if (beside.startsWith("../")) return foreign("a path beside this project, which was not opened");
  const found = exactly(beside, repo);
  if (found) return found;
  // One step too few or too many still leads to the one file of that path; a folder that is not here
  // is one of another project.
  const rest = relative.replace(/^(?:\.\.\/)+/, "");
  const [folder] = rest.split("/");
  return (
    exactly(rest, repo) ??
    (rest.includes("/") && !repo.isListed(folder!)
      ? foreign("a path beside this project, which was not opened")
      : resolved("unknown"))
  );
}

function resolveRelative(path: string, beside: string | undefined, repo: Repository): Resolution {
  const found =
    exactly(path, repo) ??
    (beside === undefined ? undefined : exactly(beside, repo)) ??
    withoutFirstFolder(path, repo) ??
    (/^[ab]\//.test(path) ? exactly(path.slice(2), repo) : undefined) ??
    byTail(path, repo);
  if (found) return found;
  if (repo.isApart(path)) return foreign("a file of a submodule or an ignored folder");
  return isProduced(path, repo)
    ? foreign("a file that is made, installed or hidden, not kept here")
    : resolved("unknown");
}

/** In a folder that is usually made or installed, and that this tree does not keep. */
function isProduced(path: string, repo: Repository): boolean {
  const folder = produced.exec(path);
  if (folder === null) return false;
  const isHidden = /(?:^|\/)\./.test(folder[0]);
  return isHidden || !repo.isListed(path.slice(0, folder.index + folder[0].length - 1));
}

/** All of one shape: what follows reads them at every word. */
const resolved = (kind: Resolution["kind"], paths: string[] = [], why?: string): Resolution => ({
  kind,
  paths,
  alternates: undefined,
  why,
});

export const foreign = (why: string): Resolution => resolved("foreign", [], why);

function exactly(path: string, repo: Repository): Resolution | undefined {
  const kind = repo.kindOf(path);
  if (kind === "none") return undefined;
  if (kind === "outside") return resolved("outside");
  return resolved(kind === "directory" ? "folder" : "file", [path]);
}

/** Under the root, from the root, or under a root of another machine whose tail is a file here. */
function resolveAbsolute(path: string, repo: Repository): Resolution {
  const { root } = repo.reader;
  if (root !== undefined && (path === root || path.startsWith(`${root}/`)))
    return exactly(path.slice(root.length + 1), repo) ?? resolved("unknown");
  const parts = path.split("/").slice(1);
  for (let cut = 0; cut < parts.length - (cut === 0 ? 0 : 1); cut++) {
    const tail = parts.slice(cut).join("/");
    if (repo.isListed(tail) && !(cut === parts.length - 1 && parts.length > 2))
      return exactly(tail, repo)!;
  }
  const named = parts.findIndex((part) => repo.reader.names.includes(part));
  if (named >= 0 && !produced.test(path)) return resolved("unknown");
  return foreign(
    systemFolder.test(path) ? "a path of the system" : "a path of another machine or project",
  );
}

/** `/home/a/project/../../src/x.ts`: the steps go up through what is no folder of this tree. */
function stepsOut(written: string, { kind, paths }: Resolution, repo: Repository): boolean {
  const { root, names } = repo.reader;
  const path = posix.normalize(written);
  if (root !== undefined && written.startsWith(`${root}/`)) return !path.startsWith(`${root}/`);
  // From the project's own folder to one that nothing is known of.
  const isBelow = written
    .slice(0, written.indexOf("/../"))
    .split("/")
    .some((part) => names.includes(part));
  if (kind === "foreign" && isBelow) return true;
  const own = paths.length === 1 && path.endsWith(`/${paths[0]}`) ? paths[0]! : undefined;
  if (own === undefined) return false;
  const above = path.slice(0, path.length - own.length);
  const left = written.slice(above.length, written.indexOf("/../"));
  return !repo.isListed(left);
}

/** `express/lib/router.js`, written from one folder above. */
function withoutFirstFolder(path: string, repo: Repository): Resolution | undefined {
  const slash = path.indexOf("/");
  if (slash < 0) return undefined;
  const [first, rest] = [path.slice(0, slash), path.slice(slash + 1)];
  // A first name that is no folder here is that of the repository, under whatever name it was fetched.
  const isName =
    repo.reader.names.includes(first) ||
    (/^\w/.test(first) &&
      !path.includes("..") &&
      rest.includes("/") &&
      repo.isListed(rest) &&
      !repo.isListed(first));
  // A file that is spelt out whole is nearer than one without the first folder.
  return isName && repo.endingIn(path).length === 0 ? exactly(rest, repo) : undefined;
}

/** `client/map.rs` for `crates/client/src/map.rs`; `map.rs` for any of that name; `map` for `src/map.rs`. */
function byTail(path: string, repo: Repository): Resolution | undefined {
  const whole = repo.endingIn(path);
  const shortened = (): string[] =>
    path.includes("/") ? [] : repo.withNameEnding(path).slice(0, most);
  if (whole.length > 0) {
    const found = resolved("file", whole.slice(0, most));
    found.alternates = shortened;
    return found;
  }
  const parts = path.split("/");
  const name = parts.at(-1)!;
  if (parts.length > 1) {
    const spread = repo.endingIn(name).filter((other) => isSubsequence(parts, other.split("/")));
    if (spread.length > 0) return resolved("file", spread.slice(0, most));
    const short = repo.endingIn(name).filter((other) => isShortFor(parts, other.split("/")));
    if (short.length === 1) return resolved("file", short);
    const folder = repo.foldersEndingIn(path);
    if (folder.length > 0) return resolved("folder", folder);
  }
  const longer = shortened();
  return longer.length > 0 ? resolved("file", longer) : undefined;
}

/** `codegen/context.rs` for `crates/svelte_codegen_client/src/context.rs`. */
const isShortFor = (parts: readonly string[], of: readonly string[]): boolean =>
  isSubsequence(wordsOfFolders(parts), wordsOfFolders(of));

/** `Core.Data` is a part of `Shop.Core.Data`. */
const wordsOfFolders = (parts: readonly string[]): string[] => [
  ...parts.slice(0, -1).flatMap((folder) => folder.split(/[-_.]/)),
  parts.at(-1)!,
];

function isSubsequence(parts: readonly string[], of: readonly string[]): boolean {
  let next = 0;
  for (const part of of) if (part === parts[next]) next++;
  return next === parts.length;
}
