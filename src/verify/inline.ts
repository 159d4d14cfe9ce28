// The inline parts that matter in running text: code spans and links, found in linear time with their offsets.

export type Span = { start: number; end: number; text: string; inner: number };

export type Link = {
  start: number;
  end: number;
  label: string;
  labelStart: number;
  target: string;
};

/** Code spans by their backtick runs; offsets are relative to `text`. */
export function codeSpans(text: string): Span[] {
  const spans: Span[] = [];
  const runs = backtickRuns(text);
  for (let index = 0; index < runs.length; index++) {
    const open = runs[index]!;
    const last = Math.min(runs.length, index + 200);
    let close = index + 1;
    while (close < last && runs[close]!.length !== open.length) close++;
    if (close >= last) continue;
    const end = runs[close]!;
    const inner = open.at + open.length;
    spans.push({
      start: open.at,
      end: end.at + end.length,
      text: text.slice(inner, end.at),
      inner,
    });
    index = close;
  }
  if (!text.includes("<code>")) return spans;
  const tagged = [...text.matchAll(/<code>([^<]{1,400})<\/code>/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[1]!,
    inner: match.index + 6,
  }));
  return [...spans, ...tagged].sort((a, b) => a.start - b.start);
}

/** Emphasis in HTML counts as that of Markdown, and other tags as blanks; no offset changes. */
export function withoutTags(text: string): string {
  if (!text.includes("</")) return text;
  const spans = codeSpans(text);
  return text.replace(
    /<\/?(b|strong|i|em|u|s|del|ins|mark|kbd|small|a|span|font)(?:\s[^<>]{0,200})?>|<\/?(?:p|li|ul|ol|div|details|summary|table|tbody|thead|tr|t[dh]|dl|dt|dd|h[1-6])(?:\s[^<>]{0,200})?>/gi,
    (found, emphasis: string | undefined, at: number) =>
      spans.some(({ start, end }) => at >= start && at < end)
        ? found
        : (emphasis ? "*" : " ").repeat(found.length),
  );
}

function backtickRuns(text: string): { at: number; length: number }[] {
  const runs: { at: number; length: number }[] = [];
  for (let at = text.indexOf("`"); at >= 0;) {
    let end = at + 1;
    while (text.charCodeAt(end) === backtick) end++;
    runs.push({ at, length: end - at });
    at = text.indexOf("`", end);
  }
  return runs;
}

const backtick = 96;

const linkPattern =
  /\[((?:[^[\]]|\[[^[\]]{0,200}\]){0,400})\]\(\s*<?((?:[^()\s<>]|\([^()\s]{0,200}\)){1,1000})>?(?:\s+(?:"[^"]{0,200}"|'[^']{0,200}'))?\s*\)/g;

/** Inline links; the label may hold code spans. */
export function links(text: string): Link[] {
  if (!text.includes("](")) return [];
  return [...text.matchAll(linkPattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    label: match[1]!,
    labelStart: match.index + 1,
    target: match[2]!,
  }));
}
