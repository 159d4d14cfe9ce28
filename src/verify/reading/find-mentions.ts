// Every place in a text where a file is named, with the line numbers that are written onto the name.
import type { InlineCode } from "../../markdown/inline-code.ts";
import type { InlineLink } from "../../markdown/inline-links.ts";
import type { Repository } from "../repository.ts";
import { pathOfAddress } from "./forge-address.ts";
import { gluedBefore, gluedNumbers, type LineRange } from "./line-numbers.ts";
import { plainPath, resolvePath, type DocumentPlace, type Resolution } from "./resolve-path.ts";

export type Mention = Resolution & {
  /** Offsets in the text, with the marks around it and what is written onto it. */
  start: number;
  end: number;
  path: string;
  ranges: LineRange[];
  /** `x.py::name`. */
  symbol?: string;
  inCode: boolean;
  /** An address of something else. */
  external?: boolean;
  label?: string;
};

export type MentionSetting = {
  repo: Repository;
  place: DocumentPlace;
  spans: readonly InlineCode[];
  links: readonly InlineLink[];
};

const letter = String.raw`\w@+~$%\u00c0-\u024f\u0300-\u036f\u0370-\u052f`;
const part = String.raw`(?:[${letter}.-]|\\[_.-]|\[\.{0,3}[A-Za-z][\w.-]*\]|\([\w.-]+\)(?=[\\/]))+`;
const pathWord = new RegExp(
  String.raw`(?<![${letter}])(?:https?:\/\/[^\s\`"'<>|)\]]+|(?:[A-Za-z]:(?=[\\/]))?[\\/]?${part}(?:[\\/]+${part})*[\\/]?)`,
  "g",
);
const placeholder = /(?:^|\/)path\/to\/|\.{3}|…|\$[A-Z({]|^-|^\/\/|^@?[\w-]+\/[\w-]+@|\*/;
const sourceExtensions = new Set(
  (
    "js jsx mjs cjs ts tsx mts cts vue svelte astro py pyi pyx ipynb c h cc cpp cxx hh hpp hxx m mm go rs java kt kts " +
    "scala groovy gradle rb rake erb php pl pm sh bash zsh fish ps1 bat cmd lua r jl swift dart ex exs heex erl hrl hs " +
    "ml mli fs fsx cs vb clj cljs edn el scm zig nim v sv vhd asm s sql graphql gql proto thrift css scss sass less html " +
    "htm xml xsl svg json jsonc json5 yaml yml toml ini cfg conf md mdx rst txt adoc tex csv tsv lock mk cmake tf hcl nix " +
    "tpl tmpl ejs hbs pug j2 snap properties plist service bzl bazel star zon jsonl env example"
  ).split(" "),
);
/** Also the last part of names such as `obj.map`: without a folder or a line such a word is no file. */
const memberLike = new Set(
  "c h m r s v in map env example lock properties snap text html json fs cs ex el cmd service".split(
    " ",
  ),
);

/** In order, not overlapping. */
export function findMentions(text: string, setting: MentionSetting): Mention[] {
  if (!/[./\\:`]/.test(text)) return [];
  const found: Mention[] = [];
  const { spans, links } = setting;
  let span = 0;
  let link = 0;
  pathWord.lastIndex = 0;
  for (let match = pathWord.exec(text); match; match = pathWord.exec(text)) {
    const at = match.index;
    while (span < spans.length && spans[span]!.end <= at) span++;
    while (link < links.length && links[link]!.end <= at) link++;
    const inCode = span < spans.length && spans[span]!.start < at ? spans[span]! : undefined;
    const inLink = link < links.length && links[link]!.start < at ? links[link]! : undefined;
    const mention = readWord(text, { at, word: match[0], inCode, inLink }, setting);
    if (!mention) continue;
    const last = found.at(-1);
    if (last && mention.start < last.end) {
      // A link's label and target name one place; the target says it exactly.
      if (inLink && last.start >= inLink.start) found.pop();
      else continue;
    }
    found.push(mention);
    pathWord.lastIndex = Math.max(pathWord.lastIndex, mention.end);
  }
  return found;
}

type Word = {
  at: number;
  word: string;
  inCode: InlineCode | undefined;
  inLink: InlineLink | undefined;
};

function readWord(text: string, given: Word, { repo, place }: MentionSetting): Mention | undefined {
  const { at, inCode, inLink } = given;
  if (/^https?:/.test(given.word)) return readAddress(text, given, { repo, place });
  const word = given.word.replace(/[.\-+~]+$/, "");
  if (
    word.length < 2 ||
    word.length > 400 ||
    placeholder.test(word) ||
    !/[A-Za-z\u0080-\uffff]/.test(word)
  )
    return undefined;
  // An address, or the name of a package: what is before tells it.
  if (/(?:\w:\/\/\S*|\w@)$/.test(text.slice(Math.max(0, at - 40), at))) return undefined;
  if (inCode && isPartOfCode(inCode.text, word)) return undefined;
  const end = at + word.length;
  const glued = gluedNumbers(text, end);
  const before = gluedBefore(text, at);
  const ranges = [...before.ranges, ...glued.ranges];
  const symbol = glued.ranges.length === 0 ? symbolBehind(text, end) : undefined;
  const path = plainPath(word, repo);
  const resolution = resolvePath(path, repo, place);
  const written = {
    inCode: inCode !== undefined,
    hasLine: ranges.length > 0 || symbol !== undefined,
  };
  if (!isMeant(path, resolution, { ...written, repo })) return undefined;
  let [start, stop] = [before.start, Math.max(glued.end, symbol?.end ?? 0)];
  if (inCode && inCode.from === start && stop <= inCode.end)
    [start, stop] = [inCode.start, Math.max(stop, inCode.end)];
  if (inLink && inLink.from === at) [start, stop] = [inLink.start, inLink.end];
  const label = inLink && inLink.from <= at ? { label: inLink.label } : {};
  const name = symbol ? { symbol: symbol.name } : {};
  return {
    ...resolution,
    ...label,
    ...name,
    start,
    end: stop,
    path,
    ranges,
    inCode: written.inCode,
  };
}

/** A path among other words of a code span belongs to a command or a statement. */
function isPartOfCode(code: string, word: string): boolean {
  const rest = code
    .replace(word, "")
    .replace(/\blines?\b|\bL(?=\d)|::[\w:.]+|[#@:][A-Za-z_]\w*/gi, "");
  return /[A-Za-z]{2}|[(){}=;"']\s*[A-Za-z]/.test(rest);
}

function readAddress(
  text: string,
  { at, word, inLink }: Word,
  { repo, place }: Pick<MentionSetting, "repo" | "place">,
): Mention {
  const hash = word.indexOf("#");
  const bare = hash < 0 ? word.replace(/[.,;:]+$/, "") : word.slice(0, hash);
  const path = pathOfAddress(bare.replace(/\?plain=1$/, ""), repo);
  const end = at + (hash < 0 ? bare.length : hash);
  const glued = gluedNumbers(text, end);
  const [start, stop] = inLink
    ? [inLink.start, inLink.end]
    : [at, Math.max(glued.end, at + word.length)];
  const base = { start, end: stop, inCode: false, ...(inLink ? { label: inLink.label } : {}) };
  if (path === undefined)
    return {
      ...base,
      kind: "foreign",
      paths: [],
      path: word,
      ranges: [],
      external: true,
      why: "an address outside this repository is not opened",
    };
  return { ...base, ...resolvePath(path, repo, place), path, ranges: glued.ranges };
}

const symbolForm =
  /[`*]{0,2}(?:::|[#:@](?=[A-Za-z_$]))([A-Za-z_$~\u0080-\uffff][\w$]*(?:(?:::|\.|#)[A-Za-z_$][\w$]*)*)(?:\([^()]*\))?/y;

function symbolBehind(text: string, at: number): { name: string; end: number } | undefined {
  symbolForm.lastIndex = at;
  const match = symbolForm.exec(text);
  // In a document a hash leads to a heading.
  if (!match || (/^[`*]*#/.test(match[0]) && /\.(?:mdx?|rst|html?|adoc)$/.test(text.slice(0, at))))
    return undefined;
  return /^lines?$/i.test(match[1]!) ? undefined : { name: match[1]!, end: symbolForm.lastIndex };
}

/** Whether the word is meant as a file at all. What merely has the shape of one never becomes a claim. */
function isMeant(
  path: string,
  { kind }: Resolution,
  { inCode, hasLine, repo }: { inCode: boolean; hasLine: boolean; repo: Repository },
): boolean {
  const bare = path.replace(/\/$/, "");
  const name = bare.slice(bare.lastIndexOf("/") + 1);
  const slashed = bare.includes("/");
  const extension = /[^./]\.([A-Za-z][\w+-]{0,11})$/.exec(name)?.[1]?.toLowerCase();
  if (/^v?\d+(?:\.\d+)*$/.test(name)) return false;
  if (kind === "folder") return inCode && (slashed || path.endsWith("/"));
  if (kind === "file")
    return extension !== undefined
      ? hasLine || slashed || inCode || !/^[A-Z][a-z]+\.js$/.test(name)
      : hasLine || (repo.hasName(name) && (slashed || (inCode && /^[A-Z.]/.test(name))));
  if (extension === undefined)
    return hasLine && slashed && /^[\w.]/.test(path) && repo.near(path).length > 0;
  const isSource = sourceExtensions.has(extension) || repo.hasExtension(extension);
  if (!isSource || (/^\.[\w.]+$/.test(name) && !slashed)) return false;
  if (hasLine) return true;
  if (slashed) return !/^[\w-]+\.(?:com|org|net|io|dev|app|ai)\//.test(path);
  return (
    !memberLike.has(extension) &&
    !/^(?:[A-Z][a-z]+|node|next|vue|nuxt|react|express|three|d3)\.(?:js|io)$/.test(name)
  );
}
