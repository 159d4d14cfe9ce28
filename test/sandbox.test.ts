// Escape attempts with the sandbox on and every rule allowing: afterwards nothing outside the workspace has changed, nothing hidden was seen, nothing is left running.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findProcesses } from "../src/process/find-processes.ts";
import { cannotSandbox, picture, sandboxed, secret, type Sandboxed } from "./support/sandboxed.ts";

const suite = describe.skipIf(cannotSandbox !== undefined);
let cage: Sandboxed;

const listen = (server: Server, where: number | string): Promise<void> =>
  new Promise(
    (done) =>
      void (typeof where === "number"
        ? server.listen(where, "127.0.0.1", done)
        : server.listen(where, done)),
  );

suite("escape attempts", () => {
  let heard = 0;
  const hear = (): Server =>
    createServer((socket) => ((heard += 1), socket.on("error", () => {}).end(secret)));
  const [tcp, abstract, file] = [hear(), hear(), hear()];
  const host = spawn("sleep", ["1000"], { stdio: "ignore" });
  let port = 0;
  beforeAll(async () => {
    cage = await sandboxed({
      files: {
        "CLAUDE.md": "rules\n",
        ".claude/settings.json": "{}\n",
        "sub/.claude/agents/a.md": "a\n",
        ".mcp.json": "{}\n",
        "src/a.txt": "a\n",
        ".vscode/tasks.json": "{}\n",
        "deep/er/AGENTS.md": "x\n",
      },
    });
    symlinkSync("CLAUDE.md", join(cage.ws, "GEMINI.md"));
    await listen(tcp, 0);
    port = (tcp.address() as { port: number }).port;
    await listen(abstract, "\0retinue-sandbox-test");
    await listen(file, join(cage.ws, "agent.sock"));
  });
  afterEach(() => expect(findProcesses({ mark: cage.mark })).toEqual([]));
  afterAll(async () => {
    for (const server of [tcp, abstract, file]) server.close();
    host.kill("SIGKILL");
    await cage.remove();
  });

  // $OUT, $HOME and $WS are the folders; $PORT a server on the host's loopback; $HOST a process of the host.
  const attempts: [name: string, command: string][] = [
    [
      "writes outside",
      "echo x > $OUT/new; echo x >> $OUT/file.txt; rm -rf $OUT; chmod 777 $OUT; touch /etc/new /usr/new /var/tmp/new $HOME/new",
    ],
    [
      "writes outside through a link",
      "ln -s $OUT link; echo x > link/new; echo x > link/file.txt; ln -s $OUT/file.txt p; echo x >> p; rm -f link p",
    ],
    ["writes outside through a hard link", "ln $OUT/file.txt hard && echo x >> hard"],
    [
      "writes outside by python",
      'python3 -c \'import os; open(os.environ["OUT"]+"/new","w")\'; node -e \'require("fs").writeFileSync(process.env.OUT+"/file.txt","x")\'',
    ],
    [
      "climbs out of the working directory",
      "cd ..; touch new; cd ../..; touch new; echo x > ../out/file.txt",
    ],
    [
      "reads keys",
      "cat $HOME/.ssh/* $HOME/.aws/credentials $HOME/.npmrc $HOME/.netrc $HOME/.bash_history; ls -R $HOME/.ssh; cp -r $HOME/.ssh stolen; tar cf - $HOME; head -1 /etc/shadow && echo OPENED",
    ],
    [
      "reads keys through links",
      "ln -s $HOME/.ssh k; cat k/id_ed25519; rm k; cat /proc/self/root$HOME/.ssh/id_ed25519 /proc/1/root$HOME/.ssh/id_ed25519 /proc/self/cwd/../home/.ssh/id_ed25519",
    ],
    [
      "reads and writes transcripts",
      "cat $HOME/.claude/projects/p/s.jsonl $HOME/.claude/settings.json; echo x >> $HOME/.claude/projects/p/s.jsonl; rm -rf $HOME/.claude; mkdir -p $HOME/.claude/projects/q",
    ],
    [
      "dials the host",
      "curl -sm 2 http://127.0.0.1:$PORT; curl -sm 2 http://localhost:$PORT; exec 3<>/dev/tcp/127.0.0.1/$PORT && cat <&3",
    ],
    [
      "dials the network",
      'curl -sm 2 http://1.1.1.1; curl -sm 2 http://169.254.169.254/; getent hosts example.com; ping -c1 -W1 1.1.1.1; node -e \'require("dgram").createSocket("udp4").send("x",53,"1.1.1.1",()=>process.exit())\'',
    ],
    [
      "dials an abstract socket",
      'python3 -c \'import socket; s=socket.socket(socket.AF_UNIX); s.connect("\\0retinue-sandbox-test"); print(s.recv(99))\'; node -e \'require("net").connect("\\0retinue-sandbox-test").on("data",console.log).on("error",()=>{})\'',
    ],
    [
      "dials a socket file",
      'python3 -c \'import socket; s=socket.socket(socket.AF_UNIX); s.connect("agent.sock"); print(s.recv(99))\'; node -e \'require("net").connect("agent.sock").on("data",d=>console.log(String(d))).on("error",()=>{})\'; ls /run/* /var/run/*',
    ],
    [
      "dials the machine's host",
      "python3 -c 'import socket; socket.socket(40, socket.SOCK_STREAM); print(\"OPENED\")'",
    ],
    [
      "makes a hook",
      "mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; mv .git/hooks h; rm -rf .git/hooks; git config core.hooksPath evil; echo '[core]' >> .git/config; cp .git/config c; mv -f c .git/config; rm -f c",
    ],
    [
      "leads git elsewhere",
      "mkdir g; echo ../g > .git/commondir; echo x > .git/config.worktree; mkdir -p .git/worktrees/x .git/modules/x; touch .git/worktrees/x/HEAD .git/modules/x/HEAD; rm -rf g",
    ],
    ["moves the repository away", "mv .git g; rm -rf .git/config .git/hooks; mv .git/hooks .git/h"],
    [
      "writes protected files",
      "for f in CLAUDE.md .mcp.json .claude/settings.json sub/.claude/agents/a.md .vscode/tasks.json deep/er/AGENTS.md; do echo evil >> $f; rm -f $f; mv $f gone; sed -i s/./x/ $f; truncate -s 0 $f; done; rm -rf .claude sub/.claude .vscode",
    ],
    [
      "makes protected files",
      "mkdir -p a/b/.claude/agents new/.git/hooks; touch a/b/.claude/settings.json a/CLAUDE.md .npmrc .envrc a/.mcp.json; echo x > .claude/hooks.json; mkdir .idea .cursor .husky; mkdir .CLAUDE; mkdir -p .github/workflows; touch .github/workflows/x.yml",
    ],
    [
      "makes them by a rename",
      "mkdir -p x/y; echo '{}' > x/y/settings.json; mv x/y x/.claude; mv x z; ln -s z/.claude q.claude; cp -r z/.claude .claude2 && mv .claude2 .zed",
    ],
    [
      "makes a repository",
      "git init -q nested; echo x > nested/.git/hooks/pre-commit; git clone -q . cloned; echo x > cloned/.git/hooks/post-checkout",
    ],
    [
      "moves the folder of a protected file away",
      "mv sub s2; mkdir -p sub/.claude; echo evil > sub/.claude/settings.json; mv deep d2; mv deep/er deep/e2",
    ],
    ["replaces a protected link", "rm GEMINI.md; echo evil > GEMINI.md"],
    [
      "replaces a protected link by another",
      "ln -sfn $OUT/file.txt GEMINI.md; ln -s $OUT/file.txt AGENTS.md",
    ],
    [
      "mounts",
      "mount -t tmpfs x /mnt; mount --bind /tmp .git/hooks; umount .git/hooks; umount -l .git; umount -l /tmp; mount -o remount,rw /; unshare -Urm bash -c 'mount -o remount,rw /; umount -l .git; touch .git/hooks/x'; python3 -c 'import ctypes; l=ctypes.CDLL(None); l.umount2(b\".git/hooks\",2); l.unshare(0x10020000); l.mount(None,b\"/\",None,32|4096,None)'",
    ],
    [
      "enters other name spaces",
      "nsenter -t 1 -a touch $OUT/new; nsenter -t $HOST -m touch $OUT/new; python3 -c 'import os; os.setns(os.open(\"/proc/1/ns/mnt\",0),0)'",
    ],
    [
      "goes through /proc",
      "for p in /proc/[0-9]*; do touch $p/root$OUT/new $p/cwd/../out/new; done; ls /proc/$HOST; (: >> /proc/sys/kernel/core_pattern) && echo OPENED; (: >> /proc/sysrq-trigger) && echo OPENED; (: >> /proc/sys/kernel/modprobe) && echo OPENED; true",
    ],
    [
      "opens devices",
      "cat /dev/kmsg | head -1; cat /dev/mem | head -c1; ls /dev/sd* /dev/vd* /dev/nvme* /dev/loop* /dev/kvm /dev/fuse; mknod d b 254 0 && head -c1 d; (: >> /sys/kernel/mm/transparent_hugepage/enabled) && echo OPENED; true",
    ],
    [
      "kills the host's processes",
      "kill -9 $HOST; kill -STOP $HOST; kill -9 $(pgrep -x sleep); pgrep -x sleep && echo OPENED; true",
    ],
    [
      "traces the host's processes",
      "python3 -c 'import ctypes,os; print(ctypes.CDLL(None).ptrace(16,int(os.environ[\"HOST\"]),0,0))'; cat /proc/$HOST/environ; gdb -p $HOST",
    ],
    [
      "types into a terminal",
      'python3 -c \'import fcntl; fcntl.ioctl(0,0x5412,b"x")\'; echo x > /dev/tty; python3 -c \'import os,fcntl,pty; m,s=pty.openpty(); fcntl.ioctl(s,0x5412,b"x"); print("OPENED")\'',
    ],
    [
      "uses kernel keys",
      'python3 -c \'import ctypes; l=ctypes.CDLL(None,use_errno=True); print("OPENED" if l.syscall(250,0,-3,0)>0 else "no")\'',
    ],
    [
      "goes around the filter",
      'python3 -c \'import ctypes; l=ctypes.CDLL(None); print("OPENED" if l.syscall(425,8,ctypes.create_string_buffer(256))>=0 else "no")\'; python3 -c \'import ctypes; l=ctypes.CDLL(None); print("OPENED" if l.syscall(0x40000000+41,1,1,0)>=0 else "no")\'',
    ],
    [
      "becomes another user",
      "su nobody -s /bin/sh -c id; sudo -n true; setpriv --reuid 1 id; chown 1:1 src/a.txt; cp /bin/bash b && chmod 4755 b && ./b -p -c 'touch $OUT/new'; rm -f b",
    ],
    [
      "leaves processes",
      "setsid sleep 1000 & (setsid sleep 1000 &); env -i setsid sleep 1000 & env -i setsid setsid sleep 1000 & nohup sleep 1000 & disown -a; sleep 0.1",
    ],
    [
      "looks for handles of the host",
      "ls -l /proc/self/fd | grep -v -e pipe -e socket -e null -e /proc/ -e total -e pts; for f in /proc/self/fd/* /proc/1/fd/* /proc/$PPID/fd/*; do touch $f/../../out/new; done",
    ],
  ];

  test.each(attempts)("%s", async (_name, command) => {
    const { ws, out, home } = cage;
    const guarded = [
      out,
      home,
      ...[
        "CLAUDE.md",
        "GEMINI.md",
        ".claude",
        ".mcp.json",
        ".vscode",
        "sub",
        "deep",
        ".git/config",
        ".git/hooks",
        "src",
      ].map((name) => join(ws, name)),
    ];
    if (!existsSync(join(ws, ".git/hooks"))) mkdirSync(join(ws, ".git/hooks"));
    const before = picture(...guarded);
    const beside = readdirSync("/var/tmp").filter((name) => name.startsWith("new"));
    // Should a mistake ever leave them uncaged, they must not try themselves out on the machine.
    const { text } = await cage.bash(
      `[ "$(cat /proc/1/comm)" = bwrap ] || { echo UNCAGED; exit; }; export OUT=${out} HOME=${home} WS=${ws} PORT=${port} HOST=${host.pid}; ${command}`,
    );
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/OPENED|UNCAGED/);
    expect(picture(...guarded)).toEqual(before);
    expect(heard).toBe(0);
    expect(host.exitCode ?? host.signalCode).toBe(null);
    expect(readFileSync(`/proc/${host.pid}/stat`, "latin1")).toContain(") S ");
    expect([
      existsSync("/etc/new"),
      existsSync("/usr/new"),
      existsSync(join(cage.root, "new")),
    ]).toEqual([false, false, false]);
    expect(readdirSync("/var/tmp").filter((name) => name.startsWith("new"))).toEqual(beside);
    expect(protectedNames(ws)).toEqual(known);
  });

  const known = [
    ".claude",
    ".git",
    ".mcp.json",
    ".vscode",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    "sub/.claude",
  ].sort();
  /** Everything in the workspace that programs would obey, wherever it lies. */
  function protectedNames(folder: string): string[] {
    const found: string[] = [];
    const look = (path: string): void => {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const full = join(path, entry.name);
        if (
          /^(?:\.git|\.claude|\.mcp\.json|\.vscode|\.idea|\.cursor|\.husky|\.zed|\.npmrc|\.envrc|workflows|claude\.md|agents\.md|gemini\.md)$/i.test(
            entry.name,
          )
        )
          found.push(full.slice(folder.length + 1).replace("deep/er/", ""));
        else if (entry.isDirectory()) look(full);
      }
    };
    look(folder);
    return found.sort();
  }

  test("a repository of the workspace is not led elsewhere", () => {
    for (const name of ["commondir", "config.worktree", "worktrees/x", "modules/x"])
      expect(existsSync(join(cage.ws, ".git", name)), name).toBe(false);
  });

  test("says what it undid, and loses nothing", async () => {
    const { text } = await cage.bash("mkdir -p fresh/.claude; echo kept > fresh/.claude/x");
    const aside = /renamed to (\.claude\.blocked-[0-9a-f]{6})/.exec(text)![1]!;
    expect(text).toContain(
      `[retinue sandbox] ${cage.ws}/fresh/.claude is protected and was not there before`,
    );
    expect(readFileSync(join(cage.ws, "fresh", aside, "x"), "utf8")).toBe("kept\n");
  });
});

suite("background commands", () => {
  test("are sandboxed too, and leave nothing when they are stopped", async () => {
    const own = await sandboxed();
    const { facts } = await own.bash(
      `touch ${own.out}/new; mkdir -p n/.claude; env -i setsid sleep 1000 & echo ready; sleep 1000`,
      { run_in_background: true },
    );
    const id = facts["taskId"] as string;
    while (!own.set.shells.output(id)!.text.includes("ready")) await sleep(20);
    await own.set.shells.stop(id);
    expect(existsSync(join(own.out, "new"))).toBe(false);
    expect(existsSync(join(own.ws, "n/.claude"))).toBe(false);
    expect(own.set.shells.output(id)!.text).toContain("[retinue sandbox]");
    expect(statSync(facts["outputFile"] as string).mode & 0o777).toBe(0o600);
    await own.remove();
  });
});
