// What the files of a tree hold that can be counted: each function, class, test, route, import and constant
// with its place, its text, and whether it is shown to others and described by a comment.
import { escapeRegExp } from "../../../base/text/escape-reg-exp.ts";
import { isComment } from "../../../source/definitions.ts";
import type { Repository } from "../../../source/repository.ts";
import type { SourceFile } from "../../../source/source-file.ts";
import { elementRows, type ElementKind } from "./element-rows.ts";

/** `owner`: the class, interface or type that it stands in. */
export type Element = {
  kind: ElementKind;
  name: string;
  owner: string | null;
  path: string;
  line: number;
  head: string;
  text: string;
  isShown: boolean;
  isDescribed: boolean;
};

const inventories = new WeakMap<Repository, Map<string, readonly Element[]>>();

export function elementsIn(path: string, repo: Repository): readonly Element[] {
  const known = inventories.get(repo) ?? new Map<string, readonly Element[]>();
  inventories.set(repo, known);
  const found = known.get(path);
  if (found) return found;
  const state = repo.open(path);
  const elements = state.ok && state.file.lineCount <= maxLines ? readElements(state.file) : [];
  known.set(path, elements);
  return elements;
}

const maxLines = 20_000;
const compiled = new Map<string, { kind: ElementKind; lines: readonly RegExp[] }[]>();

function patternsFor(path: string): { kind: ElementKind; lines: readonly RegExp[] }[] {
  const ending = /\.\w+$|[^/]*$/.exec(path)![0];
  const known = compiled.get(ending);
  if (known) return known;
  const rows = elementRows
    .filter(({ files }) => files.test(path))
    .map(({ kind, lines }) => ({ kind, lines: lines.map((line) => new RegExp(line)) }));
  compiled.set(ending, rows);
  return rows;
}

function readElements(file: SourceFile): Element[] {
  const rows = patternsFor(file.path);
  const found: Element[] = [];
  if (rows.length === 0) return found;
  const owners: { name: string; end: number }[] = [];
  for (let line = 1; line <= file.lineCount; line++) {
    const text = file.line(line);
    if (text.length > 400 || text.trim() === "" || isComment(text)) continue;
    for (const { kind, lines } of rows) {
      const match = lines.map((one) => one.exec(text)).find((one) => one !== null);
      if (!match) continue;
      const name = match.slice(1).find((group) => group !== undefined) ?? "";
      found.push(elementAt(file, { kind, name, line, owner: ownerAt(text, line, owners) }));
      if (kind === "class") owners.push({ name, end: file.extentOf(line) });
    }
    // Rust and Go say of what type their methods are.
    const impl = /^impl(?:<[^>]*>)?\s+(?:[\w:<>]+\s+for\s+)?(\w+)/.exec(text)?.[1];
    if (impl !== undefined) owners.push({ name: impl, end: file.extentOf(line) });
  }
  return found;
}

function ownerAt(
  text: string,
  line: number,
  owners: readonly { name: string; end: number }[],
): string | null {
  const receiver = /^func\s+\(\s*\w*\s*\*?(\w+)/.exec(text)?.[1];
  return receiver ?? owners.findLast(({ end }) => end >= line)?.name ?? null;
}

type Found = Pick<Element, "kind" | "name" | "line" | "owner">;

function elementAt(file: SourceFile, { kind, name, line, owner }: Found): Element {
  const head = file.line(line);
  // The mark of a test stands above its function.
  const from = /^\s*(?:#\[|@|\[)/.test(head) ? nextCode(file, line) : line;
  const end = /^(?:import|constant|command|argument)$/.test(kind)
    ? line
    : Math.max(line, file.extentOf(from));
  const text = Array.from({ length: end - line + 1 }, (_, at) => file.line(line + at)).join("\n");
  return {
    kind,
    name,
    owner,
    path: file.path,
    line,
    head: headOf(file, line, end),
    text,
    isShown: isShown(head, name, file),
    isDescribed: isDescribed(file, line),
  };
}

const nextCode = (file: SourceFile, line: number): number => {
  for (let at = line + 1; at <= line + 6; at++)
    if (/^\s*(?:pub |async |public |private |void |def |fn |fun |static )/.test(file.line(at)))
      return at;
  return line;
};

/** Up to where its body opens: parameters may stand on lines of their own. */
function headOf(file: SourceFile, line: number, end: number): string {
  let head = file.line(line);
  for (let at = line + 1; at <= Math.min(end, line + 8) && !/[{:;]\s*$|=>/.test(head); at++)
    head += ` ${file.line(at).trim()}`;
  return head;
}

function isShown(head: string, name: string, file: SourceFile): boolean {
  if (file.path.endsWith(".go")) return /^[A-Z]/.test(name);
  if (/\.pyi?$|\.rb$/.test(file.path)) return !name.startsWith("_");
  if (/\.exs?$/.test(file.path)) return /^\s*def\s/.test(head);
  if (/\.kts?$/.test(file.path)) return !/\b(?:private|internal|protected)\b/.test(head);
  if (/\.[cm]?[jt]sx?$/.test(file.path))
    return (
      /^\s*export\b|^\s*(?:module\.)?exports\./.test(head) ||
      new RegExp(`(?:export|exports =)\\s*\\{[^}]*\\b${escapeRegExp(name)}\\b`).test(file.text)
    );
  return /^\s*(?:export|pub|public)\b/.test(head) || file.path.endsWith(".h");
}

/** A comment right above it, marks of other kinds between, or a docstring as its first line. */
function isDescribed(file: SourceFile, line: number): boolean {
  let above = line - 1;
  while (above > 0 && /^\s*(?:@|#\[|\[\w)/.test(file.line(above))) above--;
  if (/^\s*(?:\/\/|\/\*|\*|#(?!\[|!)|--)|\*\/\s*$/.test(file.line(above))) return true;
  if (!/\.pyi?$/.test(file.path)) return false;
  let first = line;
  while (first < line + 12 && !/:\s*(?:#.*)?$/.test(file.line(first))) first++;
  return /^\s*[rub]*(?:"""|'''|")/i.test(file.line(first + 1));
}
