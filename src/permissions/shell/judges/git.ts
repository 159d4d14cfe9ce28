// git: what its operands can do besides naming revisions.
import { ask } from "../analysis.ts";
import { known } from "../field.ts";
import { access, accessPath, complain, type JudgeContext } from "../judge-context.ts";
import type { ReadWords } from "../read-options.ts";

/**
 * Configuration keys that make git run something or read its settings elsewhere. Setting any key
 * writes the configuration file, which is protected anyway.
 */
const runningGitKeys = new RegExp(
  `^(?:${[
    "core\\.(?:pager|editor|hookspath|fsmonitor|sshcommand|gitproxy|askpass)",
    "core\\.(?:attributesfile|excludesfile|worktree)",
    "(?:alias|pager|mergetool|difftool|filter|credential|gpg|include|includeif|url|http)\\.",
    "(?:protocol|uploadpack|receive|submodule|browser|man|web|interactive|sendemail)\\.",
    "(?:extensions|safe|trailer|hook)\\.",
    "diff\\.(?:.*(?:command|textconv|external)|external)",
    "merge\\..*driver",
    "remote\\..*(?:uploadpack|receivepack|proxy|vcs|url)",
    "sequence\\.editor|init\\.templatedir|user\\.signingkey|commit\\.template",
  ].join("|")})`,
  "i",
);

/** Subcommands that take revisions, paths or addresses. */
export function judgeGit(context: JudgeContext, read: ReadWords): void {
  const noIndex = read.options.some(
    (option) => "--no-index".startsWith(option.name) && option.name.length > 6,
  );
  for (const field of read.operands) {
    if (field.value === null) continue;
    const local = /^file:\/\/[^/]*(\/.*)$/i.exec(field.value)?.[1];
    if (local !== undefined) accessPath(context, local, { kind: "read", recursive: true });
    if (/^[A-Za-z][\w+.-]*::/.test(field.value))
      complain(
        context,
        ask("executing-option", `${field.value} names a git transport that runs a program.`),
      );
    // git diff leaves the repository by itself when a path lies outside of it.
    const outside = /^\/|(?:^|\/)\.\.(?:\/|$)/.test(field.value);
    if (noIndex || outside) access(context, field, { kind: "read", recursive: true });
    accessPathspec(context, field.value);
    const host =
      /^(?:[a-z+]+:\/\/)(?:[^/@]*@)?([^/:]+)/.exec(field.value)?.[1] ??
      /^[\w.-]+@([\w.-]+):/.exec(field.value)?.[1];
    if (host) context.command.hosts.push(host.toLowerCase());
    if (host && context.command.argv.includes("push"))
      complain(
        context,
        ask("network", `git push sends the sources to ${host}, which is no remote by name.`, [
          field.value,
        ]),
      );
  }
}

/** git matches wildcards itself, also quoted ones, and `:(top)x` or `:/x` is a place in the tree. */
function accessPathspec(context: JudgeContext, text: string): void {
  const path = text.replace(/^:(?:\([^)]*\)|[/!^]+)/, "");
  const glob = /[*?[]/.test(path) && !text.includes("://");
  if (path !== "" && (glob || path !== text))
    access(context, { ...known(path), value: null, glob, raw: text }, "unknown");
}

/** A source on this machine is read as a whole. */
const isLocalSource = (text: string): boolean => !/^[\w+.-]+:\/\/|^[^/]*:/.test(text);

/** Without a folder of its own the clone is named after its source. */
export function judgeGitClone(context: JudgeContext, read: ReadWords): void {
  judgeGit(context, read);
  const [source, folder] = read.operands;
  if (source?.value == null) return;
  if (isLocalSource(source.value)) access(context, source, { kind: "read", recursive: true });
  if (folder) return;
  const name = source.value
    .replace(/\/+$/, "")
    .replace(/\/\.git$/, "")
    .split(/[/:]/)
    .at(-1)!;
  for (const place of new Set([name, name.replace(/\.git$/, "")]))
    if (place !== "") accessPath(context, place, { kind: "write", recursive: false });
}

