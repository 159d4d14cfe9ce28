// What the document says of a place may have been right when it was written: the commit that wrote the words, and
// the one before it, tell. Then nothing of the reading is doubtful, and the place is outdated.
import { limits } from "../../base/limits.ts";
import type { Past, RepositoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import { firstThatHolds, fits } from "../judging/judge-claim.ts";
import { tryEvidence } from "../judging/try-evidence.ts";
import type { Claim } from "../reading/claim.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import { resolveMention } from "../reading/paths/resolve-mention.ts";
import { thresholds } from "../reading/weights.ts";
import type { JudgedClaim } from "./judged-document.ts";

/** The commit in which what is said of the place held; undefined where none is known. */
export type HeldThen = (one: JudgedClaim) => string | undefined;

type Document = { report: string; path: string; repo: Repository };

/** Git is asked for the first place that may be outdated; where there is no past, nothing held then. */
export function heldThen({ report, path, repo }: Document): HeldThen {
  const { past } = repo.reader;
  if (!past) return () => undefined;
  let writers: ReadonlyMap<string, string> | undefined;
  let until: number | undefined;
  const asked = new Set<string>();
  return (one) => {
    if (!mayBeOutdated(one, repo)) return undefined;
    if (until === undefined) {
      until = performance.now() + limits.verify.past.ms;
      writers = past.writersOf(path);
    }
    const commit = writers?.get(lineAt(report, one.claim.start));
    if (commit === undefined) return undefined;
    if (!asked.has(commit) && asked.size >= limits.verify.past.writers) return undefined;
    asked.add(commit);
    for (const revision of [commit, `${commit}^`]) {
      if (performance.now() > until) return undefined;
      const tree = treeAt(past, revision);
      if (tree && held(one.claim, { tree, today: repo })) return revision;
    }
    return undefined;
  };
}

const lineAt = (report: string, at: number): string =>
  report.slice(report.lastIndexOf("\n", at - 1) + 1, endOfLine(report, at)).trimEnd();

function endOfLine(report: string, at: number): number {
  const end = report.indexOf("\n", at);
  return end < 0 ? report.length : end;
}

const known = new WeakMap<RepositoryReader, Repository>();

function treeAt(past: Past, revision: string): Repository | undefined {
  const reader = past.treeOf(revision);
  if (!reader) return undefined;
  const tree = known.get(reader) ?? new Repository(reader);
  known.set(reader, tree);
  return tree;
}

/** Something sure is said of it, and today it is not there. */
function mayBeOutdated({ claim, judged }: JudgedClaim, repo: Repository): boolean {
  const { verdict } = judged;
  if (verdict === "verified" || verdict === "outside_root" || verdict === "stale") return false;
  const { kind } = claim.mention;
  if (kind !== "file" && kind !== "unknown") return false;
  if (claim.isWished) return false;
  if (kind === "unknown") return true;
  if (claim.range === null) return false;
  return isPastTheEnd(claim, repo) || sureEvidence(claim).length > 0;
}

const sureEvidence = ({ evidence }: Claim): Evidence[] =>
  evidence.filter(({ weight, isPlain }) => !isPlain && weight >= thresholds.wrong_symbol);

const filesOf = (paths: readonly string[], repo: Repository): SourceFile[] =>
  paths.slice(0, mostFiles).flatMap((path) => {
    const state = repo.open(path);
    return state.ok ? [state.file] : [];
  });

const mostFiles = 4;

const isPastTheEnd = (claim: Claim, repo: Repository): boolean =>
  filesOf(claim.mention.paths, repo).every((file) => !fits(claim, file));

function held(claim: Claim, { tree, today }: { tree: Repository; today: Repository }): boolean {
  const { mention, document } = claim;
  const folder = document?.slice(0, Math.max(0, document.lastIndexOf("/")));
  const { kind, paths } = resolveMention(mention.path, tree, { document, folder });
  if (kind !== "file" || paths.includes(document ?? "")) return false;
  const files = filesOf(paths, tree).filter((file) => fits(claim, file));
  if (files.length === 0) return false;
  const sure = sureEvidence(claim);
  if (sure.length === 0) return paths.length === 1;
  const tried = files.map((file) => ({
    file,
    trials: sure.map((item) => tryEvidence(item, claim, file)),
  }));
  const found = firstThatHolds(tried);
  if (!found) return false;
  const { evidence } = found.trial;
  return filesOf(mention.paths, today)
    .filter((file) => fits(claim, file))
    .map((file) => tryEvidence(evidence, claim, file))
    .every(({ holds, half }) => !holds && !half);
}
