// Estimates tokens between provider calls: tokenx's estimate plus a margin, so that budgets hold.
import { estimateTokenCount } from "tokenx";

/** What an image or a document counts: base64 is not text, so its length says nothing. */
export const mediaTokens = 1_600;

/** Estimated tokens of `text`, rounded up. */
export const countTokens = (text: string): number => Math.ceil(estimateTokenCount(text) * 1.2);
