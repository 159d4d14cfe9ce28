// Whether a text has anything that could be compared with files or record: a path, a name in code, a
// place, a deed, a result, a statement about the tree. Decided before anything is read from the disk.
import { parseReport } from "../../contract/report/parse-report.ts";
import { findCommandClaims } from "../claims/command-claims.ts";
import { findPrintedClaims } from "../claims/printed-claims.ts";
import { findTreeClaims } from "../claims/tree/find-tree-claims.ts";
import { findResultClaims } from "../claims/words/find-result-claims.ts";

/** A path, code, a link, a place, a heading or a table: the forms in which places are written. */
const written = /[`/\\|#]|\w\.\w|:\d|\bline\b|\]\(/i;

export const saysSomething = (text: string): boolean =>
  written.test(text) ||
  [findResultClaims, findCommandClaims, findPrintedClaims, findTreeClaims].some(
    (find) => find(text).length > 0,
  ) ||
  parseReport(text).outcome !== null;
