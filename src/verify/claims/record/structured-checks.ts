// Checks that an answer has as data, `tests: {passed: true}`, against the record: there are no words to
// misread, so one without a run of a recognised command has not passed.
import type { UnrecognisedCheck } from "../../assessment.ts";
import { bareClaim } from "../words/find-result-claims.ts";
import type { ResultSetting } from "../gap-of.ts";
import { judgeCheck } from "../judge-result.ts";
import { scriptNames } from "../runs/tables/script-names.ts";
import type { ResultSubject } from "../result-subject.ts";

export type StructuredChecks = {
  /** Names of checks that did not pass whatever they say, with the reason. */
  failed: string[];
  unrecognised: UnrecognisedCheck[];
};

export function structuredChecks(
  names: readonly string[],
  setting: ResultSetting,
): StructuredChecks {
  const found: StructuredChecks = { failed: [], unrecognised: [] };
  for (const name of names) {
    const subject = subjectOf(name);
    if (subject === undefined) continue;
    // To look for faults is to read: files that were seen are such a check's own record.
    if (subject === "security" && setting.ledger.seenPaths.length > 0) continue;
    const claim = bareClaim(subject, { words: `${name}: passed`, span: [0, 0] });
    const { verdict, reason, unrecognised } = judgeCheck(claim, setting);
    if (unrecognised !== undefined) found.unrecognised.push({ check: name, ...unrecognised });
    if (verdict === "unsupported" || verdict === "altered")
      found.failed.push(`${name} (${reason})`);
  }
  return found;
}

const judged: ReadonlySet<ResultSubject> = new Set(["tests", "types", "lint", "format", "build"]);
const security = /(?:^|[:._/-])(?:security|audit|vulnerabilit(?:y|ies)|secrets?)(?=$|[:._/-])/i;

/** A name that says nothing of these is a check of the agent's own. */
const subjectOf = (name: string): ResultSubject | undefined =>
  security.test(name)
    ? "security"
    : scriptNames.find(([pattern, subject]) => judged.has(subject) && pattern.test(name))?.[1];
