import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAgentId, newUuid } from "../../base/ids.ts";
import { tempProject } from "../../testing/temp-project.ts";
import { takeSnapshot } from "../../verify/evidence/snapshot.ts";
import { gitWorkspaces } from "./git-workspaces.ts";
import { TreeOvertaken, type RunTree, type Workspaces } from "./workspaces.ts";

const project = tempProject({
  "a.txt": "one\n",
  "b.txt": "1\n2\n3\n",
  "dir/c.txt": "c\n",
  "crlf.txt": "x\ny\n",
  ".gitattributes": "*.txt text=auto\nplant.txt filter=x\n",
  ".gitignore": "made/\n*.log\n",
});
const remote = join(dirname(project.root), "remote.git");
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();

beforeAll(() => {
  git(project.root, "init", "-q", "-b", "main");
  git(project.root, "add", ".");
  git(project.root, "commit", "-qm", "first");
  git(project.root, "clone", "-q", "--bare", ".", remote);
});
afterAll(() => project.remove());

let count = 0;
const trouble: string[] = [];
/** A machine of its own: nothing but the remote is shared. */
const machine = (setup: string | null = null): Workspaces =>
  gitWorkspaces({
    folder: join(dirname(project.root), `machine-${(count += 1)}`),
    remote,
    setup,
    onTrouble: (message) => trouble.push(message),
  });
const sessionId = newUuid();
const first = { startedAt: 1_000, attempt: 1 };
const second = { startedAt: 1_000, attempt: 2 };

/** A run's folder on a machine, with its files. */
async function begun(workspaces: Workspaces, agentId = newAgentId()): Promise<RunTree> {
  const tree = workspaces.tree({ sessionId, agentId }, await workspaces.begin(), first);
  await tree.arrive();
  return tree;
}
const write = (tree: RunTree, name: string, text: string | Uint8Array): void => {
  mkdirSync(dirname(join(tree.path, name)), { recursive: true });
  writeFileSync(join(tree.path, name), text);
};
const read = (tree: RunTree, name: string): string => readFileSync(join(tree.path, name), "utf8");
const idOf = (tree: RunTree): string => tree.branch.split("/").at(-1)!;

test("another machine has exactly the files of the last checkpoint, byte by byte", async () => {
  const here = await begun(machine());
  expect(git(here.path, "status", "--porcelain")).toBe("");
  const nothing = await here.checkpoint("nothing");
  expect(nothing.commit).toBe(nothing.base);
  const binary = Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256));
  write(here, "new/bin", binary);
  write(here, "crlf.txt", "x\r\ny\r\n");
  write(here, "größer name.txt", "ü");
  write(here, "run.sh", "#!/bin/sh\n");
  write(here, "made/ignored", "i");
  chmodSync(join(here.path, "run.sh"), 0o755);
  symlinkSync("../outside", join(here.path, "link"));
  rmSync(join(here.path, "dir"), { recursive: true });
  const state = await here.checkpoint("Bash");
  expect(await here.checkpoint("again")).toEqual(state);
  // Killed in the middle of the next call.
  write(here, "half.txt", "half");
  write(here, "a.txt", "half");

  const there = machine().tree({ sessionId, agentId: idOf(here) }, state, second);
  await there.arrive();
  expect(readFileSync(join(there.path, "new/bin")).equals(binary)).toBe(true);
  expect(read(there, "crlf.txt")).toBe("x\r\ny\r\n");
  expect(read(there, "größer name.txt")).toBe("ü");
  expect(lstatSync(join(there.path, "run.sh")).mode & 0o111).toBe(0o111);
  expect(readlinkSync(join(there.path, "link"))).toBe("../outside");
  expect(read(there, "a.txt")).toBe("one\n");
  for (const name of ["dir", "half.txt", "made"])
    expect(existsSync(join(there.path, name))).toBe(false);
  // The agent's own git knows what is new since the session began.
  expect(git(there.path, "status", "--porcelain", "--", "dir")).toBe("D dir/c.txt");
  expect(git(there.path, "diff", "--stat", "HEAD", "--", "run.sh", "dir")).toContain("c.txt");
  expect(git(remote, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/main");
});

