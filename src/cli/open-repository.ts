// The tree that a command checks against: the working tree, or a commit of it.
import { commitReader } from "../verify/commit-reader.ts";
import { Repository } from "../verify/repository.ts";
import { treeReader } from "../verify/tree-reader.ts";

/** Throws when there is no such folder or commit. */
export function openRepository(root: string, commit?: string): Repository {
  return new Repository(commit === undefined ? treeReader(root) : commitReader(root, commit));
}
