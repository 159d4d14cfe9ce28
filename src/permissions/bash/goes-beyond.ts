// Words behind those of an allow rule that make something else of what it spells: a change of a
// listing, several commands of the one that runs elsewhere, a build of a dry run, further files.
import { listedName, specOf } from "../shell/tables/commands.ts";
import { gitReads } from "./read-only.ts";

type Words = readonly (string | null)[];

/** True when the command does what the words of the rule say, and something of another kind besides. */
export function goesBeyond(rule: readonly string[], argv: Words): boolean {
  const program = listedName((argv[0] ?? "").replace(/^.*\//, ""));
  if (program === "git") return changesListing(rule, argv);
  if (startsOther.test(rule.join(" ")) && !matchesWords(rule, argv)) return true;
  if (joinsWords.has(program)) return addsCommand(rule, argv);
  if (changesFiles(program, rule) && addsFile(rule, argv)) return true;
  if (specOf(program)?.operands === "pack" && unpacksListing(rule, argv)) return true;
  return packageManagers.has(program) && buildsSource(rule, argv);
}

/** `git remote -v` and `git symbolic-ref HEAD` only show; with more words they change. */
function changesListing(rule: readonly string[], argv: Words): boolean {
  const shown = gitWords(rule);
  return shown.length > 1 && gitReads(shown) && !gitReads(gitWords(argv));
}

/** The words behind git, its options about how it shows things gone. */
function gitWords(words: Words): (string | null)[] {
  const rest = words.slice(1);
  const at = rest.findIndex(
    (word) => !/^(?:--no-pager|-P|--[a-z]+-(?:locks|pathspecs))$/.test(word ?? ""),
  );
  return at < 0 ? [] : rest.slice(at);
}

/** The shell of another machine reads their words once more, all of them in one line. */
const joinsWords = new Set(["ssh", "rsh", "autossh", "mosh", "adb"]);

/** A rule that names the machine means every command there; one that spells a command means that one. */
function addsCommand(rule: readonly string[], argv: Words): boolean {
  const spelled = rule.slice(1).filter((word) => !word.startsWith("-"));
  const further = argv.filter((word) => word === null || !rule.includes(word));
  return (
    spelled.length > 1 && further.some((word) => word === null || /[;&|`$<>(){}\n]/.test(word))
  );
}

/** Rules for what runs elsewhere or is started by another, with a star before their last word. */
const startsOther = new RegExp(
  [
    String.raw`^(?:\S*ssh|mosh|adb|npx|bunx|uvx|vagrant ssh|`,
    String.raw`(?:docker|podman|nerdctl|kubectl|oc|npm|pnpm|yarn|bundle|poetry|uv|pipenv|hatch) `,
    String.raw`(?:\S+ )*?(?:exec|run)) (?:\S+ )*\* \S`,
  ].join(""),
);

/** `docker exec * ls`: there a star is one word, or the command would be another. */
function matchesWords(rule: readonly string[], argv: Words): boolean {
  const isOpen = rule.at(-1) === "*";
  const fixed = isOpen ? rule.slice(0, -1) : rule;
  return (
    (argv.length === fixed.length || (isOpen && argv.length > fixed.length)) &&
    fixed.every((word, at) =>
      word === "*" ? /^[^-]/.test(argv[at] ?? "-") : word.includes("*") || word === argv[at],
    )
  );
}

/** `xz -l -d a.xz`: of several modes the last one counts. */
const unpacksListing = (rule: readonly string[], argv: Words): boolean =>
  rule.some((word) => /^(?:-[a-z]*[lt][a-z]*|--(?:list|test))$/.test(word)) &&
  argv.some(
    (word) =>
      word === null ||
      (word.startsWith("-") &&
        !rule.includes(word) &&
        !/^-(?:[vqlt]+|-verbose|-quiet)$/.test(word)),
  );

/** It removes files, or a star that goes on with a name stands for those that it changes. */
function changesFiles(program: string, rule: readonly string[]): boolean {
  const { operands = "unknown", edits = "" } = specOf(program) ?? {};
  if (operands === "delete") return true;
  const isEditing = rule.some(
    (word) => /^-\w*i$|^--in-place/.test(word) || edits.split(/\s+/).includes(word),
  );
  const isChanging = isEditing || operands === "write" || operands === "format";
  return isChanging && /[^\s*]\*$/.test(rule.at(-1) ?? "");
}

/** `rm -rf build/ src` under `rm -rf build/*`: who spells a file means it and what lies below. */
function addsFile(rule: readonly string[], argv: Words): boolean {
  const isName = (word: string | null): boolean => !word?.startsWith("-");
  const spelled = rule.slice(1).filter((word) => isName(word) && !/^\**$/.test(word));
  return (
    spelled.length > 0 && argv.slice(1).some((word) => isName(word) && !isAmong(spelled, word))
  );
}

const isAmong = (spelled: readonly string[], word: string | null): boolean =>
  word !== null &&
  !word.split("/").includes("..") &&
  spelled.some((name) => {
    const [head = "", ...rest] = name.replace(/\/$/, "").split("*");
    if (rest.length === 0) return word === name || word === head || word.startsWith(`${head}/`);
    return word.startsWith(head) && word.endsWith(rest.at(-1)!);
  });

const packageManagers = new Set(["npm", "pnpm", "yarn", "bun", "pip", "pip3", "uv", "gem"]);
const promises = /^--(?:dry-run|simulate|what-if|explain)$/;
const packed = /\.(?:tgz|tar(?:\.\w+)?|zip|whl|gem)$/;

/** To learn what a folder or an address would install, its own scripts are run. */
const buildsSource = (rule: readonly string[], argv: Words): boolean =>
  rule.some((word) => promises.test(word)) &&
  argv.some((word) => word !== null && !rule.includes(word) && isSource(word));

/** No option, and no name of a package in a registry. */
const isSource = (word: string): boolean =>
  !word.startsWith("-") &&
  (/^\.{1,2}$/.test(word) ||
    packed.test(word) ||
    (/[/:]/.test(word) && !/^@[\w.-]+\/[\w.-]+(?:@[\w.^~-]+)?$/.test(word)));
