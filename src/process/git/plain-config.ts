// Which lines of a git configuration name no program: those that git itself writes when it makes a
// repository, a remote, a branch or a submodule. What is not known counts as naming one.

const plainKeys = new Set(
  `core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase
  core.precomposeunicode core.symlinks remote.url remote.pushurl remote.fetch remote.tagopt
  remote.promisor remote.partialclonefilter branch.remote branch.pushremote branch.merge
  branch.rebase extensions.objectformat extensions.partialclone submodule.active submodule.url
  init.defaultbranch user.name user.email lfs.repositoryformatversion`.split(/\s+/),
);

type ConfigLine = { text: string; isPlain: boolean };

/** `isHere`: whether a working folder that the configuration names belongs to the repository. */
function configLines(text: string, isHere: (folder: string) => boolean): ConfigLine[] {
  let header = "";
  return text.split("\n").flatMap((line): ConfigLine[] => {
    if (line.trim() === "" || /^\s*[#;]/.test(line)) return [];
    const found = /^\s*\[([a-z]+)(?: "[^"\\\]]*")?\]\s*$/i.exec(line);
    // A section may share its line with a key, or have another form: such a line is not known.
    if (/^\s*\[/.test(line)) header = found ? line.trim() : "";
    if (found) return [];
    const [, key = "", value = ""] = /^\s*([a-z]+)\s*=\s*([^\\]*)$/i.exec(line) ?? [];
    const name = `${/^\[([a-z]+)/i.exec(header)?.[1] ?? ""}.${key}`.toLowerCase();
    // `x::y` names a helper program.
    const isPlain = plainKeys.has(name) && !value.includes("::");
    const isFolder = name === "core.worktree" && isHere(value.trim());
    return [{ text: `${header} ${line.trim()}`, isPlain: isPlain || isFolder }];
  });
}

const noFolder = (_folder: string): boolean => false;

export const isPlainConfig = (text: string, isHere = noFolder): boolean =>
  configLines(text, isHere).every((line) => line.isPlain);

/** The lines that came or went and are not plain. */
export function steeringChanges(before: string, after: string): string[] {
  const old = configLines(before, noFolder);
  const now = configLines(after, noFolder);
  const missingIn = (lines: readonly ConfigLine[], others: readonly ConfigLine[]): ConfigLine[] => {
    const texts = new Set(others.map((line) => line.text));
    return lines.filter((line) => !texts.has(line.text));
  };
  return [...missingIn(now, old), ...missingIn(old, now)]
    .filter((line) => !line.isPlain)
    .map((line) => line.text);
}
