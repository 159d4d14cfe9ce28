// Whether a text has anything that could be compared with files or record: a path, a name in code, a
// place, a deed, a result, a statement about the tree. Decided before anything is read from the disk,
// so that an answer without any of it costs next to nothing.
import { parseReport } from "../../contract/report/parse-report.ts";
import { findCommandClaims } from "../claims/command-claims.ts";
import { findPrintedClaims } from "../claims/printed-claims.ts";
import { findTreeClaims } from "../claims/tree/find-tree-claims.ts";
import { findResultClaims } from "../claims/words/find-result-claims.ts";

/** A path, code, a link, a place, a heading or a table: the forms in which places are written. */
const written = /[`/\\|#]|\w\.\w|:\d|\bline\b|\]\(/i;

/** What a sentence may say was done, came out, or is so. */
const finders: readonly ((text: string) => readonly unknown[])[] = [
  findResultClaims,
  findCommandClaims,
  findPrintedClaims,
  findTreeClaims,
];

/** In doubt it does: then the whole check decides. */
export function saysSomething(text: string): boolean {
  if (written.test(text) || finders.some((find) => find(text).length > 0)) return true;
  // A claimed outcome without any of the marks above.
  return parseReport(text).outcome !== null;
}
