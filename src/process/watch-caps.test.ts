// Real processes and real memory; nothing of a sandbox.
import { spawn, type ChildProcess } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { findProcesses } from "./find-processes.ts";
import { canWatchCaps, watchCaps, type GroupCaps } from "./watch-caps.ts";

const roomy: GroupCaps = { processes: 1_000, memoryBytes: 8 * 1024 ** 3 };
const megabytes = (count: number): number => count * 1024 ** 2;

let child: ChildProcess | undefined;
afterEach(() => {
  for (const pid of findProcesses({ pgid: child!.pid! })) process.kill(pid, "SIGKILL");
});

/**
 * The sentence that was told, or undefined when a while has passed since the command said that it
 * is ready.
 */
async function told(command: string, caps: Partial<GroupCaps>): Promise<string | undefined> {
  child = spawn("bash", ["-c", command], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  let end = (): void => undefined;
  try {
    return await new Promise<string | undefined>((resolve) => {
      end = watchCaps(child!.pid!, { ...roomy, ...caps }, resolve);
      child!.stdout!.once("data", () => setTimeout(() => resolve(undefined), 1_200));
    });
  } finally {
    end();
  }
}

const hold = (mb: number): string => `x=b'x'*(${mb}<<20); import time; time.sleep(20)`;

describe.skipIf(!canWatchCaps())("what a command takes", () => {
  test("counts processes that were left by their parents inside the command", async () => {
    expect(await told("for i in $(seq 60); do sleep 20 & done; wait", { processes: 40 })).toMatch(
      /^it had more than 40 processes and threads at once/,
    );
    expect(
      await told("for i in $(seq 20); do sleep 20 & done; echo ready; wait", { processes: 40 }),
    ).toBeUndefined();
  });

  test("counts threads, and children that a thread has started", async () => {
    expect(
      await told(
        `python3 -c "import threading,time; [threading.Thread(target=time.sleep,args=(20,)).start() for _ in range(60)]"`,
        { processes: 40 },
      ),
    ).toContain("more than 40 processes and threads");
    expect(
      await told(
        `python3 -c "import threading,subprocess; t=threading.Thread(target=lambda:[subprocess.Popen(['sleep','20']) for _ in range(60)] and threading.Event().wait()); t.start()"`,
        { processes: 40 },
      ),
    ).toContain("more than 40 processes and threads");
  });

  test("adds up the memory of all processes", async () => {
    expect(
      await told(`for i in 1 2 3; do python3 -c "${hold(60)}" & done; wait`, {
        memoryBytes: megabytes(120),
      }),
    ).toMatch(/^its processes took more than 120 MB together/);
  });

  test("counts memory that forks share once", async () => {
    const forks = `python3 -c "import os,time,sys; x=b'x'*(80<<20); [os.fork() or (time.sleep(20), os._exit(0)) for _ in range(5)]; print('ready', flush=True); time.sleep(20)"`;
    expect(await told(forks, { memoryBytes: megabytes(200) })).toBeUndefined();
  });
});
