// Every program that a command calls, by what it is called: without the programs that only carry it, and
// with those that its scripts and tasks call.
import { posix } from "node:path";
import { argumentsOf, carried } from "../arguments-of.ts";
import { isInline, isPrinter, noRun } from "../no-run.ts";
import { programsOf, type Program } from "../programs-of.ts";
import { binaryOf, folderOf, plainProgram } from "../recognise.ts";
import { scriptOf, type Project, type Script } from "../script-of.ts";
import { tablePrograms } from "../tables/take-other.ts";

/**
 * `name`: the program, or `task x`. `words`: what stands behind it; null is only known to the shell. `calls`: what its
 * text calls. `isOpen`: that text is not at hand, or is code on the line. `isVoid`: a dry run, a version, a list.
 */
export type CalledProgram = {
  name: string;
  words: readonly (string | null)[];
  calls: readonly CalledProgram[];
  isOpen: boolean;
  isVoid: boolean;
};

const deepest = 5;
/** `php -l x.php`: the file is not run. */
const checksFile = /^(?:-l|-c|-wc|-t|--check|--syntax-check|--test|--lint)$/;
const interpreters = /^(?:python|node|ruby|php|perl|deno|bun|tsx|ts-node|java|Rscript)$/;

export const calledPrograms = (command: string, cwd: string, project: Project): CalledProgram[] =>
  programsOf(command, cwd).flatMap((program) => calledBy(program, project, 0));

/** With what they call, however deep. */
export const withCalls = (all: readonly CalledProgram[]): CalledProgram[] =>
  all.flatMap((one) => [one, ...withCalls(one.calls)]);

function calledBy(program: Program, project: Project, depth: number): CalledProgram[] {
  const argv = [plainProgram(program.argv[0]), ...program.argv.slice(1)];
  if (isPrinter(argv) || depth >= deepest) return [];
  const folder = folderOf(program.cwd, project);
  const script = scriptOf({ argv, called: program.called }, folder, project);
  const inner =
    carried(argv, (name) => tablePrograms.has(name)) ??
    (script?.texts === null ? binaryOf(argv, script) : undefined);
  if (inner)
    return calledBy({ ...program, argv: inner, called: inner[0] ?? "" }, project, depth + 1);
  if (script) return [taskOf(script, argv, { project, depth })];
  return [named(argv)];
}

/** `python x.py a` is `x a`. */
function named(argv: readonly (string | null)[]): CalledProgram {
  const isLine = isInline(argv);
  const isInterpreter = interpreters.test(argv[0]!) && !isLine && !checksFile.test(argv[1] ?? "");
  const file = isInterpreter ? argumentsOf(argv.slice(1))[0] : undefined;
  const at = file === undefined ? 0 : argv.indexOf(file);
  const name = file === undefined ? argv[0]! : posix.basename(file).replace(/\.\w+$/, "");
  const isOpen = isLine || (isInterpreter && (argv[1] === "-" || argv.length === 1));
  return { name, words: argv.slice(at + 1), calls: [], isOpen, isVoid: noRun(argv) };
}

function taskOf(
  { name, folder, texts, rest }: Script,
  argv: readonly (string | null)[],
  { project, depth }: { project: Project; depth: number },
): CalledProgram {
  const cwd = posix.join(project.root, folder);
  const calls = (texts ?? []).flatMap((text) =>
    programsOf([text, ...rest].join(" "), cwd).flatMap((one) => calledBy(one, project, depth + 1)),
  );
  const isFile = /[./]/.test(name);
  return {
    name: isFile ? posix.basename(name).replace(/\.\w+$/, "") : `task ${name}`,
    words: rest,
    calls,
    isOpen: texts === null,
    isVoid: noRun(argv),
  };
}
