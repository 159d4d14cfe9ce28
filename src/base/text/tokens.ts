// Estimates tokens between provider calls: tokenx's estimate plus a margin, so that budgets hold.
import { estimateTokenCount } from "tokenx";

/** What an image or a document counts: base64 is not text, so its length says nothing. */
export const mediaTokens = 1_600;

/** Estimated tokens of `text`, rounded up. */
export const countTokens = (text: string): number => Math.ceil(estimateTokenCount(text) * 1.2);

/** Whether the text may have more tokens: of one that is far from its budget the length tells that it has not. */
export const mayExceed = (text: string, budget: number): boolean =>
  Math.ceil(text.length * (isPlain.test(text) ? 1 : mostOfOne) * 1.2) > budget;

/** A token is one character at least, but for a sign such as ™. */
const isPlain = /^[\0-\x7f]*$/;
const mostOfOne = 2;