const readingConfig =
  /^(?:--get(?:-all|-regexp|-urlmatch|-color|-colorbool)?|--list|-l|--show-origin|--show-scope|--name-only)$/;

/**
 * Setting a key writes a configuration file, which is a protected path; keys that git executes are
 * named besides.
 */
export function judgeGitConfig(context: JudgeContext): void {
  const texts = context.args.map((field) => field.value);
  const place = texts.findIndex((text) => text === "-f" || text === "--file" || text === "--blob");
  const operands = context.args.filter(
    (field, at) => !field.value?.startsWith("-") && at !== place + 1 - (place < 0 ? at + 1 : 0),
  );
  const verb = operands[0]?.value ?? "";
  const changes =
    verb === "edit" ||
    texts.some((text) =>
      /^(?:--unset|--remove|--rename|--edit|--add|--replace|-e$)/.test(text ?? ""),
    );
  const reads =
    !changes &&
    (texts.some((text) => text !== null && readingConfig.test(text)) ||
      verb === "get" ||
      verb === "list" ||
      operands.length === 1);
  const key = operands[verb === "get" || verb === "set" || verb === "unset" ? 1 : 0]?.value ?? null;
  if (context.args.some((field) => field.open))
    complain(context, ask("unknown-arguments", "Words of git config are only known at run time."));
  if (place >= 0 && context.args[place + 1])
    access(context, context.args[place + 1]!, reads ? "read" : "write");
  if (reads) return;
  if (key === null || runningGitKeys.test(key))
    complain(context, ask("executing-option", `git config ${key ?? ""} changes what git runs.`));
  if (texts.includes("--global"))
    accessPath(context, `${context.findings.home}/.gitconfig`, "write");
  else if (texts.includes("--system")) accessPath(context, "/etc/gitconfig", "write");
  else if (place < 0) accessPath(context, ".git/config", "write");
}

const onlyShows = new Set([
  "--check",
  "--stat",
  "--numstat",
  "--summary",
  "--show-current-patch",
  "--abort",
  "--quit",
]);

/**
 * A patch may name any file: unless it is only shown, everything below the folder may be written.
 */
export function judgeGitApply(context: JudgeContext, read: ReadWords): void {
  if (
    read.options.some((option) => onlyShows.has(option.words[0] ?? "")) &&
    !read.options.some((option) => option.name === "--apply")
  )
    return;
  accessPath(context, ".", { kind: "write", recursive: true });
  Object.assign(context.findings.accesses.at(-1)!, { patch: true });
  complain(context, ask("editing-option", "git writes the files that the patch names.", ["\0"]));
}

/**
 * git matches names by itself: what is quoted from the shell is still a pattern, and a colon begins
 * a place of another kind.
 */
export function judgeGitPaths(context: JudgeContext, read: ReadWords): void {
  const tree = read.options.some((option) => option.name === "-s" || option.name === "--source");
  const separator = context.args.findIndex((field) => field.value === "--");
  const named = new Set(context.args.slice(separator + 1));
  const isCheckout = context.command.argv.includes("checkout");
  // Without `--` the first word is a commit, unless it cannot be one.
  const paths = !isCheckout
    ? read.operands
    : separator >= 0
      ? read.operands.filter((field) => named.has(field))
      : read.operands.filter((field, at) => at > 0 || /^[.:]|[*?[]/.test(field.value ?? ""));
  const recursive = tree || (isCheckout && paths.length < read.operands.length);
  for (const field of paths) {
    const wild = recursive && /[*?[]/.test(field.value ?? "");
    if (/^[:!]/.test(field.value ?? "") || wild)
      complain(
        context,
        ask("writing-option", `Which files ${field.raw} stands for, git decides.`, [field.value!]),
      );
    const glob = /[*?[]/.test(field.value ?? "");
    access(context, glob ? { ...field, glob } : field, {
      kind: "write",
      recursive,
      rulesBelow: true,
    });
  }
}
