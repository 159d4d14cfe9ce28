// Runs commands in bubblewrap: only the workspace and a private /tmp are writable, keys are out of sight, no network but the listed hosts, no process outlives the command or its host.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { release } from "node:os";
import { basename, dirname, join } from "node:path";
import { createControlGroup, type ControlGroup } from "../control-group.ts";
import { gitParts, linkedTree, type GitParts } from "../git/git-folder.ts";
import { removeTree } from "../remove-tree.ts";
import { sandboxFilter } from "./sandbox-filter.ts";
import { planMounts, type Mount } from "./sandbox-mounts.ts";
import { proxyPort, startProxy, type HostProxy } from "./sandbox-proxy.ts";
import { findProgram } from "./sandbox-support.ts";
import { makeScratchFolder } from "./scratch-folder.ts";
import { watchCaps, type GroupCaps } from "../watch-caps.ts";
import { createWorkspaceScan, type Judge, type Restricted, type Scan } from "./workspace-scan.ts";

export type SandboxOptions = {
  /** Real path; commands start here. */
  cwd: string;
  /** Real paths of folders; what the judge restricts in them stays as it is. */
  writable: readonly string[];
  judge: Judge;
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

/** One command, ready to start. */
export type SandboxedCommand = {
  argv: readonly string[];
  /** Open files that the command inherits as 3, 4, …; closed by whoever starts it. */
  handles: readonly number[];
  /** Once it runs: where no control group keeps the caps, it is watched, and stopped when it exceeds them. */
  started?(pid: number, stop: () => void): void;
  /** After its end: undoes what could only be seen afterwards, and says so. */
  finish(): string[];
};

export type Sandbox = {
  wrap: (argv: readonly string[]) => Promise<SandboxedCommand>;
  close(): Promise<void>;
};

type Parts = {
  options: SandboxOptions;
  base: string;
  roots: string[];
  scan: () => Scan;
  group: ControlGroup | undefined;
  bwrap: string;
  proxy: HostProxy | undefined;
};

// Kernel settings that root could write even without its powers, and memory that all processes of a machine share.
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
    maxFolders: options.caps.folders,
  });
  const hosts = options.allowHosts ?? [];
  const proxy =
    hosts.length === 0
      ? undefined
      : await startProxy(hosts, {
          socketFile: join(base, "proxy"),
          socat: findProgram("socat", options.path) ?? "socat",
        });
  const parts: Parts = {
    options,
    base,
    roots,
    scan,
    group: createControlGroup(options.caps),
    bwrap: findProgram("bwrap", options.path) ?? "bwrap",
    proxy,
  };
  return {
    wrap: async (argv) => wrap(parts, argv),
    close: async () => {
      await proxy?.close();
      await parts.group?.close();
      removeTree(base);
    },
  };
}

/** What stands in the workspace before a command, and which parts of its repositories. */
type Before = Scan & {
  git: (GitParts & { folder: string })[];
  trees: (GitParts & { writable: string[] })[];
};

function look({ scan, roots }: Parts): Before {
  const found = scan();
  return {
    ...found,
    git: found.repositories.map((folder) => ({ folder, ...gitParts(folder) })),
    trees: roots.map(linkedTree).filter((tree) => tree !== undefined),
  };
}

