// What this run did to the tests that it names as proof, from the files before and after: its own edits
// taken back, or the last commit where an edit cannot be.
import { isAbsolute } from "node:path";
import { commitReader } from "../../../source/commit-reader.ts";
import type { Edit } from "../../evidence/edits.ts";
import type { Ledger } from "../../evidence/ledger.ts";
import { memoryReader, type RepositoryReader } from "../../../source/reader.ts";
import type { Repository } from "../../../source/repository.ts";
import { bentTests } from "./bent-tests.ts";
import type { BentPlace } from "./cases/test-cases.ts";

type BentSetting = {
  ledger: Ledger;
  repo: Repository;
  /** The tree before the run, where there is one. */
  base: RepositoryReader | undefined;
};

const maxFiles = 200;

/** Only files that the run wrote are compared: what others changed is not its doing. */
export function weakenedBy({ ledger, repo, base }: BentSetting): BentPlace[] {
  const paths = [...new Set(ledger.edits.map(({ path }) => path))]
    .filter((path) => !isAbsolute(path))
    .slice(0, maxFiles);
  if (paths.length === 0) return [];
  const commit = base ?? lastCommit(repo);
  const before = new Map<string, string>();
  for (const path of paths) {
    const own = ledger.edits.filter((edit) => edit.path === path);
    const text = undone(own, textIn(repo.reader, path)) ?? (commit && textIn(commit, path));
    if (text !== undefined) before.set(path, text);
  }
  return bentTests(memoryReader(before), repo.reader, paths);
}

function textIn(reader: RepositoryReader, path: string): string | undefined {
  const found = reader.read(path);
  return found.ok ? found.text : undefined;
}

function lastCommit({ reader }: Repository): RepositoryReader | undefined {
  try {
    return reader.root === undefined ? undefined : commitReader(reader.root, "HEAD");
  } catch {
    return undefined;
  }
}

/** The text before the edits; undefined where one of them cannot be taken back. */
function undone(edits: readonly Edit[], now: string | undefined): string | undefined {
  let text = now;
  for (const { change } of edits.toReversed()) {
    if (text === undefined || change === null || change.to === "" || !text.includes(change.to))
      return undefined;
    text = text.replace(change.to, () => change.from);
  }
  return text;
}
