// How a known command is read: which options take values, which files it touches, which options
// make it run or write something.

/** Option lists are written as people type them, separated by blanks: `"-o --output"`. */
export type CommandSpec = {
  /**
   * Options that *must* be followed by a value that is no file. Options with an optional value do
   * not belong here: they would swallow an operand.
   */
  valued?: string;
  /** Options whose value is a file or folder. */
  reads?: string;
  /** It is written besides the command's work: an edit, or an allow rule must spell the option. */
  writes?: string;
  /** It is what the command is there to make (`gcc -o`, `curl -o`): the command's rule speaks for it. */
  makes?: string;
  lists?: string;
  /**
   * Options that run a program or change where code comes from. An allow rule must spell the option
   * and its value.
   */
  runs?: string;
  /**
   * Options that turn a reading command into a writing one. An allow rule must spell the option.
   */
  edits?: string;
  /** Options with which a program that only looks changes the machine. An allow rule must spell them. */
  changes?: string;
  /** Their value is joined to the name of every file that is written (`cp -b -S .old`). */
  suffixes?: string;
  /** With one of these options it prints what lies in the files below its operands. */
  shows?: string;
  /**
   * It prints what git has recorded of files: with one of the options `by`; where these are not
   * given, unless one of the options `but` is. `isStash`: what was put aside, tracked or not.
   */
  recorded?: { by: string; but?: string; isStash?: true };
  /**
   * Its operands, and the values of these options, are tasks: each of them runs. `--` among them: what
   * stands behind it is the task's own.
   */
  tasks?: string;
  /** Options followed by program text. An allow rule must spell the option. */
  code?: string;
  /**
   * Options whose value is one of the program's own names (`--reporter=verbose`); anything that
   * could be a file or package is code.
   */
  names?: string;
  /** Options with a meaning whose value is joined to them or missing (`--color=auto`). */
  joined?: string;
  /** Options without a value whose name begins another option's: they are no abbreviation of it. */
  flags?: string;
  /**
   * Values with which an option of `runs`, `writes` or `names` is harmless (`mvn -Dtest=Foo`). Such
   * an option also stands in `valued`.
   */
  harmless?: Record<string, RegExp>;
  operands?: OperandRule;
  /**
   * With one of these options (or `"always"`) operands stand for everything below them;
   * `-d=recurse` is an option with a value.
   */
  recursive?: string;
  /** With one of these options what it would write is only read (`black --check`). */
  checks?: string;
  /** A word `@file` stands for options that the file holds. */
  responseFiles?: true;
  /** It may change any file of the repository (`git checkout other`). */
  changesTree?: true;
  /** With one of these options, or always, it takes files of the repository away or writes them back. */
  clears?: string | true;
  /** Behind `--` stand words of this program (`cargo rustc --`). */
  handsOn?: string;
  /** With one of these options (or `"always"`) links below the operands are followed. */
  follows?: string;
  /**
   * With one of these options (or `"always"`) what it reads may name further files, which it shows.
   */
  includes?: string;
  /** Its words leave this machine. */
  sends?: true;
  /** The operand that is meant when none is written. */
  fallback?: string;
  /** The first operand is no file unless one of these options gave it (`grep -e`). */
  skipFirst?: true;
  skipUnless?: string;
  /** Long options start with one dash (`find -name`). */
  singleDash?: true;
  /** Every word is text, whatever it begins with (`echo ---`). */
  onlyText?: true;
  /** Options end at the first operand. */
  strict?: true;
  /** Options behind whose value everything is an operand (`python -m`). */
  last?: string;
  /** `anywhere`: the options of the whole may also stand behind its subcommands. */
  options?: "anywhere";
  subcommands?: Readonly<Record<string, CommandSpec>>;
  /**
   * Further subcommands, which have nothing about them: `others` is their entry. `"any"`: names of
   * the project's own scripts.
   */
  otherNames?: string;
  others?: CommandSpec;
  /** Why an allow rule must name this subcommand: a rule for the whole program does not mean it. */
  spelled?: string;
  /**
   * The operands are a program and its arguments. The rule for the whole covers it, what it does is
   * judged. Goes with `strict`.
   */
  launches?: true;
  /** Always asks, whatever the rules say short of the exact command. */
  asks?: string;
  /** Further checks by a function of `judges.ts`. */
  judge?: JudgeName;
};

export type OperandRule =
  | "none"
  | "read"
  | "write"
  | "delete"
  | "list"
  | "execute"
  | "unknown"
  | "copy"
  | "move"
  | "link"
  | "read-then-write"
  | "write-then-read"
  | "format"
  | "pack";

export type JudgeName =
  | "awk"
  | "cmake"
  | "compiler"
  | "connection"
  | "convert"
  | "curl"
  | "date"
  | "dd"
  | "fd"
  | "fed"
  | "find"
  | "gh"
  | "git"
  | "git-apply"
  | "git-clone"
  | "git-config"
  | "git-paths"
  | "hostname"
  | "install-folders"
  | "interpreter"
  | "jq"
  | "less"
  | "make"
  | "man"
  | "msbuild"
  | "mvn"
  | "ps"
  | "psql"
  | "remote"
  | "rename"
  | "sed"
  | "shell"
  | "source"
  | "split"
  | "sqlite"
  | "ssh"
  | "tar"
  | "test"
  | "unpack"
  | "unzip"
  | "url-operands"
  | "workspace"
  | "yq";
