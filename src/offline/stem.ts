// The part of a word that its forms share, and where a text has it: "retry" is in "retries", "retried"
// and "withRetry".
import { escapeRegExp } from "../base/text/escape-reg-exp.ts";

export function stem(word: string): string {
  const base = word.length > 5 ? word.replace(/(?:ies|ied|ying)$/, "y") : word;
  if (base !== word) return base;
  return word.length > 5
    ? word.replace(/(?:ing|tion|ed|es|s)$/, "")
    : word.replace(/(?<=\w{3}[^s])s$/, "");
}

/** `text` in lower case. */
export function hasStem(text: string, of: string): boolean {
  return text.includes(of) || (of.endsWith("y") && text.includes(`${of.slice(0, -1)}ie`));
}

/** For a search that does not look at the case. */
export function stemPattern(of: string): string {
  const pattern = escapeRegExp(of);
  return pattern.endsWith("y") ? `${pattern.slice(0, -1)}(?:y|ie)` : pattern;
}
