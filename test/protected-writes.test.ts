// Protected paths under bypassPermissions without the sandbox: whole runs try to write them in many
// ways. Where bubblewrap is there, none arrives; the model is told why, and a person's yes opens one.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diagnose } from "../src/app/project/diagnose.ts";
import { createManager, type ManagerOptions } from "../src/app/index.ts";
import { fenceProblem } from "../src/process/fence/fence.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";
import { protectedWrites } from "./support/protected-writes.ts";
import { picture } from "./support/sandboxed.ts";

const problem = process.env["CI"] === "true" ? undefined : await fenceProblem(process.env["PATH"]);
if (problem !== undefined) console.warn(`skipped: protected paths cannot be held here: ${problem}`);
const suite = describe.skipIf(problem !== undefined);

const evil = "EVIL-TEXT";
const project = tempProject();
afterAll(() => project.remove());
const base = project.path("base");
const [ws, out, home, tree] = [
  join(base, "ws"),
  project.path("out"),
  project.home,
  project.path("tree"),
];
const git = (...args: string[]): string =>
  execFileSync("git", ["-C", ws, "-c", "user.name=t", "-c", "user.email=t@t", ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"]!, HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
  });
/** Made by a script when it begins: it was neither refused nor missing. */
const mark = (at: number): string => join(out, `ran-${at}`);
const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

beforeAll(() => {
  for (const [name, text] of Object.entries({
    "CLAUDE.md": "rules\n",
    ".claude/settings.json": "{}\n",
    ".claude/agents/a.md": "a\n",
    "sub/CLAUDE.md": "inner\n",
    "sub/.claude/settings.json": "{}\n",
    "docs/agents.txt": "linked\n",
    "file.txt": "open\n",
  }))
    write(join(ws, name), text);
  symlinkSync("docs/agents.txt", join(ws, "AGENTS.md"));
  for (const name of [".bashrc", ".gitconfig", ".config/git/config", ".claude/settings.json"])
    write(join(home, name), "");
  write(join(home, ".gitconfig"), "[user]\n\tname = t\n\temail = t@t\n");
  write(join(out, "file"), "outside\n");
  execFileSync("git", ["init", "-q", "-b", "main", ws]);
  git("add", "-A");
  git("commit", "-qm", "one");
  git("tag", "start");
  git("checkout", "-qb", "evil");
  writeFileSync(join(ws, "CLAUDE.md"), `${evil}\n`);
  git("commit", "-qam", "evil");
  git("checkout", "-q", "main");
  git("worktree", "add", "-q", "-b", "tree", tree);
  mkdirSync(join(ws, ".git/modules"));
  execFileSync("git", [
    "init",
    "-q",
    "--separate-git-dir",
    join(ws, ".git/modules/m"),
    join(ws, "m"),
  ]);
  const names = { EVIL: evil, WS: ws, OUT: out, HOME: home, TREE: tree };
  const exported = Object.entries(names).map(([name, value]) => `export ${name}=${value}\n`);
  protectedWrites.forEach(([, script], at) =>
    write(join(out, `${at}.sh`), `${exported.join("")}touch ${mark(at)}\n${script}\n`),
  );
});

/** Everything that programs and agents would obey, wherever it lies. */
const obeyed =
  /^(?:\.git|\.claude|\.mcp\.json|\.vscode|\.idea|\.cursor|\.husky|\.npmrc|\.envrc|\.gitmodules|\.zshenv|\.profile|workflows|CLAUDE\.md|AGENTS\.md|GEMINI\.md)$/;
const steering = /^(?:config|config\.worktree|hooks|commondir|gitdir|rebase-.*)$/;

function look(): Record<string, string> {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (path.includes(".blocked-")) continue;
      const isGit = /\/\.git(?:\/(?:worktrees|modules)\/[^/]+)?$/.test(folder);
      if (isGit ? steering.test(entry.name) : obeyed.test(entry.name) && entry.name !== ".git")
        found.push(path);
      else if (entry.isDirectory() && !/\/\.git\/(?:objects|refs|logs)$/.test(path)) walk(path);
    }
  };
  [base, home, tree].forEach(walk);
  // Its own records, which every turn changes.
  const own = /\/home\/\.claude\/(?:projects|retinue)/;
  return Object.fromEntries(Object.entries(picture(...found)).filter(([name]) => !own.test(name)));
}

const options = (more: Partial<ManagerOptions>): ManagerOptions => ({
  cwd: ws,
  env: { HOME: home, PATH: process.env["PATH"] },
  watch: false,
  contract: "none",
  limits: { maxTurns: 200 },
  ...more,
});

