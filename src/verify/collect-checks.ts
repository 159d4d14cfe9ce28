// Every check of one report: its references against the files, its file claims against the trees,
// its tests and commands against the record.
import { maskSecrets } from "../base/secrets/find-secrets.ts";
import { escapeRegExp } from "../base/text/escape-reg-exp.ts";
import type { Standing } from "../contract/grades.ts";
import type { PlacedReport } from "../contract/report/parse-report.ts";
import { lastFew } from "../markdown/last-few.ts";
import type { AssessedCheck, Assessment } from "./assessment.ts";
import { commandWords } from "./claims/gap-of.ts";
import { isPlainStatement } from "./report/is-plain-statement.ts";
import { removerOf } from "./claims/deeds/remover-of.ts";
import type { NamedRunner } from "./claims/runs/tools-for.ts";
import type { Rerun } from "./claims/runs/rerun.ts";
import { fileChecks, lineBefore, type FileCheck } from "./evidence/file-checks.ts";
import { undeclaredChanges, type FileEvidence } from "./evidence/judge-files.ts";
import type { Ledger } from "./evidence/ledger.ts";
import { diffSnapshots, withEdits, type Snapshot } from "./evidence/snapshot.ts";
import { findingRegions, type Region, type Regions } from "./report/finding-regions.ts";
import type { RepositoryReader } from "../source/reader.ts";
import {
  inFiles,
  nothingKnown,
  unread,
  withKnown,
  type KnownChecks,
} from "./report-tool/known-checks.ts";
import { Repository } from "../source/repository.ts";
import { isFlagged, type Check } from "./verdict.ts";
import { isOutweighed, isToldTwice, spokenChecks } from "./trust/spoken-checks.ts";
import { verifyReport, type EvidenceLookup } from "./verify-report.ts";

export type CheckOptions = {
  reader: RepositoryReader | Repository;
  /** The tree before the run, or an older commit. */
  base?: RepositoryReader | Repository;
  ledger?: Ledger;
  /** The path of the report itself, relative to the root, where it is a file there. */
  document?: string;
  snapshots?: Snapshots;
  /** The run had no tool that writes. */
  readOnly?: boolean;
  /** Runs the recorded test command again. */
  rerun?: Rerun;
  /** What the runtime itself computed and wrote into the text. */
  known?: KnownChecks;
  /** Commands of the project whose owner says what they show. */
  runners?: readonly NamedRunner[];
  /**
   * The runtime put the text together from lines that it found: its places are compared, and its
   * words claim nothing.
   */
  isSearch?: boolean;
};

/** `isLate`: the first look was taken in the run; what its tools wrote until then is on record alone. */
export type Snapshots = { before: Snapshot; after: Snapshot; isLate?: boolean };

export type CollectedChecks = Pick<Assessment, "checks" | "undeclared" | "tests" | "truncated"> & {
  repo: Repository;
};

export async function collectChecks(
  report: string,
  placed: PlacedReport,
  options: CheckOptions,
): Promise<CollectedChecks> {
  const repo = Repository.over(options.reader);
  const { ledger, known = nothingKnown, runners = [], rerun } = options;
  const evidence = fileEvidence(options, repo);
  const prose = unread(report, known);
  const references = verifyReport(prose, {
    reader: repo,
    ...(options.base ? { base: options.base } : {}),
    ...(ledger ? { evidence: seenLookup(ledger, repo) } : {}),
    ...(options.document === undefined ? {} : { document: options.document }),
  });
  const { checks: read } = references;
  const dated = ledger ? read.map(withSight(prose, read, ledger)) : read;
  const located = withKnown(dated, known);
  const filed = options.isSearch
    ? located
    : fileChecks(report, placed, { checks: located, evidence, repo });
  const base = options.base instanceof Repository ? options.base.reader : options.base;
  const setting = { ledger, repo, evidence, rerun, base, runners };
  const told = inFiles(known) === known ? prose : unread(report, inFiles(known));
  const { checks: claimed, tests } = await spokenChecks(
    told,
    options.isSearch ? "" : prose,
    setting,
  );
  const spoken = claimed.filter(
    (check) =>
      !isToldTwice(check, filed) &&
      (check.verdict !== "countered" || isOfToday(check.text, options.document, repo)),
  );
  const regions = findingRegions(report, placed.findings);
  const assumed = new Set(
    placed.report.findings.filter((finding) => finding.is_assumed).map(({ id }) => id),
  );
  const around = { report, regions, assumed, clean: lastFew((text) => maskSecrets(text)) };
  const checks = [...filed.filter((check) => !isOutweighed(check, spoken)), ...spoken]
    .sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1])
    .map((check, index) => inReport(check, `c${index + 1}`, around));
  const declared = new Set(checks.flatMap(({ path }) => (path === null ? [] : [path])));
  const undeclared = options.snapshots?.isLate ? [] : undeclaredChanges(report, declared, evidence);
  return { repo, checks, undeclared, tests, truncated: references.truncated };
}

