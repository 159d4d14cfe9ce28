// Searches without ripgrep: slower, same answers. Patterns run in RE2, so none can hang; long
// searches let other work run in between.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { RE2JS } from "re2js";
import { errorText } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { binaryKind } from "./scan-text.ts";
import {
  PatternProblem,
  type SearchHit,
  type SearchEngine,
  type SearchPlan,
} from "./search-engine.ts";
import { walkFiles } from "./walk-files.ts";

export const builtInEngine: SearchEngine = { list: walkFiles, search };

const linesBetweenBreaths = 2_000;
/** Longer lines are skipped: many megabytes take too long even in linear time. */
const maxLineCharacters = limits.grep.fallbackLineCharacters;

async function* search(
  plan: SearchPlan & { root: string; files: readonly string[]; signal: AbortSignal },
): AsyncGenerator<SearchHit> {
  const expression = compile(plan);
  for (const path of plan.files) {
    plan.signal.throwIfAborted();
    const text = await readText(join(plan.root, path));
    if (text === undefined) continue;
    const found = plan.multiline
      ? matchesAcross(expression, text)
      : await matchesByLine(expression, text, plan.signal);
    if (found.lines.size === 0) continue;
    if (plan.mode === "files_with_matches") yield { path };
    else if (plan.mode === "count") yield { path, count: found.count };
    else yield* contentHits(path, found, plan);
  }
}

function compile({ pattern, ignoreCase, multiline }: SearchPlan): RE2JS {
  try {
    return RE2JS.compile(
      pattern,
      (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.DOTALL | RE2JS.MULTILINE : 0),
    );
  } catch (error) {
    throw new PatternProblem(errorText(error));
  }
}

async function readText(path: string): Promise<string | undefined> {
  const handle = await open(
    path,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch(() => undefined);
  if (!handle) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > limits.grep.fallbackFileBytes) return undefined;
    const bytes = await handle.readFile();
    return binaryKind(bytes) ? undefined : bytes.toString("utf8");
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

type Found = {
  texts: string[];
  /** 0-based numbers of matching lines. */ lines: Set<number>;
  count: number;
};

async function matchesByLine(expression: RE2JS, text: string, signal: AbortSignal): Promise<Found> {
  const texts = linesOf(text);
  const lines = new Set<number>();
  for (const [index, line] of texts.entries()) {
    if (line.length <= maxLineCharacters && expression.matcher(line).find()) lines.add(index);
    if (index % linesBetweenBreaths === linesBetweenBreaths - 1) {
      await breathe();
      signal.throwIfAborted();
    }
  }
  return { texts, lines, count: lines.size };
}

function matchesAcross(expression: RE2JS, text: string): Found {
  const lines = new Set<number>();
  const matcher = expression.matcher(text);
  let count = 0;
  let line = 0;
  let at = 0;
  const advance = (to: number): void => {
    for (let next = text.indexOf("\n", at); next >= 0 && next < to; next = text.indexOf("\n", at)) {
      line += 1;
      at = next + 1;
    }
  };
  while (matcher.find()) {
    // A match that begins after the last line break is in no line.
    if (matcher.start() >= text.length && text.endsWith("\n")) break;
    count += 1;
    advance(matcher.start());
    const first = line;
    advance(Math.max(matcher.start(), matcher.end() - 1));
    for (let number = first; number <= line; number++) lines.add(number);
  }
  return { texts: linesOf(text), lines, count };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function* contentHits(
  path: string,
  { texts, lines }: Found,
  { before, after }: SearchPlan,
): Generator<SearchHit> {
  const shown = new Set<number>();
  for (const line of lines)
    for (
      let number = Math.max(0, line - before);
      number <= Math.min(texts.length - 1, line + after);
      number++
    )
      shown.add(number);
  for (const number of [...shown].sort((a, b) => a - b))
    yield { path, line: number + 1, text: texts[number]!, matched: lines.has(number) };
}
