// Reads strict YAML from untrusted text: core schema only; no aliases, merge keys, tags or
// prototype keys; bounded depth and number of keys. Every text gives data or a reason with its
// line. Nothing is evaluated.
import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from "yaml";
import type { Alias, Document, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { errorText } from "../errors.ts";
import { limits } from "../limits.ts";

export type YamlEntry = {
  /** 1-based line of the key within the text. */
  line: number;
  /** The scalar as it was written, without quotes: `007` stays `007`. */
  source?: string;
  /** Written without quotes and not as a block. */
  plain: boolean;
};

export type YamlFailure = {
  ok: false;
  /**
   * True when the text asks for something dangerous, so that the tolerant reader must not try it
   * either.
   */
  refused: boolean;
  line: number;
  code: string;
  message: string;
};

export type YamlReading =
  | {
      ok: true;
      data: Record<string, unknown>;
      entries: Map<string, YamlEntry>;
      duplicates: YamlDuplicate[];
    }
  | YamlFailure;

/**
 * A key that stands twice. `owner` is the top-level key above it (or the key itself); `same` means
 * that the value is repeated too.
 */
export type YamlDuplicate = { key: string; line: number; owner: string; same: boolean };

const maxDepth = limits.definition.depth;
const prototypeKeys = new Set(["__proto__", "constructor", "prototype"]);

/** Reads a mapping. Of duplicate keys the first one is used; all are reported. */
export function readYaml(text: string): YamlReading {
  const guard = tooLargeOrDeep(text);
  if (guard) return guard;
  const lineCounter = new LineCounter();
  const lineOf = (offset: number | undefined): number =>
    Math.max(1, lineCounter.linePos(offset ?? 0).line);
  try {
    const document = parseDocument(text, {
      schema: "core",
      merge: false,
      uniqueKeys: false,
      strict: true,
      prettyErrors: false,
      logLevel: "silent",
      lineCounter,
    });
    return (
      dangers(document, lineOf) ?? syntaxFailure(document, lineOf) ?? plainData(document, lineOf)
    );
  } catch (error) {
    if (error instanceof RangeError)
      return refuse(1, "yaml-depth", "the YAML is nested too deeply");
    return { ok: false, refused: false, line: 1, code: "yaml-syntax", message: errorText(error) };
  }
}

function refuse(line: number, code: string, message: string): YamlFailure {
  return { ok: false, refused: true, line, code, message };
}

/**
 * Checked before parsing, because the parser is recursive: the depth of brackets and block
 * indicators in one line and in the whole text.
 */
function tooLargeOrDeep(text: string): YamlFailure | undefined {
  if (Buffer.byteLength(text) > limits.definition.bytes)
    return refuse(1, "frontmatter-size", `over ${limits.definition.bytes / 1024} KB of YAML`);
  let open = 0;
  for (const [index, line] of text.split("\n").entries()) {
    let depth = 0;
    let deepest = 0;
    for (const character of line) {
      if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
      else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    }
    open += depth;
    const blocks = /^(?:[ \t]*[-?:][ \t]+)*/.exec(line)?.[0].match(/[-?:]/g)?.length ?? 0;
    if (deepest > maxDepth || blocks > maxDepth || open > 4 * maxDepth)
      return refuse(index + 1, "yaml-depth", "the YAML is nested too deeply");
  }
  return undefined;
}

/** The first part of the document that must not be used, whatever the rest says. */
function dangers(
  document: Document.Parsed,
  lineOf: (offset: number | undefined) => number,
): YamlFailure | undefined {
  const anchors = new Set<string>();
  const clean = document.errors.length === 0;
  let found: YamlFailure | undefined;
  let pairs = 0;
  visit(document, (_key, node) => {
    if (isPair(node)) pairs++;
    const danger = isPair(node)
      ? pairDanger(node, { clean, pairs })
      : isAlias(node) || isScalar(node) || isCollection(node)
        ? nodeDanger(node, { clean, anchors })
        : undefined;
    if (!danger) return undefined;
    found = refuse(lineOf(danger.offset), danger.code, danger.message);
    return visit.BREAK;
  });
  return found;
}

type Danger = { offset: number | undefined; code: string; message: string };

function pairDanger(
  pair: Pair,
  { clean, pairs }: { clean: boolean; pairs: number },
): Danger | undefined {
  const offset = keyOffset(pair);
  if (pairs > limits.definition.keys && clean)
    return { offset, code: "yaml-keys", message: `more than ${limits.definition.keys} keys` };
  const name = keyName(pair);
  if (name === "<<")
    return { offset, code: "yaml-merge", message: "merge keys (`<<`) are not allowed" };
  if (name !== undefined && (clean ? prototypeKeys.has(name) : name === "__proto__"))
    return { offset, code: "yaml-prototype", message: `the key \`${name}\` is not allowed` };
  return undefined;
}

function nodeDanger(
  node: Alias | Scalar | YAMLMap | YAMLSeq,
  { clean, anchors }: { clean: boolean; anchors: Set<string> },
): Danger | undefined {
  const offset = node.range?.[0];
  if (isAlias(node)) {
    const message = "YAML anchors and aliases are not allowed; write the value out";
    return anchors.has(node.source) ? { offset, code: "yaml-alias", message } : undefined;
  }
  if (node.anchor) anchors.add(node.anchor);
  const message = `YAML tags (\`${node.tag?.slice(0, 40)}\`) are not allowed`;
  return node.tag && clean ? { offset, code: "yaml-tag", message } : undefined;
}

/**
 * What makes a document not strict YAML: an error or warning of the parser, an alias without
 * anchor, an anchor, or a key that is not a plain word.
 */
function syntaxFailure(
  document: Document.Parsed,
  lineOf: (offset: number | undefined) => number,
): YamlFailure | undefined {
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem)
    return {
      ok: false,
      refused: false,
      line: lineOf(problem.pos[0]),
      code: "yaml-syntax",
      message: inWords(problem.message),
    };
  let offset: number | undefined;
  visit(document, (_key, node) => {
    const odd =
      isAlias(node) ||
      (isScalar(node) && node.anchor !== undefined) ||
      (isPair(node) && keyName(node) === undefined);
    if (!odd) return undefined;
    offset = isPair(node) ? keyOffset(node) : (node.range?.[0] ?? 0);
    return visit.BREAK;
  });
  if (offset !== undefined)
    return {
      ok: false,
      refused: false,
      line: lineOf(offset),
      code: "yaml-syntax",
      message: "an alias, an anchor or a key that is no plain word",
    };
  return undefined;
}