test("an attempt that comes back to the same machine finds the kept files, not half of a call's", async () => {
  const workspaces = machine();
  const here = await begun(workspaces);
  write(here, "a.txt", "kept\n");
  const state = await here.checkpoint("Edit");
  write(here, "a.txt", "hulf\n");
  write(here, "stray/x", "x");
  write(here, "made/cache", "c");
  const again = workspaces.tree(
    { sessionId, agentId: idOf(here) },
    await workspaces.begin(),
    second,
  );
  again.note(state);
  await again.arrive();
  expect(read(again, "a.txt")).toBe("kept\n");
  expect(existsSync(join(again.path, "stray"))).toBe(false);
  expect(read(again, "made/cache")).toBe("c");
  // Settings are read from the folder before a replay has named the newest state.
  again.note(await workspaces.begin());
  await again.arrive();
  expect(read(again, "a.txt")).toBe("one\n");
  again.note(state);
  await again.arrive();
  expect(read(again, "a.txt")).toBe("kept\n");
  await again.checkpoint("nothing");
  again.note(await workspaces.begin());
  await again.arrive();
  expect(read(again, "a.txt")).toBe("kept\n");
  expect(await machine().last({ sessionId, agentId: idOf(here) })).toEqual(state);
  expect(await machine().last({ sessionId, agentId: newAgentId() })).toBeUndefined();
});

test("a machine that wakes late cannot write over the one that goes on", async () => {
  const zombie = await begun(machine());
  write(zombie, "a.txt", "kept\n");
  const state = await zombie.checkpoint("Edit");
  const other = machine();
  const live = other.tree({ sessionId, agentId: idOf(zombie) }, state, second);
  await live.arrive();
  // It wakes before the other one has written, and its push still counts as the newest.
  write(zombie, "a.txt", "zombie\n");
  await zombie.checkpoint("late");
  write(live, "a.txt", "live\n");
  const kept = await live.checkpoint("Edit");
  expect(git(remote, "rev-parse", live.branch)).toBe(kept.commit);
  write(zombie, "a.txt", "zombie again\n");
  await expect(zombie.checkpoint("later")).rejects.toBeInstanceOf(TreeOvertaken);
  expect(git(remote, "show", `${live.branch}:a.txt`)).toBe("live");
  // A resume is a later life, whose attempts count from one again.
  const resumed = machine().tree({ sessionId, agentId: idOf(zombie) }, kept, {
    startedAt: 2_000,
    attempt: 1,
  });
  write(live, "late.txt", "x");
  await resumed.arrive();
  write(resumed, "next.txt", "x");
  await resumed.checkpoint("Write");
  await expect(live.checkpoint("late")).rejects.toBeInstanceOf(TreeOvertaken);
});

test("a sub-agent begins at its parent's last commit; its work comes back, or the conflict is named", async () => {
  const parent = await begun(machine());
  write(parent, "plan.txt", "plan\n");
  const spawned = await parent.checkpoint("Write");
  const child = machine().tree({ sessionId, agentId: newAgentId() }, spawned, first);
  await child.arrive();
  expect(read(child, "plan.txt")).toBe("plan\n");
  write(child, "b.txt", "1\n2\n3 of the child\n");
  const done = await child.checkpoint("Edit");
  write(parent, "a.txt", "of the parent\n");
  const merged = await parent.merge({ agentId: idOf(child), state: done });
  expect(merged.isMerged).toBe(true);
  expect(read(parent, "b.txt")).toBe("1\n2\n3 of the child\n");
  expect(read(parent, "a.txt")).toBe("of the parent\n");
  expect(git(remote, "rev-parse", `${parent.branch}^2`)).toBe(done.commit);

  const rival = machine().tree({ sessionId, agentId: newAgentId() }, spawned, first);
  await rival.arrive();
  write(rival, "b.txt", "1\n2\n3 of the rival\n");
  const refused = await parent.merge({
    agentId: idOf(rival),
    state: await rival.checkpoint("Edit"),
  });
  expect(refused).toEqual({ isMerged: false, conflicts: ["b.txt"], branch: rival.branch });
  expect(read(parent, "b.txt")).toBe("1\n2\n3 of the child\n");
  expect(git(remote, "show", `${rival.branch}:b.txt`)).toContain("rival");
  await child.finish();
  expect(existsSync(child.path)).toBe(false);
});

