// The names and quotations in one text, by which a place named there can be told right or wrong.
import type { InlineCode } from "../../markdown/inline-code.ts";
import { codeName, isCode, isCodeShaped } from "./code-names.ts";
import type { Mention } from "./find-mentions.ts";
import { spelledNumbers, type LineRange } from "./line-numbers.ts";

export type Evidence = {
  /** Offsets in the text it was found in. */
  start: number;
  end: number;
  /** How surely it speaks of the place. */
  weight: number;
  /** A name; empty for a quotation. */
  name: string;
  /** Written without marks of code, or an everyday word: it counts only where the repository has it. */
  isPlain: boolean;
  /** The lines of a quotation; empty for a name. */
  lines: string[];
  /** The line numbers printed beside a quotation. */
  gutter: number[];
  /** The other side of a change: it may stand there instead. */
  other: string[];
  /** A name with its own line, `foo:45`. */
  range?: LineRange;
  /** The words say that it was read there. */
  isTold?: boolean;
};

const blank = { weight: 0, name: "", isPlain: false, lines: [], gutter: [], other: [] };

export const nameEvidence = (
  name: string,
  start: number,
  end: number,
  isPlain: boolean,
): Evidence => ({ ...blank, name, start, end, isPlain });
export const quoteEvidence = (lines: string[], start: number, end: number): Evidence => ({
  ...blank,
  lines,
  start,
  end,
});

type Found = { spans: readonly InlineCode[]; mentions: readonly Mention[] };

const plainWord =
  /(?<![\w`./\\$@-])[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?(?![\w/\\`-])/g;

/** In order of their places. */
export function findEvidence(text: string, { spans, mentions }: Found): Evidence[] {
  const found: Evidence[] = [];
  const isTaken = (start: number, end: number): boolean =>
    mentions.some(
      (mention) => mention.start < end && start < mention.end && mention.label === undefined,
    );
  for (const span of spans) {
    if (isTaken(span.start, span.end)) continue;
    const evidence = spanEvidence(span);
    if (evidence) found.push(evidence);
  }
  const marks = [...spans];
  let next = 0;
  if (text.length < 20_000)
    for (const match of text.matchAll(plainWord)) {
      const [start, end] = [match.index, match.index + match[0].length];
      while (next < marks.length && marks[next]!.end <= start) next++;
      if (next < marks.length && marks[next]!.start < end) continue;
      if (!isCodeShaped(match[0]) || isTaken(start, end) || match[0].length < 4) continue;
      found.push(nameEvidence(match[0].replace(/\(\)$/, ""), start, end, true));
    }
  for (const { label, start, end } of mentions) {
    const name = label === undefined || /[`/]/.test(label) ? undefined : codeName(label.trim());
    if (name && !name.isEveryday)
      found.push({ ...nameEvidence(name.name, start, end, !isCodeShaped(name.name)) });
  }
  return found.sort((a, b) => a.start - b.start);
}

function spanEvidence({ text, start, end, from }: InlineCode): Evidence | undefined {
  const numbered = /^([A-Za-z_$][\w$.:#-]*?(?:\(\))?):L?(\d{1,7})(?:[-–](\d{1,7}))?$/.exec(
    text.trim(),
  );
  if (numbered) {
    const [range] = spelledNumbers(`line ${numbered[2]}${numbered[3] ? `-${numbered[3]}` : ""}`);
    const name = codeName(numbered[1]!);
    return (
      name && {
        ...nameEvidence(name.name, start, end, false),
        range: { ...range!, start: from + numbered[1]!.length, end },
      }
    );
  }
  const name = codeName(text);
  if (name && !name.hasArguments)
    return nameEvidence(name.name, start, end, name.isEveryday || text.trim().length < 3);
  if (!isCode(text)) return undefined;
  const quote = quoteEvidence([text.trim()], start, end);
  // A signature or a call may be a paraphrase: its name counts beside its letters.
  const called = name?.name ?? /^(?:[a-z]+\s)?([A-Za-z_$][\w$.:]*)\(/.exec(text.trim())?.[1];
  return called === undefined ? quote : { ...quote, name: called };
}
