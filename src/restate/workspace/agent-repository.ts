// The repository of the agent's own in its folder, which borrows the mirror's objects: `git status`,
// `diff` and `commit` work there. It is the agent's: what it holds is read as files, and no git of
// ours ever runs in it.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { removeTree } from "../../process/remove-tree.ts";
import { isCommit, type Mirror } from "./mirror.ts";

/** The commit on which the agent stands, and its branch where it has made one. */
export type AgentHead = { commit: string; branch?: string };

const branchPattern =
  /^refs\/heads\/(?!.*\.\.)(?!.*\.lock(?:\/|$))[A-Za-z0-9_][A-Za-z0-9._/-]{0,199}$/;
const headPattern = /^Retinue-Head: ([0-9a-f]{40,64})(?: (\S+))?$/m;

const isSame = (a: AgentHead, b: AgentHead | undefined): boolean =>
  a.commit === b?.commit && a.branch === b.branch;

/** The line by which a checkpoint tells the next machine. */
export const headLine = ({ commit, branch }: AgentHead): string =>
  `Retinue-Head: ${commit}${branch === undefined ? "" : ` ${branch}`}`;

export function headIn(commitText: string, base: string): AgentHead {
  const [, commit, branch] = headPattern.exec(commitText) ?? [];
  if (!isCommit(commit)) return { commit: base };
  return { commit, ...(branch && branchPattern.test(branch) ? { branch } : {}) };
}

/** Undefined where nothing is there that git would take for a head. */
export function readAgentHead(path: string): AgentHead | undefined {
  const own = join(path, ".git");
  if (!lstatSync(own, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const head = readText(join(own, "HEAD"), 4_096)?.trim() ?? "";
  const branch = head.startsWith("ref: ") ? head.slice("ref: ".length) : "";
  if (isCommit(head)) return { commit: head };
  if (!branchPattern.test(branch)) return undefined;
  const loose = readText(join(own, branch), 4_096)?.trim();
  const packed = loose === undefined ? readText(join(own, "packed-refs"), 1024 * 1024) : undefined;
  const line = packed?.split("\n").find((one) => one.endsWith(` ${branch}`));
  const commit = loose ?? line?.split(" ")[0];
  return isCommit(commit) ? { commit, branch } : undefined;
}

/** The agent's repository stands where it stood; it is made anew where it does not. */
export async function settleAgentRepository(
  mirror: Mirror,
  path: string,
  head: AgentHead,
): Promise<void> {
  if (isSame(head, readAgentHead(path))) return;
  const own = join(path, ".git");
  removeTree(own);
  for (const name of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "hooks", "info"])
    mkdirSync(join(own, name), { recursive: true });
  writeFileSync(join(own, "HEAD"), `${head.branch ? `ref: ${head.branch}` : head.commit}\n`);
  if (head.branch) {
    mkdirSync(join(own, head.branch, ".."), { recursive: true });
    writeFileSync(join(own, head.branch), `${head.commit}\n`);
  }
  writeFileSync(
    join(own, "config"),
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n",
  );
  writeFileSync(join(own, "objects", "info", "alternates"), `${mirror.gitFolder}/objects\n`);
  await mirror.git(["read-tree", head.commit], { tree: { path, index: join(own, "index") } });
}

const largestPack = 64 * 1024 * 1024;

/**
 * Brings commits that the agent made into the mirror. Every object is hashed anew on its way: what
 * lies under a name that is not its own does not get in.
 */
export async function takeAgentCommits(
  mirror: Mirror,
  { path, scratch }: { path: string; scratch: string },
  { commit, base }: { commit: string; base: string },
): Promise<void> {
  if (await mirror.has(commit)) return;
  const name = await mirror.git(["pack-objects", "--quiet", "--revs", join(scratch, "agent")], {
    alternate: join(path, ".git", "objects"),
    input: `${commit}\n^${base}\n`,
  });
  const files = ["pack", "idx", "rev"].map((kind) => join(scratch, `agent-${name}.${kind}`));
  try {
    const { size } = statSync(files[0]!);
    if (size > largestPack) throw new Error(`its commits have ${size} bytes`);
    await mirror.git(["index-pack", "--stdin", "--strict"], { input: readFileSync(files[0]!) });
  } finally {
    for (const file of files) rmSync(file, { force: true });
  }
}

/** Of a regular file that is no link; undefined for everything else. */
function readText(path: string, mostBytes: number): string | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = fstatSync(handle);
    if (!facts.isFile() || facts.size > mostBytes) return undefined;
    const bytes = Buffer.alloc(facts.size);
    return bytes.toString("utf8", 0, readSync(handle, bytes));
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
