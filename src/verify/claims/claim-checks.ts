// Every claim of a message about what came out, judged against the record and the tree: the entry of
// this room. The record comes first; without one nothing here accuses.
import type { Ledger } from "../evidence/ledger.ts";
import type { Repository } from "../../source/repository.ts";
import { isFlagged, type Check, type ClaimKind } from "../verdict.ts";
import { admittedIn } from "./admitted.ts";
import type { ResultSubject } from "./result-subject.ts";
import { findCommandClaims, judgeCommand } from "./command-claims.ts";
import { findResultClaims, type TestNumbers } from "./words/find-result-claims.ts";
import type { ResultSetting } from "./gap-of.ts";
import { judgedClaims } from "./results/judged-claims.ts";
import { notJudged, type ClaimJudgement } from "./judgement.ts";
import { findTreeClaims, type TreeClaim } from "./tree/find-tree-claims.ts";
import { judgeTree } from "./tree/judge-tree.ts";
import type { FileEvidence } from "../evidence/judge-files.ts";
import type { BentPlace } from "./bent/cases/test-cases.ts";
import { isAdmitted } from "./bent/changed-expectations.ts";
import { weakenedBy } from "./bent/weakened-by.ts";
import type { RepositoryReader } from "../../source/reader.ts";
import { withRerun, type Rerun } from "./runs/rerun.ts";
import type { NamedRunner } from "./runs/tools-for.ts";
import type { Project } from "./runs/script-of.ts";
import { recordedRuns } from "./runs/recorded-runs.ts";
import { checkOf, type ClaimCheck } from "./flags/claim-check.ts";
import {
  fromRecord,
  fromSilence,
  projectFacts,
  rehearsed,
  undoneDeeds,
} from "./flags/from-record.ts";
import { holdFlags } from "./flags/hold-flags.ts";

export { structuredChecks } from "./record/structured-checks.ts";

export type ClaimSetting = {
  ledger: Ledger | undefined;
  repo: Repository;
  evidence: FileEvidence;
  rerun: Rerun | undefined;
  /** The tree before the run, where there is one. */
  base: RepositoryReader | undefined;
  /** Commands of the project whose owner says what they show. */
  runners: readonly NamedRunner[];
};

/** Checks without an id, in no order. */
export async function claimChecks(report: string, given: ClaimSetting): Promise<ClaimCheck[]> {
  const { checks, setting } = await claimCandidates(report, given);
  const found = holdFlags(report, checks, setting);
  // Where nothing is held against a message, its silence may be.
  return setting === undefined || found.some(({ verdict }) => isFlagged(verdict))
    ? found
    : [...found, ...holdFlags(report, fromSilence(report, setting), setting)];
}

type Candidates = { checks: ClaimCheck[]; setting: ResultSetting | undefined };

/** Everything that is read and all that may be held against it, before any of it is weighed. */
export async function claimCandidates(
  report: string,
  { ledger: given, repo, evidence, rerun, base, runners }: ClaimSetting,
): Promise<Candidates> {
  const ledger = given && rerun ? await withRerun(given, rerun, projectFiles(repo)) : given;
  const setting = ledger && resultSetting(report, ledger, { repo, runners });
  let places: BentPlace[] | undefined;
  const bent = (): BentPlace[] =>
    (places ??= ledger
      ? weakenedBy({ ledger, repo, base }).filter((place) => !isAdmitted(place, report))
      : []);
  const projects = projectFacts(report, { repo, ledger });
  const results = resultChecks(report, setting, bent).filter(
    (result) => !isOfProject(result, projects),
  );
  const commands = findCommandClaims(report).flatMap((claim) => {
    const judged = setting ? judgeCommand(claim, setting) : notJudged(noRecord);
    const check = checkOf(report, claim.span, { ...judged, kind: "command", judge: "command" });
    return { ...check, deed: true as const };
  });
  // One sentence is told once: what was said of the command says it of the result too.
  const told = commands.filter(
    (one) => !results.some((result) => overlaps(result.span, one.span) && isWorse(result, one)),
  );
  const deeds = [
    ...results.filter(
      (one) => !told.some((command) => overlaps(one.span, command.span) && isSame(one, command)),
    ),
    ...told,
  ];
  const facts = findTreeClaims(report).flatMap((claim): ClaimCheck[] => {
    const judged = judgeTree(claim, { repo, ledger, evidence });
    if (!judged) return [];
    const kind = treeKind(claim.subject);
    return [{ ...checkOf(report, claim.span, { ...judged, kind, judge: "tree" }), spoken: true }];
  });
  const undone = setting ? undoneDeeds(report, { ...setting, exists: evidence.exists }) : [];
  const read = [
    ...deeds,
    ...[...facts, ...projects].filter(isAgainst),
    ...undone,
    ...(setting ? rehearsed(report, setting) : []),
  ];
  const recorded = setting ? fromRecord(report, setting) : [];
  return { checks: toldOnce(read, recorded), setting };
}

