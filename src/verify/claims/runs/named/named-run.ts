// A command that a message names, held against the record by its own identity: the same program, task and
// options, or a command that calls it. A run of another program proves nothing of it.
import type { CommandRun } from "../../../evidence/command-runs.ts";
import type { Ledger } from "../../../evidence/ledger.ts";
import type { ResultSetting } from "../../gap-of.ts";
import { argumentsOf } from "../arguments-of.ts";
import { calledPrograms, withCalls, type CalledProgram } from "./called-programs.ts";
import { recognise } from "../recognise.ts";
import { isAbout } from "../scope/left-aside.ts";
import { echoedCommands } from "../tables/echoed-commands.ts";
import { knownTools } from "../tables/known-tools.ts";

/**
 * `made`: these runs are it, or call it. `weaker`: the last of them was without this. `void`: it was
 * only shown, listed or tried. `open`: one that nobody can look into may have called it. `never`: none of these.
 */
export type NamedRun =
  | { found: "made"; runs: readonly CommandRun[] }
  | { found: "weaker"; run: CommandRun; without: string }
  | { found: "void"; run: CommandRun }
  | { found: "open"; run: CommandRun | undefined }
  | { found: "never" };

type Recorded = {
  run: CommandRun;
  programs: readonly CalledProgram[];
  subjects: ReadonlySet<string>;
  isOpaque: boolean;
};

const known = new WeakMap<Ledger, Recorded[]>();

function recordedPrograms({ ledger, record, project }: ResultSetting): Recorded[] {
  const seen = known.get(ledger);
  if (seen) return seen;
  const found = record.recognitions.map(({ run, recognition }): Recorded => {
    const cwd = run.cwd ?? project.root;
    const own = withCalls(calledPrograms(run.command, cwd, project));
    const told = echoedCommands(run).flatMap((line) =>
      withCalls(calledPrograms(line, cwd, project)),
    );
    // What a task printed of its own commands stands for a text that is not at hand.
    const programs =
      told.length === 0 ? own : [...own.map((one) => ({ ...one, isOpen: false })), ...told];
    const subjects = new Set<string>(recognition.runs.flatMap((one) => one.subjects));
    const isOpaque = recognition.isOpaque || runsTask.test(recognition.unknown ?? "");
    return { run, programs, subjects, isOpaque };
  });
  known.set(ledger, found);
  return found;
}

/** `melos run check`: nobody knows the program, and it was asked for a task. */
const runsTask = /\s(?:run|check|ci|verify|all)\b/;

/** Undefined where the text names no program that does anything. */
export function namedRun(text: string, setting: ResultSetting): NamedRun | undefined {
  const { project } = setting;
  const wanted = calledPrograms(text, project.root, project).at(-1);
  if (!wanted || wanted.words.includes("...")) return undefined;
  const all = recordedPrograms(setting);
  const same = all.flatMap(({ run, programs, subjects }) =>
    programs
      .filter((one) => isSame(wanted, one) || isContained(wanted, { one, subjects, text, setting }))
      .map((one) => ({ run, one })),
  );
  const inside = same.length === 0 && partsMade(wanted, all);
  if (inside) return { found: "made", runs: inside };
  if (same.length === 0) return unmade(wanted, all, { text, setting });
  const last = same.at(-1)!.run;
  if (!wanted.isVoid && same.every(({ one }) => one.isVoid)) return { found: "void", run: last };
  const without = lacking(wanted, same, setting);
  if (without !== undefined) return { found: "weaker", run: last, without };
  return { found: "made", runs: [...new Set(same.map(({ run }) => run))] };
}

/** It stands for its parts: each of them was run by itself. */
function partsMade(wanted: CalledProgram, all: readonly Recorded[]): CommandRun[] | undefined {
  if (wanted.calls.length === 0) return undefined;
  const runs = wanted.calls.map((part) =>
    all.filter(({ programs }) => programs.some((one) => isSame(part, one) && !one.isVoid)),
  );
  return runs.every((found) => found.length > 0)
    ? [...new Set(runs.flat().map(({ run }) => run))]
    : undefined;
}

/** Words that say which task of a program is meant; of a program that has none they are files and names. */
const tasksOf = ({ name, words }: CalledProgram): string[] =>
  name.startsWith("task ") || takesFiles(name)
    ? []
    : argumentsOf(words).filter((word) => /^[a-z][\w:-]*$/i.test(word));

let lone: ReadonlySet<string> | undefined;
/** A check that is called by its name alone. */
const takesFiles = (name: string): boolean => (lone ??= lonePrograms()).has(name);

