// Finds every reference in one unit of a report: where it is written, the path, the lines, and what stands directly in it.
import { numberedName, strongCode } from "./claims.ts";
import { ungluePlace } from "./glued.ts";
import { codeSpans, links } from "./inline.ts";
import type { Link, Span } from "./inline.ts";
import { isAscii, normaliseCode } from "./normalise.ts";
import { cleanPath, isPathLike, pathOfUrl, resolvePath } from "./path-shape.ts";
import { parseToken, toRange } from "./path-token.ts";
import type { Range, Token } from "./path-token.ts";
import type { Repository } from "./repository.ts";
import { countedLine, lineWord, mayNameLine, toWord } from "./line-words.ts";
import { viewOf } from "./shell-views.ts";
import { linesAfter, linesBefore } from "./spoken-lines.ts";

export type Reference = {
  /** Offsets within the unit's text. */
  start: number;
  end: number;
  path: string;
  ranges: Range[];
  symbol?: string;
  quote?: string;
  /** The label of a link, where it is no reference itself. */
  label?: string;
  labelInCode?: boolean;
  /** The lines are bare numbers behind the path. */
  loose?: boolean;
  /** A frame of a stack trace: the symbol encloses the line. */
  frame?: boolean;
  /** An address that is not about this repository. */
  external?: boolean;
};

export type Inline = { spans: Span[]; links: Link[] };

const plainToken = /[^\s`"<>|*{}“”‘’«»→←⇒，。；：（）「」『』、！？【】]+/g;
const ideographs = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/;

/** References of `text`, in order, not overlapping. `named`: the text stands where a path is expected (a File column). */
export function findReferences(
  text: string,
  repo: Repository,
  named = false,
): { references: Reference[]; inline: Inline } {
  if (!/[./\\:`]|line|\bL\d|^\s*[A-Z]/.test(text))
    return { references: [], inline: { links: [], spans: [] } };
  const allSpans = codeSpans(text);
  const inline = {
    links: links(text).filter(
      (link) => !allSpans.some((span) => span.start < link.start && link.end <= span.end),
    ),
    spans: allSpans,
  };
  const found: Reference[] = [];
  for (const link of inline.links)
    for (const reference of fromLink(link, repo)) found.push(uniform(reference));
  const spans =
    inline.links.length === 0
      ? allSpans
      : allSpans.filter(
          (span) => !inline.links.some((link) => span.start < link.end && link.start < span.end),
        );
  for (const span of spans)
    for (const reference of fromSpan(span, repo, { text, named })) found.push(uniform(reference));
  const taken =
    inline.links.length === 0
      ? spans
      : [...inline.links, ...spans].sort((a, b) => a.start - b.start);
  for (const { start, token } of plainTokens(text, taken, repo)) {
    const reference = fromToken(token, start, {
      repo,
      inCode: false,
      named,
      spoken: () => isSpoken(text, start, start + token.length),
    });
    if (reference) found.push(uniform(reference));
  }
  if (found.length > 1) {
    found.sort((a, b) => a.start - b.start || b.end - a.end);
    dropQuoted(found, { text, spans, taken });
  }
  const apart = found.filter(
    (reference, index) => index === 0 || reference.start >= found[index - 1]!.end,
  );
  const references = withSpokenLines(text, apart, repo);
  const numbered = numberedSpan(references, spans, repo);
  if (!numbered) return { references, inline: { links: inline.links, spans } };
  const cut = spans.map((span) =>
    span === numbered.span ? { ...span, text: numbered.name } : span,
  );
  return {
    references: [{ ...references[0]!, ranges: [numbered.range] }],
    inline: { links: inline.links, spans: cut },
  };
}

/** All references that leave this file have one shape: engines read such objects several times faster. */
function uniform({
  start,
  end,
  path,
  ranges,
  symbol,
  quote,
  label,
  labelInCode,
  loose,
  frame,
  external,
}: Reference): Reference {
  return { start, end, path, ranges, symbol, quote, label, labelInCode, loose, frame, external };
}

type Stretch = { start: number; end: number };

