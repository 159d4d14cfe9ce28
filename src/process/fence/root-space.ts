// For root: a user name space in which every user is itself. A command in it changes owners and
// becomes other users as ever, but has no power over mounts made outside, nor over other processes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram } from "../sandbox/sandbox-problem.ts";

export type RootSpace = {
  /** A handle of the name space, for a child: whoever starts the child closes it. */
  open(): number;
  /** The command behind the step into the name space, whose handle the child has as `handle`. */
  enter(argv: readonly string[], handle: number): string[];
};

const patienceMs = 2_000;

/** Rejects where the system does not let it be made. */
export async function makeRootSpace(path: string | undefined): Promise<RootSpace> {
  const [unshare, nsenter] = ["unshare", "nsenter"].map((name) => findProgram(name, path));
  if (unshare === undefined || nsenter === undefined)
    throw new Error("unshare and nsenter (util-linux) are not installed");
  const child = spawn(unshare, ["--user", "/bin/sh", "-c", "read x"], {
    stdio: ["pipe", "ignore", "ignore"],
    env: {},
  });
  const ended = once(child, "exit").catch((error: Error) => error);
  child.stdin.on("error", () => undefined);
  try {
    await untilApart(child.pid);
    for (const map of ["uid_map", "gid_map"])
      writeFileSync(`/proc/${child.pid}/${map}`, sameNumbers(map));
    const space = openSync(`/proc/${child.pid}/ns/user`, "r");
    return {
      open: () => openSync(`/proc/self/fd/${space}`, "r"),
      enter: (argv, handle) => [
        nsenter,
        `--user=/proc/self/fd/${handle}`,
        "--preserve-credentials",
        "/bin/sh",
        "-c",
        `exec ${handle}>&-; exec "$@"`,
        "sh",
        ...argv,
      ],
    };
  } finally {
    child.stdin.end();
    child.kill();
    await ended;
  }
}

/** The child is a copy of this process until it has made its own name space. */
async function untilApart(pid: number | undefined): Promise<void> {
  const own = readlinkSync("/proc/self/ns/user");
  for (const started = performance.now(); performance.now() - started < patienceMs;) {
    const now = pid === undefined ? undefined : readlinkSync(`/proc/${pid}/ns/user`);
    if (now !== undefined && now !== own) return;
    await sleep(2);
  }
  throw new Error("no user name space can be made");
}

/** Every number that is known here, as itself. */
function sameNumbers(map: string): string {
  return readFileSync(`/proc/self/${map}`, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .map(([inside, , count]) => `${inside} ${inside} ${count}\n`)
    .join("");
}
