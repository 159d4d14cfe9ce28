// Git commands whose own work is to write `.git/config` or the state of a rebase go on behind the
// read-only mounts; a hook or filter that uses the open moment finds its change put back.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createManager } from "../src/app/index.ts";
import { fenceProblem } from "../src/process/fence/fence.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const problem = process.env["CI"] === "true" ? undefined : await fenceProblem(process.env["PATH"]);
if (problem !== undefined) console.warn(`skipped: protected paths cannot be held here: ${problem}`);

const project = tempProject();
afterAll(() => project.remove());
const { home } = project;
const ws = project.path("ws");
const env = {
  PATH: process.env["PATH"]!,
  HOME: home,
  GIT_CONFIG_NOSYSTEM: "1",
};
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-C", cwd, ...args], { encoding: "utf8", env, stdio: "pipe" });
const commit = (cwd: string, text: string): void => {
  writeFileSync(`${cwd}/file.txt`, text);
  git(cwd, "add", ".");
  git(cwd, "commit", "-qm", text);
};
/** Of the person: in the home, and in the repository, because commands have another home. */
const settings = `[user]
  name = t
  email = t@t
[core]
  editor = true
[protocol "file"]
  allow = always
`;
const config = (): string => readFileSync(`${ws}/.git/config`, "utf8");

beforeAll(() => {
  writeFileSync(`${home}/.gitconfig`, settings);
  mkdirSync(`${home}/.claude`, { recursive: true });
  const forCommands = { env: { GIT_ALLOW_PROTOCOL: "file" } };
  writeFileSync(`${home}/.claude/settings.json`, JSON.stringify(forCommands));
  for (const name of ["part", "ws"]) {
    git(project.root, "init", "-q", "-b", "main", project.path(name));
    commit(project.path(name), "one");
  }
  appendFileSync(`${ws}/.git/config`, settings);
  git(project.root, "clone", "-q", "--bare", ws, project.path("remote.git"));
  git(ws, "checkout", "-qb", "side");
  commit(ws, "side");
  git(ws, "checkout", "-q", "main");
  commit(ws, "two");
});

/** What the model was told after each command. */
async function run(...commands: string[]): Promise<string[]> {
  const told: string[] = [];
  const hear = ({ messages }: { messages: readonly { content: unknown }[] }): void => {
    const [result] = messages.at(-1)!.content as { content: string }[];
    told.push(JSON.stringify(result!.content));
  };
  const model = scriptedModel([
    ...commands.map((command, at) => (request: { messages: readonly { content: unknown }[] }) => {
      if (at > 0) hear(request);
      return { tools: [{ name: "Bash", input: { command } }] };
    }),
    (request) => (hear(request), "done"),
  ]);
  const manager = createManager({
    cwd: ws,
    env,
    watch: false,
    contract: "none",
    model,
    permissions: { mode: "bypassPermissions" },
  });
  const result = await manager.spawn({ description: "d", prompt: "p" }).done;
  await manager.close();
  expect(result.state, JSON.stringify(result)).toBe("completed");
  return told;
}

describe.skipIf(problem !== undefined)("git's own work behind held paths", () => {
  test("a remote is added, a branch pushed with its upstream, and renamed", async () => {
    const told = await run(
      `git remote add up ${project.path("remote.git")}`,
      "git push -u up side 2>&1 | tail -3",
      "git branch -m side feature",
    );
    expect(config(), told.join("\n")).toMatch(/\[branch "feature"\]\s+remote = up/);
  });

  test("a rebase stops at a conflict, goes on and ends", async () => {
    const told = await run(
      "git checkout -q feature",
      "git rebase main",
      "printf merged > file.txt; git add file.txt",
      "git rebase --continue",
    );
    expect(told[1]).toContain("CONFLICT");
    expect(existsSync(`${ws}/.git/rebase-merge`), told.join("\n")).toBe(false);
    expect(git(ws, "log", "--oneline", "main..feature").trim().split("\n")).toHaveLength(1);
  });

  test("a submodule is brought in", async () => {
    git(ws, "submodule", "add", "-q", project.path("part"), "part");
    git(ws, "commit", "-qm", "part");
    git(ws, "submodule", "deinit", "-f", "part");
    execFileSync("rm", ["-rf", `${ws}/.git/modules/part`]);
    const told = await run("git submodule update --init");
    expect(readFileSync(`${ws}/part/file.txt`, "utf8"), told.join("\n")).toBe("one");
    expect(git(`${ws}/part`, "rev-parse", "--show-toplevel").trim()).toMatch(/part$/);
  });

  test("what a hook of the project changes in that moment is put back and named", async () => {
    writeFileSync(
      `${ws}/.git/hooks/pre-push`,
      "#!/bin/sh\ngit config core.fsmonitor evil\ngit config user.nick n\n",
    );
    chmodSync(`${ws}/.git/hooks/pre-push`, 0o755);
    const before = config();
    const [told] = await run("git push -u up main");
    expect(config()).toBe(before);
    expect(told).toContain("fsmonitor = evil");
    expect(told).toContain("put back");
  });

  test("beside any other command the settings stay closed", async () => {
    writeFileSync(`${ws}/x.sh`, "git config core.fsmonitor evil\n");
    const told = await run("git remote add other /x; sh x.sh", "git push -u up main; sh x.sh");
    expect(config(), told.join("\n")).not.toMatch(/evil|other/);
  });
});
