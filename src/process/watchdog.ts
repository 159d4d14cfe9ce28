// A tiny shell that outlives this process by a moment: it holds the end of a pipe, and when the
// pipe closes, however that came, it kills everything that carries the mark.
import { spawn } from "node:child_process";
import { hostMark, isMark, markVariable } from "./mark.ts";

export type Watchdog = {
  pid: number | undefined;
  /** Groups are told one by one for systems without /proc, where the mark cannot be seen. */
  add(pgid: number): void;
  remove(pgid: number): void;
  /** Lets go: it sweeps once and ends. */
  close(): void;
};

// Written for sh, because a shell costs a megabyte where a second Node costs forty. $1 is the mark.
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
 * The watchdog of this process, started with the first thing that it has to watch. A command that
 * kills it only brings the next one.
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
 * is told when it ends before it was closed.
 */
export function startWatchdog(mark: string, onLoss: () => void = () => {}): Watchdog {
  if (!isMark(mark)) throw new TypeError(`"${mark}" is not a mark; make one with newMark()`);
  // Its environment is bare: no mark of an outer host may make it the prey of another sweep.
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
