// Folders that follow their runs, through the whole cluster: a run goes on on a machine whose disk
// has never seen it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tempProject } from "../src/testing/temp-project.ts";
import { startCluster, type Cluster } from "./support/cluster/cluster.ts";
import { withEngine } from "./support/cluster/with-engine.ts";

const project = tempProject({ "log.txt": "begun\n", ".gitignore": "made/\n" });
const remote = join(dirname(project.root), "remote.git");
const workspaces = join(dirname(project.root), "workspaces");
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
const lines = (text: string): string[] => text.trim().split("\n");

withEngine("folders that follow their runs", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    git(project.root, "init", "-q");
    git(project.root, "add", ".");
    git(project.root, "commit", "-qm", "first");
    git(project.root, "clone", "-q", "--bare", ".", remote);
    const setup = "mkdir made && echo installed > made/package";
    cluster = await startCluster({
      workers: 1,
      workerArgs: ["--workspaces", workspaces, "--remote", remote, "--setup", setup],
    });
  }, 60_000);
  afterAll(async () => {
    await cluster.close();
    project.remove();
  });

  test("kill -9, and an empty disk: the run goes on with its files, and its branch has them all", async () => {
    cluster.thinker.tell("steady", ({ turn }) =>
      turn <= 6
        ? {
            tools: [
              {
                id: `t${turn}`,
                name: "Bash",
                input: { command: `cat made/package; echo ${turn} >> log.txt` },
              },
            ],
          }
        : "All lines are written.",
    );
    const manager = cluster.manager(project, {
      permissions: { mode: "acceptEdits", allow: ["Bash"] },
    });
    const run = manager.spawn({ description: "s", prompt: "steady" });
    let calls = 0;
    for await (const event of run.events()) if (event.type === "tool-end" && ++calls === 3) break;
    await cluster.removeWorker(cluster.workers[0]!);
    rmSync(workspaces, { recursive: true, force: true });
    await cluster.addWorker();
    const result = await run.done;
    expect(result).toMatchObject({ state: "completed", content: "All lines are written." });
    const transcript = readFileSync(result.transcript, "utf8");
    expect(transcript).toContain("installed");
    const [branch] = lines(git(remote, "for-each-ref", "--format=%(refname)", "refs/retinue"));
    expect(branch).toContain(run.id);
    expect(result.branch).toBe(branch);
    const log = lines(git(remote, "show", `${branch}:log.txt`));
    expect(new Set(log).size).toBe(log.length);
    // A call that was under way when its machine died was not made again, and was told.
    expect(log.length).toBeGreaterThanOrEqual(6);
    expect(transcript.includes("interrupted")).toBe(log.length < 7);
    // The client's folder was left alone, and the worker's one is gone.
    expect(project.read("log.txt")).toBe("begun\n");
    expect(existsSync(join(workspaces, "trees", branch!.split("/")[2]!, run.id))).toBe(false);
    expect(git(remote, "ls-tree", "--name-only", branch!)).not.toContain("made");
  });
});
