// Which words of a report are meant as paths, and what file each one means.
import { posix } from "node:path";
import { isAscii } from "./normalise.ts";
import type { Repository } from "./repository.ts";

const codeExtensions = new Set(
  (
    "js jsx mjs cjs ts tsx mts cts d.ts vue svelte astro py pyi pyx ipynb c h cc cpp cxx hh hpp hxx ino m mm go rs java kt kts scala groovy gradle rb rake erb php phtml pl pm t sh bash zsh fish ps1 bat cmd " +
    "lua r jl swift dart ex exs erl hrl hs lhs ml mli fs fsx cs vb clj cljs edn lisp el scm zig nim v sv vhd asm s sql graphql gql proto thrift css scss sass less styl html htm xhtml xml xsl xsd svg json jsonc json5 yaml yml toml ini cfg conf " +
    "md mdx rst txt adoc tex csv tsv lock mk cmake in am ac m4 tf hcl nix dockerfile env example log diff patch pod tcl awk sed y l tpl tmpl ejs hbs pug j2 snap map properties plist service spec toml gemspec cabal"
  ).split(" "),
);
const memberLike = new Set([
  "c",
  "h",
  "d",
  "m",
  "r",
  "s",
  "t",
  "v",
  "y",
  "l",
  "in",
  "log",
  "map",
  "env",
  "example",
  "spec",
  "service",
  "lock",
  "properties",
  "snap",
  "ac",
  "am",
  "patch",
  "diff",
  "text",
  "html",
  "json",
  "py",
  "el",
  "ex",
  "fs",
  "cs",
]);
const hostTail = /\.(?:com|org|net|io|dev|app|gov|edu|info|ai)$/i;
const placeholders = /(?:^|\/)path\/to\/|[*<>{}?]|\.{3}|…|\$[A-Z({]|^-|^\/\/|^#|=|,$/;

/** "Node.js" is no file, where none is called so. */
const libraryName =
  /^[A-Z][a-z]+\.js$|^(?:node|next|vue|nuxt|react|express|three|d3|p5|ember|backbone|moment|chart|socket)\.(?:js|io)$/;

/** How a word was written, as far as it says that a path is meant. */
export type Setting = { inCode: boolean; hasLine: boolean; named: boolean };

/** The path with one spelling: `/` between names, no `./`, no escapes, composed letters. */
export function cleanPath(written: string, repo: Repository): string {
  const composed = isAscii(written) ? written : written.normalize("NFC");
  if (!composed.includes("\\"))
    return withoutMention(
      oneSpelling(/^@\.\.?\//.test(composed) ? composed.slice(1) : composed),
      repo,
    );
  const unescaped = oneSpelling(composed.replace(/\\(?=[_*[\]()~#`.&-])/g, ""));
  const separated = oneSpelling(composed);
  // A backslash before an underscore is Markdown's escape or a separator: the file that is there decides.
  if (/\\[A-Za-z\d]/.test(composed) || repo.isListed(separated)) return separated;
  return repo.isListed(unescaped) ||
    repo.endingIn(unescaped).length > 0 ||
    repo.endingIn(separated).length === 0
    ? unescaped
    : separated;
}

/** "@src/x.ts" mentions the file, unless a folder is called so. */
function withoutMention(path: string, repo: Repository): string {
  if (!path.startsWith("@") || repo.isListed(path)) return path;
  const bare = path.slice(1);
  const slash = bare.indexOf("/");
  return repo.isListed(slash < 0 ? bare : bare.slice(0, slash)) || repo.endingIn(bare).length > 0
    ? bare
    : path;
}

const colon = 58;

function oneSpelling(written: string): string {
  let path = written.startsWith("file:")
    ? written.replace(/^file:\/\/(?:localhost)?(?=\/)/, "")
    : written;
  if (path.includes("\\")) path = path.replaceAll("\\", "/");
  if (path.charCodeAt(1) === colon) path = path.replace(/^[A-Za-z]:(?=\/)/, "");
  if (path.includes("%20")) path = path.replaceAll("%20", " ");
  if (path.startsWith("./")) path = path.replace(/^(?:\.\/)+/, "");
  if (path.includes("//")) path = path.replace(/\/{2,}/g, "/");
  return path.includes("/../") || path.includes("/./") ? posix.normalize(path) : path;
}

/** Whether `path` (clean) can be meant as a path at all. Words that only look like one never become a claim. */
export function isPathLike(path: string, repo: Repository, setting: Setting): boolean {
  if (path.length < 2 || path.length > 400 || placeholders.test(path)) return false;
  const trimmed = path.replace(/\/$/, "");
  if (/\s/.test(path)) return repo.isListed(trimmed);
  const name = trimmed.slice(trimmed.lastIndexOf("/") + 1);
  const slashed = trimmed.includes("/");
  const extension = /[^.]\.([A-Za-z][\w+-]{0,11})$/.exec(name)?.[1]?.toLowerCase();
  if (
    repo.isListed(trimmed) &&
    (slashed ||
      setting.hasLine ||
      setting.named ||
      (setting.inCode && repo.kindOf(trimmed) === "file") ||
      extension !== undefined)
  )
    return true;
  if (/^v?\d+(?:\.\d+)*$/.test(name) || hostTail.test(trimmed.split("/")[0]!)) return false;
  const absolute = trimmed.startsWith("/") || trimmed.startsWith("~/");
  if (absolute && !setting.hasLine)
    return (
      extension !== undefined &&
      isKnown(extension, repo) &&
      (setting.inCode || setting.named) &&
      /^(?:~|\/(?:home|usr|etc|var|tmp|opt|root|srv|mnt|Users|private|proc|sys|dev|work|workspace)\/)/.test(
        trimmed,
      )
    );
  if (extension === undefined) return withoutExtension(trimmed, name, { repo, setting, slashed });
  if (slashed)
    return isKnown(extension, repo)
      ? !/^(?:https?|www\.)/.test(trimmed)
      : setting.hasLine || setting.named;
  if (!setting.hasLine && libraryName.test(name) && !repo.hasName(name)) return false;
  if (setting.hasLine || setting.named)
    return isKnown(extension, repo) || repo.hasName(name) || repo.near(name).length > 0;
  if (repo.hasName(name)) return setting.inCode || !/^[A-Z]\w+\.(?:js|io)$/.test(name);
  if (
    setting.inCode &&
    repo
      .near(name)
      .some((other) => other.slice(other.lastIndexOf("/") + 1).toLowerCase() === name.toLowerCase())
  )
    return true;
  return (
    setting.inCode &&
    codeExtensions.has(extension) &&
    !memberLike.has(extension) &&
    !libraryName.test(name)
  );
}

function isKnown(extension: string, repo: Repository): boolean {
  return codeExtensions.has(extension) || repo.hasExtension(extension);
}

function withoutExtension(
  path: string,
  name: string,
  { repo, setting, slashed }: { repo: Repository; setting: Setting; slashed: boolean },
): boolean {
  if (repo.endingIn(path).length > 0)
    return (
      setting.hasLine || setting.named || (setting.inCode && (slashed || /^[A-Z.]/.test(name)))
    );
  if (!setting.hasLine)
    return (
      slashed &&
      (setting.inCode || setting.named) &&
      ((repo.hasName(name) && repo.isListed(path.slice(0, path.indexOf("/")))) ||
        repo.kindOf(path) !== "none" ||
        (/\/.*\//.test(path) && repo.isListed(posix.dirname(path))))
    );
  if (slashed)
    return (
      repo.near(path).length > 0 ||
      repo.isListed(posix.dirname(path)) ||
      path.startsWith("../") ||
      path.startsWith("/")
    );
  return repo.near(name).some((other) => !other.slice(other.lastIndexOf("/") + 1).includes("."));
}

export type Resolution =
  | { kind: "file" | "directory"; path: string; abbreviated: boolean }
  | { kind: "several"; paths: string[] }
  | { kind: "outside" }
  | { kind: "missing" };

/** What a clean path means in this repository. An exact path wins over any abbreviation. */
export function resolvePath(path: string, repo: Repository): Resolution {
  const relative = insideRoot(path, repo);
  if (relative === undefined) return { kind: "outside" };
  const exact = repo.kindOf(relative);
  if (exact === "outside") return { kind: "outside" };
  if (exact !== "none") return { kind: exact, path: relative, abbreviated: false };
  const named = withoutRepositoryName(relative, repo);
  if (named) return named;
  const exactTail = repo.endingIn(relative);
  const found =
    exactTail.length > 0 || hasKnownExtension(relative, repo)
      ? exactTail
      : repo
          .near(relative)
          .filter((other) => `/${other}`.includes(`/${relative}.`))
          .slice(0, 8);
  if (found.length === 1) return { kind: "file", path: found[0]!, abbreviated: true };
  if (found.length > 1) return { kind: "several", paths: found };
  return { kind: "missing" };
}

/** "x.test" of `x.test.ts` has none; a bare word has too many that begin with it. */
function hasKnownExtension(path: string, repo: Repository): boolean {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  return extension === undefined ? !path.includes("/") : isKnown(extension, repo);
}

/** Relative to the root, or undefined where the path leads out of it. */
function insideRoot(path: string, repo: Repository): string | undefined {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, "") : path;
  if (trimmed.startsWith("~")) return undefined;
  if (!trimmed.startsWith("/")) {
    const normal = trimmed.includes("..") ? posix.normalize(trimmed) : trimmed;
    return normal === ".." || normal.startsWith("../") ? undefined : normal === "." ? "" : normal;
  }
  const { root } = repo.reader;
  const normal = posix.normalize(trimmed);
  if (root !== undefined && (normal === root || normal.startsWith(`${root}/`)))
    return normal.slice(root.length + 1);
  const fromRoot = normal.slice(1);
  return repo.isListed(fromRoot) ? fromRoot : undefined;
}

/** `express/lib/router.js` written from one folder above. */
function withoutRepositoryName(path: string, repo: Repository): Resolution | undefined {
  const slash = path.indexOf("/");
  if (slash < 0 || !repo.reader.names.includes(path.slice(0, slash))) return undefined;
  const rest = path.slice(slash + 1);
  const kind = repo.kindOf(rest);
  return kind === "file" || kind === "directory"
    ? { kind, path: rest, abbreviated: false }
    : undefined;
}

const blobUrl =
  /^https?:\/\/(?:[\w.-]*(?:github|gitlab|gitea|codeberg|bitbucket|sourcehut|sr\.ht|gitee|forgejo)[\w.-]*)\/([\w.-]+(?:\/[\w.-]+)*?)\/([\w.-]+)\/(?:-\/)?(?:blob|blame|raw|src|tree|edit)\/(?:branch\/|commit\/|tag\/)?(.+)$/i;
const rawUrl = /^https?:\/\/raw\.githubusercontent\.com\/[\w.-]+\/([\w.-]+)\/(.+)$/i;

/** The path inside a forge's address, or undefined for an address that is not about this repository. */
export function pathOfUrl(url: string, repo: Repository): string | undefined {
  const editor = /^(?:vscode|vscode-insiders|cursor|file|idea):\/\/(?:file)?(\/.+)$/.exec(url);
  if (editor) return editor[1]!;
  const blob = blobUrl.exec(url);
  const raw = blob ? undefined : rawUrl.exec(url);
  const name = blob?.[2] ?? raw?.[1];
  const rest = blob?.[3] ?? raw?.[2];
  if (name === undefined || rest === undefined) return undefined;
  const parts = safeDecode(rest).split("/");
  if (parts.includes("..")) return parts.slice(1).join("/");
  // A branch name may hold slashes: the first cut that leads to a file is the right one.
  const deepest =
    /^(?:main|master|HEAD|develop|trunk|v?\d[\w.-]*|[0-9a-f]{7,40})$/.test(parts[0]!) ||
    repo.isListed(parts[1] ?? "")
      ? 1
      : 5;
  for (let cut = 1; cut <= Math.min(parts.length - 1, deepest); cut++)
    if (repo.kindOf(parts.slice(cut).join("/")) === "file") return parts.slice(cut).join("/");
  const path = parts.slice(1).join("/");
  const ours = repo.reader.names.some((own) => own.toLowerCase() === name.toLowerCase());
  return path !== "" && (ours || repo.isListed(parts[1]!) || repo.near(path).length > 0)
    ? path
    : undefined;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
