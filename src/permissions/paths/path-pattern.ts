// Gitignore patterns matched in time proportional to pattern times path, whatever either holds. A
// match of a folder covers all that lies below.

/** No file system has longer names; a longer wildcard is taken to match. */
const longestName = 255;

type Token =
  | { kind: "literal"; char: string }
  | { kind: "any" }
  | { kind: "star" }
  | { kind: "class"; negated: boolean; ranges: [string, string][] };
type Part =
  | { kind: "deep" }
  | { kind: "literal"; text: string }
  | { kind: "glob"; tokens: Token[] };

/** A pattern below a base folder. No parts: the folder itself and everything in it. */
export type PathPattern = { parts: Part[] };

/** Compiles a gitignore pattern (without its base). `anchored` forces it to start at the base. */
export function compilePattern(pattern: string, { anchored }: { anchored: boolean }): PathPattern {
  const body = pattern.replace(/\/+$/, "");
  const isAnchored = anchored || body.includes("/");
  const segments = body.split("/").filter((segment) => segment !== "" && segment !== ".");
  const parts = segments.map((segment): Part =>
    /^\*{2,}$/.test(segment) ? { kind: "deep" } : compileSegment(segment),
  );
  // What lies below a match is covered anyway, so a final `**` asks for one more segment and no
  // more.
  if (parts.at(-1)?.kind === "deep")
    parts[parts.length - 1] = { kind: "glob", tokens: [{ kind: "star" }] };
  return { parts: isAnchored || parts.length === 0 ? parts : [{ kind: "deep" }, ...parts] };
}

function compileSegment(segment: string): Part {
  if (!/[*?[\\]/.test(segment)) return { kind: "literal", text: segment };
  const tokens = tokensOf(segment);
  return tokens.every((token) => token.kind === "literal")
    ? { kind: "literal", text: tokens.map((token) => token.char).join("") }
    : { kind: "glob", tokens };
}

function tokensOf(segment: string): Token[] {
  const tokens: Token[] = [];
  const chars = Array.from(segment);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") tokens.push({ kind: "any" });
    else if (char === "\\" && at + 1 < chars.length)
      tokens.push({ kind: "literal", char: chars[++at]! });
    else if (char === "[") {
      const found = classAt(chars, at);
      tokens.push(found ? found.token : { kind: "literal", char });
      if (found) at = found.end;
    } else tokens.push({ kind: "literal", char });
  }
  return tokens;
}

function classAt(chars: string[], open: number): { token: Token; end: number } | undefined {
  let at = open + 1;
  const negated = chars[at] === "!" || chars[at] === "^";
  if (negated) at++;
  const ranges: [string, string][] = [];
  for (const first = at; at < chars.length; at++) {
    if (chars[at] === "]" && at > first)
      return { token: { kind: "class", negated, ranges }, end: at };
    const low = chars[at] === "\\" && at + 1 < chars.length ? chars[++at]! : chars[at]!;
    const isRange = chars[at + 1] === "-" && at + 2 < chars.length && chars[at + 2] !== "]";
    if (isRange) at += 2;
    ranges.push([low, isRange ? chars[at]! : low]);
  }
  return undefined;
}

/**
 * True when the pattern covers `segments` (relative to its base): it matches them or a folder above
 * them.
 */
export function coversPath(pattern: PathPattern, segments: readonly string[]): boolean {
  return run(pattern, segments, matchesSegment) === "covered";
}

/**
 * True when a path that bash could expand `segments` to (they hold `*`, `?` or `[…]`) is covered by
 * the pattern.
 */
export function mayCoverGlob(pattern: PathPattern, segments: readonly string[]): boolean {
  return run(pattern, segments, mayMatch) === "covered";
}

