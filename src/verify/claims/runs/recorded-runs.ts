// The runs on record that can prove a claim, each with how it ended: by its exit code where that is its
// own, by its own words where it is not, and never by more than both allow.
import { escapeRegExp } from "../../../base/text/escape-reg-exp.ts";
import { isAbsolute } from "node:path";
import type { CommandRun } from "../../evidence/command-runs.ts";
import type { ResultSubject } from "../result-subject.ts";
import { toolNames } from "./tables/script-names.ts";
import { unwritten } from "./tools-for.ts";
import type { Project } from "./script-of.ts";
import { recognise } from "./recognise.ts";
import type { Recognised, Recognition } from "./tables/recognition.ts";
import { weaker, type Proof } from "./programs-of.ts";
import { echoedCommands } from "./tables/echoed-commands.ts";
import { complaintsIn, outputSays, saysNoTests, showsEnd } from "./output-says.ts";

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
  given: Project,
): Record {
  const project = { ...given, runners: unwritten(given.runners, edited) };
  const isHere = (folder: string): boolean =>
    (!isAbsolute(folder) && !folder.startsWith("..")) ||
    edited.some((path) => path.startsWith(`${folder}/`));
  const recognitions = commands.map((run) => ({ run, recognition: recognitionOf(run, project) }));
  const runs = recognitions.flatMap(({ run, recognition }) =>
    [
      ...told(run, recognition, project).flatMap((one) => compiledApart(one, run)),
      ...signed(run, recognition),
    ]
      .filter(({ folder }) => isHere(folder))
      .map((one) => ({ ...one, run, ending: endingOf(one, run) })),
  );
  const ended = runs.map((one) => withoutOthers(one, runs));
  return { runs: ended.map((one) => asBefore(one, ended)), recognitions };
}

/**
 * Of several checks in one command one fails: what came before it went well, or its own words say so;
 * what came after it did not run. Where none of them is seen to fail, each may be it.
 */
function withoutOthers(one: RecordedRun, runs: readonly RecordedRun[]): RecordedRun {
  const { run, ending, subjects } = one;
  if (ending !== "failed" || run.exitCode === 0) return one;
  const own = runs.filter((other) => other.run === run);
  // "git commit && git push": both fail in the same words, and a push was tried where the commit went well.
  const isBefore = own.slice(own.indexOf(one) + 1).some(isDelivery);
  if (isDelivery(one) && isBefore && !refusesCommit.test(run.output))
    return { ...one, ending: "open" };
  if (isSeenToFail(one)) return one;
  const at = own.findIndex(isSeenToFail);
  if (subjects.includes("tests") && run.tests !== null && own.length > 1)
    return { ...one, ending: "passed" };
  if (at <= own.indexOf(one)) return one;
  // What stands behind `&&` ran because this went well.
  return { ...one, ending: one.proof === "own" && own[at]!.proof === "own" ? "passed" : "open" };
}

/** It was called as before, when its output showed how it failed, and shows none of that now. */
function asBefore(one: RecordedRun, all: readonly RecordedRun[]): RecordedRun {
  if (one.ending !== "open" || one.proof !== "piped" || one.run.output.trim() === "") return one;
  const own = bareCommand(one);
  const failed = all.findLast(
    (other) => other.run.order < one.run.order && bareCommand(other) === own && isSeenToFail(other),
  );
  return failed?.ending === "failed" && failed.proof === "piped" && !isSeenToFail(one)
    ? { ...one, ending: "passed" }
    : one;
}

/** `| tail -4` and `| tail -8` are one. */
const bareCommand = ({ run }: RecordedRun): string => run.command.replace(/-n? ?\d+/g, "");

const isDelivery = ({ subjects }: RecordedRun): boolean =>
  subjects.some((one) => one === "commit" || one === "push" || one === "merge");
const refusesCommit =
  /nothing to commit|no changes added|nothing added to commit|\bhook\b|\.{3}Failed$|index\.lock/im;

