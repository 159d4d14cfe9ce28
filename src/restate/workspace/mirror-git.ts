// Calls git on a mirror of ours. Neither the repository nor the person's own configuration names a
// program that runs: no hooks, no filters, no monitor, no submodules, no transport but the remote's.
import { execFile } from "node:child_process";
import { errorText, RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { ownGitEnvironment } from "../../process/git/own-git.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export type GitCall = {
  /** The folder whose files are meant, and the index that knows them. */
  tree?: { path: string; index: string };
  /** Talks to the remote. */
  isTransfer?: boolean;
  /** A folder of objects that is read besides the mirror's own. */
  alternate?: string;
  input?: string | Uint8Array;
};

export class GitRefusal extends Error {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;

  constructor(
    words: string,
    { code, stdout, stderr }: Pick<GitRefusal, "code" | "stdout" | "stderr">,
  ) {
    super(
      `git ${words}: ${stderr.trim().slice(0, 500) || stdout.trim().slice(0, 500) || `exit ${code}`}`,
    );
    this.name = "GitRefusal";
    this.code = code;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

/** What a transfer needs of the operator's own environment: how to reach and to unlock a remote. */
const transferNames = [
  "HOME",
  "SSH_AUTH_SOCK",
  "GIT_SSH_COMMAND",
  "GIT_SSH",
  "GIT_ASKPASS",
  "HTTPS_PROXY",
  "https_proxy",
  "NO_PROXY",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

const settings = [
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.untrackedCache", "false"],
  ["core.preloadIndex", "true"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["advice.addEmbeddedRepo", "false"],
  ["protocol.version", "2"],
  // An agent's folder of objects may bring such files, and they would be believed.
  ["core.commitGraph", "false"],
  ["core.multiPackIndex", "false"],
  ["commit.gpgSign", "false"],
  ["push.gpgSign", "false"],
].flatMap(([key, value]) => ["-c", `${key}=${value}`]);

export type MirrorGit = (args: readonly string[], call?: GitCall) => Promise<string>;

/** `gitFolder` is ours, and its configuration is what we wrote there. */
export function mirrorGit(gitFolder: string, protocol: string, env: Variables): MirrorGit {
  const base = {
    ...ownGitEnvironment(gitFolder, {
      PATH: env["PATH"],
      TMPDIR: env["TMPDIR"],
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_ATTR_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Retinue",
      GIT_AUTHOR_EMAIL: "retinue@localhost",
      GIT_COMMITTER_NAME: "Retinue",
      GIT_COMMITTER_EMAIL: "retinue@localhost",
    }),
    LC_ALL: "C",
    GIT_DIR: gitFolder,
  };
  const transfer = {
    ...Object.fromEntries(
      transferNames.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    ),
    GIT_ALLOW_PROTOCOL: protocol,
  };
  return (args, { tree, isTransfer = false, alternate, input = "" } = {}) =>
    call(args, {
      cwd: tree?.path ?? gitFolder,
      timeout: isTransfer ? limits.workspace.transportMs : limits.workspace.gitMs,
      env: {
        ...base,
        ...(isTransfer ? transfer : {}),
        ...(tree ? { GIT_WORK_TREE: tree.path, GIT_INDEX_FILE: tree.index } : {}),
        ...(alternate === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate }),
      },
      input,
    });
}

type Process = {
  cwd: string;
  timeout: number;
  env: Record<string, string>;
  input: string | Uint8Array;
};

function call(args: readonly string[], { cwd, timeout, env, input }: Process): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      "git",
      [...settings, ...args],
      { cwd, env, timeout, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        const code = typeof error.code === "number" ? error.code : undefined;
        const words = args.slice(0, 2).join(" ");
        reject(
          new GitRefusal(words, { code, stdout, stderr: stderr || (code ? "" : errorText(error)) }),
        );
      },
    );
    // A git that ends early has said why.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

const scpLike = /^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:[^:-][^:]*$/;

/** The one protocol that this remote needs. Throws RetinueError `config` for any other kind. */
export function protocolOf(remote: string): string {
  const scheme = /^([a-z]+):\/\/[^-]/.exec(remote)?.[1];
  if (scheme === "https" || scheme === "ssh" || scheme === "file") return scheme;
  if (remote.startsWith("/")) return "file";
  if (scpLike.test(remote)) return "ssh";
  throw new RetinueError(
    "config",
    `workspace.remote ${JSON.stringify(remote.slice(0, 200))}: expected an address with https:// or ` +
      "ssh://, user@host:path, or an absolute folder.",
  );
}