type Told = { text: string; isError: boolean };

/** One run that makes these calls one after the other; what the model was told of each. */
async function runCommands(
  commands: readonly string[],
  more: Partial<ManagerOptions> = {},
  after: () => void = () => undefined,
): Promise<Told[]> {
  const told: Told[] = [];
  const model = scriptedModel([
    ...commands.map((command, at) => (request: { messages: readonly { content: unknown }[] }) => {
      if (at > 0) hear(request);
      return { tools: [{ name: "Bash", input: { command } }] };
    }),
    (request) => (hear(request), "done"),
  ]);
  const hear = ({ messages }: { messages: readonly { content: unknown }[] }): void => {
    const [result] = messages.at(-1)!.content as { content: string; is_error?: boolean }[];
    told.push({ text: JSON.stringify(result!.content), isError: result!.is_error === true });
    after();
  };
  const manager = createManager(
    options({ model, permissions: { mode: "bypassPermissions" }, ...more }),
  );
  const result = await manager.spawn({ description: "d", prompt: "p" }).done;
  await manager.close();
  expect(result.state, JSON.stringify(result)).toBe("completed");
  return told;
}

suite("protected paths, without the sandbox, in bypassPermissions", () => {
  const changed: Record<string, string>[] = [];
  const told: Told[] = [];
  let ran: boolean[] = [];
  beforeAll(async () => {
    const before = look();
    const commands = protectedWrites.map((_way, at) => `bash ${join(out, `${at}.sh`)}`);
    const compare = (): void => {
      const now = look();
      const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
      changed.push(
        Object.fromEntries(
          names
            .filter((name) => before[name] !== now[name])
            .map((name) => [name, `${before[name]} → ${now[name]}`]),
        ),
      );
    };
    // A run has fifty turns.
    for (let from = 0; from < commands.length; from += 40)
      told.push(...(await runCommands(commands.slice(from, from + 40), {}, compare)));
    ran = protectedWrites.map((_way, at) => existsSync(mark(at)));
    console.log(
      `protected paths: ${protectedWrites.length} ways tried, ${ran.filter(Boolean).length} ran past the rules, ${changed.filter((one) => Object.keys(one).length > 0).length} arrived`,
    );
  }, 120_000);

  test.each(protectedWrites.map(([name], at) => [name, at] as const))("%s", (_name, at) => {
    expect(changed[at], told[at]?.text).toEqual({});
    expect(ran[at], told[at]?.text).toBe(true);
  });

  test("what a planted link leads to stays where it is", () => {
    expect(readFileSync(join(out, "file"), "utf8")).toBe("outside\n");
    expect(readdirSync(out).filter((name) => name.includes("blocked"))).toEqual([]);
    expect(readdirSync(dirname(out)).filter((name) => /^out\..*blocked/.test(name))).toEqual([]);
  });

  test("the model is told why a write failed, and which path it was", () => {
    const at = protectedWrites.findIndex(([name]) => name === "overwrites with >");
    expect(told[at]!.text).toContain(
      `[retinue sandbox] protected paths are read-only for commands, whatever the mode: ${ws}/CLAUDE.md, ${ws}/.git/config.`,
    );
    const planted = protectedWrites.findIndex(([name]) => name === "makes nested ones");
    expect(told[planted]!.text).toMatch(
      /ws\/a\/CLAUDE\.md is protected and was not there before: it was renamed to CLAUDE\.md\.blocked-/,
    );
  });
});

