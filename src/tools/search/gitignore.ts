// Reads .gitignore files with linear-time patterns: a hostile file cannot hang the search.
import { limits } from "../../base/limits.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RE2JS } from "re2js";
import { globSource } from "./glob-pattern.ts";

type Rule = { matches(path: string): boolean; negative: boolean; folderOnly: boolean };

/** What one file says about a path relative to its folder: ignored, kept, or nothing. */
export type Gitignore = (path: string, isFolder: boolean) => boolean | undefined;

const maxBytes = limits.glob.ignoreFileBytes;

export function readGitignore(folder: string): Gitignore | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, ".gitignore"), "utf8").slice(0, maxBytes);
  } catch {
    return undefined;
  }
  const rules = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map(parseRule)
    .filter((rule) => rule !== undefined);
  if (rules.length === 0) return undefined;
  return (path, isFolder) => {
    const last = rules.findLast((rule) => (isFolder || !rule.folderOnly) && rule.matches(path));
    return last && !last.negative;
  };
}

function parseRule(line: string): Rule | undefined {
  const trimmed = line.replace(/(?<!\\)\s+$/, "");
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const negative = trimmed.startsWith("!");
  const body = negative ? trimmed.slice(1) : trimmed;
  const folderOnly = body.endsWith("/");
  const pattern = folderOnly ? body.slice(0, -1) : body;
  const source = globSource(pattern, { braces: false });
  if (pattern === "" || source === undefined) return undefined;
  try {
    const expression = RE2JS.compile(
      `^${pattern.includes("/") ? "" : "(?:.*/)?"}${source}$`,
      RE2JS.DOTALL,
    );
    return { matches: (path) => expression.matcher(path).matches(), negative, folderOnly };
  } catch {
    return undefined;
  }
}