/** A document that git keeps speaks of its own day: what the tree has against it today is no counter-example. */
const isOfToday = (text: string, document: string | undefined, repo: Repository): boolean =>
  document === undefined || (isPlainStatement(text) && repo.isKept(document) !== true);

/** What the trees before and after the run, and its record, say about files. */
export function fileEvidence(
  { ledger, snapshots, readOnly = false }: Pick<CheckOptions, "ledger" | "snapshots" | "readOnly">,
  repo: Repository,
): FileEvidence {
  const diff = snapshots && diffSnapshots(snapshots.before, snapshots.after);
  return {
    diff: diff && snapshots.isLate && ledger ? withEdits(diff, ledger.edits) : diff,
    ledger,
    readOnly,
    isListed: (path) =>
      !snapshots || snapshots.before.files.has(path) || snapshots.after.files.has(path),
    exists: (path) => ["file", "directory"].includes(repo.kindOf(path)),
  };
}

/** Seen means: what stands on these lines now was shown to the agent as a line of this file. */
function seenLookup(ledger: Ledger, repo: Repository): EvidenceLookup {
  return {
    seen(path, [first, last]) {
      const state = repo.open(path);
      if (!state.ok || last - first > 5_000) return false;
      const lines = Array.from({ length: last - first + 1 }, (_, index) =>
        state.file.line(first + index),
      ).filter((text) => text.trim() !== "");
      const telling = lines.some((text) => /\w{2}/.test(text));
      return telling
        ? lines.every((text) => ledger.showed(path, text))
        : ledger.seen(path, [first, last]);
    },
  };
}

/**
 * A quotation without a line number is seen by its text; what matched when the agent saw it and no
 * longer does is stale.
 */
function withSight(
  report: string,
  checks: readonly Check[],
  ledger: Ledger,
): (check: Check) => Check {
  const doubtful = checks.some(isDoubtful);
  const then = doubtful
    ? verifyReport(report, { reader: ledger.reader() }).checks.filter(
        ({ verdict }) => verdict === "verified",
      )
    : [];
  const matched = new Set(then.map(({ span }) => span.join()));
  return (check) => {
    const known = check.verdict === "missing" ? knownBy(check, ledger) : undefined;
    if (known !== undefined)
      return {
        ...check,
        verdict: "unverifiable",
        grade: "E0",
        reason: `${check.reason}, but ${known}`,
      };
    if (
      check.verdict === "verified" &&
      check.grade === "E2" &&
      check.lines === null &&
      check.path !== null &&
      check.actual !== undefined &&
      ledger.showed(check.path, check.actual)
    )
      return { ...check, grade: "E3" };
    return isDoubtful(check) && matched.has(check.span.join())
      ? {
          ...check,
          verdict: "stale",
          grade: "E1",
          reason: `it stood there when the agent read it; now ${check.reason}`,
        }
      : check;
  };
}

/** What the record has of a thing that is not in the tree: then it is not made up. */
function knownBy(check: Check, ledger: Ledger): string | undefined {
  const { kind, text } = check;
  if (kind === "path" || kind === "location") return fileKnownBy(check, ledger);
  const name = /^`?(\w[\w$:-]{3,})(?:\(\))?`?$/.exec(text)?.[1];
  return kind === "symbol" && name !== undefined ? nameKnownBy(name, ledger) : undefined;
}

