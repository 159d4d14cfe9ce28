// What is known about a Bash command before it runs: the simple commands, the files they touch, and
// what no rule may wave through.

/**
 * A reason to stop. Without `covers` no allow rule lifts it; with `covers`, only a rule whose fixed
 * words contain all of these words (or an exact rule).
 */
export type Concern = {
  severity: "ask" | "deny";
  code: ConcernCode;
  sentence: string;
  covers?: string[];
  /** Of these words a rule must name all that it does not leave open by naming none. */
  among?: string[];
};

export type ConcernCode =
  | "empty"
  | "too-long"
  | "too-many"
  | "too-deep"
  | "characters"
  | "syntax"
  | "unknown-syntax"
  | "dynamic-command"
  | "dynamic-code"
  | "assignment"
  | "redefinition"
  | "builtin"
  | "arithmetic"
  | "executing-option"
  | "unknown-option"
  | "writing-option"
  | "editing-option"
  | "unknown-arguments"
  | "interpreter"
  | "script"
  | "privilege"
  | "network"
  | "directory";

/**
 * `unknown`: an operand of a command without a table entry; apply deny rules and protected paths,
 * nothing else.
 */
export type AccessKind = "read" | "write" | "delete" | "execute" | "list" | "unknown";

/** One file or folder that the text touches. */
export type PathAccess = {
  /**
   * Absolute, `~`, `$HOME`, `$PWD` and the directory in force resolved, `..` kept as written (a
   * symlink may stand before it). `null`: unknown place, so ask.
   */
  path: string | null;
  kind: AccessKind;
  /** `path` still holds `*`, `?` or `[…]` that bash would expand. */
  glob: boolean;
  /** Everything below `path` is touched too (`rm -r`, `grep -r`, `find`). */
  recursive: boolean;
  /** A wildcard stands first in the word: a name that it matches may be an option. */
  open?: true;
  /** Path rules look at everything below `path` too; what is protected there stays as it is. */
  rulesBelow?: true;
  /**
   * git takes what lies below `path` (`"whole"`: in its whole repository) away or writes it back; its
   * own folder stays. `"recorded"`: git shows what it has recorded of the files of the repository, or
   * of those below `path`.
   */
  inTree?: "below" | "whole" | "recorded" | "recorded below";
  /** Links below `path` are followed too (`grep -R`, `diff -r`). */
  follows?: true;
  /** Which files below `path` are written, a patch says. */
  patch?: true;
  /**
   * A word of a program that no table describes: it may start the file if that is a program
   * (`"program"`), also one that lies in it (`"programs"`), or take its words from it if it is there
   * (`"words"`). `"module"`: it runs it in place of what the word means.
   */
  starts?: "program" | "programs" | "words" | "module";
  /** The names stand without quotes behind the loop that matched them: blanks in them split. */
  bare?: true;
  /** Names that only come up at run time are covered by a rule that spells these words. */
  spelled?: string[];
  /** `path` is made only if this is a folder (`cp a.md docs`). */
  into?: string;
  /** Where the files come from that land there under their own names, with wildcards. */
  landing?: string;
  from: "redirection" | "operand";
  /** The command it belongs to, for messages. */
  via: string;
};

/**
 * One simple command that bash could execute. A wrapper (`env`, `timeout`, `bash -c`) is one, and
 * what it runs is another.
 */
export type SimpleCommand = {
  /**
   * Words after expansion; `null`: not statically known (a variable, a glob), and there may be more
   * or fewer of them.
   */
  argv: (string | null)[];
  /** Base name of argv[0] with quotes gone; `null`: dynamic. */
  name: string | null;
  /**
   * What allow rules are matched against: one space between words, words quoted only where needed.
   */
  text: string;
  /**
   * What deny and ask rules are matched against: as `text`, the command as its bare name
   * (`/usr/bin/touch x` is `touch x`).
   */
  bareText: string;
  assignments: string[];
  /** Directories that may be in force here; `null`: unknown. */
  cwds: string[] | null;
  /**
   * Needs no allow rule of its own (`timeout 5 X`: X is judged; `break`, a call of a function whose
   * body is judged). Deny rules and its concerns still count.
   */
  transparent: boolean;
  concerns: Concern[];
  /** It reads, lists or writes files, not only its input. */
  opensFiles: boolean;
  /** It writes or deletes files. */
  writesFiles: boolean;
  /** It may put other files, and links, in the place of those that are there (`git checkout x`). */
  replacesTree?: true;
  /** It stands in the text itself, not behind a wrapper. */
  isDirect: boolean;
  /** Host names (lower case) that the command names as addresses. */
  hosts: string[];
};

export type ShellAnalysis = {
  /** In order of appearance, all of them even above the cap, so that deny rules hold. */
  commands: SimpleCommand[];
  accesses: PathAccess[];
  /** About the text as a whole; no allow rule lifts these. */
  concerns: Concern[];
  /** False when parts could not be read: a deny rule that found nothing proves nothing. */
  complete: boolean;
};

export function ask(code: ConcernCode, sentence: string, covers?: string[]): Concern {
  return covers ? { severity: "ask", code, sentence, covers } : { severity: "ask", code, sentence };
}

type Words = SimpleCommand["argv"];

/** Every command of one reading has its like in the other. Where not, one of the readers is wrong. */
export function readAlike(a: ShellAnalysis, b: ShellAnalysis): boolean {
  const [first, second] = [a, b].map(({ commands }) =>
    [...new Set(commands)].map((item) => item.argv),
  );
  return covers(first!, second!) && covers(second!, first!);
}

const covers = (some: Words[], others: Words[]): boolean =>
  some.every((words) => others.includes(words) || others.some((other) => mayBeSame(words, other)));

/** A word that one reader does not know may be any words of the other. */
function mayBeSame(a: Words, b: Words): boolean {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    if (a[at] === null || b[at] === null) return true;
    if (a[at] !== b[at]) return false;
  }
  return a.length === b.length || a.at(-1) === null || b.at(-1) === null;
}