/** Its own output has the failure. */
const isSeenToFail = ({ subjects, run, ending }: RecordedRun): boolean =>
  ending !== "empty" &&
  (subjects.includes("tests") && run.tests !== null
    ? run.tests.failed > 0
    : subjects.some((subject) => outputSays(subject, run.output, { own: true }) === "bad"));

/** Tests that were counted had been compiled, however they ended; so was what has no tests. */
function compiledApart(one: Recognised, { tests, output }: CommandRun): Recognised[] {
  const rest = one.subjects.filter((subject) => subject !== "tests");
  if (rest.length === one.subjects.length || rest.length === 0) return [one];
  const own: Recognised = { ...one, subjects: ["tests"] };
  if (tests === null ? one.mayBeEmpty || saysNoTests(output) : tests.passed + tests.failed === 0)
    return [own, { ...one, subjects: rest, mayBeEmpty: false }];
  if (tests === null || tests.failed === 0) return [one];
  return [own, { ...one, subjects: rest, proof: "piped" }];
}

/** What a command names, and what it printed of the commands that it ran. */
function told(run: CommandRun, { runs, unknown }: Recognition, project: Project): Recognised[] {
  if (runs.length === 0 && unknown === null) return [];
  const known = new Set(runs.flatMap(({ subjects }) => subjects));
  const more = echoedCommands(run).flatMap(
    (line) => recognise(line, run.cwd ?? project.root, project).runs,
  );
  return [
    ...runs,
    ...more
      .filter(({ subjects }) => !subjects.some((subject) => known.has(subject)))
      .map((one) => ({ ...one, proof: weaker(one.proof, run.exitCode === 0 ? "own" : "piped") })),
  ];
}

/** What a run signed with a tool's own last line, though its command does not name that tool. */
function signed({ output, tests }: CommandRun, { runs, unknown }: Recognition): Recognised[] {
  if (runs.length === 0 && unknown === null) return [];
  const known = new Set(runs.flatMap(({ subjects }) => subjects));
  const found = signatures
    .filter(([subject, line]) => !known.has(subject) && line.test(output))
    .map(([subject]) => subject);
  const subjects = tests !== null && !known.has("tests") ? (["tests", ...found] as const) : found;
  const first = runs[0] ?? { ...anything, proof: "piped" as const };
  return subjects.map((subject) => ({
    ...first,
    subjects: [subject],
    proof: weaker(first.proof, "piped"),
  }));
}

const signatures: readonly [ResultSubject, RegExp][] = [
  [
    "lint",
    /\bfiles? inspected, (?:no|\d+) offenses?\b|^All checks passed!|^✖ \d+ problems?\b|^\d+ issues[.:]/m,
  ],
  ["lint", /^Found \d+ warnings? and \d+ errors?\b|\bgolangci-lint\b.*\bissues\b/m],
  ["lint", /^\s*Linting and checking validity of types/m],
  ["types", /^\s*Linting and checking validity of types/m],
  ["types", /^Success: no issues found in \d+ source files?|^Found \d+ errors? in \d+ files?/m],
  [
    "format",
    /^All matched files use Prettier|\bfiles? would be (?:left unchanged|reformatted)\b|already formatted/m,
  ],
  [
    "lint",
    /^\d+ mods\/funs, found (?:no|\d+) issues|^\d+ chart\(s\) linted, \d+ chart\(s\) failed/m,
  ],
  ["build", /^\[\+\] Building .*FINISHED|\bnaming to\b|^\s*Verifying \S+ v\d/m],
  ["build", /\bBUILD SUCCESS(?:FUL)?\b|\bcompiled successfully\b|^Build succeeded/m],
];

const anything: Recognised = {
  subjects: [],
  ecosystem: "any",
  proof: "own",
  parts: [],
  folder: ".",
  fixes: false,
  mayBeEmpty: false,
};

