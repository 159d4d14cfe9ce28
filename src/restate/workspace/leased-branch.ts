// The branch of a run at the remote: whoever pushes to it says what it was last. Where another
// machine has written since then, the later attempt wins, and the earlier one is told.
import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../../base/limits.ts";
import { GitRefusal } from "./mirror-git.ts";
import type { Mirror } from "./mirror.ts";
import { TreeOvertaken, type TreeOrder } from "./workspaces.ts";

const orderPattern = /^Retinue-Order: (\d{1,16}) (\d{1,9})$/m;

/** The line of a commit that says who wrote it. */
export const orderLine = ({ startedAt, attempt }: TreeOrder): string =>
  `Retinue-Order: ${startedAt} ${attempt}`;

export type BranchParts = {
  mirror: Mirror;
  /** Its whole name. */
  branch: string;
  order: TreeOrder;
  onTrouble: (message: string) => void;
};

export class LeasedBranch {
  readonly #parts: BranchParts;
  /** What it is believed to be at the remote; empty where it is believed not to be there. */
  believed = "";

  constructor(parts: BranchParts) {
    this.#parts = parts;
  }

  /** Waits a while for a remote that is not there: the call has been made, and its files count. */
  async push(commit: string): Promise<void> {
    const until = performance.now() + limits.workspace.remoteWaitMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#pushLeased(commit);
      } catch (error) {
        if (!(error instanceof GitRefusal) || performance.now() > until) throw error;
        if (tries === 1)
          this.#parts.onTrouble(`the workspace waits for its remote: ${error.message}`);
        await sleep(Math.min(5_000, 100 * 2 ** tries) * (0.5 + Math.random() / 2));
      }
    }
  }

  async #pushLeased(commit: string): Promise<void> {
    const { mirror, branch } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      try {
        const lease = `--force-with-lease=${branch}:${this.believed}`;
        const target = `${commit}:${branch}`;
        await mirror.git(["push", "--quiet", "--no-verify", lease, mirror.remote, target], {
          isTransfer: true,
        });
        this.believed = commit;
        return;
      } catch (error) {
        const isRefused = error instanceof GitRefusal && /stale info|rejected/.test(error.stderr);
        if (!isRefused || tries >= limits.workspace.pushes) throw error;
        this.believed = await this.#whatIsThere();
      }
    }
  }

  /** The commit at the remote, if its writer comes before this machine; TreeOvertaken otherwise. */
  async #whatIsThere(): Promise<string> {
    const { mirror, branch, order } = this.#parts;
    const there = await mirror.remoteCommit(branch);
    if (there === undefined) return "";
    if (!(await mirror.has(there))) await mirror.fetch(branch);
    const told = orderPattern.exec(await mirror.git(["cat-file", "commit", there]));
    const startedAt = Number(told?.[1] ?? 0);
    const isLater =
      startedAt > order.startedAt ||
      (startedAt === order.startedAt && Number(told?.[2] ?? 0) > order.attempt);
    if (isLater) throw new TreeOvertaken(branch);
    return there;
  }
}
