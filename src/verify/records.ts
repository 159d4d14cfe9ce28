// References that are written as data: objects in JSON, entries in YAML or TOML, tags in XML. A record needs a path and a line; what else it names is evidence.
import { claimAt, isCode, strongCode, symbolName } from "./claims.ts";
import type { Claim } from "./claims.ts";
import type { Range } from "./path-token.ts";
import { findReferences } from "./references.ts";
import type { Repository } from "./repository.ts";

type Field = "path" | "line" | "end" | "code" | "text" | "symbol" | "name";
type Entry = { field: Field; value: string; start: number; end: number };
type Value = { value: string; start: number; end: number };

const fields: [RegExp, Field][] = [
  [
    /^(?:file|path|filepath|filename|filelocation|location|uri|where|ref|reference|sourcefile)$/,
    "path",
  ],
  [
    /^(?:lines?|lineno|linenumbers?|startline|linestart|beginline|fromline|row|linerange|range)$/,
    "line",
  ],
  [/^(?:endline|lineend|toline)$/, "end"],
  [
    /^(?:code|quote|snippet|excerpt|codesnippet|matchedline|linetext|sourceline|originalcode|existingcode)$/,
    "code",
  ],
  [/^(?:evidence|content|context|actual|current|original|match)$/, "text"],
  [/^(?:symbol|function|functionname|func|method|class|identifier)$/, "symbol"],
  [/^name$/, "name"],
];

function fieldOf(key: string): Field | undefined {
  const plain = key.toLowerCase().replace(/[\s_-]/g, "");
  return fields.find(([pattern]) => pattern.test(plain))?.[1];
}

const json =
  /"([A-Za-z][\w -]{1,24})"\s*:\s*(?:"((?:[^"\\\n]|\\.){0,4000})"|(-?\d{1,9})(?![\w.])|\[\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*\])|[{}]/g;
const tag =
  /<([A-Za-z][\w-]{1,24})((?:\s+[\w:-]{1,40}\s*=\s*(?:"[^"\n]{0,1000}"|'[^'\n]{0,1000}'|\{[^{}\n]{0,200}\})){0,12})\s*(\/?)>/g;
const attribute =
  /([\w:-]{1,40})\s*=\s*(?:"([^"\n]{0,1000})"|'([^'\n]{0,1000})'|\{["'`]?([^{}\n]{0,200}?)["'`]?\})/g;
const pair =
  /^([ \t]*(?:-[ \t]+)?)["']?([A-Za-z][\w -]{1,24}?)["']?[ \t]*[:=][ \t]*(\S.{0,2000})$/gm;

/** Whether a text can hold records at all: cheap, so that running text is spared the rest. */
export function mayHoldRecords(text: string): boolean {
  return (
    /(?:file|path|location|uri|where|ref)\w*["']?\s*(?:[:=]|>)/i.test(text) &&
    /line\w*["']?\s*(?:[:=]|>)|(?:row|range)["']?\s*[:=]|:\d/i.test(text)
  );
}

/** Claims of the records in `text`, which starts at `offset`; nothing where it holds none. */
export function recordClaims(text: string, offset: number, repo: Repository): Claim[] {
  if (text.length > 400_000 || !mayHoldRecords(text)) return [];
  const entries =
    keyed.test(text) && !/^\s*[[{]/.test(text)
      ? pairEntries(text)
      : /"\s*:/.test(text)
        ? jsonEntries(text)
        : /<[A-Za-z]/.test(text)
          ? tagEntries(text)
          : assigned.test(text)
            ? assignedEntries(text)
            : pairEntries(text);
  return records(entries).flatMap((record) => toClaims(record, offset, repo));
}

function* jsonEntries(text: string): Generator<Entry | "open" | "close"> {
  for (const match of text.matchAll(json)) {
    if (match[0] === "{" || match[0] === "}") yield match[0] === "{" ? "open" : "close";
    else {
      const field = fieldOf(match[1]!);
      const value =
        match[2] === undefined ? (match[3] ?? `${match[4]}-${match[5]}`) : unescaped(match[2]);
      const start =
        match.index + match[0].length - (match[2] === undefined ? 0 : match[2].length + 1);
      if (field)
        yield {
          field,
          value,
          start: match[2] === undefined ? match.index : start,
          end: match.index + match[0].length - (match[2] === undefined ? 0 : 1),
        };
    }
  }
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/** Attributes of a tag with the text that it holds, and tags that hold one value each. */
function* tagEntries(text: string): Generator<Entry> {
  for (const match of text.matchAll(tag)) {
    const [whole, name, attributes] = match;
    const inside = match.index + whole.length;
    let told = false;
    for (const inner of attributes!.matchAll(attribute)) {
      const field = fieldOf(inner[1]!);
      const value = inner[2] ?? inner[3] ?? inner[4]!;
      const end = match.index + 1 + name!.length + inner.index + inner[0].length - 1;
      if (field) yield { field, value, start: end - value.length, end };
      told ||= field !== undefined;
    }
    const field = fieldOf(name!) ?? (told ? "text" : undefined);
    const close =
      field === undefined || match[3] === "/"
        ? -1
        : text.slice(inside, inside + 4000).indexOf(`</${name}>`);
    const value = close < 1 ? "" : text.slice(inside, inside + close);
    if (field && value !== "" && !/<[A-Za-z][\w-]*>[^<]*<\//.test(value))
      yield { field, value: decoded(value), start: inside, end: inside + close };
  }
}

function decoded(text: string): string {
  return text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&");
}

const assigned = /\b(?:file|path)=[^\s<>]{1,400}[\s,]+[^=]{0,40}?line\w{0,8}=["'{]?\d/i;
const assignment =
  /(?<![\w-])([A-Za-z][\w-]{1,24})=(?:"([^"\n]{0,1000})"|'([^'\n]{0,1000})'|([^\s,;"'<>]{1,400}?)(?=[\s,;]|::|$))/g;

/** `file=src/x.ts,line=45`, as annotations and info strings have it. */
function* assignedEntries(text: string): Generator<Entry> {
  for (const match of text.matchAll(assignment)) {
    const field = fieldOf(match[1]!);
    const value = match[2] ?? match[3] ?? match[4] ?? "";
    const start = match.index + match[0].indexOf(value, match[1]!.length + 1);
    if (field && field !== "text") yield { field, value, start, end: start + value.length };
  }
}

function* pairEntries(text: string): Generator<Entry> {
  for (const match of text.matchAll(pair)) {
    const field = fieldOf(match[2]!);
    const value = /^[|>][+-]?$/.test(match[3]!.trim())
      ? blockBelow(text, match.index + match[0].length, match[1]!.length)
      : match[3]!.trim().replace(/^("""|'''|["'`])(.*)\1,?$/, "$2");
    const start = match.index + Math.max(0, match[0].lastIndexOf(value));
    if (field) yield { field, value, start, end: start + value.length };
  }
}

