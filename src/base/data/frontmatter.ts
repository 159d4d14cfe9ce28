// Reads the frontmatter of any text: as strict YAML if possible, else key by key. Every issue has
// its line. Never throws and never evaluates anything.
import { scanFrontmatter } from "./frontmatter-scan.ts";
import { splitFrontmatter } from "./frontmatter-split.ts";
import type { FrontmatterIssue } from "./frontmatter-split.ts";
import { readYaml } from "./read-yaml.ts";
import type { YamlDuplicate, YamlEntry, YamlFailure } from "./read-yaml.ts";

export type { FrontmatterIssue } from "./frontmatter-split.ts";

export type Frontmatter = {
  /**
   * `none`: the file has no frontmatter. `refused`: it has frontmatter that must not be used;
   * `issues` says why.
   */
  kind: "strict" | "tolerant" | "none" | "refused";
  data: Record<string, unknown>;
  /** Per top-level key: its line in the file, the scalar as written, whether it was unquoted. */
  entries: Map<string, YamlEntry>;
  /** Everything after the closing line, unchanged. */
  body: string;
  /** Where the body begins in the text. */
  bodyOffset: number;
  issues: FrontmatterIssue[];
};

/**
 * `knownKeys` help to tell keys from lines of prose that look like keys. If a key of `decisive`
 * stands twice with different values, that is an error; for other keys it is a warning.
 */
export function readFrontmatter(
  text: string,
  knownKeys: ReadonlySet<string>,
  decisive: ReadonlySet<string> = knownKeys,
): Frontmatter {
  const { yaml, yamlLine, bodyOffset, issues } = splitFrontmatter(text);
  const base: Frontmatter = {
    kind: "none",
    data: {},
    entries: new Map(),
    body: text.slice(bodyOffset),
    bodyOffset,
    issues,
  };
  if (yaml === undefined)
    return issues.some((issue) => issue.severity === "error") ? { ...base, kind: "refused" } : base;
  const strict = readYaml(yaml);
  if (strict.ok) {
    const repeated = strict.duplicates.map((found) =>
      repeatedKey({ ...found, line: found.line + yamlLine - 1 }, decisive),
    );
    return {
      ...base,
      kind: "strict",
      data: strict.data,
      entries: atFileLines(strict.entries, yamlLine),
      issues: [...issues, ...repeated, ...restoreHashValues(yaml, yamlLine, strict)],
    };
  }
  if (strict.refused) return refusedBy(strict, base, yamlLine);
  const scan = scanFrontmatter(yaml, yamlLine, knownKeys);
  if (scan.refused) return refusedBy(scan.refused, base, yamlLine);
  const repeated = scan.duplicates.map((found) => repeatedKey(found, decisive));
  const warning: FrontmatterIssue = {
    line: strict.line + yamlLine - 1,
    severity: "warning",
    code: "tolerant-yaml",
    message: `not strict YAML (${strict.message}); read line by line`,
    suggestion: "quote the value, or use a block (`key: |`) with indented lines",
  };
  const hashes = restoreHashValues(yaml, yamlLine, scan);
  return {
    ...base,
    kind: "tolerant",
    data: scan.data,
    entries: atFileLines(scan.entries, yamlLine),
    issues: [...issues, warning, ...scan.issues, ...repeated, ...hashes],
  };
}

function refusedBy(failure: YamlFailure, base: Frontmatter, yamlLine: number): Frontmatter {
  const { line, code, message } = failure;
  const issue: FrontmatterIssue = { line: line + yamlLine - 1, severity: "error", code, message };
  return { ...base, kind: "refused", issues: [...base.issues, issue] };
}

/** The issue for a key that stands twice; the first value is used. */
function repeatedKey(
  { key, line, owner, same }: YamlDuplicate,
  decisive: ReadonlySet<string>,
): FrontmatterIssue {
  const shown = key === owner ? key : `${owner}.${key}`;
  if (same || !decisive.has(owner))
    return {
      line,
      severity: "warning",
      code: "duplicate-key",
      message: `\`${shown}\` stands twice${same ? " with the same value" : "; the first one is used"}`,
      suggestion: "remove this one",
    };
  return {
    line,
    severity: "error",
    code: "duplicate-key",
    message: `\`${shown}\` stands twice; it is unclear which one is meant`,
    suggestion: "keep one",
  };
}

/** The same entries with lines of the file instead of lines of the YAML. */
function atFileLines(entries: Map<string, YamlEntry>, yamlLine: number): Map<string, YamlEntry> {
  return new Map(
    [...entries].map(([key, entry]) => [key, { ...entry, line: entry.line + yamlLine - 1 }]),
  );
}

/**
 * `color: #fff` is null in YAML because `#` starts a comment. If `#fff` is all that follows the
 * key, the author meant a value: puts it back into `data` and warns.
 */
function restoreHashValues(
  yaml: string,
  yamlLine: number,
  { data, entries }: { data: Record<string, unknown>; entries: Map<string, YamlEntry> },
): FrontmatterIssue[] {
  const lines = yaml.split("\n");
  return [...entries].flatMap(([key, entry]): FrontmatterIssue[] => {
    const value = /:[ \t]+(#[^\s#]+)[ \t]*$/.exec(lines[entry.line - 1] ?? "")?.[1];
    if (data[key] !== null || value === undefined) return [];
    data[key] = value;
    entry.source = value;
    const shown = value.slice(0, 40);
    return [
      {
        line: entry.line + yamlLine - 1,
        severity: "warning",
        code: "unquoted-hash",
        message: `\`${key}: ${shown}\` is a comment in YAML; read as the text "${shown}"`,
        suggestion: `write ${key}: "${shown}"`,
      },
    ];
  });
}
