// Compiles glob patterns to linear-time expressions. Braces become alternatives instead of copies,
// so no pattern can use too much time or memory.
import { RE2JS } from "re2js";
import { errorText } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";

export type PathMatcher = (relativePath: string) => boolean;
export type GlobPattern = { ok: true; matches: PathMatcher } | { ok: false; problem: string };

/**
 * A pattern without a slash matches the name at any depth; with a slash, the path from the root.
 * Hidden names match too.
 */
export function compileGlob(glob: string): GlobPattern {
  if (glob === "" || glob.length > limits.glob.patternCharacters)
    return {
      ok: false,
      problem: `The pattern must have 1 to ${limits.glob.patternCharacters} characters.`,
    };
  const translated = globSource(glob, { braces: true });
  if (translated === undefined)
    return {
      ok: false,
      problem: `The pattern ${JSON.stringify(glob)} has unbalanced or too deeply nested braces.`,
    };
  const anywhere =
    glob.replace(/^\.\//, "").includes("/") || glob.startsWith("./") ? "" : "(?:.*/)?";
  try {
    const expression = RE2JS.compile(`^${anywhere}${translated}$`, RE2JS.DOTALL);
    return { ok: true, matches: (path) => expression.matcher(path).matches() };
  } catch (error) {
    return {
      ok: false,
      problem: `The pattern ${JSON.stringify(glob)} cannot be read: ${errorText(error)}`,
    };
  }
}

/**
 * Several patterns, as Grep's `glob` has them: separated by commas or spaces outside braces; `!`
 * excludes.
 */
export function compileGlobs(text: string): GlobPattern {
  const include: PathMatcher[] = [];
  const exclude: PathMatcher[] = [];
  for (const part of splitGlobs(text)) {
    const negative = part.startsWith("!");
    const compiled = compileGlob(negative ? part.slice(1) : part);
    if (!compiled.ok) return compiled;
    (negative ? exclude : include).push(compiled.matches);
  }
  return {
    ok: true,
    matches: (path) =>
      (include.length === 0 || include.some((matches) => matches(path))) &&
      !exclude.some((matches) => matches(path)),
  };
}

function splitGlobs(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const character of text) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth <= 0 && /[\s,]/.test(character)) {
      parts.push(part);
      part = "";
    } else part += character;
  }
  return [...parts, part].filter((item) => item !== "");
}

const maxDepth = 20;

/**
 * The regular expression of one glob, without a leading slash or `./`; undefined if braces do not
 * balance.
 */
export function globSource(glob: string, { braces }: { braces: boolean }): string | undefined {
  const text = glob.replace(/^(?:\.\/|\/)/, "");
  let source = "";
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const token = tokenAt(text, at, depth > 0);
    at += token.length;
    if (braces && token.kind === "open") depth += 1;
    if (braces && token.kind === "close") depth -= 1;
    if (depth < 0 || depth > maxDepth) return undefined;
    source += !braces && token.kind !== "plain" ? quote(text[at - 1]!) : token.source;
  }
  return depth === 0 ? source : undefined;
}

type Token = { source: string; length: number; kind: "plain" | "open" | "close" | "comma" };

function tokenAt(text: string, at: number, inBraces: boolean): Token {
  const plain = (source: string, length = 1): Token => ({ source, length, kind: "plain" });
  const character = text[at]!;
  const startsSegment = at === 0 || "/{,".includes(text[at - 1]!);
  if (text.startsWith("**", at) && startsSegment) {
    const stars = /^\*+/.exec(text.slice(at))![0].length;
    if (text[at + stars] === "/") return plain("(?:.*/)?", stars + 1);
    return plain(".*", stars);
  }
  if (character === "*") return plain("[^/]*", /^\*+/.exec(text.slice(at))![0].length);
  if (character === "?") return plain("[^/]");
  if (character === "[") return classAt(text, at);
  if (character === "\\" && at + 1 < text.length) return plain(quote(text[at + 1]!), 2);
  if (character === "{") return { source: "(?:", length: 1, kind: "open" };
  if (character === "}") return { source: ")", length: 1, kind: "close" };
  if (character === "," && inBraces) return { source: "|", length: 1, kind: "comma" };
  return plain(quote(character));
}

function classAt(text: string, at: number): Token {
  const found = /^\[([!^]?)(\]?(?:\\.|[^\]\\/])*)\]/.exec(text.slice(at, at + 200));
  if (!found || found[2] === "") return { source: "\\[", length: 1, kind: "plain" };
  const body = found[2]!.replaceAll(
    /\\(.)|([[\]^&~|])/g,
    (_whole, escaped: string | undefined, special: string | undefined) => `\\${escaped ?? special}`,
  );
  return { source: found[1] ? `[^/${body}]` : `[${body}]`, length: found[0].length, kind: "plain" };
}

const quote = (character: string): string =>
  /[A-Za-z0-9_\u0080-\uffff]/.test(character) ? character : `\\${character}`;
