// Paths that no mode writes without a person's yes, and the few that are never written or read at
// all. Names count at any depth, in any case, existing or not.
import { foldPath, isWithin, lastSegment, segmentsOf } from "./written-path.ts";

/** Folders whose files run code or steer agents. */
const protectedFolders = new Set([
  ".git",
  ".claude",
  ".vscode",
  ".idea",
  ".cursor",
  ".gemini",
  ".codex",
  ".windsurf",
  ".zed",
  ".fleet",
  ".devcontainer",
  ".husky",
  ".ssh",
  ".gnupg",
  ".vim",
  ".emacs.d",
  ".continue",
  ".roo",
  ".cline",
  ".clinerules",
  ".amazonq",
  ".kiro",
  ".junie",
  ".opencode",
  ".circleci",
]);
const protectedFiles = new Set([
  "claude.md",
  "claude.local.md",
  "agents.md",
  "gemini.md",
  ".mcp.json",
  ".claude.json",
  ".pre-commit-config.yaml",
  ".cursorrules",
  ".windsurfrules",
  ".gitconfig",
  ".gitmodules",
  ".vimrc",
  ".exrc",
  ".nvimrc",
  ".nvim.lua",
  ".emacs",
  ".gdbinit",
  ".lldbinit",
  ".rprofile",
  ".irbrc",
  ".pryrc",
  ".pythonrc",
  ".psqlrc",
  ".my.cnf",
  ".netrc",
  ".tmux.conf",
  ".screenrc",
  ".xinitrc",
  ".xprofile",
  ".xsessionrc",
  ".pam_environment",
  ".aider.conf.yml",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".inputrc",
  ".envrc",
  "config.fish",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".pnpmrc",
  ".pypirc",
  ".gemrc",
  ".condarc",
  ".curlrc",
  ".wgetrc",
  "bunfig.toml",
  "pip.conf",
  "opencode.json",
  "lefthook.yml",
  ".lefthook.yml",
  "mise.toml",
  ".mise.toml",
  ".gitlab-ci.yml",
  ".pdbrc",
  ".proverc",
  "rust-toolchain",
  "rust-toolchain.toml",
  ".bazelrc",
]);
/** Relative paths: what they end in is protected. */
export const protectedTails = [
  ".cargo/config",
  ".cargo/config.toml",
  ".bundle/config",
  ".config/fish",
  ".config/git",
  ".config/go",
  ".config/pip",
  ".config/nvim",
  ".local/share/fish",
  ".github/workflows",
  ".github/copilot-instructions.md",
];
/** Short names that a Windows file system gives to `.git` and `.claude`. */
const shortNames = /^(?:git|claude)~\d$/;

/**
 * Why writing `path` needs a person, or undefined. `extra` are further folders or files, absolute.
 */
export function protectedReason(path: string, extra: readonly string[] = []): string | undefined {
  const folded = foldPath(path);
  const segments = segmentsOf(folded);
  const name = segments.at(-1) ?? "";
  for (const segment of segments)
    if (protectedFolders.has(segment) || shortNames.test(segment)) return `${segment} is protected`;
  if (protectedFiles.has(name) || /\.(?:code-workspace|sublime-project)$/.test(name))
    return `${name} is protected`;
  const tail = tailIn(folded);
  if (tail !== undefined) return `${tail} is protected`;
  return extra.some((item) => isWithin(folded, foldPath(item)))
    ? "this path is protected by settings"
    : undefined;
}

const tailsAreHidden = protectedTails.every((tail) => tail.startsWith("."));

function tailIn(folded: string): string | undefined {
  if (tailsAreHidden && !folded.includes("/.")) return undefined;
  const closed = `${folded}/`;
  return protectedTails.find((tail) => closed.includes(`/${tail}/`));
}

export const protectedFolderNames: readonly string[] = [...protectedFolders];

/**
 * Names to look for in a folder whose contents are about to be removed, moved or overwritten, as
 * they are usually written.
 */
export const protectedNames: readonly string[] = [
  ...protectedFolders,
  ...protectedFiles,
  "CLAUDE.md",
  "CLAUDE.local.md",
  "AGENTS.md",
  "GEMINI.md",
].filter((name) => !/^(?:claude|agents|gemini)\./.test(name));

/** True for a `.git` folder or file itself, whatever its case. */
export function isGitItself(path: string): boolean {
  const name = foldPath(lastSegment(path));
  return name === ".git" || /^git~\d$/.test(name);
}

/** Kernel trees: never read, never written. */
export const isKernelPath = (path: string): boolean => /^\/(?:proc|sys|dev)(?:\/|$)/.test(path);

const harmlessDevices = new Set([
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/stdin",
  "/dev/stdout",
  "/dev/stderr",
  "/dev/tty",
  "/dev/random",
  "/dev/urandom",
]);

/** What shell commands commonly read from and redirect to. */
export const isHarmlessDevice = (path: string): boolean =>
  harmlessDevices.has(path) || /^\/dev\/fd\/\d+$/.test(path);

/** Bash's own network files: `/dev/tcp/host/port`. */
export const isNetworkDevice = (path: string): boolean => /^\/dev\/(?:tcp|udp)(?:\/|$)/.test(path);