function plainData(
  document: Document.Parsed,
  lineOf: (offset: number | undefined) => number,
): YamlReading {
  const root: unknown = document.contents;
  if (root === null) return { ok: true, data: {}, entries: new Map(), duplicates: [] };
  if (!isMap(root))
    return {
      ok: false,
      refused: false,
      line: 1,
      code: "yaml-syntax",
      message: "expected `key: value` lines",
    };
  const duplicates: YamlDuplicate[] = [];
  dropDuplicates(document, ({ offset, ...duplicate }) =>
    duplicates.push({ ...duplicate, line: lineOf(offset) }),
  );
  const entries = new Map<string, YamlEntry>();
  for (const pair of root.items) {
    const value: unknown = pair.value;
    const scalar = isScalar(value) ? value : undefined;
    const entry: YamlEntry = { line: lineOf(keyOffset(pair)), plain: scalar?.type === "PLAIN" };
    if (typeof scalar?.source === "string") entry.source = scalar.source;
    entries.set(keyName(pair) ?? "", entry);
  }
  return {
    ok: true,
    data: document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>,
    entries,
    duplicates,
  };
}

function dropDuplicates(
  document: Document.Parsed,
  report: (found: Omit<YamlDuplicate, "line"> & { offset: number | undefined }) => void,
): void {
  visit(document, {
    Map(_key, map: YAMLMap, path) {
      const seen = new Map<string, Pair>();
      map.items = map.items.filter((pair) => {
        const key = keyName(pair) ?? "";
        const first = seen.get(key);
        if (first === undefined) return seen.set(key, pair);
        const owner = path.find(isPair);
        report({
          key,
          offset: keyOffset(pair),
          owner: (owner && keyName(owner)) ?? key,
          same: JSON.stringify(pair.value) === JSON.stringify(first.value),
        });
        return false;
      });
    },
  });
}

function keyName(pair: Pair): string | undefined {
  const key: unknown = isScalar(pair.key) ? pair.key.value : undefined;
  return typeof key === "string" || typeof key === "number" || typeof key === "boolean"
    ? String(key)
    : undefined;
}

function keyOffset(pair: Pair): number | undefined {
  return isScalar(pair.key) ? pair.key.range?.[0] : undefined;
}

/** The parser's message, or a plainer one for the most common mistakes. */
function inWords(message: string): string {
  if (/nested mappings are not allowed/i.test(message))
    return "a colon followed by a blank in an unquoted value";
  if (
    /implicit map keys need to be followed|implicit keys need to be on a single line/i.test(message)
  )
    return "a line that is neither `key: value` nor indented text";
  if (/alias cannot be an empty string/i.test(message)) return "an unquoted `*`";
  if (/tabs are not allowed/i.test(message)) return "a tab used for indentation";
  return message
    .split("\n", 1)[0]!
    .replace(/ at line \d+.*$/, "")
    .slice(0, 200);
}
