// The names and quotations in one text, by which a place named there can be told right or wrong.
import { emptyList } from "../../markdown/empty-list.ts";
import type { InlineCode } from "../../markdown/inline-code.ts";
import { codeName, isCode, isCodeShaped } from "./code-names.ts";
import type { Mention } from "./paths/find-mentions.ts";
import { spelledNumbers, type NumberedLines } from "./spelled-numbers.ts";

export type Evidence = {
  /** Offsets in the text it was found in. */
  start: number;
  end: number;
  /** How surely it speaks of the place. */
  weight: number;
  /** A name; empty for a quotation. */
  name: string;
  /** Written without marks of code, or an everyday word: it counts only where the repository has it. */
  isPlain: boolean;
  /** The lines of a quotation; empty for a name. */
  lines: string[];
  /** The line numbers printed beside a quotation. */
  gutter: readonly number[];
  /** The other side of a change: it may stand there instead. */
  other: string[];
  /** A name with its own line, `foo:45`. */
  range: NumberedLines | undefined;
  /** The words say that it was read there; undefined where nobody has looked. */
  isTold: boolean | undefined;
  /** It is a block of its own, not a part of a sentence. */
  isBlock: boolean;
  /** The words above it say that it stands there now, whatever the section is about. */
  isCurrent: boolean;
  /** It is denied, proposed or only compared: that it stands at the place proves nothing. */
  isAside: boolean;
};

const none = emptyList<string>();
const noNumbers: readonly number[] = [];

export const quoteEvidence = (lines: string[], start: number, end: number): Evidence => ({
  start,
  end,
  weight: 0,
  name: "",
  isPlain: false,
  lines,
  gutter: noNumbers,
  other: none,
  range: undefined,
  isTold: undefined,
  isBlock: false,
  isCurrent: false,
  isAside: false,
});

export function nameEvidence(name: string, { start, end }: Span, isPlain: boolean): Evidence {
  const evidence = quoteEvidence(none, start, end);
  evidence.name = name;
  evidence.isPlain = isPlain;
  return evidence;
}

/** The same for one place, which it speaks of with this weight. */
export function weighed(item: Evidence, weight: number, isTold = item.isTold): Evidence {
  // Assigned, not spread: a copy of another shape than its original makes all that read both slower.
  return Object.assign(quoteEvidence(item.lines, item.start, item.end), item, { weight, isTold });
}

type Span = { start: number; end: number };

type Found = { spans: readonly InlineCode[]; mentions: readonly Mention[] };

const plainWord =
  /(?<![\w`./\\$@-])[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?(?![\w/\\`-])/g;

/** In order of their places. */
export function findEvidence(text: string, { spans, mentions }: Found): Evidence[] {
  const found: Evidence[] = [];
  const mayName = text.length <= longestText && (isCodeShaped(text) || text.includes("()"));
  if (!mayName && spans.length === 0 && mentions.length === 0) return found;
  const isTaken = overlapTest(mentions.filter((mention) => !isNamedByLabel(mention)));
  for (const span of spans) {
    const evidence = isTaken(span.start, span.end) ? undefined : spanEvidence(span);
    if (evidence) found.push(evidence);
  }
  if (mayName) addPlainNames(found, text, { isCode: overlapTest(spans), isTaken });
  for (const mention of mentions) {
    const name = bracketName(text, mention) ?? labelName(mention);
    if (name) found.push(name);
  }
  if (text.includes(":")) addFields(found, text);
  return found.sort((a, b) => a.start - b.start);
}

type OverlapTest = (start: number, end: number) => boolean;

/** Whether one of the ordered spans overlaps; quick where questions come in order. */
function overlapTest(places: readonly { start: number; end: number }[]): OverlapTest {
  let place = 0;
  return (start, end) => {
    while (place > 0 && places[place - 1]!.end > start) place--;
    while (place < places.length && places[place]!.end <= start) place++;
    return place < places.length && places[place]!.start < end;
  };
}

const longestText = 20_000;

