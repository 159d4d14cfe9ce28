// Work that has to go on with the sandbox on: builds, tests, commits, /tmp, listed hosts; its price; and the error where there is none.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  type PathLike,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession } from "../src/app/session/open-session.ts";
import { runMainThread, settleMain } from "../src/app/main/run-main-thread.ts";
import { RetinueError } from "../src/base/errors.ts";
import { newMark } from "../src/process/mark.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { startMockProvider } from "../src/testing/mock-provider.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import { createTools } from "../src/tools/create-tools.ts";
import { retinue } from "./retinue-process.ts";
import { noJudgedPath } from "../src/tool/tool.ts";
import { noSandbox } from "../src/process/sandbox/wrapped-command.ts";
import { anyPath, nothingApproved } from "../src/tools/tool-environment.ts";
import { noKnownSecrets } from "../src/base/secrets/find-secrets.ts";
import { cannotSandbox, sandboxed, secret, type Sandboxed } from "./support/sandboxed.ts";

const suite = describe.skipIf(cannotSandbox !== undefined);

suite("work in the sandbox", () => {
  let cage: Sandboxed;
  beforeAll(
    async () =>
      void (cage = await sandboxed({
        files: {
          "package.json": JSON.stringify({
            name: "x",
            scripts: { build: "node build.js", test: "node --test" },
          }),
          "build.js":
            "require('fs').mkdirSync('dist',{recursive:true});require('fs').writeFileSync('dist/out.js','1');console.log('built')",
          "a.test.js": "require('node:test')('x',()=>{})",
        },
      })),
  );
  afterAll(() => cage.remove());

  const works: [name: string, command: string, answer: RegExp][] = [
    [
      "writes and reads in the workspace",
      "mkdir -p a/b && echo hi > a/b/c && cat a/b/c && rm -r a && echo gone",
      /hi\ngone/,
    ],
    ["builds with npm", "npm run -s build && cat dist/out.js", /built\n1/],
    ["tests with node, which starts processes", "npm test 2>&1 | grep -E '^(# |ℹ )pass'", /pass 1/],
    [
      "runs python, with processes of its own",
      "python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs,[-1,-2]))'",
      /\[1, 2\]/,
    ],
    ["uses /tmp", "f=$(mktemp) && echo in > $f && cat $f && echo kept > /tmp/kept", /in/],
    [
      "finds in /tmp what the command before left there",
      "cat /tmp/kept; echo $TMPDIR",
      /kept\n\/tmp/,
    ],
    [
      "reads the system",
      "head -1 /etc/passwd; ls /usr/bin | wc -l; cat /proc/meminfo | head -1; uname -s",
      /root:[\s\S]*MemTotal[\s\S]*Linux/,
    ],
    [
      "uses pipes, heredocs and process substitution",
      "cat <(echo one) - <<< two | sort | tr '\\n' ,",
      /one,two,/,
    ],
    [
      "serves and dials on a loopback of its own",
      "python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 & for i in $(seq 50); do curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8123/ && break; sleep 0.1; done",
      /200/,
    ],
    [
      "has devices that programs need",
      "head -c4 /dev/urandom | wc -c; echo x > /dev/null; python3 -c 'import pty,os; os.close(pty.openpty()[0]); print(\"tty\")'; touch /dev/shm/x && echo shm",
      /4\ntty\nshm/,
    ],
    [
      "sees settings whose keys are hidden as empty",
      "npm config get registry; cat ~/.npmrc; echo ok",
      /http[\s\S]*ok/,
    ],
  ];
  test.each(works)("%s", async (_name, command, answer) => {
    const { text, isError } = await cage.bash(command);
    expect(isError, text).toBe(false);
    expect(text).toMatch(answer);
    expect(text).not.toContain("[retinue sandbox]");
  });

  test("commits, branches, merges and stashes", async () => {
    const steps =
      "git add -A && git commit -qm one && git checkout -qb side && echo x > side && git add side && git commit -qm two && git checkout -q main && git merge -q --no-edit side && echo y > y && git add y && git stash -q && git stash pop -q && git tag v1 && git gc -q && git status --short && git log --oneline | wc -l";
    const { text, isError } = await cage.bash(steps);
    expect(isError, text).toBe(false);
    expect(text).toMatch(/A {2}y\n2$/);
  });

  test("commits in a linked working tree, without a hand on the rest of the repository", async () => {
    const main = await sandboxed({ files: { a: "a" } });
    const tree = join(main.root, "tree");
    const git = (...args: string[]): string =>
      execFileSync("git", ["-C", main.ws, "-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        encoding: "utf8",
      });
    git("add", "-A");
    git("commit", "-qm", "one");
    git("worktree", "add", "-q", tree);
    const linked = await sandboxed({ git: false, files: {}, at: tree });
    const { text, isError } = await linked.bash(
      `echo b > b && git add b && git -c user.name=t -c user.email=t@t commit -qm two && git log --oneline | wc -l; echo x >> ${main.ws}/.git/config; touch ${main.ws}/.git/hooks/x ${main.ws}/new; echo evil > $(git rev-parse --git-dir)/commondir`,
    );
    expect(isError, text).toBe(true);
    expect(text).toContain("2\n");
    expect(git("log", "--oneline", "--all").trim().split("\n")).toHaveLength(2);
    expect([existsSync(join(main.ws, ".git/hooks/x")), existsSync(join(main.ws, "new"))]).toEqual([
      false,
      false,
    ]);
    expect(git("status", "--short")).toBe("");
    await linked.remove();
    await main.remove();
  });

  test("a link that claims a repository elsewhere opens nothing", async () => {
    const victim = await sandboxed();
    const liar = await sandboxed({ git: false, files: { ".git": `gitdir: ${victim.ws}/.git\n` } });
    await liar.bash(`touch ${victim.ws}/.git/objects/x ${victim.ws}/.git/refs/x`);
    expect([
      existsSync(join(victim.ws, ".git/objects/x")),
      existsSync(join(victim.ws, ".git/refs/x")),
    ]).toEqual([false, false]);
    await liar.remove();
    await victim.remove();
  });

  test("a flood of output is cut and kept as ever", async () => {
    const { text, facts } = await cage.bash("seq 1 200000");
    expect(text.length).toBeLessThan(31_000);
    expect(text).toContain("bytes left out");
    expect(facts["outputBytes"]).toBe(1_288_895);
    expect(readFileSync(facts["spillPath"] as PathLike, "utf8")).toContain("\n123456\n");
  });

  test("further folders are writable, and plan mode writes nothing", async () => {
    const more = mkdtempSync("/var/tmp/retinue-more-");
    const wide = await sandboxed({ addDirs: [more] });
    await wide.bash(`touch ${more}/x; mkdir ${more}/.claude`);
    expect(readdirSync(more).sort()).toEqual([expect.stringMatching(/^\.claude\.blocked-/), "x"]);
    await wide.remove();
    rmSync(more, { recursive: true });
    const plan = await sandboxed({ policy: { mode: "plan" } });
    await plan.bash("touch x; echo x > /tmp/x; touch ../out/x");
    expect(existsSync(join(plan.ws, "x"))).toBe(false);
    await plan.remove();
  });

  test("deny rules and denyRead hold whatever reads", async () => {
    const wish = {
      files: {
        ".env": secret,
        "secrets/deep/key": secret,
        "conf/db.pem": secret,
        "gen/a.ts": "a\n",
        "seen.txt": "seen\n",
      },
      sandbox: { denyRead: ["**/*.pem", "/etc/hostname", "~/.gitconfig"] },
      policy: {
        rules: {
          allow: ["Bash"],
          ask: [],
          deny: ["Read(./.env)", "Read(./secrets/**)", "Edit(./gen/**)"],
        },
      },
    };
    const own = await sandboxed(wish);
    const { text } = await own.bash(
      "cat .env secrets/deep/key conf/db.pem /etc/hostname ~/.gitconfig; grep -r . . ; mv .env e; mv conf c; mv secrets s; cp .env f; echo x > gen/a.ts; touch gen/new; cat e c/db.pem f s/deep/key; cat seen.txt",
    );
    expect(text).not.toContain(secret);
    expect(text).toContain("seen");
    expect(readFileSync(join(own.ws, "gen/a.ts"), "utf8")).toBe("a\n");
    expect(existsSync(join(own.ws, "gen/new"))).toBe(false);
    expect(readFileSync(join(own.ws, ".env"), "utf8")).toBe(secret);
    await own.remove();
  });
});

