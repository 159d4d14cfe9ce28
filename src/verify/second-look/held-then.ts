// What a document says of a place may have been right when it was written: the commit that wrote its words tells,
// the one before it, and the few that changed the file before. Then the place is outdated, whatever else is doubtful.
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
import type { Judgement } from "../judgement.ts";
import { isFlagged } from "../verdict.ts";

/** What held then, and when: "`parse` stood there before 4e1f2a3"; undefined where nothing is known to have held. */
export type HeldThen = (one: Place) => string | undefined;

type Place = { claim: Claim; judged: Judgement };

type Document = { report: string; path: string; repo: Repository };

/** Git is asked from the first place on that may be outdated, and only for a while. */
export function heldThen({ report, path, repo }: Document): HeldThen {
  const { past } = repo.reader;
  if (!past) return () => undefined;
  let until: number | undefined;
  let writers: ReadonlyMap<string, string> | undefined;
  const asked = new Set<string>();
  return (one) => {
    const gone = goneToday(one, repo);
    if (!gone) return undefined;
    if (until === undefined) {
      until = performance.now() + limits.past.documentMs;
      writers = past.writersOf(path);
    }
    const writer = writers?.get(lineAt(report, one.claim.start)) ?? past.revision;
    if (!asked.has(writer) && asked.size >= limits.past.writers) return undefined;
    asked.add(writer);
    for (const revision of revisionsOf(one, writer, past)) {
      if (performance.now() > until) return undefined;
      const what = heldIn(one.claim, gone, treeAt(past, revision));
      if (what !== undefined) return `${what} ${told(revision)}`;
    }
    return undefined;
  };
}

/** What is surely said, and surely fails, may have been outdated already when it was written. */
function* revisionsOf({ claim, judged }: Place, writer: string, past: Past): Generator<string> {
  yield writer;
  yield `${writer}^`;
  const isSure = isFlagged(judged.verdict) && (judged.against ?? []).length === 0;
  const [path = claim.mention.path] = claim.mention.paths;
  if (isSure) yield* past.versionsOf(path, `${writer}^`);
}

const told = (revision: string): string =>
  revision.endsWith("^")
    ? `before ${revision.slice(0, 7)}`
    : `in ${/^[\da-f]{40}/.test(revision) ? revision.slice(0, 7) : revision}`;

function lineAt(report: string, at: number): string {
  const end = report.indexOf("\n", at);
  const start = report.lastIndexOf("\n", at - 1) + 1;
  return report.slice(start, end < 0 ? report.length : end).trimEnd();
}

const known = new WeakMap<RepositoryReader, Repository>();

function treeAt(past: Past, revision: string): Repository {
  const reader = past.treeOf(revision);
  const tree = known.get(reader) ?? new Repository(reader);
  known.set(reader, tree);
  return tree;
}

/** What is surely said of a place and is not there today, or not near it; empty where the place itself is not there. */
function goneToday({ claim, judged }: Place, repo: Repository): readonly Evidence[] | undefined {
  if (settled.has(judged.verdict) || !readable.has(claim.mention.kind) || claim.isWished)
    return undefined;
  const files = filesOf(claim.mention.paths, repo).filter((file) => fits(claim, file));
  const sure = sureEvidence(claim);
  // What stands near its place may be meant; what is nowhere in the file is gone.
  const gone = sure.filter((evidence) =>
    files
      .map((file) => tryEvidence(evidence, claim, file))
      .every(({ holds, half, line }) => !holds && (!half || line === undefined)),
  );
  if (gone.length > 0) return gone;
  const isThere = sure.length > 0 || files.length > 0;
  return isThere || isAsSaid(claim, repo) ? undefined : gone;
}

const settled: ReadonlySet<string> = new Set(["verified", "outside_root", "stale"]);
const readable: ReadonlySet<string> = new Set(["file", "unknown"]);

/** What is said to go, and is gone, is as it was said; so are lines of which only the last are not there. */
function isAsSaid(claim: Claim, repo: Repository): boolean {
  if (claim.range !== null) return endsRoughly(claim, repo);
  const { heading, text } = claim.block;
  return (
    claim.mention.kind === "file" ||
    claim.modality === "denied" ||
    goes.test(`${heading?.text ?? ""} ${text}`)
  );
}

/** The end of a range is often counted roughly. */
const endsRoughly = ({ mention, range }: Claim, repo: Repository): boolean =>
  filesOf(mention.paths, repo).some(
    ({ lineCount }) => range!.first <= lineCount && range!.last <= lineCount + 3,
  );

const goes = new RegExp(
  String.raw`\b(?:delet|remov|renam|drop|clean|consolidat|merg|replac|archiv|obsolet|former|legacy|unused)|` +
    String.raw`\b(?:mov(?:ed?|ing)|split|was|were|old|no longer|dead)\b|→|->|=>`,
  "i",
);

/** Without lines only a quotation says enough. */
const sureEvidence = ({ evidence, range }: Claim): Evidence[] =>
  evidence.filter(
    ({ weight, isPlain, lines }) =>
      !isPlain && weight >= thresholds.wrong_symbol && (range !== null || lines.length > 0),
  );

/** What of it held in an earlier tree. */
function heldIn(claim: Claim, gone: readonly Evidence[], tree: Repository): string | undefined {
  const { mention, range, document } = claim;
  const folder = document?.slice(0, Math.max(0, document.lastIndexOf("/")));
  const { kind, paths } = resolveMention(mention.path, tree, { document, folder });
  if (kind !== "file" || paths.includes(document ?? "")) return undefined;
  const files = filesOf(paths, tree).filter((file) => fits(claim, file));
  if (gone.length === 0) {
    if (paths.length > 1 || files.length === 0) return undefined;
    return range === null || mention.kind === "unknown"
      ? "the file was there"
      : `${files[0]!.path} had these lines`;
  }
  const sure = sureEvidence(claim);
  const tried = files.map((file) => ({
    file,
    trials: sure.map((item) => tryEvidence(item, claim, file)),
  }));
  const evidence = firstThatHolds(tried)?.trial.evidence;
  if (!evidence || !gone.includes(evidence)) return undefined;
  return evidence.lines.length > 0
    ? "the quoted code stood there"
    : `\`${evidence.name}\` stood there`;
}

const filesOf = (paths: readonly string[], repo: Repository): SourceFile[] =>
  paths.slice(0, mostFiles).flatMap((path) => {
    const state = repo.open(path);
    return state.ok ? [state.file] : [];
  });

const mostFiles = 4;