/** Words without marks that are code by their looks. */
function addPlainNames(
  found: Evidence[],
  text: string,
  { isCode, isTaken }: { isCode: OverlapTest; isTaken: OverlapTest },
): void {
  plainWord.lastIndex = 0;
  for (let match = plainWord.exec(text); match; match = plainWord.exec(text)) {
    // Underscores on both sides are marks of Markdown.
    const marks = /^_[^_].*[^_]_$/.test(match[0]) ? 1 : 0;
    const word = match[0].slice(marks, match[0].length - marks);
    const span = { start: match.index + marks, end: plainWord.lastIndex - marks };
    if (word.length < 4 || !isCodeShaped(word)) continue;
    if (isCode(span.start, span.end) || isTaken(span.start, span.end)) continue;
    found.push(nameEvidence(word.endsWith("()") ? word.slice(0, -2) : word, span, true));
  }
}

const nameKey =
  '(?:"(?:name|identifier|definition)(?=")|' +
  String.raw`(?:"|^\s*(?:-\s+)?)(?:symbol|function|method|class))`;
const namedField = new RegExp(String.raw`${nameKey}"?\s*:\s*"?([\w$.:]{2,80})(?:"|[ \t]*$)`, "gm");

/** {"symbol": "name"}: what a field calls a name is one, whatever it looks like. */
function addFields(found: Evidence[], text: string): void {
  for (const { index, 0: field, 1: name } of text.matchAll(namedField)) {
    const start = index + field.lastIndexOf(name!);
    const known = found.find((item) => item.start === start);
    if (known) known.isPlain = false;
    else found.push(nameEvidence(name!, { start, end: start + name!.length }, false));
  }
}

const bracketed = /^[`*_]*\s*\(([A-Za-z_$][\w$]{2,}(?:[.#][\w$]+)*)(?:\(\))?\)/;

/** `x.ts:45` (name). */
function bracketName(text: string, { end, ranges }: Mention): Evidence | undefined {
  const match = ranges.length === 0 ? null : bracketed.exec(text.slice(end, end + 120));
  if (!match || isCodeShaped(match[1]!)) return undefined;
  const from = end + match[0].indexOf("(") + 1;
  return nameEvidence(match[1]!, { start: from, end: from + match[1]!.length }, true);
}

/** A link that says something else than the name of its file: that may be a name. */
function isNamedByLabel({ label, path }: Mention): boolean {
  if (label === undefined) return false;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name === "" || !label.includes(name);
}

/** [name](x.ts#L45). */
function labelName(mention: Mention): Evidence | undefined {
  const { label } = mention;
  const isName = label !== undefined && !/[`/]/.test(label) && isNamedByLabel(mention);
  const name = isName ? codeName(label.trim()) : undefined;
  return name && !name.isEveryday
    ? nameEvidence(name.name, mention, !isCodeShaped(name.name))
    : undefined;
}

/** Arrows tell a flow or a change. */
const isSaidOfCode = (text: string): boolean => /→|->.*->/.test(text) || selector.test(text.trim());

/** A selector finds an element by its attributes: the file writes them otherwise. */
const selector = /^[\w.#:>*\s-]*\[[\w-]+(?:[~|^$*]?=["'][^"']*["'])?\][\w.#:>*\s[\]="'-]*$/;

function spanEvidence(span: InlineCode): Evidence | undefined {
  const { text, start, end, from } = span;
  const numbered = /^([A-Za-z_$][\w$.:#-]*?(?:\(\))?):L?(\d{1,7})(?:[-–](\d{1,7}))?$/.exec(
    text.trim(),
  );
  if (numbered) {
    const [range] = spelledNumbers(`line ${numbered[2]}${numbered[3] ? `-${numbered[3]}` : ""}`);
    const name = codeName(numbered[1]!);
    const evidence = name && nameEvidence(name.name, span, false);
    if (evidence) evidence.range = { ...range!, start: from + numbered[1]!.length, end };
    return evidence;
  }
  const name = codeName(text);
  if (name && !name.hasArguments)
    return nameEvidence(name.name, span, name.isEveryday || text.trim().length < 3);
  if (!isCode(text) || isSaidOfCode(text)) return undefined;
  const quote = quoteEvidence([text.trim()], start, end);
  // A signature or a call may be a paraphrase: its name counts beside its letters.
  quote.name = name?.name ?? /^(?:[a-z]+\s)?([A-Za-z_$][\w$.:]*)\(/.exec(text.trim())?.[1] ?? "";
  return quote;
}