/** That one part of a statement fits the tree says little of the whole: only what speaks against it is told. */
const isAgainst = ({ verdict }: ClaimCheck): boolean => verdict !== "verified";

/** How checks and tests ended; `bent`: what this run took from what they prove. */
const resultChecks = (
  report: string,
  setting: ResultSetting | undefined,
  bent: () => BentPlace[],
): ClaimCheck[] =>
  judgedClaims(report, setting).map(({ claim, judged }) =>
    isProof(judged, claim.subject) && bent().length > 0
      ? checkOf(report, claim.span, { ...weakened(judged, bent()), kind: "test", judge: "result" })
      : checkOf(report, claim.span, { ...judged, kind: kindOf(claim.subject), judge: "result" }),
  );

/** What files and history decide needs no run: the whole sentence is told of the project. */
const isOfProject = ({ verdict, span }: ClaimCheck, projects: readonly ClaimCheck[]): boolean =>
  verdict === "unsupported" &&
  projects.some(
    (fact) =>
      (fact.verdict === "verified" || fact.verdict === "countered") &&
      overlaps(fact.span, span) &&
      span[1] - span[0] >= 0.6 * (fact.span[1] - fact.span[0]),
  );

/** What the record says of a sentence is left out where it is accused already. */
const toldOnce = (read: readonly ClaimCheck[], recorded: readonly ClaimCheck[]): ClaimCheck[] =>
  recorded.reduce<ClaimCheck[]>(
    (all, one) => (all.some((other) => isAccused(other, one.span)) ? all : [...all, one]),
    [...read],
  );

/** The first numbers of tests that a text tells. */
export const toldNumbers = (text: string): TestNumbers | null =>
  findResultClaims(text).find(({ numbers }) => numbers !== null)?.numbers ?? null;

const isAccused = (one: Check, span: [number, number]): boolean =>
  (one.grade === "X" || one.verdict === "stale") && overlaps(one.span, span);

const treeKind = (subject: TreeClaim["subject"]): ClaimKind =>
  subject === "changing" ? "file_claim" : "command";

const isProof = ({ verdict }: ClaimJudgement, subject: ResultSubject): boolean =>
  verdict === "verified" && (subject === "tests" || subject === "checks");

/** The result holds, and what it proves is less than it was. */
const weakened = ({ reason }: ClaimJudgement, places: readonly BentPlace[]): ClaimJudgement => ({
  verdict: "weakened",
  grade: "E1",
  reason: `${reason}; but in this run ${places
    .slice(0, 3)
    .map(({ path, line, what }) => `${what} (${path}:${line})`)
    .join(", ")}`,
});

const noRecord = "there is no record of the run to compare with";
const overlaps = (a: [number, number], b: [number, number]): boolean => a[0] < b[1] && b[0] < a[1];
const rank = ({ grade }: Check): number => ["X", "E0", "E1", "E2", "E3", "E4"].indexOf(grade);
const isWorse = (a: Check, b: Check): boolean => rank(a) <= rank(b);
const isSame = (a: Check, b: Check): boolean => rank(a) >= rank(b) && a.verdict === b.verdict;

export function resultSetting(
  report: string,
  ledger: Ledger,
  { repo, runners }: Pick<ClaimSetting, "repo" | "runners">,
): ResultSetting {
  const project = { ...projectFiles(repo), root: ledger.root, runners };
  const commands = [...ledger.commands, ...ledger.toolRuns].sort((a, b) => a.order - b.order);
  const edited = ledger.edits.map(({ path }) => path);
  return {
    ledger,
    project,
    report,
    record: recordedRuns(commands, edited, project),
    admitted: admittedIn(report),
  };
}

const projects = new WeakMap<Repository, Project>();

export function projectFiles(repo: Repository): Project {
  const known = projects.get(repo);
  if (known) return known;
  const { reader } = repo;
  const project: Project = {
    root: reader.root ?? "/repo",
    read: (path) => {
      const found = repo.isListed(path) ? reader.read(path) : undefined;
      return found?.ok ? found.text : undefined;
    },
    paths: () => reader.list().paths,
    runners: [],
  };
  projects.set(repo, project);
  return project;
}

const kindOf = (subject: ResultSubject): ClaimKind =>
  subject === "tests" || subject === "coverage" ? "test" : "command";