test("commits of the agent itself follow the run, on their branch; planted objects do not", async () => {
  const own = machine();
  const here = await begun(own);
  git(here.path, "switch", "-qc", "feature/x");
  write(here, "a.txt", "committed\n");
  git(here.path, "commit", "-qam", "of the agent");
  write(here, "b.txt", "not committed\n");
  const state = await here.checkpoint("Bash");
  const there = machine().tree({ sessionId, agentId: idOf(here) }, state, second);
  await there.arrive();
  expect(git(there.path, "log", "--format=%s")).toBe("of the agent\nfirst");
  expect(git(there.path, "branch", "--show-current")).toBe("feature/x");
  expect(git(there.path, "status", "--porcelain")).toBe("M b.txt");
  // A killed call made one more commit, which nobody kept.
  git(here.path, "commit", "-qam", "killed");
  const again = own.tree({ sessionId, agentId: idOf(here) }, state, second);
  await again.arrive();
  expect(git(again.path, "log", "-1", "--format=%s")).toBe("of the agent");

  // A blob under the name of another one: it is hashed on its way and stays out.
  write(there, "c.txt", "true\n");
  git(there.path, "add", "c.txt");
  git(there.path, "commit", "-qm", "poisoned");
  const blob = git(there.path, "rev-parse", "HEAD:c.txt");
  const place = (id: string): string =>
    join(there.path, ".git/objects", id.slice(0, 2), id.slice(2));
  write(there, "d.txt", "false\n");
  const wrong = git(there.path, "hash-object", "-w", "d.txt");
  chmodSync(place(blob), 0o644);
  writeFileSync(place(blob), readFileSync(place(wrong)));
  rmSync(join(there.path, "c.txt"));
  await there.checkpoint("Bash");
  expect(trouble.at(-1)).toContain("stay on this machine");
  const third = machine().tree({ sessionId, agentId: idOf(here) }, there.state, second);
  await third.arrive();
  expect(git(third.path, "log", "-1", "--format=%s")).toBe("of the agent");
  expect(read(third, "d.txt")).toBe("false\n");
});

test("nothing that a repository or an agent plants is run", async () => {
  const mark = join(project.home, "ran");
  const program = `sh -c 'touch ${mark}; cat'`;
  const workspaces = machine();
  const tree = await begun(workspaces);
  write(tree, "plant.txt", "x\n");
  for (const [key, value] of [
    ["filter.x.clean", program],
    ["filter.x.smudge", program],
    ["core.fsmonitor", program],
    ["core.hooksPath", join(tree.path, "hooks")],
    ["core.sshCommand", program],
  ])
    git(tree.path, "config", key!, value!);
  for (const name of ["post-checkout", "pre-push", "post-index-change", "reference-transaction"]) {
    write(tree, `hooks/${name}`, `#!/bin/sh\n${program}\n`);
    chmodSync(join(tree.path, "hooks", name), 0o755);
  }
  write(tree, ".gitmodules", `[submodule "m"]\n\tpath = m\n\turl = ext::${program}\n`);
  mkdirSync(join(tree.path, "empty-repository"));
  git(join(tree.path, "empty-repository"), "init", "-q");
  write(tree, "empty-repository/file", "x");
  const state = await tree.checkpoint("Bash");
  expect(state.commit).not.toBe(state.base);
  expect(trouble.at(-1)).toContain("empty-repository is a repository of its own");
  const there = machine().tree({ sessionId, agentId: idOf(tree) }, state, second);
  await there.arrive();
  expect(read(there, "plant.txt")).toBe("x\n");
  expect(takeSnapshot(there.path)).toMatchObject({ complete: true });
  await there.checkpoint("nothing");
  expect(existsSync(mark)).toBe(false);
  git(tree.path, "-c", "core.hooksPath=/dev/null", "add", "plant.txt");
  expect(existsSync(mark), "an ordinary git runs it: the trap is real").toBe(true);

  // A folder that became a link leads no checkout out of the tree.
  const outside = join(project.home, "outside");
  mkdirSync(outside);
  rmSync(join(there.path, "dir"), { recursive: true });
  symlinkSync(outside, join(there.path, "dir"));
  const third = machine();
  const back = third.tree({ sessionId, agentId: newAgentId() }, state, first);
  await back.arrive();
  rmSync(join(back.path, "dir"), { recursive: true });
  symlinkSync(outside, join(back.path, "dir"));
  const again = third.tree({ sessionId, agentId: idOf(back) }, state, second);
  await again.arrive();
  expect(existsSync(join(outside, "c.txt"))).toBe(false);
  expect(read(again, "dir/c.txt")).toBe("c\n");
});

