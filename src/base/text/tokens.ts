// The one token counter between provider calls: tokenx's estimate with a margin, so that budgets
// err on the safe side.
import { estimateTokenCount } from "tokenx";

/**
 * Estimated tokens of `text`, rounded up; never below the truth by more than the estimate's own
 * error.
 */
export const countTokens = (text: string): number => Math.ceil(estimateTokenCount(text) * 1.2);