function lonePrograms(): ReadonlySet<string> {
  const calls = knownTools.flatMap((tool) => tool.calls.map((call) => call.split(" ")));
  const led = new Set(calls.flatMap(([name, task]) => (/^[a-z]/.test(task ?? "") ? [name!] : [])));
  return new Set(calls.map(([name]) => name!).filter((name) => !led.has(name)));
}

function isSame(wanted: CalledProgram, given: CalledProgram): boolean {
  if (wanted.name !== given.name) return false;
  const [task, next] = tasksOf(wanted);
  if (task === undefined) return true;
  const own = tasksOf(given);
  if (!own.some((one) => one === task || one.endsWith(`:${task}`))) return false;
  const other = own[own.indexOf(task) + 1];
  return next === undefined || other === undefined || own.includes(next);
}

/** `mvn verify` tests as `mvn test` does: another task of the same program that shows the same. */
function isContained(
  wanted: CalledProgram,
  {
    one,
    subjects,
    text,
    setting: { project },
  }: {
    one: CalledProgram;
    subjects: ReadonlySet<string>;
    text: string;
    setting: ResultSetting;
  },
): boolean {
  if (wanted.name !== one.name || subjects.size === 0) return false;
  const own = recognise(text, project.root, project).runs[0];
  return own !== undefined && own.subjects[0] !== undefined && subjects.has(own.subjects[0]);
}

/** Options that change what is printed, how fast, or where the settings stand. */
const formOptions = new RegExp(
  "^--?(?:verbose|quiet|silent|no-?colou?rs?|colou?rs?|reporters?|format|json|pretty|output|outfile|log-?level|" +
    "progress|jobs|parallel|workers?|max-?workers|run|watch|ci|bail|max-?fail|no-header|tb|yes|no-interaction|" +
    "non-interactive|no-ansi|nologo|no-restore|no-?emit|project|config|cache|no-cache|cwd|prefix|dir|directory|" +
    "manifest-path|filter|workspace|locked|offline|frozen-lockfile|no-verify|message|tag|file|env|skip-lib-check|" +
    "no-daemon|console|stacktrace|batch-mode|no-transfer-progress|durations|show-\\w+|access|otp|port|host|detach)$",
  "i",
);

/** An option of more than one letter that none of them was given, or what none of them was called on. */
function lacking(
  wanted: CalledProgram,
  same: readonly { run: CommandRun; one: CalledProgram }[],
  { ledger }: ResultSetting,
): string | undefined {
  const real = same.filter(({ one }) => wanted.isVoid || !one.isVoid);
  if (real.some(({ one }) => one.words.includes(null))) return undefined;
  const option = wanted.words.find((word): word is string => {
    const name = word?.split("=")[0];
    return (
      typeof name === "string" &&
      /^--?[a-z][\w-]+$/i.test(name) &&
      !formOptions.test(name) &&
      !real.some(({ one }) => one.words.some((given) => given?.startsWith(name))) &&
      !ledger.commands.some(({ command, output }) => `${command}\n${output}`.includes(name))
    );
  });
  if (option !== undefined) return option;
  const files = argumentsOf(wanted.words).filter(
    (word) => /[./]/.test(word) && !/^\.+\//.test(word),
  );
  return files.find((file) => {
    const isOn = ({ words }: CalledProgram): boolean => {
      const own = argumentsOf(words).filter((word) => /[./]/.test(word));
      return own.length === 0
        ? takesFiles(wanted.name) || tasksOf(wanted).length > 0
        : own.some((one) => /^\.+\/?/.test(one) || isAbout(one, file) || file.startsWith(one));
    };
    return !real.some(({ one }) => isOn(one));
  });
}

/** Nothing is called so: whether something that cannot be looked into may have been it. */
function unmade(
  wanted: CalledProgram,
  all: readonly Recorded[],
  { text, setting: { project } }: { text: string; setting: ResultSetting },
): NamedRun {
  const asked = new Set<string>(
    recognise(text, project.root, project).runs.flatMap(({ subjects }) => subjects),
  );
  const shares = ({ subjects }: Recorded): boolean => [...asked].some((one) => subjects.has(one));
  const isUnread = (one: Recorded): boolean =>
    one.isOpaque || (one.run.tool === "Bash" && one.run.command.length > 10_000);
  const isOpen = (one: Recorded): boolean =>
    one.programs.some((program) => program.isOpen) &&
    (asked.size === 0 || one.subjects.size === 0 || shares(one));
  const may = all.find((one) => isUnread(one) || isOpen(one));
  if (may) return { found: "open", run: may.run };
  // Of a task whose text is not at hand only what it shows is known.
  const alike = wanted.isOpen ? all.find(shares) : undefined;
  return alike ? { found: "open", run: alike.run } : { found: "never" };
}