suite("work behind held paths", () => {
  test("commits, branches, stashes, merges and rebases go on; so does another working tree", async () => {
    const steps =
      "git add file.txt && echo 1 > n1 && git add n1 && git commit -qm two && git checkout -qb side && echo 2 > n2 && git add n2 && git commit -qm three && git checkout -q main && git merge -q --no-edit side && echo 3 > n1 && git stash -q && git stash pop -q && git checkout -q n1 && git tag v1 && git rebase -q start && git log --oneline | wc -l";
    const [first, second] = await runCommands([
      `export HOME=${home}; ${steps}`,
      `export HOME=${home}; cd ${tree} && echo t > t && git add t && git commit -qm tree && git log --oneline -1`,
    ]);
    expect(first!.text).toBe('"3"');
    expect(second!.text).toMatch(/tree/);
  });

  test("a new repository stays when nothing in it makes git run a program", async () => {
    await runCommands([
      "git init -q made; git clone -q made cloned; git worktree add -q more -b more",
      "git -C made config core.fsmonitor evil",
    ]);
    expect(["made", "cloned", "more"].map((name) => existsSync(join(ws, name, ".git")))).toEqual([
      true,
      true,
      true,
    ]);
    expect(readFileSync(join(ws, "made/.git/config"), "utf8")).not.toContain("evil");
  });

  test("exit codes, signals, the time limit and what is left behind are as without", async () => {
    const [code, killed, left, who] = await runCommands([
      "exit 7",
      "kill -9 $$",
      "sleep 300 & echo started",
      "id -u; touch owned; chown 12:12 owned 2>/dev/null; kill -0 $PPID && echo sees",
    ]);
    expect(code).toMatchObject({ isError: true, text: expect.stringContaining("Exit code 7") });
    expect(killed!.text).toContain("SIGKILL");
    expect(left!.text).toContain("1 process left behind by the command was");
    expect(who!.text).toContain(`${process.getuid!()}`);
  });

  test("a person's yes opens the path that was asked about, for this call", async () => {
    const asked: string[] = [];
    const told = await runCommands(
      [
        "git config user.nick one",
        `bash ${out}/1.sh`,
        "echo more >> sub/CLAUDE.md",
        "echo new > deep.md; mkdir -p q; echo new > q/CLAUDE.md",
      ],
      {
        ask: async ({ reason }) => (asked.push(reason), "once"),
        permissions: { mode: "bypassPermissions" },
      },
    );
    expect(git("config", "user.nick"), JSON.stringify({ asked, told })).toBe("one\n");
    expect(readFileSync(join(ws, ".git/config"), "utf8")).not.toContain(evil);
    expect(readFileSync(join(ws, "sub/CLAUDE.md"), "utf8")).toBe("inner\nmore\n");
    expect(readFileSync(join(ws, "q/CLAUDE.md"), "utf8")).toBe("new\n");
    expect(readFileSync(join(ws, "CLAUDE.md"), "utf8")).toBe("rules\n");
  });

  test("the price is printed", async () => {
    const median = async (path: string): Promise<number> => {
      const times: number[] = [];
      let last = performance.now();
      await runCommands(
        Array.from({ length: 21 }, () => "true"),
        { env: { HOME: home, PATH: path } },
        () => {
          times.push(performance.now() - last);
          last = performance.now();
        },
      );
      return times.slice(1).sort((a, b) => a - b)[10]!;
    };
    const [without, held] = [await median("/nowhere"), await median(process.env["PATH"]!)];
    console.log(
      `protected paths held: ${held.toFixed(1)} ms a call, ${without.toFixed(1)} without, ${(held - without).toFixed(1)} more`,
    );
    expect(held - without).toBeLessThan(1_000);
  });

  test("no number of folders switches the clean-up off", async () => {
    const [made] = await runCommands([
      `python3 -c 'import os
for i in range(100_050): os.mkdir(f"many-{i}")
os.mkdir("many-7/.cla" + "ude")'`,
    ]);
    expect(made).toMatchObject({ isError: true });
    expect(made!.text).toMatch(/The command left more than 100000 folders in the workspace/);
    expect(made!.text).toMatch(
      /many-7\/\.claude is protected .* it was renamed to \.claude\.blocked-/,
    );
    expect(existsSync(join(ws, "many-7/.claude"))).toBe(false);
    const [after] = await runCommands([
      'python3 -c \'import os; [os.rmdir(x) for x in os.listdir() if x[:5] == "many-" and x != "many-7"]\'; ls -d many-* | wc -l',
    ]);
    expect(after!.text).toContain("1");
  }, 180_000);
});

describe("doctor", () => {
  test("says which of the two is the case", async () => {
    const row = async (path: string): Promise<string | undefined> =>
      (await diagnose({ cwd: ws, env: { HOME: home, PATH: path } })).find(
        ({ check }) => check === "protected paths",
      )?.detail;
    expect(await row("/nowhere")).toMatch(/^judged by rules alone: .*bwrap.* is not installed/);
    if (problem === undefined)
      expect(await row(process.env["PATH"]!)).toMatch(/^held: .*read-only in every mode/);
  });
});

describe("without bubblewrap", () => {
  test("the rules stop what they can read; what a script does arrives", async () => {
    const env = { HOME: home, PATH: "/nowhere" };
    const [script, plain] = await runCommands([`bash ${out}/2.sh`, "echo x >> CLAUDE.md"], { env });
    expect(script!.isError).toBe(false);
    expect(plain).toMatchObject({ isError: true, text: expect.stringContaining("CLAUDE.md") });
    expect(readFileSync(join(ws, "CLAUDE.md"), "utf8")).toBe(`${evil}\n`);
  });
});
