// What the sentences of an answer claim about deeds and results. The code that reads them is large: it
// is loaded where a sentence may claim something, or where the record has something to be told about.
import { loadOnce } from "../../base/load-once.ts";
import type { VerifiedReport } from "../../contract/aggregate/verified-report.ts";
import type { ClaimSetting } from "../claims/claim-checks.ts";
import type { ClaimCheck } from "../claims/flags/claim-check.ts";
import type { TestNumbers } from "../claims/words/find-result-claims.ts";
import type { Ledger } from "../evidence/ledger.ts";
import { isFault, isFlagged, type Check } from "../verdict.ts";
import { onlyPlaces } from "./only-places.ts";
import { mayClaim } from "./says-something.ts";

export type SpokenChecks = {
  checks: ClaimCheck[];
  /** The numbers of tests that it tells. */
  tests: VerifiedReport["tests"];
};

export const loadClaimChecks = loadOnce(() => import("../claims/claim-checks.ts"));

/** `told`: the text without the places in files that are known already; `prose`: without all that is known. */
export async function spokenChecks(
  told: string,
  prose: string,
  setting: ClaimSetting,
): Promise<SpokenChecks> {
  const isSilent = onlyLooked(setting.ledger) && (!mayClaim(prose) || onlyPlaces(told));
  if (isSilent) return { checks: [], tests: null };
  const { claimChecks, toldNumbers } = await loadClaimChecks();
  const tests = testNumbers(toldNumbers(told));
  return { checks: await claimChecks(prose, setting), tests };
}

/** Nothing was run or written, or tried to be: there is nothing that an answer could keep silent about. */
const onlyLooked = (ledger: Ledger | undefined): boolean =>
  ledger === undefined ||
  [ledger.commands, ledger.toolRuns, ledger.edits, ledger.refusedWrites].every(
    (list) => list.length === 0,
  );

function testNumbers(told: TestNumbers | null): VerifiedReport["tests"] {
  if (told === null || told.passed === null) return null;
  const { passed, failed, total } = told;
  return { passed, failed: failed ?? (total === null ? 0 : total - passed) };
}

/** What the trees said of a file is said once; where they say nothing, the record does. */
export const isToldTwice = (check: Check, filed: readonly Check[]): boolean =>
  check.kind === "file_claim" &&
  filed.some(
    ({ kind, span, verdict }) =>
      kind === "file_claim" &&
      (verdict !== "not_judged" || !isFlagged(check.verdict)) &&
      span[0] < check.span[1] &&
      check.span[0] < span[1],
  );

/** What could not be decided of a file is left out where its sentence is flagged. */
export const isOutweighed = (check: Check, spoken: readonly Check[]): boolean =>
  check.kind === "file_claim" &&
  check.verdict === "not_judged" &&
  spoken.some(
    ({ kind, span, verdict }) =>
      kind === "file_claim" &&
      isFlagged(verdict) &&
      span[0] < check.span[1] &&
      check.span[0] < span[1],
  );

/** In a sentence that something speaks against nothing counts as held besides, nor does a name that stands there. */
export function heldOnce<T extends Check>(checks: readonly T[]): T[] {
  const isSentence = ({ kind, path }: Check): boolean =>
    path === null && (kind === "test" || kind === "command" || kind === "file_claim");
  const faults = checks.filter((check) => isSentence(check) && isFault(check.verdict));
  const isFaulty = ({ span }: Check): boolean =>
    faults.some((fault) => fault.span[0] < span[1] && span[0] < fault.span[1]);
  return checks.flatMap((check) => {
    if (check.verdict !== "verified" || !isFaulty(check)) return [check];
    if (isSentence(check)) return [];
    return check.kind === "symbol" && check.lines === null
      ? [{ ...check, verdict: "exists_only", grade: "E1" }]
      : [check];
  });
}
