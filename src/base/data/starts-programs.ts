// Settings of a repository that may make git start a program or look elsewhere: all but those that
// are known to do neither.

/** Section and keys; `*`: all of them. */
const harmless: Readonly<Record<string, string>> = {
  core: `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks
    autocrlf eol safecrlf quotepath abbrev longpaths untrackedcache sharedrepository compression
    protectntfs protecthfs preloadindex`,
  remote: "url pushurl fetch push tagopt prune mirror promisor partialclonefilter",
  branch: `remote merge rebase description pushremote vscode-merge-base gh-merge-base
    github-pr-owner-number`,
  user: "name email",
  author: "name email",
  committer: "name email",
  submodule: "active url branch path ignore shallow fetchrecursesubmodules recurse",
  extensions: "objectformat partialclone refstorage worktreeconfig",
  init: "defaultbranch",
  pull: "rebase ff",
  push: "default autosetupremote followtags",
  fetch: "prune prunetags parallel",
  merge: "ff conflictstyle renames",
  rebase: "autosquash autostash updaterefs",
  rerere: "enabled autoupdate",
  diff: "algorithm renames mnemonicprefix colormoved",
  commit: "verbose",
  gc: "auto autodetach",
  lfs: "repositoryformatversion",
  ...Object.fromEntries(["color", "column", "advice", "index", "pack"].map((name) => [name, "*"])),
};

const header = /^\[\s*([\w.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]/;
const setting = /^([A-Za-z][\w-]*)\s*(?:=\s*([^]*))?$/;

/** A transport of a name of its own starts a program of that name: `ext::sh -c …`. */
const isForeign = (value: string): boolean => value.includes("::") || value.startsWith("-");

/** True where one of the settings is none of those that are known to be harmless. */
export function startsPrograms(settings: string): boolean {
  let section = "";
  for (const line of settings.split(/\r?\n/)) {
    let rest = line.trim();
    const found = header.exec(rest);
    if (found) {
      section = found[1]!.toLowerCase();
      rest = rest.slice(found[0].length).trim();
    }
    if (rest !== "" && !/^[#;]/.test(rest) && !isHarmless(section, rest)) return true;
  }
  return false;
}

function isHarmless(section: string, line: string): boolean {
  const [, key, value = ""] = setting.exec(line) ?? [];
  // A line that ends in a backslash goes on.
  if (key === undefined || line.endsWith("\\") || isForeign(value)) return false;
  const keys = Object.hasOwn(harmless, section) ? harmless[section]!.split(/\s+/) : [];
  return keys.includes("*") || keys.includes(key.toLowerCase());
}
