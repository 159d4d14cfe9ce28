// A copy of the remote's commits on this machine, shared by all runs here. Folders of runs are
// written from it; it is never the repository that an agent works in.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { newUuid } from "../../base/ids.ts";
import { removeTree } from "../../process/remove-tree.ts";
import { GitRefusal, mirrorGit, protocolOf, type GitCall, type MirrorGit } from "./mirror-git.ts";

export type MirrorOptions = {
  /** The folder of all workspaces of this machine. */
  folder: string;
  remote: string;
  env: Readonly<Record<string, string | undefined>>;
};

/** No garbage is collected: folders of agents borrow its objects. */
const configText = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogallrefupdates = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;
/** A file goes into a commit, and comes out of it, byte by byte, whatever the repository says. */
const attributesText = "* -text -eol -ident -filter -working-tree-encoding\n";

const commitPattern = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
export const isCommit = (value: unknown): value is string =>
  typeof value === "string" && commitPattern.test(value);

const refPattern = /^(?!.*\.\.)(?!.*\.lock(?:\/|$))[A-Za-z0-9_][A-Za-z0-9._/-]{0,199}$/;

export class Mirror {
  readonly gitFolder: string;
  readonly remote: string;
  readonly #git: MirrorGit;
  /** Transfers come one after another: two that write the same refs would fail. */
  #transfers: Promise<unknown> = Promise.resolve();

  constructor({ folder, remote, env }: MirrorOptions) {
    const name = createHash("sha256").update(remote).digest("hex").slice(0, 32);
    this.gitFolder = join(folder, "mirrors", `${name}.git`);
    this.remote = remote;
    const protocol = protocolOf(remote);
    makeMirror(this.gitFolder);
    this.#git = mirrorGit(this.gitFolder, protocol, env);
  }

  async git(args: readonly string[], call?: GitCall): Promise<string> {
    this.#refuseChanged();
    return (await this.#git(args, call)).trim();
  }

  /** Fetches what stands under these names at the remote, into the same names here. */
  async fetch(...refs: readonly string[]): Promise<void> {
    await this.#inTurn(() =>
      this.git(
        [
          "fetch",
          "--quiet",
          "--no-tags",
          "--no-write-fetch-head",
          "--no-auto-maintenance",
          this.remote,
          ...refs.map((ref) => `+${ref}:${ref}`),
        ],
        { isTransfer: true },
      ),
    );
  }

  /** The commit that a name has at the remote; undefined where nothing has it. */
  async remoteCommit(name: string): Promise<string | undefined> {
    const lines = await this.git(["ls-remote", this.remote, name], { isTransfer: true });
    const found = lines.split("\n").map((line) => line.split("\t"));
    return found.find(([commit, ref]) => isCommit(commit) && ref === name)?.[0];
  }

  async has(commit: string): Promise<boolean> {
    try {
      await this.git(["cat-file", "-e", `${commit}^{commit}`]);
      return true;
    } catch (error) {
      if (error instanceof GitRefusal) return false;
      throw error;
    }
  }

  /** The commit of a branch, a tag or HEAD of the remote; it is here afterwards. */
  async begin(ref = "HEAD"): Promise<string> {
    if (!refPattern.test(ref)) throw unknownRef(ref, this.remote);
    for (const name of ["HEAD", `refs/heads/${ref}`, `refs/tags/${ref}`]) {
      if ((name === "HEAD") !== (ref === "HEAD")) continue;
      const commit = await this.remoteCommit(name);
      if (commit === undefined) continue;
      if (!(await this.has(commit)))
        await this.#inTurn(() =>
          this.git(
            [
              "fetch",
              "--quiet",
              "--no-tags",
              "--no-write-fetch-head",
              this.remote,
              `+${name}:refs/begun/${commit}`,
            ],
            { isTransfer: true },
          ),
        );
      // A tag may be an object of its own.
      return this.git(["rev-parse", "--verify", "--quiet", `${commit}^{commit}`]);
    }
    if (isCommit(ref)) {
      if (!(await this.has(ref))) await this.fetch("refs/heads/*");
      if (await this.has(ref)) return ref;
    }
    throw unknownRef(ref, this.remote);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#transfers.then(work, work);
    this.#transfers = done.catch(() => undefined);
    return done;
  }

  /** Only this program writes there: who else did could make git do anything. */
  #refuseChanged(): void {
    const isOurs =
      readFileSync(join(this.gitFolder, "config"), "utf8") === configText &&
      readFileSync(join(this.gitFolder, "info", "attributes"), "utf8") === attributesText;
    if (!isOurs)
      throw new Error(
        `the configuration of ${this.gitFolder} was changed by somebody else: remove that folder, and ` +
          "it is fetched anew",
      );
  }
}

/** Made beside its place: a worker that dies half-way leaves nothing that looks like a mirror. */
function makeMirror(gitFolder: string): void {
  if (existsSync(gitFolder)) return;
  const temporary = `${gitFolder}.${newUuid()}`;
  for (const name of ["objects/info", "objects/pack", "refs/heads", "info"])
    makePrivateDir(join(temporary, name));
  writeFileSync(join(temporary, "HEAD"), "ref: refs/heads/none\n");
  writeFileSync(join(temporary, "config"), configText);
  writeFileSync(join(temporary, "info", "attributes"), attributesText);
  try {
    renameSync(temporary, gitFolder);
  } catch (error) {
    removeTree(temporary);
    // Another worker of this machine was faster.
    if (!existsSync(gitFolder)) throw error;
  }
}

function unknownRef(ref: string, remote: string): RetinueError {
  return new RetinueError(
    "config",
    `${JSON.stringify(ref.slice(0, 200))} is no branch, tag or commit of ${remote}.`,
  );
}