function wrap(parts: Parts, argv: readonly string[]): SandboxedCommand {
  const before = look(parts);
  const filter = openSync(join(parts.base, "filter"), "r");
  try {
    const { args, handles } = planMounts(mountsFor(parts, before), {
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
      ...watched(parts, () => undo(before, parts)),
    };
  } catch (error) {
    closeSync(filter);
    throw error;
  }
}

function watched(
  { group, options: { caps } }: Parts,
  finish: SandboxedCommand["finish"],
): Pick<SandboxedCommand, "started" | "finish"> {
  if (group?.keeps.size === 2) return { finish };
  const said: string[] = [];
  let end = (): void => undefined;
  return {
    started: (pid, stop) => (end = watchCaps(pid, caps, (problem) => (said.push(problem), stop()))),
    finish: () => (end(), [...said, ...finish()]),
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
 * Where no group keeps the number of processes: the user's own limit, set inside, where the kernel counts a user's processes anew (before 5.14 it counted them all
 * together, and a cap would hit a busy desktop; the option has two names). Root is exempt from it; a low priority lets whoever watches act among thousands.
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

function mountsFor({ options, base, roots }: Parts, { restricted, git, trees }: Before): Mount[] {
  const hides = [
    ...socketFolders,
    ...(base.startsWith("/tmp/") && !roots.some((root) => base.startsWith(`${root}/`))
      ? []
      : [base]),
    ...options.hidden,
  ]
    .map(real)
    .filter((path) => path !== undefined);
  const hidden = hides
    .filter((path) => !roots.includes(path))
    .map((path): Mount => ({ path, as: isFolder(path) ? "hidden-folder" : "hidden-file" }));
  const emptied = (options.emptied ?? [])
    .map(real)
    .filter((path) => path !== undefined && !isFolder(path))
    .map((path): Mount => ({ path: path!, as: "emptied" }));
  const needed = [...neededOfRun, ...(options.visible ?? [])]
    .map(real)
    .filter((path) => path !== undefined)
    .map((path): Mount => ({ path, as: "read-only" }));
  const own: Mount[] = roots.includes("/tmp")
    ? []
    : [{ path: "/tmp", as: "private", source: join(base, "tmp") }];
  return [
    ...hidden,
    ...emptied,
    ...needed,
    ...own,
    ...roots.map((path): Mount => ({ path, as: "writable" })),
    ...trees.flatMap(({ writable, fixed }) => [
      ...writable.map((path): Mount => ({ path, as: "writable" })),
      ...fixed.map((path): Mount => ({ path, as: "read-only" })),
    ]),
    ...git.flatMap(({ folder, fixed }): Mount[] => [
      ...pins(folder, roots, []),
      { path: folder, as: "writable" },
      ...fixed.map((path): Mount => ({ path, as: "read-only" })),
    ]),
    ...restricted.flatMap((item) => held(item, { restricted, roots })),
  ];
}

/** A link cannot be mounted upon: it is looked at again afterwards. */
function held(
  item: Restricted,
  { restricted, roots }: { restricted: readonly Restricted[]; roots: readonly string[] },
): Mount[] {
  if (item.kind === "link") return [];
  const above = restricted.filter(
    (other) => other.kind === "folder" && item.path.startsWith(`${other.path}/`),
  );
  if (above.length > 0 && item.verdict === "read-only") return [];
  const as =
    item.verdict === "read-only"
      ? "read-only"
      : item.kind === "folder"
        ? "hidden-folder"
        : "hidden-file";
  return [...pins(item.path, roots, above), { path: item.path, as }];
}

/** The folders above a held path are mount points too: otherwise one could be moved away, and another put in its place. */
function pins(path: string, roots: readonly string[], readOnly: readonly Restricted[]): Mount[] {
  const pinned: Mount[] = [];
  for (
    let folder = dirname(path);
    !roots.includes(folder) && folder !== "/";
    folder = dirname(folder)
  ) {
    if (!readOnly.some((other) => folder === other.path || folder.startsWith(`${other.path}/`)))
      pinned.push({ path: folder, as: "writable" });
  }
  return pinned;
}

function undo(before: Before, { scan }: Parts): string[] {
  const known = new Set(before.restricted.map(({ path }) => path));
  const knownRepositories = new Set(before.repositories);
  const after = scan();
  const made = [
    ...after.restricted
      .filter(({ path, verdict }) => verdict === "read-only" && !known.has(path))
      .map(({ path }) => path),
    ...after.repositories.filter((path) => !knownRepositories.has(path)),
    ...[...before.git, ...before.trees].flatMap(({ absent }) => absent).filter(exists),
  ].filter((path, _at, all) => !all.some((other) => path.startsWith(`${other}/`)));
  return [...made.map((path) => setAside(path)), ...before.restricted.map(restoreLink)].filter(
    (line) => line !== undefined,
  );
}

/** Renamed where it stands: nothing is lost. */
function setAside(path: string): string | undefined {
  const name = `${basename(path).slice(0, 60)}.blocked-${randomBytes(3).toString("hex")}`;
  try {
    inFolderOf(path, (folder) => renameSync(join(folder, basename(path)), join(folder, name)));
    return `${path} is protected and was not there before: it was renamed to ${name}`;
  } catch (error) {
    return exists(path)
      ? `${path} is protected and was not there before, and could not be renamed: ${(error as Error).message}`
      : undefined;
  }
}

function restoreLink({ path, kind, target }: Restricted): string | undefined {
  if (kind !== "link" || target === undefined || linkTarget(path) === target) return undefined;
  const aside = exists(path) ? setAside(path) : undefined;
  try {
    inFolderOf(path, (folder) => symlinkSync(target, join(folder, basename(path))));
    return `${path} is protected: the link to ${target} was put back`;
  } catch {
    return aside;
  }
}

/** Through the open folder, so that no link that another command puts in between can lead elsewhere. */
function inFolderOf(path: string, act: (folder: string) => void): void {
  const handle = openSync(
    dirname(path),
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  const folder = `/proc/self/fd/${handle}`;
  try {
    if (readlinkSync(folder) !== dirname(path))
      throw new Error(`${dirname(path)} leads elsewhere now`);
    act(folder);
  } finally {
    closeSync(handle);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function outermost(folders: readonly string[]): string[] {
  const all = [...new Set(folders)].filter(isFolder);
  return all.filter((folder) => !all.some((other) => folder.startsWith(`${other}/`)));
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