/** A command printed it by itself: a rule of a linter, a test, a step of a build. */
function nameKnownBy(name: string, { commands }: Ledger): string | undefined {
  const whole = new RegExp(`(?<![\\w-])${escapeRegExp(name)}(?![\\w-])`);
  const printer = commands.find(
    ({ command, output }) =>
      !command.includes(name) &&
      output.split("\n").some((line) => whole.test(line) && !saysUnknown.test(line)),
  );
  return printer && `${commandWords(printer.command)} named it`;
}
const saysUnknown =
  /no such|not found|cannot|could not|not (?:be )?(?:defined|exist)|undefined|unresolved|unknown/i;

/**
 * A command printed the path by itself: a table of coverage, a list of what was built; or it moved or deleted the file.
 * Or its write was refused: what is told of that is judged as a deed.
 */
function fileKnownBy({ kind, text, path: meant }: Check, ledger: Ledger): string | undefined {
  const { commands, refusedWrites } = ledger;
  const path = text.replace(/^`/, "").replace(/(?:`|[:#(]L?\d)[\s\S]*$/, "");
  // Who gives a line of it does not speak of a file that is gone.
  const remover =
    kind === "path" ? (removerOf(path, ledger) ?? removerOf(meant ?? path, ledger)) : undefined;
  if (remover) return `${commandWords(remover.command)} took it away`;
  if (!/\/.*\.\w+$/.test(path)) return undefined;
  const whole = new RegExp(`(?:^|[\\s"'(])(?:\\./)?${escapeRegExp(path)}(?![\\w/-])`);
  // "src/a.ts:22:31 - error": a complaint about a line of it.
  const placed = new RegExp(`${whole.source}(?::|\\()\\d`);
  if (refusedWrites.includes(path)) return "the record has the write that failed";
  const printer = commands.find(
    ({ command, output }) =>
      !command.includes(path) &&
      output
        .split("\n")
        .some((line) => placed.test(line) || (whole.test(line) && !saysAbsent.test(line))),
  );
  return printer && `${commandWords(printer.command)} named it`;
}
const saysAbsent = /no such|not found|cannot|does not exist|missing|delet|remov|error|rename|=>/i;

/** A relocation that can be put right needs no other name. */
const isDoubtful = ({ verdict, grade }: Check): boolean =>
  isFlagged(verdict) && verdict !== "outside_root" && verdict !== "stale" && grade === "X";

type ReportSetting = {
  report: string;
  regions: Regions;
  assumed: ReadonlySet<string>;
  /** Many checks have the same reason. */
  clean: (text: string) => string;
};
function inReport(
  check: FileCheck,
  id: string,
  { report, regions, assumed, clean }: ReportSetting,
): AssessedCheck {
  const region = regions.at(check.span[0]);
  const found: AssessedCheck = {
    ...check,
    standing: standingOf(check, region),
    finding: region?.id ?? null,
  };
  found.id = id;
  const isSoftened =
    check.grade === "X" &&
    (region ? assumed.has(region.id) : isLabelledUncertain(report, check.span[0]));
  if (isSoftened) {
    found.grade = "E0";
    found.reason = `${check.reason} (the report itself calls it uncertain)`;
  }
  found.reason = clean(found.reason);
  if (found.actual !== undefined) found.actual = maskSecrets(found.actual);
  return found;
}

function standingOf({ kind }: Check, region: Region | undefined): Standing {
  if (kind === "test" || kind === "command") return "test";
  if (kind === "file_claim") return "file_claim";
  if (region?.own) return "finding";
  return kind === "quote" ? "quote" : "reference";
}

function isLabelledUncertain(report: string, at: number): boolean {
  const line = lineBefore(report, at, 1_000) + report.slice(at, at + 400).split("\n", 1)[0]!;
  return /\b(?:uncertain|assumed|assumption)\b/i.test(line);
}
