// Strict YAML for untrusted text: core schema, no aliases, merge keys, tags or prototype keys,
// bounded depth and number of keys. Total: any text gives data or a reason with its line; nothing
// is ever evaluated.
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
import type { Document, Pair, YAMLMap } from "yaml";
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
  /** True where reading on tolerantly would be wrong: something dangerous was asked for. */
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
 * A key that stands twice. `owner` is the top-level key it belongs to (itself, at the top); `same`
 * when it only repeats its value.
 */
export type YamlDuplicate = { key: string; line: number; owner: string; same: boolean };

const maxDepth = 32;
const prototypeKeys = new Set(["__proto__", "constructor", "prototype"]);

/** Reads a mapping. Duplicate keys are reported, the first one holds. */
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
 * Before parsing, because the parser recurses: brackets and block indicators opened within one
 * line, and over the whole text.
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

function dangers(
  document: Document.Parsed,
  lineOf: (offset: number | undefined) => number,
): YamlFailure | undefined {
  const anchors = new Set<string>();
  const clean = document.errors.length === 0;
  let found: YamlFailure | undefined;
  let pairs = 0;
  const report = (offset: number | undefined, [code, message]: [string, string]): symbol => {
    found ??= refuse(lineOf(offset), code, message);
    return visit.BREAK;
  };
  visit(document, (_key, node) => {
    if (isPair(node)) {
      if (++pairs > limits.definition.keys && clean)
        return report(keyOffset(node), ["yaml-keys", `more than ${limits.definition.keys} keys`]);
      const name = keyName(node);
      if (name === "<<")
        return report(keyOffset(node), ["yaml-merge", "merge keys (`<<`) are not allowed"]);
      if (name !== undefined && (clean ? prototypeKeys.has(name) : name === "__proto__"))
        return report(keyOffset(node), ["yaml-prototype", `the key \`${name}\` is not allowed`]);
      return undefined;
    }
    if (isAlias(node))
      return anchors.has(node.source)
        ? report(node.range?.[0], [
            "yaml-alias",
            "YAML anchors and aliases are not allowed; write the value out",
          ])
        : undefined;
    if (isScalar(node) || isCollection(node)) {
      if (node.anchor) anchors.add(node.anchor);
      if (node.tag && clean)
        return report(node.range?.[0], [
          "yaml-tag",
          `YAML tags (\`${node.tag.slice(0, 40)}\`) are not allowed`,
        ]);
    }
    return undefined;
  });
  return found;
}

/**
 * What the parser called an error or a warning, an alias that points nowhere, an anchor, a key that
 * is no word: not strict YAML.
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

/** The parser's words, or plainer ones for what people do most. */
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
