// Shell commands that write nothing unless an option says so (the analysis reports such options): what plan mode lets through to the rules.
import type { SimpleCommand } from "../shell/analysis.ts";

const readers = new Set(
  (
    "cat head tail wc sort uniq cut tr nl tac rev paste join comm fold fmt column expand unexpand od xxd hexdump strings file stat ls tree du df find fd grep egrep fgrep rg ag diff cmp " +
    "sed awk gawk mawk jq yq less more bat echo printf pwd cd pushd popd dirs which type command basename dirname realpath readlink date cal true false test [ [[ : sleep seq expr bc id whoami groups " +
    "uname hostname uptime ps env printenv locale getconf nproc free md5sum sha1sum sha256sum sha512sum cksum sum base64 man help history wait time break continue return exit let read mapfile"
  ).split(" "),
);
const gitReaders = new Set(
  "log show diff status blame grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog cat-file merge-base name-rev for-each-ref show-ref reflog whatchanged count-objects var version help".split(
    " ",
  ),
);

/** Forms of changing commands that only show something, as the words behind `git`. */
const gitListings =
  /^(?:branch(?: (?:--list|-l|-a|--all|-r|--remotes|-v+|--verbose|--show-current|--merged|--no-merged|--no-color|--sort=\S+|--format=\S+))*|tag(?: (?:--list|-l|--sort=\S+|-n\d*))*|stash list|stash show(?: -\S+)*|remote(?: -v| --verbose)?|worktree list(?: --porcelain)?|submodule status|config (?:--get|--list|-l|get|list)(?: \S+)*)$/;

/** True when the command, without options that the analysis objects to, changes nothing. */
export function isReadOnly({ name, argv, concerns, transparent }: SimpleCommand): boolean {
  if (concerns.length > 0 || name === null) return false;
  if (transparent || readers.has(name)) return true;
  if (name === "git" && !argv.includes(null) && gitListings.test(argv.slice(1).join(" ")))
    return true;
  if (name !== "git" || typeof argv[1] !== "string" || !gitReaders.has(argv[1])) return false;
  return argv[1] !== "reflog" || argv[2] === undefined || argv[2] === "show";
}
