// Frontmatter of any bytes: strict YAML first, then tolerantly key by key, with the line of
// everything odd. Never throws, never evaluates.
import { scanFrontmatter } from "./frontmatter-scan.ts";
import { splitFrontmatter } from "./frontmatter-split.ts";
import type { FrontmatterIssue } from "./frontmatter-split.ts";
import { readYaml } from "./read-yaml.ts";
import type { YamlDuplicate, YamlEntry } from "./read-yaml.ts";

export type { FrontmatterIssue } from "./frontmatter-split.ts";

export type Frontmatter = {
  /**
   * `none`: a file without frontmatter. `refused`: it has one that must not be used; `issues` says
   * why.
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
 * `knownKeys` tell keys from lines of prose that look like keys. A key of `decisive` that stands
 * twice with two values is an error, any other a warning.
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
      entries: moved(strict.entries, yamlLine),
      issues: [...issues, ...repeated, ...lostToComments(yaml, yamlLine, strict)],
    };
  }
  if (strict.refused)
    return {
      ...base,
      kind: "refused",
      issues: [
        ...issues,
        {
          line: strict.line + yamlLine - 1,
          severity: "error",
          code: strict.code,
          message: strict.message,
        },
      ],
    };
  const scan = scanFrontmatter(yaml, yamlLine, knownKeys);
  const repeated = scan.duplicates.map((found) => repeatedKey(found, decisive));
  if (scan.refused)
    return {
      ...base,
      kind: "refused",
      issues: [
        ...issues,
        {
          line: scan.refused.line + yamlLine - 1,
          severity: "error",
          code: scan.refused.code,
          message: scan.refused.message,
        },
      ],
    };
  const warning: FrontmatterIssue = {
    line: strict.line + yamlLine - 1,
    severity: "warning",
    code: "tolerant-yaml",
    message: `not strict YAML (${strict.message}); read line by line`,
    suggestion: "quote the value, or use a block (`key: |`) with indented lines",
  };
  const hashes = lostToComments(yaml, yamlLine, scan);
  return {
    ...base,
    kind: "tolerant",
    data: scan.data,
    entries: moved(scan.entries, yamlLine),
    issues: [...issues, warning, ...scan.issues, ...repeated, ...hashes],
  };
}

/** The first one holds. */
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

function moved(entries: Map<string, YamlEntry>, yamlLine: number): Map<string, YamlEntry> {
  return new Map(
    [...entries].map(([key, entry]) => [key, { ...entry, line: entry.line + yamlLine - 1 }]),
  );
}

/**
 * `color: #fff` is null in YAML because `#` starts a comment. A value that is nothing but such a
 * word was meant as a value.
 */
function lostToComments(
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
    return [
      {
        line: entry.line + yamlLine - 1,
        severity: "warning",
        code: "unquoted-hash",
        message: `\`${key}: ${value.slice(0, 40)}\` is a comment in YAML; read as the text "${value.slice(0, 40)}"`,
        suggestion: `write ${key}: "${value.slice(0, 40)}"`,
      },
    ];
  });
}