suite("listed hosts", () => {
  test("are reached through the proxy, and nothing else is", async () => {
    const hits: string[] = [];
    const server = createServer(
      (request, response) => (hits.push(request.headers.host ?? ""), response.end("hello")),
    );
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as { port: number };
    const cage = await sandboxed({ sandbox: { allowHosts: ["localhost"] } });
    expect((await cage.bash(`curl -sm 5 http://localhost:${port}/`)).text).toBe("hello");
    expect((await cage.bash(`curl -sm 5 -p http://localhost:${port}/`)).text).toBe("hello");
    const seen = hits.length;
    const refused = await cage.bash(
      `for u in http://127.0.0.1:${port} http://evil.test http://0x7f.1:${port} http://[::1]:${port} http://127.0.0.1.nip.io:${port}; do curl -sm 5 "$u"; curl -sm 5 -p "$u"; curl --noproxy '*' -sm 2 "$u"; done; curl --noproxy '*' -sm 2 http://localhost:${port}; python3 -c 'import socket; socket.socket(socket.AF_UNIX)'; pgrep socat && echo hello`,
    );
    expect(refused.text).not.toContain("hello");
    expect(hits.length).toBe(seen);
    expect(
      (await cage.bash(`curl -sm 5 http://localhost:${port}/; ls /proc | grep -c '^[0-9]'`)).text,
    ).toMatch(/^hello[2-5]$/);
    const held = await cage.bash(
      "cat ~/.ssh/id_ed25519; touch ../out/new /etc/new; echo x >> .git/config; touch .git/hooks/x; mkdir -p n/.claude; unshare -Ur true",
    );
    expect(held.text).not.toContain(secret);
    expect([
      existsSync(join(cage.out, "new")),
      existsSync(join(cage.ws, ".git/hooks/x")),
      existsSync(join(cage.ws, "n/.claude")),
      existsSync("/etc/new"),
    ]).toEqual([false, false, false, false]);
    await cage.remove();
    server.close();
  });
});

