import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { managerBench, task, type Bench, type Brain } from "./support/manager-bench.ts";

let bench: Bench;
let project: TempProject;
afterEach(async () => {
  await bench.close();
  project.remove();
});

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
    cwd: project.root,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: project.home },
  });

function open(brain: Brain): Bench {
  project = tempProject({ "a.txt": "one\n", "node_modules.txt": "", ".gitignore": "ignored\n" });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  return (bench = managerBench(brain, { project, permissions: { mode: "bypassPermissions" } }));
}

const act =
  (tool: string, input: unknown): Brain =>
  ({ turn }) =>
    turn === 1 ? { tools: [{ name: tool, input }] } : "done";
const isolated = { isolation: "worktree" };
const worktrees = (): number => git("worktree", "list").trim().split("\n").length;

test("works in a worktree of its own and leaves nothing where nothing is new", async () => {
  const { manager, model } = open(act("Bash", { command: "pwd; cat a.txt" }));
  const result = await manager.spawn(task("look", isolated)).done;
  const seen = JSON.stringify(model.requests.at(-1)!.messages);
  expect(seen).toContain(`worktrees/${manager.sessionId}/${result.agent_id}`);
  expect(seen).toContain("one");
  expect(result).not.toHaveProperty("worktree");
  expect(worktrees()).toBe(1);
});

test.each<[string, string, string]>([
  ["a new file", "echo new > b.txt", "b.txt"],
  ["an ignored file", "echo new > ignored", "ignored"],
  [
    "a commit",
    "git -c user.name=t -c user.email=t@example.com commit -qm second --allow-empty",
    ".git",
  ],
])(
  "keeps it for %s, and names it; the project itself is as it was",
  async (_name, command, left) => {
    const { manager } = open(act("Bash", { command }));
    const result = await manager.spawn(task("make", isolated)).done;
    expect(existsSync(join(result.worktree!, left))).toBe(true);
    expect(result.notes?.join()).toContain("the worktree is kept because");
    expect(git("status", "--porcelain")).toBe("");
    expect(git("log", "--format=%s").trim()).toBe("first");
  },
);

test("edits with relative paths land in the worktree, not in the project, and a resume goes on there", async () => {
  const brain: Brain = ({ turn }) =>
    turn === 1
      ? { tools: [{ name: "Write", input: { file_path: "new.txt", content: "from the agent" } }] }
      : turn === 2
        ? "done"
        : turn === 3
          ? { tools: [{ name: "Read", input: { file_path: "new.txt" } }] }
          : "read it";
  const { manager, model } = open(brain);
  const first = await manager.spawn(task("write", isolated)).done;
  expect(readFileSync(join(first.worktree!, "new.txt"), "utf8")).toBe("from the agent");
  expect(existsSync(project.path("new.txt"))).toBe(false);
  const second = await manager.resume(first.agent_id, "and now read it").done;
  expect(second).toMatchObject({ content: "read it", worktree: first.worktree });
  expect(JSON.stringify(model.requests.at(-1)!.messages.at(-1))).toContain("from the agent");
});

test("an absolute path into the project is outside of the workspace", async () => {
  const { manager } = open(() => "unused");
  await bench.close();
  bench = managerBench(act("Write", { file_path: project.path("a.txt"), content: "changed" }), {
    project,
    permissions: { mode: "acceptEdits" },
  });
  const result = await bench.manager.spawn(task("write", isolated)).done;
  expect(result.permission_denials).toHaveLength(1);
  expect(project.read("a.txt")).toBe("one\n");
  expect(manager.list()).toEqual([]);
});
