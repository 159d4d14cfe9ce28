// Whether a word that has the shape of a path is meant as a file at all.
import type { Repository } from "../../../source/repository.ts";
import type { Resolution } from "./resolve-mention.ts";

const sourceExtensions = new Set(
  (
    "js jsx mjs cjs ts tsx mts cts vue svelte astro py pyi pyx ipynb c h cc cpp cxx hh hpp hxx m mm " +
    "go rs java kt kts " +
    "scala groovy gradle rb rake erb php pl pm sh bash zsh fish ps1 bat cmd lua r jl swift dart ex exs heex " +
    "erl hrl hs " +
    "ml mli fs fsx cs vb clj cljs edn el scm zig nim v sv vhd asm s sql graphql gql proto thrift css scss " +
    "sass less html " +
    "htm xml xsl svg json jsonc json5 yaml yml toml ini cfg conf md mdx rst txt adoc tex csv tsv lock mk " +
    "cmake tf hcl nix " +
    "tpl tmpl ejs hbs pug j2 snap properties plist service bzl bazel star zon jsonl env example"
  ).split(" "),
);
/** Also the last part of names such as `obj.map`: without a folder or a line such a word is no file. */
const memberLike = new Set(
  "c h m r s v in map env example lock properties snap text html json fs cs ex el cmd service".split(
    " ",
  ),
);

/** What merely has the shape of a file never becomes a claim. */
export function isMeant(path: string, { kind }: Resolution, written: Written): boolean {
  const bare = path.endsWith("/") ? path.slice(0, -1) : path;
  const name = bare.slice(bare.lastIndexOf("/") + 1);
  const extension = /[^./]\.([A-Za-z][\w+-]{0,11})$/.exec(name)?.[1]?.toLowerCase();
  if (/^v?\d+(?:\.\d+)*$/.test(name)) return false;
  const isSlashed = bare.includes("/");
  if (kind === "folder") return written.inCode && (isSlashed || path.endsWith("/"));
  if (kind === "outside")
    return (
      written.hasLine ||
      extension !== undefined ||
      written.repo.isListed(bare.replace(/^.*\.\.\//, ""))
    );
  const shape = { name, isSlashed, extension };
  if (kind === "file") return isMeantFile(shape, written);
  if (extension === undefined)
    return isSlashed && /^[\w.]/.test(path) && isMeantUnended(bare, written);
  return isMeantUnknown(path, shape, written);
}

/** A path without an ending: in a folder of such files, or with the name of one. */
function isMeantUnended(path: string, { hasLine, repo }: Written): boolean {
  const at = path.lastIndexOf("/");
  const others = repo.namesIn(path.slice(0, at));
  if (others.filter((name) => !name.includes(".")).length * 2 > others.length) return true;
  if (hasLine) return repo.near(path).length > 0;
  return repo.hasName(path.slice(at + 1)) && repo.isListed(path.slice(0, path.indexOf("/")));
}

type Written = { inCode: boolean; hasLine: boolean; repo: Repository };
type Shape = { name: string; isSlashed: boolean; extension: string | undefined };

const isNearlyHere = (path: string, repo: Repository): boolean =>
  repo.near(path).length > 0 || (/[_-]/.test(path) && repo.misspelt(path).length > 0);

/** "Node.js" is the name of a program even where a file is called so. */
const program = /^(?:[A-Z][a-z]+|node|next|vue|nuxt|react|express|three|d3)\.(?:js|io)$/;

function isMeantFile(
  { name, isSlashed, extension }: Shape,
  { inCode, hasLine, repo }: Written,
): boolean {
  if (hasLine) return true;
  if (extension !== undefined) return isSlashed || inCode || !/^[A-Z][a-z]+\.js$/.test(name);
  return repo.hasName(name) && (isSlashed || (inCode && /^[A-Z.]/.test(name)));
}

function isMeantUnknown(
  path: string,
  { name, isSlashed, extension }: Shape,
  { hasLine, repo }: Written,
): boolean {
  const ending = extension ?? "";
  const isSource = sourceExtensions.has(ending) || repo.hasExtension(ending);
  if (!isSource || (/^\.[\w.]+$/.test(name) && !isSlashed)) return false;
  if (hasLine) return true;
  if (isSlashed) return !/^[\w-]+\.(?:com|org|net|io|dev|app|ai)\//.test(path);
  return (!memberLike.has(ending) || isNearlyHere(path, repo)) && !program.test(name);
}