const mayMatch = (part: Part, segment: string): boolean =>
  segment.length > longestName ||
  (/[*?[\\]/.test(segment) ? segmentsMeet(part, tokensOf(segment)) : matchesSegment(part, segment));

/**
 * What the pattern could match below the folder `segments`: nothing, everything, these literal
 * paths relative to it (as in `written`), or more than can be listed.
 */
export function reachBelow(
  pattern: PathPattern,
  segments: readonly string[],
  written: PathPattern = pattern,
): "nothing" | "everything" | { literals: string[] } | "unknown" {
  const outcome = run(pattern, segments, matchesSegment);
  if (outcome === "covered") return "everything";
  if (outcome.length === 0) return "nothing";
  const rests = outcome.map((state) => written.parts.slice(state));
  if (rests.some((rest) => rest.some((part) => part.kind !== "literal"))) return "unknown";
  return {
    literals: rests.map((rest) =>
      rest.map((part) => (part.kind === "literal" ? part.text : "")).join("/"),
    ),
  };
}

/**
 * Walks the segments through the parts, all positions at once; answers "covered" or the positions
 * still alive.
 */
function run(
  pattern: PathPattern,
  segments: readonly string[],
  matches: (part: Part, segment: string) => boolean,
): "covered" | number[] {
  const { parts } = pattern;
  if (parts.length === 0) return "covered";
  let states: number[] = [];
  enter(0, parts, states);
  for (const segment of segments) {
    const next: number[] = [];
    for (const state of states) {
      const part = parts[state]!;
      if (part.kind === "deep") enter(state, parts, next);
      else if (matches(part, segment)) enter(state + 1, parts, next);
    }
    if (next.at(-1) === parts.length) return "covered";
    states = next;
    if (states.length === 0) return [];
  }
  return states;
}

/**
 * Adds a position, and the one behind a `**`, which may stand for nothing. Positions come in
 * ascending order.
 */
function enter(state: number, parts: Part[], states: number[]): void {
  if (states.length === 0 || states.at(-1)! < state) states.push(state);
  if (parts[state]?.kind === "deep") enter(state + 1, parts, states);
}

function matchesSegment(part: Part, segment: string): boolean {
  if (part.kind === "literal") return part.text === segment;
  return part.kind === "deep" || matchesTokens(part.tokens, Array.from(segment));
}

/** One star at a time is remembered, so a mismatch costs a step and never a tree of attempts. */
function matchesTokens(tokens: Token[], chars: string[]): boolean {
  let token = 0;
  let char = 0;
  let star = -1;
  let retry = 0;
  while (char < chars.length) {
    const current = tokens[token];
    if (current?.kind === "star") [star, retry] = [token++, char];
    else if (current && matchesChar(current, chars[char]!)) [token, char] = [token + 1, char + 1];
    else if (star >= 0) [token, char] = [star + 1, ++retry];
    else return false;
  }
  while (tokens[token]?.kind === "star") token++;
  return token === tokens.length;
}

function matchesChar(token: Token, char: string): boolean {
  if (token.kind === "literal") return token.char === char;
  if (token.kind === "class")
    return token.ranges.some(([low, high]) => low <= char && char <= high) !== token.negated;
  return true;
}

/** True when some name fits both. In bash a leading wildcard does not stand for a dot. */
function segmentsMeet(part: Part, glob: Token[]): boolean {
  if (part.kind === "deep") return true;
  const own =
    part.kind === "literal"
      ? Array.from(part.text).map((char): Token => ({ kind: "literal", char }))
      : part.tokens;
  const [first] = own;
  if (glob[0]?.kind !== "literal" && first?.kind === "literal" && first.char === ".") return false;
  return startAlike(first, glob[0]) && tokensMeet(own, glob);
}

/** False where two letters differ: then nothing that follows matters. */
const startAlike = (a: Token | undefined, b: Token | undefined): boolean =>
  a?.kind !== "literal" || b?.kind !== "literal" || a.char === b.char;

function tokensMeet(a: Token[], b: Token[]): boolean {
  let row = Array.from({ length: b.length + 1 }, () => false);
  row[0] = true;
  for (let j = 0; j < b.length && b[j]!.kind === "star"; j++) row[j + 1] = true;
  for (const token of a) {
    const next = Array.from({ length: b.length + 1 }, () => false);
    next[0] = token.kind === "star" && row[0]!;
    for (const [j, other] of b.entries())
      next[j + 1] = meets(token, other)
        ? row[j]! ||
          (token.kind === "star" && (row[j + 1]! || next[j]!)) ||
          (other.kind === "star" && (next[j]! || row[j + 1]!))
        : false;
    row = next;
  }
  return row[b.length]!;
}

function meets(a: Token, b: Token): boolean {
  if (a.kind === "literal") return b.kind === "star" || matchesChar(b, a.char);
  return b.kind === "literal" ? a.kind === "star" || matchesChar(a, b.char) : true;
}

/** The literal segments that the pattern begins with, and the pattern below them. */
export function splitLiteral({ parts }: PathPattern): { literals: string[]; rest: PathPattern } {
  const literals: string[] = [];
  for (const part of parts) {
    if (part.kind !== "literal") break;
    literals.push(part.text);
  }
  return { literals, rest: { parts: parts.slice(literals.length) } };
}