suite("the price", () => {
  test("is printed, and small beside what a command takes anyway", async () => {
    const cage = await sandboxed();
    const plain = createTools({
      cwd: cage.ws,
      home: cage.home,
      spillDir: join(cage.root, "spill"),
      mark: newMark("feed"),
      takesImages: false,
      takesDocuments: false,
      secrets: () => noKnownSecrets,
      mayRead: anyPath,
      mayWrite: anyPath,
      sandbox: noSandbox,
      approved: nothingApproved,
    }).tools.find(({ name }) => name === "Bash")!;
    const median = async (run: () => Promise<unknown>): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 15; round++) {
        const started = performance.now();
        await run();
        times.push(performance.now() - started);
      }
      return times.sort((a, b) => a - b)[7]!;
    };
    const [without, within] = [
      await median(() =>
        plain.execute(
          { command: "true" },
          {
            toolUseId: "t",
            judgedPath: noJudgedPath,
            signal: AbortSignal.timeout(9_000),
            progress: () => {},
          },
        ),
      ),
      await median(() => cage.bash("true")),
    ];
    console.log(
      `sandbox: ${without.toFixed(0)} ms a command without, ${within.toFixed(0)} ms within, ${(within - without).toFixed(0)} ms more`,
    );
    expect(within - without).toBeLessThan(500);
    await cage.remove();
  });
});