/** Beside a place, a string in backticks and code between double quotes are what stands there: a path in them is no place of its own. */
function dropQuoted(
  found: Reference[],
  { text, spans, taken }: { text: string; spans: Span[]; taken: Stretch[] },
): void {
  const placed = found.some(({ ranges }) => ranges.length > 0) || /\blines?\s\d/i.test(text);
  const quoted: Stretch[] = placed
    ? spans.filter(({ text: code }) => /^\s*["'].*["'][,;:\])]+\s*$/.test(code))
    : [];
  const stretch = quotedStretch(text, taken);
  if (stretch) quoted.push(stretch);
  const kept = found.filter(
    ({ start, end }) => !quoted.some((part) => start >= part.start && end <= part.end),
  );
  if (kept.length > 0 && kept.length < found.length) found.splice(0, found.length, ...kept);
}

type Placed = { start: number; token: string };

function plainTokens(text: string, taken: Stretch[], repo: Repository): Placed[] {
  const found: Placed[] = [];
  const plain = isAscii(text);
  const take = (word: string, at: number): void => {
    const token = trimmedToken(word, at, repo);
    if (token) found.push(token);
  };
  const add = (from: number, part: string): void => {
    // No word of it can be a reference: most text between code spans is such.
    if (
      !/[.:/\\]|[A-Z]\w+\(\d|\b[A-Z]{3}|[A-Z]\w*file\b/.test(part) &&
      !(from === 0 && part.length === text.length && !/\S\s+\S/.test(part))
    )
      return;
    plainToken.lastIndex = 0;
    for (let match = plainToken.exec(part); match; match = plainToken.exec(part)) {
      if (plain) take(match[0], from + match.index);
      else
        for (const [at, word] of scriptParts(match[0], repo)) take(word, from + match.index + at);
    }
  };
  let from = 0;
  for (const item of taken) {
    if (item.start > from) add(from, text.slice(from, item.start));
    from = Math.max(from, item.end);
  }
  if (from < text.length) add(from, text.slice(from));
  return found;
}

/** In a text without blanks a path ends where the script changes, unless a file is called so. */
function scriptParts(word: string, repo: Repository): [number, string][] {
  if (!ideographs.test(word) || repo.isListed(word.replace(/[:#].*$/, ""))) return [[0, word]];
  let at = 0;
  return word.split(ideographs).flatMap((part): [number, string][] => {
    if (part === "") return [];
    const start = word.indexOf(part, at);
    at = start + part.length;
    return [[start, part]];
  });
}

function trimmedToken(word: string, at: number, repo: Repository): Placed | undefined {
  if (
    word.length > 2000 ||
    (!/[.:/\\]|^[A-Z]\w+\(\d/.test(word) && !repo.hasName(word.replace(/[,;)]+$/, "")))
  )
    return undefined;
  let start = 0;
  let end = word.length;
  while (
    start < end &&
    /[([',;:!?—–~]/.test(word[start]!) &&
    !(word[start] === "[" && /\][^\])\s]*\w/.test(word.slice(start))) &&
    !(word[start] === "(" && /^\([\w-]+\)\//.test(word)) &&
    !(word[start] === "~" && word[start + 1] === "/")
  )
    start++;
  while (
    end > start &&
    (/[',;:!?—–.…]/.test(word[end - 1]!) ||
      (word[end - 1] === ")" && unbalanced(word.slice(start, end), "(", ")")) ||
      (word[end - 1] === "]" && unbalanced(word.slice(start, end), "[", "]")))
  )
    end--;
  const token = word.slice(start, end);
  const call = /^(?:[\w$.<>]*)\(([^()]+\.\w+:\d[^()]*)\)$/.exec(token);
  if (call) return { start: at + start + token.indexOf("(") + 1, token: call[1]! };
  return token.length > 1 ? { start: at + start, token } : undefined;
}

function unbalanced(word: string, open: string, close: string): boolean {
  let depth = 0;
  for (const letter of word) {
    if (letter === open) depth++;
    else if (letter === close) depth--;
  }
  return depth < 0;
}

type TokenSetting = { inCode: boolean; named: boolean; spoken: () => boolean };

function isSpoken(text: string, start: number, end: number): boolean {
  return (
    (linesAfter(text.slice(end, end + 160)) ??
      linesBefore(text.slice(Math.max(0, start - 120), start))) !== undefined
  );
}

function fromToken(
  written: string,
  start: number,
  { repo, ...setting }: TokenSetting & { repo: Repository },
): Reference | undefined {
  const end = start + written.length;
  if (/^[a-z][a-z+.-]{1,20}:\/\//i.test(written)) return fromUrl(written, start, repo);
  if (
    written.includes("@") &&
    /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i.test(written) &&
    !repo.isListed(written)
  )
    return undefined;
  const token = stripRevision(parseToken(written.replace(/[`'"]+$/, "")), repo);
  const path = cleanPath(token.path, repo);
  if (token.symbol !== undefined && !/\.\w+$/.test(path) && repo.kindOf(path) !== "file")
    return undefined;
  const hasLine =
    token.ranges.length > 0 ||
    token.symbol !== undefined ||
    (/[./\\]|^[A-Z]/.test(written) && setting.spoken());
  if (!isPathLike(path, repo, { inCode: setting.inCode, hasLine, named: setting.named })) {
    const place = ungluePlace(written, repo);
    return (
      place && {
        start,
        end,
        path: place.path,
        ranges: [place.range],
        ...(place.name === undefined ? {} : { symbol: place.name, frame: true }),
      }
    );
  }
  return {
    start,
    end,
    path,
    ranges: token.ranges,
    ...(token.symbol === undefined ? {} : { symbol: token.symbol }),
    ...(token.quote === undefined ? {} : { quote: token.quote }),
  };
}

/** `HEAD:src/x.ts` and `0f3a9c1:src/x.ts`. */
function stripRevision(token: Token, repo: Repository): Token {
  const match =
    /^(?:HEAD(?:[~^]\d*)*|[0-9a-f]{7,40}|(?:origin\/)?(?:main|master|develop)):(.+)$/.exec(
      token.path,
    );
  if (!match) return token;
  return repo.isListed(cleanPath(match[1]!, repo)) || /[./]/.test(match[1]!)
    ? { ...token, path: match[1]! }
    : token;
}

function fromUrl(written: string, start: number, repo: Repository): Reference {
  const url = written.replace(/[).,;]+$/, "");
  const token = /#L?\d|#lines|:\d+$/i.test(url.slice(8))
    ? parseToken(url)
    : { path: url.replace(/#.*$/, ""), ranges: [] };
  const path = pathOfUrl(token.path.replace(/\?.*$/, ""), repo);
  if (path === undefined)
    return { start, end: start + url.length, path: url, ranges: [], external: true };
  return { start, end: start + url.length, path: cleanPath(path, repo), ranges: token.ranges };
}

function fromLink(link: Link, repo: Repository): Reference[] {
  if (/^(?:#|mailto:)/.test(link.target)) return [];
  const target = fromToken(link.target.replace(/%20/g, " "), link.start, {
    repo,
    inCode: true,
    named: true,
    spoken: () => false,
  });
  if (!target) return [];
  const label = link.label.replace(/[`*]/g, "").trim();
  const inLabel = fromToken(label, link.labelStart, {
    repo,
    inCode: true,
    named: false,
    spoken: () => false,
  });
  target.end = link.end;
  if (!inLabel || inLabel.external)
    return [
      {
        ...target,
        ...(target.external ? {} : { label, labelInCode: link.label.trim().startsWith("`") }),
      },
    ];
  if (target.external) return [{ ...inLabel, start: link.start, end: link.end }];
  return [
    target.ranges.length > 0
      ? target
      : {
          ...target,
          ranges: inLabel.ranges,
          ...(inLabel.symbol ? { symbol: inLabel.symbol } : {}),
        },
  ];
}

function fromSpan(
  span: Span,
  repo: Repository,
  { text, named }: { text: string; named: boolean },
): Reference[] {
  const written = span.text.trim();
  const at = { start: span.start, end: span.end };
  if (written === "" || span.text.length > 4000) return [];
  if (!/\s/.test(written)) {
    const bare = written.replace(/^[("'[]+(?=[\w./@])(?!\w+[\])])|[,;:.]+$/g, "");
    const one = fromToken(bare, 0, {
      repo,
      inCode: true,
      named,
      spoken: () => isSpoken(text, span.start, span.end),
    });
    return one ? [{ ...one, ...at }] : [];
  }
  const whole = spanWithBlanks(written, repo);
  return whole ? [{ ...whole, ...at }] : [];
}

/** A code span with blanks in it is a reference only as a whole: grep's output, a frame, a path with words for its line. */
function spanWithBlanks(
  written: string,
  repo: Repository,
): Omit<Reference, "start" | "end"> | undefined {
  const setting = { inCode: true, hasLine: true, named: false };
  const grep = /^([^\s:][^:]{0,300}?):(\d{1,9}):(?:(\d{1,6}):)?\s*(\S.*)$/.exec(written);
  if (grep && isPathLike(cleanPath(grep[1]!, repo), repo, setting))
    return {
      path: cleanPath(grep[1]!, repo),
      ranges: [[Number(grep[2]), Number(grep[2])]],
      quote: grep[4]!,
    };
  const frame =
    /^(?:at\s+)?(?:(?:async\s+|new\s+)?([\w$.<>[\] ]+?)\s+)?\(?([^\s()]+?):(\d+)(?::\d+)?\)?$/.exec(
      written,
    );
  if (frame && isPathLike(cleanPath(frame[2]!, repo), repo, setting))
    return {
      path: cleanPath(frame[2]!, repo),
      ranges: [[Number(frame[3]), Number(frame[3])]],
      ...(frame[1] && written.startsWith("at ")
        ? { symbol: frame[1].split(/[.\s]/).at(-1)!, frame: true }
        : {}),
    };
  const view = viewOf(written, repo);
  if (view)
    return view.range || repo.isListed(view.path)
      ? { path: view.path, ranges: view.range ? [view.range] : [] }
      : undefined;
  const blank = written.search(/[\s,(]/);
  const spoken = linesAfter(written.slice(blank));
  if (
    spoken &&
    spoken.length >= written.length - blank - 1 &&
    isPathLike(cleanPath(written.slice(0, blank), repo), repo, setting)
  )
    return { path: cleanPath(written.slice(0, blank), repo), ranges: spoken.ranges };
  const listed = /^(\S+?):(\d+(?:\s*(?:,|and|&)\s*:?\d+)+)$/.exec(written);
  if (listed && isPathLike(cleanPath(listed[1]!, repo), repo, setting))
    return {
      path: cleanPath(listed[1]!, repo),
      ranges: listed[2]!.match(/\d+/g)!.map((line): Range => [Number(line), Number(line)]),
    };
  const token = parseToken(written);
  const path = cleanPath(token.path, repo);
  return /\s/.test(path) && repo.isListed(path) ? { path, ranges: token.ranges } : undefined;
}

/** From the first double quote to the last, where what stands between can be nothing but code: a path in it is part of that code. */
function quotedStretch(text: string, taken: Stretch[]): Stretch | undefined {
  if (!/["“]/.test(text)) return undefined;
  const marks = [...text.matchAll(/["“”]/g)]
    .map(({ index }) => index)
    .filter((at) => !taken.some((item) => at >= item.start && at < item.end));
  const [start, end] = [marks[0] ?? 0, marks.at(-1) ?? 0];
  return end - start > 8 &&
    marks.length <= 12 &&
    /\s/.test(text.slice(start, end)) &&
    strongCode(text.slice(start + 1, end))
    ? { start, end: end + 1 }
    : undefined;
}

/** Adds lines that are said in words behind or before a path that has none of its own. */
function withSpokenLines(text: string, references: Reference[], repo: Repository): Reference[] {
  if (
    references.every(
      (reference) => reference.ranges.length > 0 && text.charCodeAt(reference.end) !== blank,
    )
  )
    return references;
  return references.map((reference, index) => {
    if (reference.external) return reference;
    if (reference.ranges.length > 0) return withRangeEnd(text, reference);
    const next = references[index + 1]?.start ?? text.length;
    const behind = linesAfter(text.slice(reference.end, Math.min(next, reference.end + 160)));
    const before = linesBefore(
      text.slice(Math.max(references[index - 1]?.end ?? 0, reference.start - 120), reference.start),
    );
    if (before)
      return { ...reference, start: reference.start - before.length, ranges: before.ranges };
    if (!behind || belongsToNext(text, reference.end + behind.length, references[index + 1]))
      return (
        withHashApart(text, reference, repo) ??
        withNumber(text, reference) ??
        withLaterLine(text, reference, references)
      );
    return { ...reference, end: reference.end + behind.length, ranges: behind.ranges };
  });
}

/** "`x.ts` has `foo:45`": the one file of a text and the one name that brings its line along; "port:8080" that stands there is code. */
function numberedSpan(
  references: Reference[],
  spans: Span[],
  repo: Repository,
): { range: Range; name: string; span: Span } | undefined {
  const [only] = references;
  if (references.length !== 1 || !only || only.ranges.length > 0 || only.external) return undefined;
  const named = spans.flatMap((span) => {
    const found =
      span.start < only.end && only.start < span.end ? undefined : numberedName(span.text);
    return found ? [{ range: [found.line, found.last] as Range, name: found.name, span }] : [];
  });
  if (named.length !== 1) return undefined;
  const state = repo.open(only.path);
  return state.ok &&
    state.file.find(normaliseCode(named[0]!.span.text.trim()), { limit: 1 }).length > 0
    ? undefined
    : named[0];
}

/** "x.ts #45": a line where the file has one, else most likely the number of an issue. */
function withHashApart(
  text: string,
  reference: Reference,
  repo: Repository,
): Reference | undefined {
  const match = /^[`*_"')\]]*\s#(\d{1,7})(?!\w|\.\d)/.exec(
    text.slice(reference.end, reference.end + 24),
  );
  const found = match ? resolvePath(reference.path, repo) : undefined;
  const state = found?.kind === "file" ? repo.open(found.path) : undefined;
  const line = Number(match?.[1]);
  return match && state?.ok && line <= state.file.lineCount
    ? { ...reference, end: reference.end + match[0].length, ranges: [[line, line]] }
    : undefined;
}

/** "x.ts 45-52, y.ts 70 (foo)": numbers that a sign of the sentence follows, and no word that they could count. */
function withNumber(text: string, reference: Reference): Reference | undefined {
  const match = bareNumber.exec(text.slice(reference.end, reference.end + 40));
  return match
    ? {
        ...reference,
        end: reference.end + match[1]!.length,
        ranges: [toRange(match[2]!, match[3])],
        loose: true,
      }
    : undefined;
}

const bareNumber =
  /^([`*_"')\]]*:?\s(?:(?:[@~|>»→–—-]|::|->)\s?|[([](?=L?\d+\s?[-–—]\s?L?\d+[)\]]))?L?(\d{2,7}|\d(?=\s?[-–—]\s?\d))(?:\s?[-–—]\s?L?(\d{1,7}))?)(?=\s*(?:[(,;:)\]]|\.(?!\d)|[–—→]|$))/;

/** "x.ts:45 - 52" and "x.ts:45 to 52": the end stands apart from its start. */
function withRangeEnd(text: string, reference: Reference): Reference {
  const [only] = reference.ranges;
  if (
    reference.ranges.length !== 1 ||
    only![0] !== only![1] ||
    text.charCodeAt(reference.end) !== blank
  )
    return reference;
  const match =
    /^ (?:[-–—] (?=\d{1,7}\s*(?:[).,;:\]]|$))|(?:to|through|bis) )L?(\d{1,7})(?![\w.%]*\w)/.exec(
      text.slice(reference.end, reference.end + 24),
    );
  return match && Number(match[1]) > only![0]
    ? { ...reference, end: reference.end + match[0].length, ranges: [[only![0], Number(match[1])]] }
    : reference;
}

const blank = 32;

const laterLine = new RegExp(
  `(?<![\\w.])(?:${lineWord}\\s?(-?\\d{1,7})(?:\\s?(?:[-–—]|${toWord})\\s?(?:${lineWord}\\s?)?(\\d{1,7}))?(?![\\w%]|\\.\\d)|${countedLine})`,
  "gi",
);

/** "In `x.ts`, `foo` is on line 45": the only line of the sentence belongs to the only file of the text. */
function withLaterLine(text: string, reference: Reference, references: Reference[]): Reference {
  if (references.filter((other) => !other.external).length !== 1 || !mayNameLine.test(text))
    return reference;
  const rest = text.slice(reference.end, reference.end + 400);
  const stop = rest.search(/[.!?;]\s+[A-Z`*]/);
  const found = [
    ...(stop < 0 ? rest : rest.slice(0, stop))
      .replace(/`[^`]*`/g, (code) => " ".repeat(code.length))
      .matchAll(laterLine),
  ];
  if (found.length !== 1 || [...text.matchAll(laterLine)].length !== 1) return reference;
  const [, first = found[0]![3], last = found[0]![4]] = found[0]!;
  return { ...reference, ranges: [[Number(first), Number(last ?? first)]] };
}

function belongsToNext(text: string, at: number, next: Reference | undefined): boolean {
  return (
    next !== undefined &&
    next.ranges.length === 0 &&
    /^[`*"')\]]*\s+(?:of|in|from|within|inside)\s+(?:the\s+)?(?:file\s+)?[`*"'([]*$/.test(
      text.slice(at, next.start),
    )
  );
}
