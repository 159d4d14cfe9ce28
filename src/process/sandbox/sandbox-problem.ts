// What the sandbox needs of this machine, looked for once: programs, a system-call filter for this
// processor, and a kernel that lets bubblewrap work.
import { spawnSync } from "node:child_process";
import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { sandboxFilter } from "./sandbox-filter.ts";

const install =
  "Install bubblewrap and socat (Debian, Ubuntu: `apt install bubblewrap socat`; " +
  "Fedora: `dnf install bubblewrap socat`; Arch: `pacman -S bubblewrap socat`), or " +
  "switch retinue.sandbox off.";

const found = new Map<string, string | undefined>();

/** The absolute path of a program; relative entries of the PATH are no place to take one from. */
export function findProgram(
  name: string,
  path: string = process.env["PATH"] ?? "",
): string | undefined {
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Why no command can be sandboxed here and what to do, or undefined. */
export function sandboxProblem({
  path,
  withHosts = false,
}: { path?: string | undefined; withHosts?: boolean } = {}): string | undefined {
  if (process.platform !== "linux")
    return (
      `the sandbox needs Linux; this is ${process.platform}. Switch retinue.sandbox off, ` +
      "or run in a Linux machine or container."
    );
  if (!sandboxFilter())
    return (
      `the sandbox knows no system-call filter for ${process.arch}; it runs on x64 and ` +
      "arm64. Switch retinue.sandbox off."
    );
  const bwrap = findProgram("bwrap", path);
  if (bwrap === undefined) return `bubblewrap (bwrap) is not installed. ${install}`;
  if (withHosts && findProgram("socat", path) === undefined)
    return `socat, which carries the connections to retinue.sandbox.allowHosts, is not installed. ${install}`;
  if (withHosts && !hasRuntime())
    return (
      "the package @anthropic-ai/sandbox-runtime, whose proxy serves " +
      "retinue.sandbox.allowHosts, is not installed. It is an optional dependency: install " +
      "it with npm, or leave allowHosts empty."
    );
  if (!found.has(bwrap) || found.get(bwrap) !== undefined) found.set(bwrap, tryOut(bwrap));
  return found.get(bwrap);
}

function tryOut(bwrap: string): string | undefined {
  const handle = openSync("/usr", constants.O_RDONLY);
  const args = [
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--die-with-parent",
    "--new-session",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--ro-bind-fd",
    "3",
    "/usr",
    "--",
    "/bin/sh",
    "-c",
    ":",
  ];
  const { status, stderr, error } = spawnSync(bwrap, args, {
    stdio: ["ignore", "ignore", "pipe", handle],
    timeout: 10_000,
    env: {},
  });
  closeSync(handle);
  if (status === 0) return undefined;
  const said = (stderr?.toString() || error?.message || `exit ${status}`).trim().slice(0, 500);
  if (/unknown option/i.test(said))
    return `bubblewrap at ${bwrap} is too old (${said}): version 0.8 or newer is needed. ${install}`;
  return (
    `bubblewrap cannot make a sandbox here: ${said}. User namespaces must be permitted ` +
    "(sysctl user.max_user_namespaces above 0; on Ubuntu " +
    "kernel.apparmor_restrict_unprivileged_userns=0 or a profile for bwrap; in a " +
    "container, a runtime that lets them be made and /proc be mounted). Or switch " +
    "retinue.sandbox off."
  );
}

function hasRuntime(): boolean {
  try {
    createRequire(import.meta.url).resolve("@anthropic-ai/sandbox-runtime");
    return true;
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
