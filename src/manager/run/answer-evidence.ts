// What a run's answer is compared with: its record, the files as it may read them, and the tree before
// and after it.
import { join } from "node:path";
import { pathFacts, type PathFacts } from "../../base/files/path-facts.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { RunStep } from "../../loop/ports.ts";
import { mayRead, refusesNoFile } from "../../permissions/may-read.ts";
import type { AssessOptions } from "../../verify/assess-report.ts";
import type { CheckOptions } from "../../verify/collect-checks.ts";
import { ledgerOf, type Ledger } from "../../verify/evidence/ledger.ts";
import type { Snapshot } from "../../verify/evidence/snapshot.ts";
import { permittedReader, type RepositoryReader } from "../../source/reader.ts";
import { treeReader } from "../../source/tree-reader.ts";
import type { Session } from "../session/session.ts";
import type { RunHandle } from "./run-handle.ts";
import type { TreeKeeper } from "./tools/tree-keeper.ts";

export type VerifiedRun = Pick<RunHandle, "spec" | "isRepairing" | "record">;

export const isReader = ({ tools }: RunSpec): boolean =>
  !tools.some((tool) => writingTools.includes(tool));

export const evidenceOf =
  (
    session: Session,
    run: VerifiedRun,
    { before: treeThen, isLate }: Pick<TreeKeeper, "before"> & { isLate: boolean },
  ) =>
  async (): Promise<AnswerEvidence> => {
    const { spec } = run;
    const ledger = await ledgerNow(session, run);
    const before = await treeThen(ledger);
    const after = before && (await session.workspace.look(spec.place));
    return {
      reader: readerFor(spec, session.home),
      ledger,
      readOnly: isReader(spec),
      require: spec.require,
      runners: session.runners,
      ...(before && after ? { snapshots: { before, after, isLate } } : {}),
    };
  };

/** The tree as this run may read it: what does not hold is told to its agent, with lines of files. */
function readerFor({ place, policy }: RunSpec, home: string): RepositoryReader {
  const tree = treeReader(place.cwd);
  const facts = (path: string): PathFacts => pathFacts(path, place.cwd, home);
  // Where nothing can refuse a file of the workspace, a large tree is not gone through by rules.
  if (refusesNoFile(policy, facts)) return tree;
  const allowed = mayRead(policy, facts);
  return permittedReader(tree, (path) => allowed(join(tree.root ?? place.cwd, path)));
}

/** From memory where all of the run is there, else from its transcript. */
async function ledgerNow(
  session: Session,
  { spec, record }: Pick<RunHandle, "spec" | "record">,
): Promise<Ledger> {
  return record
    ? ledgerOf(record.lines(spec, session.secrets), { root: spec.place.cwd })
    : session.transcripts.ledger(session, spec);
}

export type AnswerEvidence = Omit<CheckOptions, "known"> & Pick<AssessOptions, "require">;

/** The tree as it was before the run: kept, because a process that goes on finds another one. */
export async function treeBefore(
  { workspace }: Session,
  { place }: RunSpec,
  step: RunStep,
): Promise<Snapshot | undefined> {
  const kept = await step("before", async () => {
    const seen = await workspace.look(place);
    return seen ? { ...seen, files: [...seen.files] } : null;
  });
  return kept ? { ...kept, files: new Map(kept.files) } : undefined;
}

const writingTools = ["Write", "Edit", "Bash"];
