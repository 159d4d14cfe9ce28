// What a run showed of a file is no change of it: "coverage of `a.js` is 83 %", "`npm pack` lists `a.js`".
import { posix } from "node:path";
import type { ResultSetting } from "../gap-of.ts";
import { isCommandText } from "../command-claims.ts";
import { stancesOf } from "../stance/stances-of.ts";
import type { FileMention } from "./mentions-of.ts";

/** The clause measures the file, or tells what a command on record printed of it. */
export function isToldOfRun(
  { statement, clause }: FileMention,
  path: string,
  { report, ledger }: ResultSetting,
): boolean {
  const { ok, subjects } = stancesOf(report).of(statement, clause);
  if (subjects[0] === "coverage" && ok > 0) return true;
  const name = posix.basename(path);
  return statement.clauses
    .flatMap(({ code }) => code)
    .filter(isCommandText)
    .some((command) => ledger.ran(command).some(({ run }) => run.output.includes(name)));
}
