// "It now validates …" in a run whose every write failed: nothing was changed, whatever the words say.
import type { Ledger } from "../evidence/ledger.ts";
import type { Record } from "./runs/recorded-runs.ts";
import { isAside, isAsserted } from "./words/is-asserted.ts";
import { anyPhrase } from "./words/phrase.ts";
import { statementsOf } from "./words/statements.ts";

const changeVerbs =
  "added|changed|replaced|updated|fixed|moved|renamed|removed|implemented|introduced|wrote|created|" +
  "switched|extracted|corrected|refactored|rewrote|wrapped|bumped|set|made";
const says = anyPhrase([
  `^(?:${changeVerbs})`,
  `(?:I|I've|I have|we) (?:\\w+ )?(?:${changeVerbs})`,
  "now|new",
]);

/** The first statement that tells of a change, where the record shows that there was none. */
export function refusedDeed(
  report: string,
  { edits, refusedWrites, delegations }: Ledger,
  { recognitions }: Record,
): { span: [number, number]; reason: string } | undefined {
  if (refusedWrites.length === 0 || edits.length > 0 || delegations > 0) return undefined;
  if (recognitions.some(({ recognition }) => recognition.mayWrite)) return undefined;
  for (const statement of statementsOf(report)) {
    if (statement.kind === "fence" || isAside(statement)) continue;
    for (const clause of statement.clauses) {
      const at = clause.words.search(says);
      if (at < 0 || clause.code.length === 0) continue;
      if (!isAsserted(statement, clause, [at, at + 1])) continue;
      const path = refusedWrites.at(-1)!;
      return { span: clause.span, reason: `no write went through: the one to ${path} failed` };
    }
  }
  return undefined;
}
