// Whether a program may have changed sources that the record does not name: generators, interpreters,
// patches and commands over patterns may; checks, builds, deliveries and requests do not.
import { isInline } from "../no-run.ts";
import { handlingPrograms } from "./other-programs.ts";

type Words = readonly (string | null)[];

const gitChanges =
  /^(?:checkout|switch|restore|stash|reset|apply|am|merge|pull|rebase|cherry-pick|revert|clean)$/;
/** Programs that talk to something else. */
const talkers = new Set(
  (
    "curl wget http psql mysql sqlite3 redis-cli mongosh kubectl aws gcloud az ssh nc telnet ping dig ab wrk hey k6 " +
    "twine hyperfine valgrind strace perf gdb lldb openssl gh glab vercel netlify fly heroku terraform"
  ).split(" "),
);
/** Files moved, copied or changed in place: named, unless a pattern or another program names them. */
const inPlace = new Set("sed perl cp mv rm ln touch chmod tee".split(" "));
const onlyParses = /^(?:-c|-l|-n|--check|--syntax-check)$/;

const isPattern = (word: string | null): boolean => word === null || /[*?[{]/.test(word);

/** Programs that print or handle named files: only over patterns is a change unseen. */
export function editsUnseen(argv: Words): boolean {
  const [name, ...rest] = argv;
  if (name === "xargs") return true;
  if (name === "find" || name === "fd")
    return rest.some((word) => /^-(?:exec|delete|x)/.test(word ?? ""));
  if (!inPlace.has(name ?? "")) return false;
  const isChange =
    !/^(?:sed|perl)$/.test(name ?? "") || rest.some((word) => /^-\w*i/.test(word ?? ""));
  const files = name === "sed" || name === "perl" ? rest.slice(1).slice(1) : rest;
  return isChange && files.some(isPattern);
}

/** Words of code that writes, moves, removes or calls something else. */
const writesInside = new RegExp(
  "writ|unlink|rename|remove|\\brm|mkdir|copy|dump|save|append|shutil|open\\([^)]*,|" +
    "system|exec|spawn|subprocess|\\bmv\\b|sed |[^=-]>\\s*[\\w./]",
  "i",
);

/** Programs of no known kind. */
function mayEdit(argv: Words): boolean {
  const [name = "", ...rest] = argv;
  if (name === "git")
    return (
      gitChanges.test(rest.find((word) => word !== null && !word.startsWith("-")) ?? "") &&
      !rest.some((word) => /^-(?:b|c|-create)$/.test(word ?? ""))
    );
  if (isInline(argv)) return rest.some((word) => word === null || writesInside.test(word));
  if (/^(?:tar|unzip|patch)$/.test(name ?? "")) return true;
  if (handlingPrograms.has(name ?? "") || talkers.has(name ?? "")) return false;
  return !(/^(?:ruby|php|node|bash|sh|perl)$/.test(name ?? "") && onlyParses.test(rest[0] ?? ""));
}

/** Git names what it moves and removes. */
export function takeWrites(argv: Words, found: { mayEdit: boolean; mayWrite: boolean }): void {
  found.mayEdit ||= mayEdit(argv);
  found.mayWrite ||= argv[0] !== "git" || found.mayEdit;
}
