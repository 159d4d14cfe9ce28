// Commands that show a part of a file: which file and which lines they name, and what they printed below a prompt.
import { claimAt } from "./claims.ts";
import type { Claim, QuoteEvidence } from "./claims.ts";
import { cleanPath, isPathLike } from "./path-shape.ts";
import { parseToken } from "./path-token.ts";
import type { Range } from "./path-token.ts";
import type { Repository } from "./repository.ts";
import type { Piece } from "./units.ts";

const viewer =
  /^(?:n?vim?|nano|emacs(?:client)?|code|cursor|subl|less|more|bat|batcat|cat|nl|head|tail|sed\s+-n|awk|git\s+blame)\s/;
/** What goes through anything else is no longer what stands in the file. */
const onlyCuts = /^\s*(?:sed\s+-n|head|tail|cat|nl)\b[^|;&<>]*$/;
const prompt = /^\s*[$%❯➜]\s+(?=\S)/;

export type View = { path: string; range: Range | null; at: number; length: number };

/** The file and the lines that `command` shows; undefined for any other command. */
export function viewOf(command: string, repo: Repository): View | undefined {
  if (command.length > 400 || !viewer.test(command) || /[;&<>]/.test(command)) return undefined;
  const [, ...piped] = command.split("|");
  if (!piped.every((part) => onlyCuts.test(part))) return undefined;
  const found: View[] = [];
  for (const match of command.matchAll(/[^\s"'|]+/g)) {
    const token = parseToken(match[0]);
    const path = cleanPath(token.path, repo);
    if (
      match.index > 0 &&
      /[./]/.test(path) &&
      isPathLike(path, repo, { inCode: true, hasLine: true, named: true })
    )
      found.push({
        path,
        range: token.ranges[0] ?? null,
        at: match.index,
        length: match[0].length,
      });
  }
  return found.length === 1
    ? { ...found[0]!, range: found[0]!.range ?? rangeOf(command) }
    : undefined;
}

function rangeOf(command: string): Range | null {
  const match =
    /\bsed\s+-n\s+-?e?\s*["']?(\d{1,9})(?:\s?,\s?(\d{1,9}))?p/.exec(command) ??
    /\s\+(\d{1,9})(?=\s|$)/.exec(command) ??
    /\s-(?:L|r|-line-range)\s?(\d{1,9})[,:](\d{1,9})/.exec(command) ??
    /\bNR\s?==\s?(\d{1,9})/.exec(command);
  return match ? [Number(match[1]), Number(match[2] ?? match[1])] : null;
}

/** Cuts what a terminal showed at its prompts: each view with what it printed is a claim, the rest is left as it was. */
export function terminalViews(
  lines: Piece[],
  repo: Repository,
  quotes: (printed: string[]) => QuoteEvidence[],
): { claims: Claim[]; rest: Piece[] } {
  const claims: Claim[] = [];
  const rest: Piece[] = [];
  for (let index = 0; index < lines.length;) {
    const { start, text } = lines[index]!;
    const lead = prompt.exec(text)?.[0];
    let end = index + 1;
    if (lead !== undefined) while (end < lines.length && !prompt.test(lines[end]!.text)) end++;
    const view = lead === undefined ? undefined : viewOf(text.slice(lead.length).trimEnd(), repo);
    const printed = lines.slice(index + 1, end).map((line) => line.text);
    // A bare name that no file has is an example's: it lies wherever it was tried.
    const known = view !== undefined && (view.path.includes("/") || repo.hasName(view.path));
    if (view && known && lead !== undefined && printed.some((line) => line.trim() !== "")) {
      const at = start + lead.length + view.at;
      claims.push(
        claimAt(
          { start: at, end: at + view.length, path: view.path, range: view.range },
          { quotes: quotes(printed) },
        ),
      );
    } else rest.push(...lines.slice(index, end));
    index = end;
  }
  return { claims, rest };
}