describe.runIf(process.platform === "linux")("without a sandbox", () => {
  test("a run with Bash is refused before anything happens, one without Bash goes on", async () => {
    const project = tempProject({});
    const empty = mkdtempSync(join(tmpdir(), "no-bwrap-"));
    const model = scriptedModel(["done"]);
    const opened = () =>
      openSession({
        cwd: project.root,
        env: { HOME: project.home, PATH: empty },
        settings: JSON.stringify({ retinue: { sandbox: { enabled: true } } }),
        models: { "scripted:model": model },
        cliAgents: { reader: { description: "reads", prompt: "read", tools: ["Read"] } },
      });
    const go = async (agent: string) => {
      const session = opened();
      const input = { prompt: "go", agent, model: "scripted:model", limits: {} };
      const spec = await settleMain(session, input);
      return runMainThread(session, spec, { signal: AbortSignal.timeout(9_000) });
    };
    const refused = await go("general-purpose").catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RetinueError);
    expect(refused).toMatchObject({
      code: "sandbox",
      message: expect.stringMatching(
        /retinue\.sandbox is on, but bubblewrap .* is not installed.*apt install bubblewrap socat/,
      ),
    });
    expect(model.requests).toHaveLength(0);
    expect((await go("reader")).outcome.state).toBe("completed");
    rmSync(empty, { recursive: true });
    project.remove();
  });
});

function runningWith(word: string): number {
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  return readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && commandOf(name).startsWith(`sleep\0${word}`),
  ).length;
}

suite("TOOLS-15 kill -9 of the host", () => {
  test.each([
    ["without network", []],
    ["with listed hosts", ["localhost"]],
  ])(
    "%s: no sandboxed process survives 2 s, not even one without environment and session",
    async (_name, allowHosts) => {
      const word = `${3_000_000 + Math.floor(Math.random() * 1_000_000)}`;
      const command = `sleep ${word} & env -i setsid sleep ${word} & (env -i setsid setsid sleep ${word} &) ; (trap '' TERM HUP; setsid sleep ${word}) & sleep ${word}`;
      const project = tempProject({});
      mkdirSync(join(project.home, ".claude"));
      writeFileSync(
        join(project.home, ".claude/settings.json"),
        JSON.stringify({ retinue: { sandbox: { enabled: true, allowHosts } } }),
      );
      const server = await startMockProvider({
        script: [{ tools: [{ name: "Bash", input: { command } }] }, { text: "never" }],
      });
      const scratch = join(project.home, "t");
      mkdirSync(scratch);
      const env = {
        ANTHROPIC_API_KEY: "sk-ant-test",
        ANTHROPIC_BASE_URL: server.url,
        TMPDIR: scratch,
      };
      let kill = (): void => {};
      const finished = retinue(
        ["run", "--model", "sonnet", "--permission-mode", "bypassPermissions", "go"],
        { project, env, onStart: (child) => void (kill = () => child.kill("SIGKILL")) },
      );
      for (let round = 0; round < 200 && runningWith(word) < 5; round++) await sleep(50);
      expect(runningWith(word)).toBe(5);
      kill();
      await finished;
      await sleep(2_000);
      expect(runningWith(word)).toBe(0);
      expect(readdirSync(scratch), "nobody could remove it").toEqual([
        expect.stringMatching(/^retinue-sandbox-/),
      ]);
      await server.close();
      const next = await startMockProvider({
        script: [{ tools: [{ name: "Bash", input: { command: "echo here" } }] }, { text: "done" }],
      });
      expect(
        await retinue(
          ["run", "--model", "sonnet", "--permission-mode", "bypassPermissions", "go"],
          { project, env: { ...env, ANTHROPIC_BASE_URL: next.url } },
        ),
      ).toMatchObject({ code: 0 });
      expect(readdirSync(scratch), "the next start did").toEqual([]);
      await next.close();
      project.remove();
    },
  );
});
