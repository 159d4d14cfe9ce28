import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newMark } from "./mark.ts";
import { findProcesses } from "./find-processes.ts";
import { hostWatchdog, startWatchdog } from "./watchdog.ts";

let dir = "";
beforeAll(() => void (dir = mkdtempSync(join(tmpdir(), "watchdog-"))));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const host = `
import { startWatchdog } from "./watchdog.ts";
import { spawnGroup } from "./spawn-group.ts";
const [mark, command] = process.argv.slice(2);
const watchdog = startWatchdog(mark);
spawnGroup({ argv: ["bash", "-c", command], cwd: "/", env: { PATH: process.env.PATH }, mark, graceMs: 200, watchdog, onOutput: (chunk) => { process.stdout.write(chunk); } });
process.stdout.write("watchdog " + watchdog.pid + "\\n");
`;

function buildHost(): string {
  const outfile = join(dir, "host.mjs");
  // Minified with names kept, as the command is: a watchdog made from a function's text would break
  // here.
  buildSync({
    stdin: { contents: host, resolveDir: resolve(import.meta.dirname), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    minify: true,
    keepNames: true,
    outfile,
    logLevel: "silent",
  });
  return outfile;
}

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The dead may wait for whoever inherits them to fetch them: they are no processes any more. */
async function gone(pid: number): Promise<void> {
  const isZombie = () =>
    existsSync(`/proc/${pid}/stat`) && /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  while (alive(pid) && !isZombie()) await sleep(50);
}

test.runIf(process.platform === "linux").each(["SIGKILL", "SIGTERM"] as const)(
  "after %s of the host no process is left within two seconds",
  async (signal) => {
    const mark = newMark("feed");
    const command =
      "sleep 60 & setsid sleep 60 & (setsid bash -c 'trap \"\" TERM HUP; sleep 60; sleep 60' &) ; (setsid setsid sleep 60 >/dev/null 2>&1 &); echo ready; wait";
    const child = spawn(process.execPath, [buildHost(), mark, command], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    while (!out.includes("ready") || !out.includes("watchdog")) await sleep(20);
    await sleep(200);
    expect(findProcesses({ mark }).length).toBeGreaterThanOrEqual(5);
    process.kill(child.pid!, signal);
    await sleep(2_000);
    expect(findProcesses({ mark })).toEqual([]);
    await gone(Number(/watchdog (\d+)/.exec(out)![1]));
  },
);

test("a clean end takes the watchdog along and leaves strangers alone", async () => {
  const mark = newMark("feed");
  const stranger = spawn("sleep", ["60"], {
    env: { PATH: process.env["PATH"], RETINUE_MARK: `${mark}0` },
  });
  const watchdog = startWatchdog(mark);
  expect(alive(watchdog.pid!)).toBe(true);
  watchdog.close();
  await gone(watchdog.pid!);
  expect(alive(stranger.pid!)).toBe(true);
  stranger.kill("SIGKILL");
});

test("kills the groups it was told of", async () => {
  const watchdog = startWatchdog(newMark("feed"));
  const [kept, ended] = [0, 1].map(() =>
    spawn("sleep", ["60"], { detached: true, stdio: "ignore" }),
  );
  watchdog.add(kept!.pid!);
  watchdog.add(ended!.pid!);
  watchdog.remove(kept!.pid!);
  const exited = new Promise((done) => ended!.once("exit", (_code, signal) => done(signal)));
  watchdog.close();
  expect(await exited).toBe("SIGKILL");
  expect(kept!.exitCode).toBe(null);
  kept!.kill("SIGKILL");
});

test("the host's own comes back when something kills it", async () => {
  const first = hostWatchdog().pid!;
  process.kill(first, "SIGKILL");
  while (hostWatchdog().pid === first) await sleep(20);
  const second = hostWatchdog();
  expect(alive(second.pid!)).toBe(true);
  second.close();
  await gone(second.pid!);
});

test("refuses a mark that could be anything else", () => {
  expect(() => startWatchdog('x"; rm -rf /')).toThrow(/is not a mark/);
});
