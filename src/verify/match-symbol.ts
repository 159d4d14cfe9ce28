// Whether a name stands at a place, and where it really stands when it does not.
import { suggest } from "../base/text/suggest.ts";
import { lastName } from "./claims.ts";
import type { Range } from "./path-token.ts";
import { mayStandIn } from "./prose.ts";
import type { Repository } from "./repository.ts";
import type { SourceFile } from "./source-file.ts";
import type { Place } from "./verdict.ts";

export type SymbolMatch =
  | { kind: "here"; line: number; definition: boolean }
  /** On a decorator, attribute or return type that belongs to the definition below. */
  | { kind: "header"; line: number }
  /** Inside the definition, which starts at `line`. */
  | { kind: "inside"; line: number }
  | { kind: "elsewhere"; place: Place; unique: boolean; definition: boolean }
  | { kind: "nowhere"; typo?: string };

/** Looks for `name` on the lines of `range`, then around them, then in the file, then in the repository. */
export function matchSymbol(
  file: SourceFile,
  name: string,
  { range, repo, defines }: { range: Range | null; repo: Repository; defines: boolean },
): SymbolMatch {
  const word = lastName(name);
  const inRange = range === null ? [] : onLines(file, word, range);
  if (inRange.length > 0) {
    const definition = inRange.find((line) => file.isDefinition(word, line));
    return { kind: "here", line: definition ?? inRange[0]!, definition: definition !== undefined };
  }
  const lines = file.linesWith(word);
  const definitions = lines.length === 0 ? [] : file.definitionsOf(word);
  if (range === null && lines.length > 0)
    return { kind: "here", line: definitions[0] ?? lines[0]!, definition: definitions.length > 0 };
  const around = range === null ? undefined : nearDefinition(file, definitions, range);
  if (around) return around;
  const place = bestLine({ lines, definitions, at: range?.[0] ?? 1, defines });
  const sameLine =
    range === null || (place && Math.abs(place.line - range[0]) <= 15)
      ? undefined
      : repo.definedOn(word, range[0], file.path);
  if (sameLine) return { kind: "elsewhere", place: sameLine, unique: false, definition: true };
  if (
    place !== undefined &&
    (definitions.length > 0 ||
      (range && Math.abs(place.line - range[0]) <= 4) ||
      repo.definedAt(word).length === 0)
  )
    return {
      kind: "elsewhere",
      place: { path: file.path, line: place.line },
      unique: place.unique,
      definition: definitions.includes(place.line),
    };
  return elsewhere(file, word, { at: range?.[0] ?? 0, repo });
}

/** Whether `name` stands on the lines of `range`, or anywhere where there is none. */
export function hasSymbol(file: SourceFile, name: string, range: Range | null): boolean {
  const word = lastName(name);
  return (range === null ? file.linesWith(word) : onLines(file, word, range)).length > 0;
}

function onLines(file: SourceFile, word: string, [first, last]: Range): number[] {
  if (last - first > 40)
    return file.linesWith(word).filter((line) => line >= first && line <= last);
  const found: number[] = [];
  for (let line = first; line <= last; line++) if (file.hasWordAt(word, line)) found.push(line);
  return found;
}

function nearDefinition(
  file: SourceFile,
  definitions: number[],
  range: Range,
): SymbolMatch | undefined {
  for (const definition of definitions) {
    if (definition > range[1] && definition - range[1] <= 6 && isHeader(file, range[0], definition))
      return { kind: "header", line: definition };
  }
  const enclosing = definitions
    .filter((definition) => definition < range[0] && file.extentOf(definition) >= range[1])
    .at(-1);
  return enclosing === undefined ? undefined : { kind: "inside", line: enclosing };
}

/** All lines from `from` to the definition are decorators, attributes, annotations or the type before a name. */
function isHeader(file: SourceFile, from: number, definition: number): boolean {
  for (let line = from; line < definition; line++) {
    const text = file.line(line).trim();
    const attribute = /^(?:@[\w.]+|#!?\[|\[\w[^\]]*\]$|template\s*<)/.test(text);
    const type =
      /^(?:[A-Za-z_][\w\s*&<>:,[\]]*)$/.test(text) &&
      line === definition - 1 &&
      !/^(?:else|do|try|begin|then|return|break|continue|pass|end|fi|done|default|public|private|protected)\b/.test(
        text,
      );
    if (!attribute && !type) return false;
  }
  return true;
}

/** Near the claimed line whatever is nearest, else the definition, else the nearest mention. */
function bestLine({
  lines,
  definitions,
  at,
  defines,
}: {
  lines: number[];
  definitions: number[];
  at: number;
  defines: boolean;
}): { line: number; unique: boolean } | undefined {
  if (lines.length === 0) return undefined;
  const nearest = (list: number[]) =>
    list.reduce((best, line) => (Math.abs(line - at) < Math.abs(best - at) ? line : best));
  const definition = definitions.length > 0 ? nearest(definitions) : undefined;
  if (
    definition !== undefined &&
    (defines || (definitions.length === 1 && Math.abs(definition - at) <= 15))
  )
    return { line: definition, unique: definitions.length === 1 };
  const close = nearest(lines);
  if (definition === undefined || Math.abs(close - at) <= 4)
    return { line: close, unique: lines.length === 1 };
  return { line: definition, unique: definitions.length === 1 };
}

function elsewhere(
  file: SourceFile,
  word: string,
  { at, repo }: { at: number; repo: Repository },
): SymbolMatch {
  const found = repo.definedAt(word).filter(({ path }) => mayStandIn(path, file.path));
  const best = found.find((place) => place.line === at) ?? found[0];
  if (best) return { kind: "elsewhere", place: best, unique: found.length === 1, definition: true };
  const mentions = repo
    .filesWith(word, 8)
    .filter(({ path }) => mayStandIn(path, file.path))
    .flatMap((other) =>
      other
        .linesWith(word)
        .slice(0, 50)
        .map((line) => ({ path: other.path, line })),
    );
  const mention = mentions.find((place) => place.line === at) ?? mentions[0];
  if (mention)
    return { kind: "elsewhere", place: mention, unique: mentions.length === 1, definition: false };
  const typo = at > 0 ? suggest(word, namesOn(file, at)) : undefined;
  return typo === undefined ? { kind: "nowhere" } : { kind: "nowhere", typo };
}

function namesOn(file: SourceFile, line: number): string[] {
  return (
    file
      .line(line)
      .slice(0, 2000)
      .match(/[\w$\u0080-\uffff]{3,80}/g) ?? []
  );
}
