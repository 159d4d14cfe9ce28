// The judges that read the record, the tree and the project for what speaks against a message: each of
// its flags carries the judge's name, by which it is weighed.
import type { FileEvidence } from "../../evidence/judge-files.ts";
import type { Ledger } from "../../evidence/ledger.ts";
import type { Repository } from "../../../source/repository.ts";
import type { ClaimKind } from "../../verdict.ts";
import { absenceClaims } from "../facts/absence-claims.ts";
import { quantifiedClaims } from "../facts/quantified-claims.ts";
import type { ResultSetting } from "../gap-of.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { untoldFates } from "../deeds/untold-fates.ts";
import { commitClaims } from "../project/commit-claims.ts";
import { packageClaims } from "../project/package-claims.ts";
import { platformClaims } from "../project/platform-claims.ts";
import { passedOver } from "../record/passed-over.ts";
import { rehearsedDeeds } from "../record/rehearsed-deeds.ts";
import { strangeFigures } from "../record/strange-figures.ts";
import { unendedRuns } from "../record/unended-runs.ts";
import { unrunNames } from "../record/unrun-names.ts";
import { untoldFailures } from "../record/untold-failures.ts";
import { deniedCounts } from "../results/denied-counts.ts";
import { unusedMeans } from "../results/unused-means.ts";
import { unmadeRuns } from "../states/unmade-runs.ts";
import { quotationClaims } from "../tree/quotations.ts";
import { checkOf, type ClaimCheck } from "./claim-check.ts";

type Found = { span: [number, number]; judged: ClaimJudgement; deed?: true; told?: number };

/** What each judge found, by the judge's name. */
const checksOf = (
  report: string,
  kind: ClaimKind,
  found: { [judge: string]: readonly Found[] },
): ClaimCheck[] =>
  Object.entries(found).flatMap(([judge, list]) =>
    list.map(({ span, judged, ...rest }) => ({
      ...checkOf(report, span, { ...judged, kind, judge }),
      ...rest,
    })),
  );

/** Changes that are told and that the record does not have. */
export function undoneDeeds(
  report: string,
  setting: ResultSetting & Pick<FileEvidence, "exists">,
): ClaimCheck[] {
  const { failed, undone, untouched, absent: nowhere } = untoldFates(report, setting);
  return checksOf(report, "file_claim", {
    deedFailed: failed,
    deedUndone: undone,
    deedUntouched: untouched,
    deedAbsent: nowhere,
  });
}

/** What manifests, the history and the sources say about packages, scripts, commits and quotations. */
export const projectFacts = (
  report: string,
  { repo, ledger }: { repo: Repository; ledger: Ledger | undefined },
): ClaimCheck[] =>
  checksOf(report, "command", {
    packages: packageClaims(report, repo),
    platforms: platformClaims(report, repo),
    commits: commitClaims(report, repo, ledger),
    quotations: quotationClaims(report, repo, ledger),
    absences: absenceClaims(report, repo),
    quantities: quantifiedClaims(report, repo),
  }).map((check) => ({ ...check, spoken: true }));

/** A plan or a dry run that is told as the deed, whatever else is said of the sentence. */
export const rehearsed = (report: string, setting: ResultSetting): ClaimCheck[] =>
  asDeeds(checksOf(report, "command", { rehearsedDeeds: rehearsedDeeds(report, setting) }));

/** What the record says first: words only decide whether the message speaks of it. */
export const fromRecord = (report: string, setting: ResultSetting): ClaimCheck[] => [
  ...checksOf(report, "command", {
    untoldFailures: untoldFailures(report, setting),
    unrunNames: unrunNames(report, setting),
    strangeFigures: strangeFigures(report, setting.ledger),
    unendedRuns: unendedRuns(report, setting),
    deniedCounts: deniedCounts(report, setting),
  }),
  ...asDeeds(
    checksOf(report, "command", {
      unmadeRuns: unmadeRuns(report, setting),
      unusedMeans: unusedMeans(report, setting),
    }),
  ),
];

/** A failure that no word of the message tells. */
export const fromSilence = (report: string, setting: ResultSetting): ClaimCheck[] =>
  asDeeds(checksOf(report, "command", { passedOver: passedOver(report, setting) }));

const asDeeds = (checks: readonly ClaimCheck[]): ClaimCheck[] =>
  checks.map((check) => ({ ...check, deed: true }));
