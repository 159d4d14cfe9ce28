// Commands that only read: they need no rule. A name stands here when no operand, and no option that
// its table calls harmless, writes a file, runs a program, changes the machine or sends anything
// away. Every other option is a concern, and with a concern nothing here counts.
import type { SimpleCommand } from "../shell/analysis.ts";

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What reads files, lists folders or only prints. */
export const readers: ReadonlySet<string> = wordsOf(`
  cat head tail wc sort uniq cut tr nl tac rev paste join comm fold fmt column expand unexpand
  od hexdump strings file stat ls tree du df find fd grep egrep fgrep rg ag diff cmp sed awk jq yq
  echo printf pwd cd which type basename dirname realpath readlink date true false test [ : sleep
  seq id whoami groups uname uptime nproc free md5sum sha1sum sha256sum sha512sum cksum sum base64
  ps zcat break continue exit wait`);

/** git: the words behind it. */
export const gitReaders: ReadonlySet<string> = wordsOf(`
  log show diff status blame grep ls-files ls-tree rev-parse rev-list describe shortlog cat-file
  merge-base name-rev for-each-ref show-ref whatchanged count-objects version`);

/** Forms of changing git commands that only show something, as the words behind `git`. */
const gitListings = [
  /^branch(?: (?:--list|-l|-a|--all|-r|--remotes|-v+|--verbose|--show-current|--no-color|--sort=\S+|--format=\S+))*$/,
  /^branch(?: -[arv]+)* (?:--list|-l)(?: (?:--sort=\S+|--format=\S+|(?!-)\S+))*$/,
  /^branch(?: -[arv]+)* --(?:no-)?(?:contains|merged)(?:[ =](?!-)\S+)?$/,
  /^tag(?: (?:--list|-l|--sort=\S+|-n\d*))*$/,
  /^tag (?:--list|-l)(?: (?:--sort=\S+|--format=\S+|-n\d*|(?!-)\S+))*$/,
  /^(?:stash (?:list|show)|worktree list|submodule status)(?: -\S+)*$/,
  /^remote(?: -v| --verbose)?$/,
  /^symbolic-ref(?: (?:-q|--quiet|--short))*(?: (?!-)\S+)?$/,
  /^config (?:--get|--list|-l|get|list)(?: [\w.-]+)*$/,
  /^reflog(?: show)?(?: -\d+)?$/,
];

/** Programs that say which version they are. */
export const versioned: ReadonlySet<string> = wordsOf(`
  node npm npx pnpm yarn bun deno tsc python python3 pip pip3 uv ruff mypy pytest go cargo rustc
  rustup java javac ruby gem bundle php git gh make cmake gcc g++ clang docker kubectl terraform
  helm jq rg bash`);

/** True when the command, without options that the analysis objects to, changes nothing. */
export function isReadOnly(command: SimpleCommand): boolean {
  const { name, argv, concerns, transparent, assignments, writesFiles } = command;
  if (name === null || argv[0] !== name || writesFiles) return false;
  if (concerns.length > 0 || assignments.length > 0) return false;
  const words = argv.slice(1);
  return (
    transparent ||
    readers.has(name) ||
    (versioned.has(name) && saysVersion(name, words)) ||
    (name === "git" && gitReads(words))
  );
}

const saysVersion = (name: string, words: (string | null)[]): boolean =>
  words.length === 1 &&
  (words[0] === "--version" ||
    (name === "node" && words[0] === "-v") ||
    (name === "go" && words[0] === "version"));

/** The words behind `git` only show something. */
export function gitReads(words: (string | null)[]): boolean {
  const [verb] = words;
  if (typeof verb !== "string") return false;
  if (gitReaders.has(verb)) return true;
  return !words.includes(null) && gitListings.some((form) => form.test(words.join(" ")));
}

/** What does more than read is told first: only beside it a reading command is asked about. */
export function readersLast(all: readonly SimpleCommand[]): {
  commands: SimpleCommand[];
  allRead: boolean;
} {
  const [others, reading]: [SimpleCommand[], SimpleCommand[]] = [[], []];
  for (const command of new Set(all)) (isReadOnly(command) ? reading : others).push(command);
  return { commands: [...others, ...reading], allRead: others.length === 0 };
}
