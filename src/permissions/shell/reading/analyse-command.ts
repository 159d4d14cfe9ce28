// Reads a Bash command without running it: every simple command in it, every file it names, and
// whatever makes it undecidable.
import { parse } from "unbash";
import { limits } from "../../../base/limits.ts";
import { ask, type Concern, type ShellAnalysis } from "../analysis.ts";
import { coversText } from "./cover-text.ts";
import {
  addConcern,
  complainMany,
  noFindings,
  type Findings,
  type JudgedBefore,
  type Scope,
} from "../scope.ts";
import { surveyScript } from "./survey-script.ts";
import { walkScript } from "./walk-script.ts";

/**
 * Beyond this a text is not even looked into; the caps of `limits.shell` only ask, so that deny
 * rules still see the commands.
 */
const maxReadable = 50_000;
/** Each opening bracket costs the parser a look ahead over what follows. */
const maxOpeners = 2_000;
/** Substitutions inside substitutions: each is read once more for every level around it. */
const maxLevels = 100;
const maxTexts = 8;
const maxCommands = 2_000;

/** Never throws. `cwd` and `home` are absolute. */
export function analyseCommand(
  command: string,
  context: { cwd: string; home: string; judged?: JudgedBefore },
): ShellAnalysis {
  const findings = { ...noFindings(context.home, context.judged), concerns: checkText(command) };
  if (command.trim() === "") {
    findings.concerns.push({ severity: "deny", code: "empty", sentence: "The command is empty." });
  } else if (
    command.length > maxReadable ||
    (command.match(/[({`]/g)?.length ?? 0) > maxOpeners ||
    levelsOf(command) > maxLevels
  ) {
    findings.complete = false;
    findings.concerns.push(
      ask(
        "too-long",
        `The command has ${command.length} characters and too many brackets to be read.`,
      ),
    );
  } else {
    if (command.length > limits.shell.characters)
      findings.concerns.push(
        ask(
          "too-long",
          `The command has ${command.length} characters, more than ${limits.shell.characters}.`,
        ),
      );
    readText(
      command,
      { cwds: [context.cwd], values: new Map(), functions: new Set() },
      { findings, depth: 0, texts: 0 },
    );
    if (findings.commands.length === 0)
      addConcern(findings.concerns, ask("empty", "There is no command in the text."));
    complainMany(findings);
  }
  const { commands, accesses, concerns, complete } = findings;
  return { commands, accesses, concerns, complete };
}

const ordinary = /^[\t\n -~]*$/;
const invisible = [
  /\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Zl}|\p{Zp}/u,
  /[\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}]|[\u{17b4}-\u{17b5}]|[\u{e0100}-\u{e01ef}]/u,
];
const control = /(?![\t\n])\p{Cc}/u;
const oddBlank = /(?![ \t\n])\s/u;

/**
 * Characters that make a command look like something else, or that bash and a reader would see
 * differently.
 */
function checkText(text: string): Concern[] {
  if (ordinary.test(text)) return [];
  if (control.test(text)) return [ask("characters", "The command holds control characters.")];
  if (invisible.some((form) => form.test(text)))
    return [ask("characters", "The command holds invisible or direction-changing characters.")];
  return oddBlank.test(text)
    ? [ask("characters", "The command holds blanks that are no blanks to bash.")]
    : [];
}

/** How deep `$(` and its like may be nested; brackets in quotes count as well. */
function levelsOf(text: string): number {
  let [level, most] = [0, 0];
  for (const [found] of text.matchAll(/[$<>]\(|\)/g)) {
    level = Math.max(0, level + (found === ")" ? -1 : 1));
    most = Math.max(most, level);
  }
  return most;
}

type Reading = { findings: Findings; depth: number; texts: number };

function readText(text: string, scope: Scope, reading: Reading): void {
  const { findings } = reading;
  if (reading.texts >= maxTexts || findings.commands.length > maxCommands) {
    findings.complete = false;
    return addConcern(
      findings.concerns,
      ask("too-deep", "Commands inside commands are nested too deeply."),
    );
  }
  try {
    const script = parse(text);
    const survey = surveyScript(script, text);
    if (!script.errors?.length && !coversText(script, text))
      addConcern(
        findings.concerns,
        ask("unknown-syntax", "A part of the command was not understood."),
      );
    const runText = (inner: string, innerScope: Scope, depth: number) =>
      readText(
        inner,
        { cwds: innerScope.cwds, values: new Map(), functions: new Set() },
        { findings, depth, texts: reading.texts + 1 },
      );
    walkScript(script, scope, { findings, survey, depth: reading.depth, fed: false, runText });
  } catch {
    // A parser that gives up (stack, internal error) has read nothing that could be trusted.
    findings.complete = false;
    addConcern(findings.concerns, ask("syntax", "The command cannot be parsed."));
  }
}
