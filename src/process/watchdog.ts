// A small shell that outlives this process for a moment: it reads from a pipe, and when the pipe
// closes for any reason, it kills everything that has the mark.
import { spawn } from "node:child_process";
import { hostMark, isMark, markVariable } from "./mark.ts";

export type Watchdog = {
  pid: number | undefined;
  /** Groups are registered one by one for systems without /proc, where marks cannot be read. */
  add(pgid: number): void;
  remove(pgid: number): void;
  /** Releases it: it sweeps once and ends. */
  close(): void;
};

// Written for sh: a shell needs one megabyte, a second Node forty. $1 is the mark.
const script = `
trap '' HUP INT TERM
groups=
while read -r word pgid; do
  case $word in
    +) groups="$groups $pgid" ;;
    -) rest=; for group in $groups; do [ "$group" = "$pgid" ] || rest="$rest $group"; done; groups=$rest ;;
  esac
done
round=0 quiet=0
while [ $round -lt 60 ] && [ $quiet -lt 3 ]; do
  found=
  for group in $groups; do kill -9 "-$group" 2>/dev/null; done
  if [ -r /proc/self/environ ]; then
    for file in $(grep -lzE "^${markVariable}=$1(:|$)" /proc/[0-9]*/environ 2>/dev/null); do
      pid=\${file#/proc/}; pid=\${pid%/environ}
      kill -9 "$pid" 2>/dev/null && found=1
    done
  fi
  if [ "$found" ]; then quiet=0; else quiet=$((quiet + 1)); fi
  round=$((round + 1))
  sleep 0.03
done
`;

let host: Watchdog | undefined;
let restarts = 0;
const maxRestarts = 20;

/**
 * The watchdog of this process, started with the first process to watch. If a command kills it, the
 * next one is started.
 */
export function hostWatchdog(): Watchdog {
  host ??= startWatchdog(hostMark(), () => {
    host = undefined;
    if (++restarts <= maxRestarts) hostWatchdog();
  });
  return host;
}

/**
 * Starts the watchdog of one mark; it keeps neither the event loop nor the terminal busy. `onLoss`
 * is called if it ends before it is closed.
 */
export function startWatchdog(mark: string, onLoss: () => void = () => {}): Watchdog {
  if (!isMark(mark)) throw new TypeError(`"${mark}" is not a mark; make one with newMark()`);
  // Its environment is bare: with a mark of an outer host, another sweep would kill it.
  const child = spawn("/bin/sh", ["-c", script, "retinue-watchdog", mark], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin:/usr/local/bin" },
  });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  let isClosed = false;
  child.once("exit", () => void (isClosed || onLoss()));
  child.unref();
  (child.stdin as unknown as { unref?(): void }).unref?.();
  const tell = (line: string): void => void (child.stdin.writable && child.stdin.write(line));
  return {
    pid: child.pid,
    add: (pgid) => tell(`+ ${pgid}\n`),
    remove: (pgid) => tell(`- ${pgid}\n`),
    close: () => {
      isClosed = true;
      child.stdin.end();
    },
  };
}
