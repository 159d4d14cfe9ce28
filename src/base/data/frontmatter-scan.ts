// Reads frontmatter that is not strict YAML, key by key, as its author probably meant it. A value
// that cannot be understood is an error for its key; nothing is guessed. Takes linear time.
import { readYaml } from "./read-yaml.ts";
import type { YamlDuplicate, YamlEntry, YamlFailure } from "./read-yaml.ts";
import type { FrontmatterIssue } from "./frontmatter-split.ts";
import { limits } from "../limits.ts";

export type FrontmatterScan = {
  data: Record<string, unknown>;
  entries: Map<string, YamlEntry>;
  issues: FrontmatterIssue[];
  duplicates: YamlDuplicate[];
  refused?: YamlFailure;
};

type Chunk = {
  key: string;
  line: number;
  first: string;
  rest: string[];
  prose: boolean;
  openTags: number;
};

const keyLine = /^[ \t]?(["']?)([A-Za-z_][\w.-]*|<<)\1[ \t]*[:：](?:[ \t\u00A0]+(.*)|)$/;
const gluedKeyLine = /^[ \t]?(["']?)([A-Za-z_][\w.-]*)\1[:：]([^\s/].*)$/;
/** Speakers and labels of example dialogues: at the start of a line they look like keys. */
const speakers = new Set([
  "user",
  "assistant",
  "human",
  "ai",
  "system",
  "context",
  "commentary",
  "example",
  "examples",
  "note",
  "agent",
  "response",
  "claude",
  "input",
  "output",
]);

/**
 * `knownKeys` are the keys that the caller understands; `firstLine` is the line of the file on
 * which `text` begins.
 */
export function scanFrontmatter(
  text: string,
  firstLine: number,
  knownKeys: ReadonlySet<string>,
): FrontmatterScan {
  const scan: FrontmatterScan = { data: {}, entries: new Map(), issues: [], duplicates: [] };
  const texts = new Map<string, string>();
  const chunks = cutIntoChunks(dedent(text.split("\n")), knownKeys);
  if (chunks.length > limits.definition.keys)
    scan.refused = failure(1, "yaml-keys", `more than ${limits.definition.keys} keys`);
  for (const chunk of scan.refused ? [] : chunks) {
    const line = firstLine + chunk.line;
    if (["<<", "__proto__", "constructor", "prototype"].includes(chunk.key)) {
      scan.refused = failure(
        chunk.line + 1,
        "yaml-prototype",
        `the key \`${chunk.key}\` is not allowed`,
      );
      break;
    }
    if (Object.hasOwn(scan.data, chunk.key)) {
      scan.duplicates.push({
        key: chunk.key,
        line,
        owner: chunk.key,
        same: texts.get(chunk.key) === textOf(chunk),
      });
      continue;
    }
    texts.set(chunk.key, textOf(chunk));
    const value = readChunk(chunk);
    if ("refused" in value) {
      if (value.refused) scan.refused ??= { ...value, line: chunk.line + value.line };
      else
        scan.issues.push({
          line: line + value.line - 1,
          severity: matters(chunk.key, knownKeys) ? "error" : "warning",
          code: "unreadable-value",
          message: `the value of \`${chunk.key}\` cannot be read: ${value.message}`,
        });
      continue;
    }
    scan.data[chunk.key] = value.value;
    scan.duplicates.push(
      ...(value.duplicates ?? []).map((found) => ({ ...found, line: line + found.line - 1 })),
    );
    scan.entries.set(chunk.key, {
      line: chunk.line + 1,
      plain: value.plain,
      ...(value.source !== undefined && { source: value.source }),
    });
  }
  return scan;
}

/**
 * Whether the key is known in any spelling. A value is only reported as an error where its key has
 * a meaning here.
 */
const matters = (key: string, knownKeys: ReadonlySet<string>): boolean => {
  const plain = key.replace(/[-_]/g, "").toLowerCase();
  return [...knownKeys].some((known) => known.replace(/[-_]/g, "").toLowerCase() === plain);
};

const textOf = ({ first, rest }: Chunk): string => [first, ...rest].join("\n").trim();

const failure = (line: number, code: string, message: string): YamlFailure => ({
  ok: false,
  refused: true,
  line,
  code,
  message,
});

function dedent(lines: string[]): string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const indent = Math.min(...filled.map((line) => line.length - line.trimStart().length), 80);
  return indent > 0 && filled.length > 0 ? lines.map((line) => line.slice(indent)) : lines;
}

function cutIntoChunks(lines: string[], knownKeys: ReadonlySet<string>): Chunk[] {
  const chunks: Chunk[] = [];
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const current = chunks.at(-1);
    const started = startOfKey(line, { current, seen, knownKeys });
    if (started) {
      seen.add(started.key);
      chunks.push({
        ...started,
        line: index,
        rest: [],
        prose: false,
        openTags: tagBalance(started.first),
      });
    } else if (current) {
      current.rest.push(line);
      current.openTags += tagBalance(line);
      if (/^[^\s#-]/.test(line)) current.prose = true;
    }
  }
  return chunks;
}

function startOfKey(
  line: string,
  state: { current: Chunk | undefined; seen: Set<string>; knownKeys: ReadonlySet<string> },
): { key: string; first: string } | undefined {
  const match = keyLine.exec(line) ?? gluedKeyLine.exec(line);
  if (!match) return undefined;
  const key = match[2]!;
  const indented = /^[ \t]/.test(line);
  const inText = state.current !== undefined && isOpenText(state.current);
  const isText = state.knownKeys.has(key)
    ? (state.seen.has(key) && (inText || indented)) || (indented && startsBlock(state.current))
    : indented || inText || !keyLine.test(line) || speakers.has(key.toLowerCase());
  return isText ? undefined : { key, first: match[3] ?? "" };
}

/** The value of the key stands on the following, indented lines. */
const startsBlock = (chunk: Chunk | undefined): boolean =>
  chunk !== undefined && (chunk.first === "" || /^[|>]/.test(chunk.first));

/**
 * Whether the following lines belong to this value although they look like keys: prose was seen, an
 * example tag is open, a quote is not closed, or a block has unindented text.
 */
function isOpenText({ first, rest, prose, openTags }: Chunk): boolean {
  if (prose || openTags > 0) return true;
  const quote = /^["']/.exec(first)?.[0];
  if (!quote) return false;
  const end = (rest.at(-1) ?? first).trimEnd();
  return !(end.endsWith(quote) && (rest.length > 0 || end.length > 1));
}

function tagBalance(line: string): number {
  const opened =
    line.match(/<(?:example|examples|commentary|context|user|assistant)>/gi)?.length ?? 0;
  const closed =
    line.match(/<\/(?:example|examples|commentary|context|user|assistant)>/gi)?.length ?? 0;
  return opened - closed;
}

type Value = { value: unknown; plain: boolean; source?: string; duplicates?: YamlDuplicate[] };

function readChunk(chunk: Chunk): Value | YamlFailure {
  const strict = readStrictly(chunk, chunk.rest);
  if (strict && (!("refused" in strict) || strict.refused)) return strict;
  const untabbed = readStrictly(
    chunk,
    chunk.rest.map((line) => line.replace(/^[ \t]+/, (indent) => indent.replaceAll("\t", "  "))),
  );
  if (untabbed && !("refused" in untabbed)) return untabbed;
  const filled = chunk.rest.filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
  if (chunk.first.trim() === "" && filled.length > 0) {
    if (filled.every((line) => /^\s*-(?:\s|$)/.test(line)))
      return { value: filled.map(listItem), plain: false };
    const startsAsText = !/^\s*(?:-(?:\s|$)|[\w"'-]+\s*:)/.test(filled[0]!);
    if (!startsAsText && (!chunk.prose || filled.some((line) => /^\s+[\w"'-]+\s*:/.test(line))))
      return (
        strict ?? {
          ok: false,
          refused: false,
          line: 1,
          code: "yaml-syntax",
          message: "its lines are neither a list nor a mapping",
        }
      );
  }
  return { value: proseOf(chunk), plain: true };
}

function readStrictly(chunk: Chunk, rest: string[]): Value | YamlFailure | undefined {
  if (chunk.prose) return undefined;
  const reading = readYaml([`${chunk.key}: ${chunk.first}`, ...rest].join("\n"));
  if (!reading.ok) return reading;
  const entry = reading.entries.get(chunk.key);
  if (!entry || reading.entries.size !== 1) return undefined;
  return {
    value: reading.data[chunk.key],
    plain: entry.plain,
    duplicates: reading.duplicates,
    ...(entry.source !== undefined && { source: entry.source }),
  };
}

function listItem(line: string): unknown {
  const text = line.replace(/^\s*-\s*/, "");
  const reading = readYaml(`item: ${text}`);
  const value = reading.ok ? reading.data["item"] : text.trim();
  return typeof value === "object" && value !== null ? text.trim() : value;
}

function proseOf(chunk: Chunk): string {
  const first = chunk.first.trim();
  if (first === "" || /^[|>][-+\d]*[ \t]*(?:#.*)?$/.test(first))
    return dedent(chunk.rest).join("\n").trim();
  return unquote([first, ...chunk.rest.map((line) => line.trimEnd())].join("\n").trim());
}

function unquote(text: string): string {
  const quote = text[0];
  if (text.length < 2 || (quote !== '"' && quote !== "'") || !text.endsWith(quote)) return text;
  const inner = text.slice(1, -1);
  return quote === "'"
    ? inner.replaceAll("''", "'")
    : inner.replace(/\\(["\\nt])/g, (_whole, code: string) => ({ n: "\n", t: "\t" })[code] ?? code);
}
