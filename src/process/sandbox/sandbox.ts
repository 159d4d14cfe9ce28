// Runs commands in bubblewrap: only the workspace and a private /tmp are writable, keys are out of
// sight, no network but the listed hosts, no process outlives the command or its host.
import { closeSync, lstatSync, mkdirSync, openSync, realpathSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { createControlGroup, type ControlGroup } from "../control-group.ts";
import { removeTree } from "../remove-tree.ts";
import {
  heldMounts,
  heldPaths,
  lookAt,
  undoPlanted,
  type Before,
  type HeldPlaces,
} from "../fence/held-paths.ts";
import { sandboxFilter } from "./sandbox-filter.ts";
import { planSandboxMounts, type Mount } from "./sandbox-mounts.ts";
import { proxyPort, startSandboxProxy, type HostProxy } from "./sandbox-proxy.ts";
import { findProgram } from "./sandbox-problem.ts";
import { makeScratchFolder } from "./scratch-folder.ts";
import { watchCaps, type GroupCaps } from "../watch-caps.ts";
import { createWorkspaceScan, type PathJudge } from "../fence/workspace-scan.ts";
import type { LeftOpen, Wrap, WrappedCommand } from "./wrapped-command.ts";

export type SandboxOptions = {
  /** Real path; commands start here. */
  cwd: string;
  /** Real paths of folders; what the judge restricts in them stays as it is. */
  writable: readonly string[];
  judge: PathJudge;
  /** Absolute paths that commands do not see, where they exist. */
  hidden: readonly string[];
  /** Files that programs expect to be readable: they appear empty. */
  emptied?: readonly string[];
  /** Parts of what is hidden that commands may read after all. */
  visible?: readonly string[];
  /** `host`, `*.host`, `host:port`. None: no network at all. */
  allowHosts?: readonly string[];
  caps: GroupCaps & { folders: number };
  /** Where bubblewrap and socat are looked for; the PATH of this process without it. */
  path?: string | undefined;
};

export type Sandbox = { wrap: Wrap; close(): Promise<void> };

type Parts = {
  options: SandboxOptions;
  base: string;
  roots: string[];
  places: HeldPlaces;
  group: ControlGroup | undefined;
  bwrap: string;
  proxy: HostProxy | undefined;
};

// Kernel settings that root could write even without its powers, and memory that all processes of a
// machine share.
const kernelFiles = [
  "sys",
  "sysrq-trigger",
  "irq",
  "bus",
  "fs",
  "acpi",
  "driver",
  "scsi",
  "mtrr",
  "pressure",
].map((name) => `/proc/${name}`);
/** Where sockets of daemons and agents lie. */
const socketFolders = ["/run", "/var/run"];
/** Programs of systems that keep them there. */
const neededOfRun = ["/run/current-system", "/run/opengl-driver"];
const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/** Rejects when the proxy for the hosts cannot be started. Ask `sandboxProblem` first. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const base = makeScratchFolder("sandbox");
  mkdirSync(join(base, "tmp"), { mode: 0o700 });
  writeFileSync(join(base, "empty"), "", { mode: 0o400 });
  writeFileSync(join(base, "filter"), sandboxFilter() ?? "", { mode: 0o400 });
  const roots = outermost(options.writable);
  const scan = createWorkspaceScan({
    roots,
    judge: options.judge,
    remembered: options.caps.folders,
  });
  const hosts = options.allowHosts ?? [];
  const proxy =
    hosts.length === 0
      ? undefined
      : await startSandboxProxy(hosts, {
          socketFile: join(base, "proxy"),
          socat: findProgram("socat", options.path) ?? "socat",
        });
  const parts: Parts = {
    options,
    base,
    roots,
    places: { roots, scan, beside: [], isOpenOutside: false },
    group: createControlGroup(options.caps),
    bwrap: findProgram("bwrap", options.path) ?? "bwrap",
    proxy,
  };
  return {
    wrap: async (argv, open) => wrap(parts, argv, open),
    close: async () => {
      await proxy?.close();
      await parts.group?.close();
      removeTree(base);
    },
  };
}

async function wrap(
  parts: Parts,
  argv: readonly string[],
  open: LeftOpen,
): Promise<WrappedCommand> {
  const before = await lookAt(parts.places, open);
  const filter = openSync(join(parts.base, "filter"), "r");
  try {
    const { args, handles } = planSandboxMounts(mountsFor(parts, before, open), {
      emptyFile: join(parts.base, "empty"),
      firstHandle: 4,
    });
    const command = [
      parts.bwrap,
      ...isolation(parts),
      ...args,
      "--chdir",
      parts.options.cwd,
      "--",
      ...counted(parts, argv),
    ];
    return {
      argv: grouped(parts, parts.proxy ? parts.proxy.around(parts.bwrap, command) : command),
      handles: [filter, ...handles],
      held: heldPaths(before),
      endsWithIt: true,
      ...watched(parts, () => undoPlanted(before, parts.places, parts.options.caps.folders)),
    };
  } catch (error) {
    closeSync(filter);
    throw error;
  }
}

function watched(
  { group, options: { caps } }: Parts,
  finish: WrappedCommand["finish"],
): Pick<WrappedCommand, "started" | "finish"> {
  if (group?.keeps.size === 2) return { started: () => undefined, finish };
  const said: string[] = [];
  let end = (): void => undefined;
  return {
    started: (pid, stop) => (end = watchCaps(pid, caps, (problem) => (said.push(problem), stop()))),
    finish: async () => {
      end();
      const { problems, notes } = await finish();
      return { problems, notes: [...said, ...notes] };
    },
  };
}

function isolation({ proxy }: Parts): string[] {
  const names = ["user", "pid", "ipc", "uts", ...(proxy ? [] : ["net"])].map(
    (name) => `--unshare-${name}`,
  );
  const system = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--tmpfs",
    "/dev/shm",
    "--remount-ro",
    "/dev",
    "--proc",
    "/proc",
    ...kernelFiles.filter(exists).flatMap((path) => ["--ro-bind", path, path]),
  ];
  const address = `http://127.0.0.1:${proxyPort}`;
  const network = proxyVariables.flatMap((name) =>
    proxy && !/no_/i.test(name) ? ["--setenv", name, address] : ["--unsetenv", name],
  );
  const places = [
    "--setenv",
    "TMPDIR",
    "/tmp",
    "--unsetenv",
    "TMP",
    "--unsetenv",
    "TEMP",
    "--setenv",
    "XDG_CACHE_HOME",
    "/tmp/.cache",
    "--setenv",
    "npm_config_cache",
    "/tmp/.npm",
  ];
  return [
    ...names,
    "--unshare-cgroup-try",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    "--seccomp",
    "3",
    ...places,
    ...network,
    ...(proxy ? ["--setenv", "NODE_USE_ENV_PROXY", "1"] : []),
    ...system,
  ];
}

/** Joins the control group before anything else. */
function grouped({ group }: Parts, command: readonly string[]): readonly string[] {
  const join = (group?.joinFiles ?? []).map((file) => `echo $$ > ${file} || exit 126; `).join("");
  return join === "" ? command : ["/bin/sh", "-c", `${join}exec "$@"`, "sh", ...command];
}

/**
 * Where no group keeps the number of processes: the user's own limit, set inside, where the kernel
 * counts a user's processes anew (before 5.14 it counted them all together, and a cap would hit a
 * busy desktop; the option has two names). Root is exempt from it; a low priority lets whoever
 * watches act among thousands.
 */
function counted({ group, options }: Parts, command: readonly string[]): readonly string[] {
  if (group?.keeps.has("processes")) return command;
  const [major = 0, minor = 0] = release().split(".").map(Number);
  const limit =
    major < 5 || (major === 5 && minor < 14)
      ? ""
      : `ulimit -u ${options.caps.processes} 2>/dev/null || ulimit -p ${options.caps.processes} 2>/dev/null; `;
  return [
    "/bin/sh",
    "-c",
    `${limit}command -v nice >/dev/null && exec nice -n 15 "$@"; exec "$@"`,
    "sh",
    ...command,
  ];
}

function mountsFor({ options, base, roots }: Parts, before: Before, open: LeftOpen): Mount[] {
  const isPrivate = base.startsWith("/tmp/") && !roots.some((root) => base.startsWith(`${root}/`));
  const hidden = reals([...socketFolders, ...(isPrivate ? [] : [base]), ...options.hidden])
    .filter((path) => !roots.includes(path))
    .map((path): Mount => ({ path, as: isFolder(path) ? "hidden-folder" : "hidden-file" }));
  const emptied = reals(options.emptied ?? [])
    .filter((path) => !isFolder(path))
    .map((path): Mount => ({ path, as: "emptied" }));
  const needed = reals([...neededOfRun, ...(options.visible ?? [])]).map((path): Mount => ({
    path,
    as: "read-only",
  }));
  const own: Mount[] = roots.includes("/tmp")
    ? []
    : [{ path: "/tmp", as: "private", source: join(base, "tmp") }];
  return [
    ...hidden,
    ...emptied,
    ...needed,
    ...own,
    ...roots.map((path): Mount => ({ path, as: "writable" })),
    ...before.trees.flatMap(({ writable }) =>
      writable.map((path): Mount => ({ path, as: "writable" })),
    ),
    ...heldMounts(before, { anchors: roots, open }),
  ];
}

function outermost(folders: readonly string[]): string[] {
  const all = [...new Set(folders)].filter(isFolder);
  return all.filter((folder) => !all.some((other) => folder.startsWith(`${other}/`)));
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const reals = (paths: readonly string[]): string[] =>
  paths.map(real).filter((path) => path !== undefined);

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
