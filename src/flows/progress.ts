// The progress file of a flow in the project, for people and for an orchestrator that goes on
// later; rewritten after every phase.
import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../base/files/write-file-atomic.ts";
import type { PhaseRecord } from "../patterns/flow.ts";

export const progressPath = (root: string, flowId: string): string =>
  join(root, ".retinue", "progress", `${flowId}.json`);

export type Progress = {
  flow: { id: string; pattern: string; feature: string };
  phases: PhaseRecord[];
  todos: string[];
  warnings: string[];
};

/** A folder that cannot be written costs the file, not the flow. */
export function writeProgress(root: string, progress: Progress): string | undefined {
  const path = progressPath(root, progress.flow.id);
  try {
    for (const folder of [join(root, ".retinue"), dirname(path)]) makeOwnFolder(folder);
    // Neither git nor an agent's search is to take the record of the work for the work.
    const ignore = join(root, ".retinue", ".gitignore");
    if (!existsSync(ignore)) writeFileAtomic(ignore, "*\n", { durable: false });
    writeFileAtomic(path, `${JSON.stringify(progress, null, 2)}\n`, { durable: false });
    return undefined;
  } catch (error) {
    return `no progress file: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A repository may bring these as links, to have something written elsewhere. */
function makeOwnFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  if (!lstatSync(path).isDirectory())
    throw new Error(`${path} is a link, and nothing is written through it`);
}
