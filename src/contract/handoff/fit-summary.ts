// Keeps a summary within its budget without a silent cut: whole sentences that fit, and where the full text is.
import { limits } from "../../base/limits.ts";
import { countTokens } from "../../base/text/tokens.ts";

export type FittedSummary = { text: string; tokens: number; cut: boolean };

/** The first whole sentences that fit; `fullTextPath` is named where something was left out. */
export function fitSummary(
  text: string,
  fullTextPath: string,
  budget: number = limits.report.summaryTokens,
): FittedSummary {
  const tokens = countTokens(text);
  if (tokens <= budget) return { text, tokens, cut: false };
  const note = ` (shortened; full text: ${fullTextPath})`;
  const room = budget - countTokens(note);
  let kept = "";
  for (const sentence of sentencesOf(text.slice(0, budget * 12))) {
    if (countTokens(kept + sentence) > room) break;
    kept += sentence;
  }
  const shortened = `${(kept || byWords(text, room)).trimEnd()}${note}`;
  return { text: shortened, tokens: countTokens(shortened), cut: true };
}

function sentencesOf(text: string): string[] {
  return text.match(/[^.!?\n]*(?:[.!?]+(?=\s|$)|\n|$)\s*/g)?.filter(Boolean) ?? [];
}

/** One sentence longer than the budget: as many words of it as fit. */
function byWords(text: string, room: number): string {
  let kept = "";
  for (const word of text.slice(0, room * 12).split(/(?<=\s)/)) {
    if (countTokens(`${kept}${word}…`) > room) break;
    kept += word;
  }
  return kept === "" ? "" : `${kept.trimEnd()}…`;
}
