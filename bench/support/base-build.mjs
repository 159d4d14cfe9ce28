// The command as it was at another commit, built beside this one, so that both can be measured in one run.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./root.mjs";

/** `whole`: with the library, which benches need. Throws where the commit is unknown or does not build. */
export function buildBase(commit, { whole = false } = {}) {
  const folder = join(mkdtempSync(join(tmpdir(), "retinue-base-")), "tree");
  const git = (...args) => call("git", ["-C", root, ...args]);
  git("worktree", "add", "--detach", folder, commit);
  const remove = () => {
    git("worktree", "remove", "--force", folder);
    rmSync(join(folder, ".."), { recursive: true, force: true });
  };
  try {
    // With packages of its own: another commit may need others. Its lock file may be incomplete.
    call(
      "npm",
      [
        "install",
        "--no-package-lock",
        "--ignore-scripts",
        "--prefer-offline",
        "--no-audit",
        "--no-fund",
      ],
      folder,
    );
    call(process.execPath, ["scripts/build.mjs", ...(whole ? [] : ["--cli"])], folder);
    return { folder, retinue: join(folder, "dist", "cli", "retinue.js"), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function call(command, args, cwd = root) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr.trim()}`);
}
