// What the record says of a file: written, tried in vain, taken back, or untouched; open wherever somebody
// may have written it unseen.
import { posix } from "node:path";
import type { Edit } from "../../evidence/edits.ts";
import type { ResultSetting } from "../gap-of.ts";
import { isProse } from "../runs/edit-after.ts";
import { noRun } from "../runs/no-run.ts";
import { looksOnly } from "../runs/recognise.ts";
import { programsOf } from "../runs/programs-of.ts";
import { isBuilt } from "../states/knows-edits.ts";

/** `absent`: nothing wrote it, and it is nowhere in the tree. */
export type Fate = "written" | "failed" | "undone" | "untouched" | "absent" | "open";

export type Fates = { of: (path: string) => Fate; isWritten: (path: string) => boolean };

/** By the end of the path, either way: `a.ts` is `src/a.ts`, and `pkg/src/a.ts` may be told from the root. */
const isSame = (one: string, other: string): boolean =>
  one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);

const bareName = /^[A-Z]+$/;
const names = (path: string, told: string): boolean =>
  bareName.test(told)
    ? posix.basename(path).toUpperCase().startsWith(told)
    : isSame(path, told) || path.startsWith(`${told}/`);

const kept = new WeakMap<ResultSetting, Fates>();

/** One record is asked about many files. */
export function fatesOf(setting: ResultSetting): Fates {
  const found = kept.get(setting) ?? readFates(setting);
  kept.set(setting, found);
  return found;
}

function readFates(setting: ResultSetting): Fates {
  const { ledger, project } = setting;
  const undone = undoneEdits(setting);
  const left = ledger.edits.filter((edit) => !undone.has(edit));
  const isWritten = (path: string): boolean => left.some((edit) => names(edit.path, path));
  const isBlind =
    ledger.delegations + ledger.toolRuns.length + ledger.earlierCalls > 0 ||
    ledger.truncated ||
    ledger.isContinued;
  const writers = unseenWriters(setting);
  const known = new Map<string, Fate>();
  const read = (path: string): Fate => {
    if (isWritten(path)) return "written";
    if (!isBlind && [...undone].some((edit) => names(edit.path, path))) return "undone";
    if (isBlind || writers.some((one) => mayWrite(one, path))) return "open";
    if (ledger.refusedWrites.some((one) => names(one, path))) return "failed";
    return project.paths().some((one) => names(one, path)) ? "untouched" : "absent";
  };
  return {
    isWritten,
    of: (path) => {
      const found = known.get(path) ?? read(path);
      known.set(path, found);
      return found;
    },
  };
}

/** A command that may have written files that the record does not name. */
type Writer = { command: string; output: string; builds: boolean; edits: boolean };

function unseenWriters({ record }: ResultSetting): Writer[] {
  return record.recognitions.flatMap(({ run, recognition }): Writer[] => {
    const { mayEdit, mayWrite: builds, runs } = recognition;
    const { command, output, exitCode } = run;
    // Who repairs what it finds ends badly where something is left.
    const isFailed = exitCode !== 0 && exitCode !== null && !runs.some(({ fixes }) => fixes);
    if (isFailed || isDry.test(command) || saysDry.test(output)) return [];
    const isMute = programsOf(command, "/").length === 0;
    const isCheck = (runs.length > 0 && !builds) || looksOnly(command);
    return mayEdit || builds || isMute || !isCheck
      ? [{ command, output, builds, edits: mayEdit || isMute }]
      : [];
  });
}
const isDry = /\s--?dry(?:-run)?(?:\s|=|$)/;
const saysDry = /\bdry[- ]run\b|\bdry mode\b|no files (?:will be|were) (?:written|changed)/i;

/** Few programs write prose, builds and installers write their own files only. */
function mayWrite({ command, output, builds, edits }: Writer, path: string): boolean {
  const name = posix.basename(path);
  if (command.includes(name) || ((edits || builds) && output.includes(name))) return true;
  if (isManifest.test(name) && installs.test(command)) return true;
  if (isProse(path) || bareName.test(path)) return edits && writesProse.test(command);
  return isBuilt(path) ? builds || edits : edits;
}
const isManifest = new RegExp(
  "^(?:package(?:-lock)?\\.json|.*\\.lock|pnpm-lock\\.yaml|go\\.(?:mod|sum)|(?:Cargo|pyproject)\\.toml|" +
    "Pipfile|Gemfile|composer\\.json|pubspec\\.yaml|.*\\.csproj|requirements.*\\.txt|mix\\.exs)$",
  "i",
);
const installers =
  "npm|pnpm|yarn|bun|cargo|go|poetry|uv|pdm|pipenv|bundle|composer|dotnet|flutter|dart|mix|pip";
const installing =
  "i|install|add|remove|rm|uninstall|get|tidy|require|update|upgrade|up|ci|version|pub|lock|sync|deps";
const installs = new RegExp(`\\b(?:${installers})\\b.*\\b(?:${installing})\\b`);
const writesProse =
  /readme|change|docs?|gen|release|version|bump|\bsed\b|perl|patch|tee|xargs|>|\s-[ce]\s|<<|\.sh\b/i;

const takesAll =
  /^(?:stash(?=$| (?:push|save|-))|checkout (?:-- )?\.$|restore(?: --\S+)* \.$|reset --hard)/;
const bringsBack = /^stash (?:pop|apply)/;

/** Edits that a later command of git took back; what was committed before it stays. */
function undoneEdits({ ledger }: ResultSetting): ReadonlySet<Edit> {
  const gits = ledger.commands.flatMap(({ command, order, exitCode, cwd }) =>
    exitCode === 0
      ? programsOf(command, cwd ?? ledger.root)
          .filter(({ argv }) => argv[0] === "git" && !noRun(argv))
          .map(({ argv }) => ({ order, words: argv.slice(1).join(" ") }))
      : [],
  );
  const isTaken = ({ path, order, by }: Edit): boolean => {
    // The command that takes a file back writes it, too.
    if (by === "Bash") return gits.some((git) => git.order === order && takesBack(git.words, path));
    const undo = gits.findLast((git) => git.order > order && takesBack(git.words, path));
    const since = (pattern: RegExp, from: number, to: number): boolean =>
      gits.some((git) => git.order >= from && git.order <= to && pattern.test(git.words));
    return (
      undo !== undefined &&
      !since(/^(?:commit|stash)\b/, order, undo.order - 1) &&
      !since(bringsBack, undo.order, Infinity)
    );
  };
  return new Set(ledger.edits.filter(isTaken));
}

const takesBack = (words: string, path: string): boolean =>
  takesAll.test(words) ||
  (/^(?:checkout|restore)\b(?!.* -[bBc]\b)/.test(words) &&
    words
      .split(" ")
      .slice(1)
      .some((word) => {
        const own = word.replace(/^\.\//, "").replace(/\/$/, "");
        return own === path || path.startsWith(`${own}/`);
      }));
