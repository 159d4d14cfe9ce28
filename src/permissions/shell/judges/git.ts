// git: what its operands can do besides naming revisions.
import { ask } from "../analysis.ts";
import { known, unknown, type Field } from "../field.ts";
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
  const noIndex = leavesIndex(read);
  if (read.options.some(({ name }) => name === "--untracked"))
    accessPath(context, ".", { kind: "read", recursive: true });
  const named = read.options.filter(({ name }) => name === "--repo").map(({ value }) => value);
  if (read.options.some(({ name }) => unseenNames.test(name))) readWhole(context);
  // What an object holds, its number does not say.
  const isShown = context.command.argv.includes("cat-file");
  if (isShown && read.operands.some(({ value }) => /^[\da-f]{4,64}$/.test(value ?? "")))
    readWhole(context);
  for (const field of [...read.operands, ...named]) {
    if (field?.value == null) continue;
    complainMagic(context, field.value);
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
    const host = hostIn(field.value);
    if (host) context.command.hosts.push(host.toLowerCase());
  }
  complainRemote(context, [named[0] ?? read.operands[0], ...named]);
}

/** To show who has signed something, git starts the program that its settings name. */
export function complainSigned(context: JudgeContext): void {
  const field = context.args.find(({ value }) => /%G[?A-Z]|%\(signature/.test(value ?? ""));
  if (field)
    complain(
      context,
      ask("executing-option", `git starts a program to check what ${field.raw} shows.`, [
        field.value!,
      ]),
    );
}

const hostIn = (text: string): string | undefined =>
  /^(?:[a-z+]+:\/\/)(?:[^/@]*@)?([^/:]+)/i.exec(text)?.[1] ?? /^[\w.-]+@([\w.-]+):/.exec(text)?.[1];

const leavesIndex = ({ options }: ReadWords): boolean =>
  options.some(({ name }) => "--no-index".startsWith(name) && name.length > 6);

const exchanging = new Set(["push", "pull", "fetch"]);

/** `host:path`, an address, or a path: no remote that the repository knows by name. */
function complainRemote(context: JudgeContext, places: (Field | undefined)[]): void {
  const verb = context.command.argv.find((word) => exchanging.has(word ?? ""));
  const place = places.find((field) => /[:/\\]/.test(field?.value ?? ""))?.value;
  if (verb == null || place == null) return;
  complain(
    context,
    ask("network", `git ${verb} exchanges sources with ${place}, which is no remote by name.`, [
      place,
    ]),
  );
}

/** The names of objects or files come from its input, or from a file. */
const unseenNames = /^--(?:batch|stdin|pathspec-from-file|pathspec-file-nul)/;

/** Any file of the repository may be shown. */
const readWhole = (context: JudgeContext): void =>
  accessPath(context, ".", { kind: "read", recursive: true, inTree: "whole" });

/**
 * `:(icase).ENV`: git matches names in ways of its own. What is left out, or counted from the top,
 * says nothing about the rest.
 */
function complainMagic(context: JudgeContext, text: string): void {
  if (/^:(?:\(|[/!^])/.test(text)) readWhole(context);
  if (/^:\((?!(?:top|exclude|,)*\))/.test(text))
    complain(context, ask("unknown-arguments", `Which files ${text} means, git decides.`, [text]));
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

const changingConfig = /^(?:--unset|--remove|--rename|--edit|--add|--replace|-e$)/;
const configVerbs = new Set(["get", "set", "unset"]);

type ConfigCall = { file: Field | undefined; key: string | null; reads: boolean };

function readConfigCall(args: Field[]): ConfigCall {
  const texts = args.map((field) => field.value);
  const place = texts.findIndex((text) => text === "-f" || text === "--file" || text === "--blob");
  const operands = args.filter(
    (field, at) => !field.value?.startsWith("-") && (place < 0 || at !== place + 1),
  );
  const verb = operands[0]?.value ?? "";
  const changes = verb === "edit" || texts.some((text) => changingConfig.test(text ?? ""));
  const asksFor =
    verb === "get" || verb === "list" || texts.some((text) => readingConfig.test(text ?? ""));
  return {
    file: place < 0 ? undefined : args[place + 1],
    key: operands[configVerbs.has(verb) ? 1 : 0]?.value ?? null,
    reads: !changes && (asksFor || operands.length === 1),
  };
}

/**
 * Setting a key writes a configuration file, which is a protected path; keys that git executes are
 * named besides.
 */
export function judgeGitConfig(context: JudgeContext): void {
  const { file, key, reads } = readConfigCall(context.args);
  if (context.args.some((field) => field.open))
    complain(context, ask("unknown-arguments", "Words of git config are only known at run time."));
  if (file) access(context, file, reads ? "read" : "write");
  if (reads) return;
  if (key === null || runningGitKeys.test(key))
    complain(context, ask("executing-option", `git config ${key ?? ""} changes what git runs.`));
  const has = (name: string): boolean => context.args.some((field) => field.value === name);
  if (has("--global")) accessPath(context, `${context.findings.home}/.gitconfig`, "write");
  else if (has("--system")) accessPath(context, "/etc/gitconfig", "write");
  else if (!file) accessPath(context, ".git/config", "write");
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
  if (read.options.some(({ name }) => unseenNames.test(name))) {
    complain(context, ask("writing-option", "Which files git writes, another file says."));
    access(context, unknown("--pathspec-from-file", false), "write");
  }
  const tree = read.options.some((option) => option.name === "-s" || option.name === "--source");
  const isCheckout = context.command.argv.includes("checkout");
  const paths = isCheckout ? checkedOutPaths(context, read) : read.operands;
  const recursive = tree || (isCheckout && paths.length < read.operands.length);
  const inTree = isOnlyIndex(read) ? undefined : "below";
  for (const field of paths) {
    const glob = /[*?[]/.test(field.value ?? "");
    if (/^[:!]/.test(field.value ?? "") || (recursive && glob))
      complain(
        context,
        ask("writing-option", `Which files ${field.raw} stands for, git decides.`, [field.value!]),
      );
    access(context, glob ? { ...field, glob } : field, {
      kind: "write",
      recursive,
      rulesBelow: true,
      inTree,
    });
  }
}

/** Without `--` the first word is a commit, unless it cannot be one. */
function checkedOutPaths(context: JudgeContext, { operands }: ReadWords): Field[] {
  const separator = context.args.findIndex((field) => field.value === "--");
  const named = new Set(context.args.slice(separator + 1));
  if (separator >= 0) return operands.filter((field) => named.has(field));
  const [first, ...others] = operands;
  if (!first || /^[.:]|[*?[]/.test(first.value ?? "")) return operands;
  // Where no commit has that name, a folder is meant.
  access(context, first, { kind: "unknown", recursive: false, inTree: "below" });
  return others;
}

/** `git restore --staged .` leaves the files as they are. */
function isOnlyIndex({ options }: ReadWords): boolean {
  const sure = options.filter(({ guessed }) => !guessed).map(({ name }) => name);
  const all = options.map(({ name }) => name);
  return (
    (sure.includes("--staged") || sure.includes("-S")) &&
    !(all.includes("--worktree") || all.includes("-W"))
  );
}
