// One document for all who read the same message: none of them changes it.
import { lastFew } from "./last-few.ts";
import { parseDocument, type DocumentOptions, type MarkdownDocument } from "./parse-document.ts";

/** Longer ones are not kept in memory. */
const longestKept = 100_000;
const kept = lastFew((source) => parseDocument(source));

export function sharedDocument(
  source: string,
  { endsFence }: DocumentOptions = {},
): Readonly<MarkdownDocument> {
  // Without a fence there is none that a heading could end.
  if (endsFence && /```|~~~/.test(source)) return parseDocument(source, { endsFence });
  return source.length > longestKept ? parseDocument(source) : kept(source);
}