/** YAML's block: the deeper lines below a `|`. */
function blockBelow(text: string, at: number, indent: number): string {
  const found: string[] = [];
  for (const line of text.slice(at + 1, at + 4000).split("\n")) {
    if (line.trim() !== "" && line.length - line.trimStart().length <= indent) break;
    found.push(line);
  }
  return found.join("\n").trimEnd();
}

/** A bare key at the start of a line: what looks like JSON or like a tag behind it is a value. */
const keyed = /^[ \t]*(?:-[ \t]+)?(?:file|path|location|uri|where|ref)[a-z_-]{0,12}[ \t]*:[ \t]/im;

type DataRecord = Partial<{ [F in Field]: Value }>;

/** A field that comes again begins the next record; a path holds for everything inside its own object. */
function records(entries: Iterable<Entry | "open" | "close">): DataRecord[] {
  const found: DataRecord[] = [];
  let record: DataRecord = {};
  let depth = 0;
  let pathDepth = 0;
  const close = (path?: Value): void => {
    if (record.path && (record.line || /:\d/.test(record.path.value))) found.push(record);
    record = path ? { path } : {};
  };
  for (const entry of entries) {
    if (found.length > 5000) break;
    if (entry === "open") depth++;
    else if (entry === "close") {
      depth--;
      // The path may stand in an object of its own inside the record.
      if (record.path && depth < pathDepth && !record.line && depth > 0) pathDepth = depth;
      else if (record.path && depth < pathDepth) close();
    } else {
      if (record[entry.field]) close(entry.field === "path" ? undefined : record.path);
      record[entry.field] = { value: entry.value, start: entry.start, end: entry.end };
      if (entry.field === "path") pathDepth = depth;
    }
  }
  close();
  return found;
}

function toClaims(
  { path, line, end, code, text, symbol, name: title }: DataRecord,
  offset: number,
  repo: Repository,
): Claim[] {
  const reference = findReferences(path!.value, repo, true).references.find(
    (item) => !item.external,
  );
  const range = reference && (reference.ranges[0] ?? rangeOf(line?.value, end?.value));
  if (!reference || !range) return [];
  const claim = claimAt({
    start: offset + path!.start,
    end: offset + path!.end,
    path: reference.path,
    range,
  });
  const quoted = code?.value.trim() ?? "";
  if (isCode(quoted) && symbolName(quoted)?.call !== false)
    claim.quotes.push({ lines: quoted.split("\n"), accuses: "always" });
  const told = text?.value.trim() ?? "";
  if (isCode(told) && !symbolName(told))
    claim.quotes.push({ lines: told.split("\n"), accuses: strongCode(told) ? "always" : "never" });
  const name = symbol ? symbolName(symbol.value) : undefined;
  if (name)
    claim.symbols.push({
      name: name.name,
      plain: name.everyday,
      accuses: "always",
      encloses: false,
    });
  // A record's name may be its title: it counts as a word without backticks does.
  else if (title && /^[A-Za-z_$][\w$.:#]*$/.test(title.value))
    claim.symbols.push({ name: title.value, plain: true, accuses: "always", encloses: false });
  return [claim];
}

function rangeOf(line: string | undefined, end: string | undefined): Range | undefined {
  const match = /^L?(-?\d{1,9})(?:\s*(?:[-–—]|to|,)\s*L?(-?\d{1,9}))?$/.exec(line?.trim() ?? "");
  if (!match) return undefined;
  const first = Number(match[1]);
  return [first, Number(match[2] ?? (/^\d{1,9}$/.test(end?.trim() ?? "") ? end : first))];
}
