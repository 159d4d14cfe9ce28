// The runs on record that can prove a claim, each with how it ended: by its exit code where that is its
// own, by its own words where it is not, and never by more than both allow.
import { isAbsolute } from "node:path";
import type { CommandRun } from "../../evidence/command-runs.ts";
import type { ResultSubject } from "../words/subject-words.ts";
import { toolNames } from "./tables/script-names.ts";
import type { Project } from "./script-of.ts";
import { recognise, type Recognised, type Recognition } from "./recognise.ts";
import { outputSays } from "./output-says.ts";

/**
 * `passed` and `failed` are certain; `unfinished`: timed out, stopped, still running; `hidden`: its exit
 * code was thrown away and its output says nothing; `open`: it ran, and how it ended cannot be told.
 */
export type Ending = "passed" | "failed" | "empty" | "unfinished" | "hidden" | "open";

export type RecordedRun = Recognised & { run: CommandRun; ending: Ending };

export type Record = {
  runs: RecordedRun[];
  recognitions: { run: CommandRun; recognition: Recognition }[];
};

/** A run in a folder that has nothing to do with the project or the run's own edits proves nothing. */
export function recordedRuns(
  commands: readonly CommandRun[],
  edited: readonly string[],
  project: Project,
): Record {
  const isHere = (folder: string): boolean =>
    !isAbsolute(folder) || edited.some((path) => path.startsWith(`${folder}/`));
  const recognitions = commands.map((run) => ({ run, recognition: recognitionOf(run, project) }));
  const runs = recognitions.flatMap(({ run, recognition }) =>
    recognition.runs
      .filter(({ folder }) => isHere(folder))
      .map((one) => ({ ...one, run, ending: endingOf(one, run) })),
  );
  return { runs, recognitions };
}

function recognitionOf(run: CommandRun, project: Project): Recognition {
  if (run.tool === "Bash") return recognise(run.command, run.cwd ?? project.root, project);
  const subjects = toolNames.filter(([name]) => name.test(run.tool)).map(([, subject]) => subject);
  const one: Recognised = {
    subjects,
    ecosystem: "any",
    proof: "own",
    parts: [],
    folder: ".",
    fixes: false,
    mayBeEmpty: false,
  };
  return {
    runs: subjects.length > 0 ? [one] : [],
    unknown: null,
    executes: true,
    mayWrite: true,
  };
}

/** Exit code and output must agree; numbers of tests outweigh every other word. */
function endingOf(one: Recognised, run: CommandRun): Ending {
  if (run.exitCode === null) return "unfinished";
  if (!one.subjects.includes("tests") || !run.tests) return wordsEnding(one, run);
  if (run.tests.failed > 0) return "failed";
  if (run.tests.passed === 0) return "empty";
  return run.exitCode === 0 || one.proof !== "own" ? "passed" : "failed";
}

function wordsEnding({ subjects, proof, mayBeEmpty }: Recognised, run: CommandRun): Ending {
  const { exitCode, output } = run;
  const subject = subjects[0]!;
  const says = outputSays(subject, output);
  const told = toldExit(run);
  if (told !== undefined) return told === 0 && says !== "bad" ? "passed" : "failed";
  if (says === "bad") return subject === "tests" && isNoTests(output) ? "empty" : "failed";
  if (proof === "own") return exitCode !== 0 ? "failed" : mayBeEmpty ? "empty" : "passed";
  if (says === "good") return "passed";
  if (proof === "hidden") return "hidden";
  // A checker that has nothing to say says nothing.
  return isSilent(output) && silent.has(subject) ? "passed" : "open";
}

const silent: ReadonlySet<ResultSubject> = new Set(["types", "lint", "format", "build"]);
const isNoTests = (output: string): boolean =>
  new RegExp(
    "\\bno tests? (?:files? )?(?:were )?(?:found|ran|to run|collected|specified)|\\bno test " +
      "specified|(?:collected|ran) 0 (?:items|tests)",
    "i",
  ).test(output);

/** What a tool result says instead of nothing. */
const isSilent = (output: string): boolean =>
  /^\s*(?:\(?(?:Bash completed with no output|no output|No content)\)?|Tool ran without output or errors)?\s*$/i.test(
    output,
  ) || /^\s*> [^\n]*\n(?:\s*> [^\n]*\n?|\s*\n)*\s*$/.test(output);

/** `npm test; echo "exit $?"`: the output tells the exit code that the shell threw away. */
function toldExit({ command, output }: CommandRun): number | undefined {
  const echo = new RegExp(
    "echo\\s+[\"']?([^\"'$;|&\\n]*)\\$(?:\\?|\\{PIPESTATUS\\[0\\]\\}|\\{pipestatus\\[1\\]\\}|" +
      "\\{?\\w*(?:code|status|rc|ret|exit)\\w*\\}?)",
    "i",
  ).exec(command);
  if (!echo) return undefined;
  const lead = echo[1]!.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = new RegExp(`${lead}(\\d{1,3})`).exec(output);
  return found ? Number(found[1]) : undefined;
}
