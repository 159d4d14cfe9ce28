// What `find -print0`, `rg -l0` and `grep -rlZ` hand on: names of regular files below known
// folders, each ended by a NUL. So `xargs -0` can be judged by these folders.
// Without the NUL a file called `a /etc/passwd` is two words, and nothing is known.
import type { SimpleCommand } from "./analysis.ts";
import { known } from "./field.ts";
import { readOptions, type ReadWords } from "./read-options.ts";
import { searchCommands } from "./tables/programs/search.ts";

/**
 * `folders` as written; `plain`: no name can begin with a dash, because the folder is written
 * before it.
 */
export type Listed = { folders: string[]; plain: boolean };

type Words = string[];

/** The places that the command's output lies below. Undefined: its output can be anything. */
export function listedBy(command: SimpleCommand | undefined): Listed | undefined {
  if (!command?.name || command.argv.includes(null) || command.argv[0] !== command.name)
    return undefined;
  return Object.hasOwn(listers, command.name)
    ? listers[command.name]!(command.argv.slice(1) as Words)
    : undefined;
}

const listers: Record<string, (words: Words) => Listed | undefined> = {
  find: listedByFind,
  rg: listedByRg,
  grep: listedByGrep,
};

const findTests = /^-(?:name|iname|path|ipath|mtime|mmin|size|maxdepth|mindepth|newer)$/;
const findWords = /^(?:-not|!|-a|-and|\(|\)|-print0)$/;

/** Only with `-type f`: links lead elsewhere. No alternatives, so the test holds for every name. */
function listedByFind(words: Words): Listed | undefined {
  const first = words.findIndex((word) => /^[-(!]/.test(word));
  const tests = first < 0 ? [] : words.slice(first);
  const hasType = tests.some(
    (word, at) =>
      word === "-type" && tests[at + 1] === "f" && !/^(?:-not|!|\()$/.test(tests[at - 1] ?? ""),
  );
  if (!hasType || tests.at(-1) !== "-print0") return undefined;
  for (let at = 0; at < tests.length; at += 1) {
    if (findTests.test(tests[at]!) || (tests[at] === "-type" && tests[at + 1] === "f")) at += 1;
    else if (!findWords.test(tests[at]!)) return undefined;
  }
  const folders = words.slice(0, first);
  return { folders: folders.length > 0 ? folders : ["."], plain: true };
}

const rgFlags = new Set(
  `-l -i -w -F -S -s -v -u -U -P -n -. -0 --files --files-with-matches --null --hidden --no-ignore
  --ignore-case --smart-case --fixed-strings --word-regexp --multiline -e -g -t -T --glob --iglob
  --type --type-not --regexp`.split(/\s+/),
);
const grepFlags = new Set(
  `-r -l -i -w -E -F -G -P -s -n -I -Z -v --recursive --files-with-matches --ignore-case
  --extended-regexp --fixed-strings --null -e --include --exclude --exclude-dir
  --regexp`.split(/\s+/),
);

/** Neither follows links below the folders it is given. */
function listedByRg(words: Words): Listed | undefined {
  const read = readOptions(
    words.map((word) => known(word)),
    searchCommands.rg!,
  );
  const names = namesOf(read, rgFlags);
  const lists =
    names?.some((name) => /^(?:--files|-l|--files-with-matches)$/.test(name)) &&
    names.some((name) => /^(?:-0|--null)$/.test(name));
  return lists
    ? placed(
        read,
        names!.some((name) => /^(?:-e|--regexp|--files)$/.test(name)),
      )
    : undefined;
}

function listedByGrep(words: Words): Listed | undefined {
  const read = readOptions(
    words.map((word) => known(word)),
    searchCommands.grep!,
  );
  const names = namesOf(read, grepFlags);
  const lists =
    names?.some((name) => /^(?:-l|--files-with-matches)$/.test(name)) &&
    names.some((name) => /^(?:-r|--recursive)$/.test(name)) &&
    names.some((name) => /^(?:-Z|--null)$/.test(name));
  return lists
    ? placed(
        read,
        names!.some((name) => /^(?:-e|--regexp)$/.test(name)),
      )
    : undefined;
}

/** The options given, when all of them are known to change nothing about the lines. */
function namesOf(read: ReadWords, harmless: ReadonlySet<string>): string[] | undefined {
  const names = read.options.map((option) => option.name);
  return names.every((name) => harmless.has(name)) && !read.options.some((option) => option.guessed)
    ? names
    : undefined;
}

function placed(read: ReadWords, hasPattern: boolean): Listed {
  const folders = read.operands.slice(hasPattern ? 0 : 1).map((field) => field.value!);
  return { folders: folders.length > 0 ? folders : ["."], plain: folders.length > 0 };
}