function recognitionOf(run: CommandRun, project: Project): Recognition {
  if (run.tool === "Bash") return recognise(run.command, run.cwd ?? project.root, project);
  const own = project.runners.filter(({ command }) => command === run.tool);
  const subjects = [
    ...own.map(({ subject }) => subject),
    ...toolNames.filter(([name]) => name.test(run.tool)).map(([, subject]) => subject),
  ];
  const one: Recognised = { ...anything, subjects };
  return {
    runs: subjects.length > 0 ? [one] : [],
    unknown: subjects.length > 0 ? null : run.tool,
    isOpaque: subjects.length === 0,
    executes: true,
    runsOther: true,
    mayWrite: true,
    mayEdit: true,
    rehearsed: [],
  };
}

/** Exit code and output must agree; numbers of tests outweigh every other word. */
function endingOf(one: Recognised, run: CommandRun): Ending {
  if (run.exitCode === null) return "unfinished";
  if (!one.subjects.includes("tests") || !run.tests) return wordsEnding(one, run);
  if (run.tests.failed > 0) return "failed";
  if (run.tests.passed === 0) return "empty";
  // Packages that went well, picked out of all of them, say nothing about the others.
  if (one.proof === "cut" && run.tests.packages && !isWholeHead(run))
    return /\|\s*head\b/.test(run.command) ? "open" : "hidden";
  return run.exitCode === 0 || one.proof !== "own" ? "passed" : "failed";
}

function wordsEnding({ subjects, proof, mayBeEmpty }: Recognised, run: CommandRun): Ending {
  const { exitCode, output } = run;
  const subject = subjects[0]!;
  const says = subjects.some((one) => outputSays(one, output) === "bad")
    ? "bad"
    : outputSays(subject, output);
  if (subject === "tests" && saysNoTests(output)) return "empty";
  const told = toldExit(run) ?? countedTrouble(run, proof);
  if (told !== undefined) return told === 0 && says !== "bad" ? "passed" : "failed";
  if (says === "bad" || (mayGiveUp(subject, proof) && showsEnd(output))) return "failed";
  if (proof === "own") return exitCode !== 0 ? "failed" : mayBeEmpty ? "empty" : "passed";
  return says === "good" ? "passed" : silentEnding({ subjects, proof }, run);
}

/** Its own exit code of a check outweighs what a log says. */
const mayGiveUp = (subject: ResultSubject, proof: Proof): boolean =>
  proof !== "own" || subject === "deploy" || subject === "migration";

/** The exit code is not its own, and its words say nothing. */
function silentEnding(
  { subjects, proof }: Pick<Recognised, "subjects" | "proof">,
  run: CommandRun,
): Ending {
  const subject = subjects[0]!;
  // What it complains about is how it ended.
  if (silent.has(subject) && complaintsIn(run.output) > 0) return "failed";
  if (proof === "hidden" || (proof === "cut" && subject === "tests" && !isWholeHead(run)))
    return "hidden";
  // A checker that has nothing to say says nothing.
  return isSilent(run.output) && silent.has(subject) ? "passed" : "open";
}

/** `| head -100` that had fewer lines to show left nothing out. */
function isWholeHead({ command, output }: CommandRun): boolean {
  const head = /\|\s*head(?:\s+-n?\s*(\d+))?\s*$/.exec(command);
  // Blank lines at both ends are lost in a record.
  return head !== null && output.split("\n").length < Number(head[1] ?? 10) - 3;
}

/** `eslint . | grep -c error`: the number of lines with trouble is the result. */
function countedTrouble({ command, output }: CommandRun, proof: Proof): number | undefined {
  if (proof !== "cut" || !/\|\s*(?:e?grep|rg)\s[^|]*(?:-\w*c|\|\s*wc\s+-l)/.test(command))
    return undefined;
  if (!/error|fail|warn|problem|issue|violation|offen[cs]e|finding|diff/i.test(command))
    return undefined;
  const count = /^\s*(\d+)\s*$/.exec(output)?.[1];
  return count === undefined ? undefined : Math.min(1, Number(count));
}

const silent: ReadonlySet<ResultSubject> = new Set(["types", "lint", "format", "build"]);

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
  const lead = escapeRegExp(echo[1]!);
  const found = new RegExp(`${lead}(\\d{1,3})`).exec(output);
  return found ? Number(found[1]) : undefined;
}