test("a mirror that somebody changed is not used", async () => {
  const folder = join(dirname(project.root), "changed");
  const workspaces = gitWorkspaces({ folder, remote, setup: null, onTrouble: () => undefined });
  await workspaces.begin();
  const [config] = execFileSync("find", [join(folder, "mirrors"), "-name", "config"], {
    encoding: "utf8",
  }).split("\n");
  writeFileSync(config!, "[core]\n\tfsmonitor = touch /tmp/x\n");
  await expect(workspaces.begin()).rejects.toThrow("was changed by somebody else");
});

test("what git ignores is made once for a commit and copied into every folder", async () => {
  const runs = join(project.home, "setups");
  process.env["PLANTED_TOKEN"] = "secret";
  const workspaces = machine(
    `echo run >> ${runs}; mkdir made; echo "pkg $PLANTED_TOKEN" > made/index; ln -s index made/l; echo x > b.txt`,
  );
  const [one, two] = await Promise.all([begun(workspaces), begun(workspaces)]);
  delete process.env["PLANTED_TOKEN"];
  expect(readFileSync(runs, "utf8")).toBe("run\n");
  for (const tree of [one, two]) {
    expect(read(tree, "made/index")).toBe("pkg \n");
    expect(readlinkSync(join(tree.path, "made/l"))).toBe("index");
    expect(read(tree, "b.txt")).toBe("1\n2\n3\n");
  }
  writeFileSync(join(one.path, "made/index"), "changed");
  expect(read(two, "made/index")).toBe("pkg \n");
  expect((await one.checkpoint("x")).commit).toBe(one.state.base);
  const broken = machine("echo why it failed; exit 3");
  await expect(begun(broken)).rejects.toThrow(/ended with exit 3: why it failed/);
});

test.each([
  "ext::sh -c x",
  "-oProxyCommand=x",
  "http://x/y",
  "git://x/y",
  "relative",
  "ssh://-x/y",
])("the remote %j is refused", (given) => {
  expect(() =>
    gitWorkspaces({
      folder: join(dirname(project.root), "refused"),
      remote: given,
      setup: null,
      onTrouble: () => undefined,
    }),
  ).toThrow("expected an address with https:// or ssh://");
});

test("a ref that is none is refused, and names beyond branches and tags are never asked for", async () => {
  const workspaces = machine();
  const head = await workspaces.begin();
  expect(await workspaces.begin("main")).toEqual(head);
  expect(await workspaces.begin(head.commit)).toEqual(head);
  for (const ref of ["--upload-pack=x", "a..b", "no-such-branch", "0".repeat(40)])
    await expect(workspaces.begin(ref)).rejects.toThrow("is no branch, tag or commit");
  const tree = (base: string) =>
    workspaces.tree({ sessionId, agentId: newAgentId() }, { base, commit: base }, first);
  expect(() => tree("--output=x")).toThrow("names two commits");
  await expect(tree("1".repeat(40)).arrive()).rejects.toThrow("is not at");
});
