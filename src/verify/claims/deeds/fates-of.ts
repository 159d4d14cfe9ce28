// What the record says of a file: written, tried in vain, taken back, or untouched; open wherever somebody
// may have written it unseen.
import { posix } from "node:path";
import type { Edit } from "../../evidence/edits.ts";
import type { CommandRun } from "../../evidence/command-runs.ts";
import type { ResultSetting } from "../gap-of.ts";
import { isProse } from "../runs/edit-after.ts";
import { looksOnly } from "../runs/recognise.ts";
import { programsOf } from "../runs/programs-of.ts";

/** `absent`: nothing wrote it, and it is nowhere in the tree. */
export type Fate = "written" | "failed" | "undone" | "untouched" | "absent" | "open";

/** `namesakes`: the files of the tree and of the record that the name may be of. */
export type Fates = {
  of: (path: string) => Fate;
  isWritten: (path: string) => boolean;
  namesakes: (path: string) => string[];
  /** Of the tree and of the record. */
  files: readonly string[];
};

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
    ledger.delegations + ledger.earlierCalls > 0 ||
    ledger.toolRuns.some(mayHaveWritten) ||
    ledger.truncated ||
    ledger.isContinued;
  const writers = unseenWriters(setting);
  const known = new Map<string, Fate>();
  const isThere = (path: string): boolean => project.paths().some((one) => names(one, path));
  const read = (path: string): Fate => {
    if (isWritten(path)) return "written";
    const refused = ledger.refusals.findLast((one) => names(one.path, path));
    // Whoever may have written it, it is not there.
    if (refused && !isThere(path) && !isBuilt(path)) return "failed";
    if (!isBlind && [...undone].some((edit) => names(edit.path, path))) return "undone";
    const may = (one: Writer): boolean =>
      refused ? one.order > refused.order && mayMakeGood(one, path) : mayWrite(one, path);
    if (isBlind || writers.some(may)) return "open";
    if (refused) return "failed";
    return isThere(path) ? "untouched" : "absent";
  };
  const written = ledger.edits.map(({ path }) => path);
  const files = [...new Set([...project.paths(), ...written, ...ledger.refusedWrites])];
  return {
    isWritten,
    files,
    of: (path) => {
      const found = known.get(path) ?? read(path);
      known.set(path, found);
      return found;
    },
    namesakes: (path) => (files.includes(path) ? [path] : files.filter((one) => names(one, path))),
  };
}

/** A tool of another server that only looks, or that failed, wrote nothing. */
const mayHaveWritten = ({ tool, exitCode }: CommandRun): boolean =>
  exitCode === 0 &&
  !/__(?:\w+_)?(?:read|get|list|search|find|fetch|query|show|view)(?:_|$)/i.test(tool);

/** A command that may have written files that the record does not name. */
type Writer = { command: string; output: string; order: number; builds: boolean; edits: boolean };

function unseenWriters({ record }: ResultSetting): Writer[] {
  return record.recognitions.flatMap(({ run, recognition }): Writer[] => {
    const { mayEdit, mayWrite: builds, runs } = recognition;
    const { command, output, order } = run;
    // Who repairs what it finds ends badly where something is left.
    if (isFailed(run) && !runs.some(({ fixes }) => fixes)) return [];
    if (isDry.test(command) || saysDry.test(output)) return [];
    const isMute = programsOf(command, "/").length === 0;
    const isCheck = ((runs.length > 0 && !builds) || looksOnly(command)) && !bumps.test(command);
    if (!mayEdit && !builds && !isMute && isCheck) return [];
    const edits = isMute || (mayEdit && !isTask(command));
    return [{ command, output, order, builds: builds || mayEdit, edits }];
  });
}
const isFailed = ({ exitCode }: CommandRun): boolean => exitCode !== 0 && exitCode !== null;
/** A runner that nobody knows, of tasks whose names everybody knows: they write no sources. */
const isTask = (command: string): boolean => checking.test(command) && !changing.test(command);
const isDry = /\s--?dry(?:-run)?(?:\s|=|$)/;
const saysDry = /\bdry[- ]run\b|\bdry mode\b|no files (?:will be|were) (?:written|changed)/i;

const checking = /(?<![\w-])(?:tests?|build|type-?check|compile|check|lint|validate)(?![\w-])/;
const changing = new RegExp(
  "fix|format|write|gen|docs?|codemod|migrat|sync|updat|install|new|init|creat|scaffold|bump|release|version|" +
    "[|;<>`$]|&&|\\s-[cei]\\s",
  "i",
);

/** After a refused write, only what names the file, or brings its own program, can have made it good. */
const mayMakeGood = (one: Writer, path: string): boolean =>
  mayWrite(one, path) &&
  (one.command.includes(posix.basename(path)) ||
    (isManifest.test(posix.basename(path)) && installs.test(one.command)) ||
    bringsProgram.test(one.command));
const bringsProgram = new RegExp(
  "<<|\\b(?:node|python3?|ruby|perl|php|bash|sh) -[ce]\\b|\\.(?:sh|py|mjs|js|rb)\\b|" +
    "\\b(?:patch|apply|xargs|tee|ed|sed|perl|awk|find|stash|checkout|cherry-pick|merge)\\b",
);

/** Few programs write prose, builds and installers write their own files only. */
function mayWrite({ command, output, builds, edits }: Writer, path: string): boolean {
  const name = posix.basename(path);
  if (command.includes(name) || ((edits || builds) && output.includes(name))) return true;
  if (isManifest.test(name) && installs.test(command)) return true;
  if (/version|setup|gemspec/i.test(name) && bumps.test(command)) return true;
  if (isProse(path) || bareName.test(path)) return edits && writesProse.test(command);
  return isBuilt(path) ? builds || edits : edits;
}
const bumps = /\b(?:bump|bump2version|version|release)\b/i;
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
          .filter(({ argv }) => argv[0] === "git")
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

/** Files that a program writes by itself. */
const isBuilt = (path: string): boolean =>
  /(?:^|\/)(?:dist|build|out|target|coverage|generated|gen|vendor|node_modules|public|bin|obj)\//i.test(
    path,
  ) ||
  /\.lock$|lock\.(?:json|ya?ml)$|\.(?:snap|min\.js|map|sum|resolved)$|_pb2?\.|\.g(?:en(?:erated)?)?\.\w+$/i.test(
    path,
  ) ||
  /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum|CHANGELOG[^/]*)$/i.test(path);
