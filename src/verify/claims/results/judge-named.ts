// Judges what a claim names: a single test against what the runs showed or picked, and an option
// against the commands that ran.
import type { Project } from "../runs/script-of.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";
import { isTestFile } from "../runs/proof-command.ts";
import { isAbout } from "../runs/scope/left-aside.ts";
import { editAfter } from "../runs/edit-after.ts";
import { commandWords, type ResultSetting } from "../gap-of.ts";
import {
  contradicted,
  executed,
  neverRun,
  unsupported,
  type ClaimJudgement,
} from "../judgement.ts";
import type { ResultClaim } from "../words/find-result-claims.ts";
import { tellsFailure } from "../words/says-done.ts";

const maxFiles = 200;

/** Undefined where no test is named, or where the runs as a whole decide. */
export function judgeNamed(
  claim: ResultClaim,
  runs: readonly RecordedRun[],
  { ledger, project }: ResultSetting,
): ClaimJudgement | undefined {
  const isShown = (name: string): boolean =>
    runs.some(({ run }) => lineOf(run.output, name) !== undefined);
  const names = claim.names.filter((name) => isTest(name, claim, { project, isShown }));
  // Of a claim about everything only the files that it names are looked at one by one.
  const wanted = claim.whole ? names.filter((name) => isFile(name, project)) : names;
  if (wanted.length === 0) return undefined;
  const fresh = runs.filter(
    (run) => run.ending !== "empty" && editAfter(run, ledger.edits) === undefined,
  );
  if (fresh.length === 0) return undefined;
  for (const name of wanted) {
    if (
      fresh.some((run) => run.ending === "passed" && run.parts.some((part) => isAbout(part, name)))
    )
      continue;
    const line = fresh.map(({ run }) => lineOf(run.output, name)).findLast((one) => one) ?? "";
    if (isBad.test(line) && !isGood.test(line) && !tellsFailure(claim.sentence))
      return contradicted(`recorded: ${line.trim().slice(0, 120)}`);
    if (isGood.test(line) || fresh.some((run) => failedOthers(run, name))) continue;
    const may = fresh.some((run) => run.ending === "passed" && mayHold(run, name, project));
    if (!may) return withoutIt(name, fresh);
  }
  const isShownGood = (name: string): boolean =>
    fresh.some((run) => isGood.test(lineOf(run.run.output, name) ?? "") || failedOthers(run, name));
  return !claim.whole && wanted.every(isShownGood)
    ? executed("the recorded output shows that it passed")
    : undefined;
}

/** It names every test that failed, and this is none of them. */
function failedOthers({ run, ending }: RecordedRun, name: string): boolean {
  const failed = ending === "failed" ? (run.tests?.failed ?? 0) : 0;
  const named = run.output.split("\n").filter((line) => isBad.test(line) && isTestLine.test(line));
  return (
    failed > 0 && named.length >= failed && !named.some((line) => line.includes(lastPart(name)))
  );
}
const isTestLine = /^\s*(?:FAILED \S+|[✕✗✖×] |not ok |--- FAIL: |\d+\) |test \S+ \.\.\. FAILED)/;

const isFile = (name: string, project: Project): boolean =>
  isTestName(name) && project.paths().includes(name);

/** Runs that went well and picked other tests. */
const withoutIt = (name: string, fresh: readonly RecordedRun[]): ClaimJudgement | undefined =>
  fresh.length > 0 && fresh.every(({ ending }) => ending === "passed")
    ? unsupported(
        `recorded: ${commandWords(fresh.at(-1)!.run.command)} picks other tests than ${name}`,
      )
    : undefined;

/** By its shape, by a test file that has it, or by the word beside it. */
function isTest(
  name: string,
  { sentence, code }: ResultClaim,
  { project, isShown }: { project: Project; isShown: (name: string) => boolean },
): boolean {
  if (isTestName(name)) return true;
  if (!/\btests?\b/i.test(sentence)) return false;
  return isShown(name) || (!code.includes(name) && holders(name, project).length > 0);
}

const lastPart = (name: string): string =>
  name
    .split(/::|#|\s>\s|\.(?=\w+$)/)
    .at(-1)!
    .replace(/\(\)$/, "");

const holders = (name: string, project: Project): string[] =>
  project
    .paths()
    .filter(isTestFile)
    .slice(0, maxFiles)
    .filter((path) => path.endsWith(name) || project.read(path)?.includes(lastPart(name)));

const lineOf = (output: string, name: string): string | undefined =>
  output
    .split("\n")
    .findLast((line) => line.includes(lastPart(name)) && (isGood.test(line) || isBad.test(line)));

const isGood = /[✓✔√]|\bPASS(?:ED)?\b|\bok\b|--- PASS|\.\.\. ok|\bPassed\b/;
const isBad = new RegExp(
  "[✕✗✖×]|\\bFAIL(?:ED)?\\b|^not ok|--- FAIL|\\.\\.\\. FAILED|\\bFailed\\b|^\\s*\\d+\\) |" +
    "\\bIGNORED?\\b|\\bSKIP(?:PED)?\\b|\\bskipped\\b|\\bXFAIL\\b",
);

/** The run picked nothing, or picked this. */
function mayHold({ parts }: RecordedRun, name: string, project: Project): boolean {
  if (parts.length === 0) return true;
  const files = holders(name, project);
  const picks = parts.filter((part) => part.startsWith("-"));
  const places = parts.filter((part) => !part.startsWith("-"));
  const own = lastPart(name);
  const isPicked = picks.every((part) => isLike(part.replace(/^-{1,2}[\w.]+=/, ""), own, name));
  const isPlaced =
    places.length === 0 ||
    places.some(
      (part) =>
        isAbout(part, name) ||
        files.some((path) =>
          path.includes(
            part
              .replace(/^\.\//, "")
              .replace(/\/?\.\.\.$/, "")
              .replace(/::.*/, ""),
          ),
        ),
    );
  const isFile = name.includes("/") && isTestFile(name);
  return isPicked && (isPlaced || (files.length === 0 && !isFile));
}

/** A pattern of names fits one: as an expression, or as a part of it. */
function isLike(pattern: string, own: string, name: string): boolean {
  if (pattern === "" || own.includes(pattern) || pattern.includes(own) || name.includes(pattern))
    return true;
  try {
    return (
      new RegExp(pattern.replace(/^["']|["']$/g, ""), "i").test(name) ||
      new RegExp(pattern, "i").test(own)
    );
  } catch {
    return true;
  }
}

const isLeftOut = /\b(?:without|no|not|never|instead of|rather than|ohne|sans|sin) $/i;

/** "under `-race`", "at level 8": an option that no command had. */
export function optionGap(
  { sentence, sentenceCode, words }: ResultClaim,
  passed: readonly Pick<RecordedRun, "run">[],
  { ledger, project }: Pick<ResultSetting, "ledger" | "project">,
): ClaimJudgement | undefined {
  const commands = passed.map(({ run }) => run.command);
  const before = sentence.split("§");
  const flag = sentenceCode.find(
    (one, at) => /^--?[a-z][\w-]*(?:[= ]\S+)?$/i.test(one) && !isLeftOut.test(before[at] ?? ""),
  );
  const isGiven = (option: string): boolean =>
    ledger.commands.some(({ command, output }) => `${command}\n${output}`.includes(option)) ||
    // What the work itself is about is no option of a check.
    ledger.edits.some(({ path }) =>
      project.read(path)?.replaceAll("_", "-").includes(option.replace(/^-+/, "")),
    );
  if (flag !== undefined && !isGiven(flag.split(/[= ]/)[0]!))
    return neverRun(`no recorded run was given ${flag}`);
  for (const [, option, value] of commands.at(-1)?.matchAll(/--([a-z]{3,})[= ](\d+)\b/g) ?? []) {
    const told = new RegExp(`\\b${option} (\\d+)\\b`, "i").exec(words)?.[1];
    if (told !== undefined && told !== value)
      return unsupported(`recorded: ${commandWords(commands.at(-1)!)} has ${option} ${value}`);
  }
  return undefined;
}

const testNames = [
  /^test[_A-Z\d]|^it[_A-Z]|^should[_A-Z]|^Test[A-Z_]/,
  /Tests?(?:[.:#]|$)|(?:^|[_:./#-])(?:spec|tests?)(?:$|[_:./#-])/i,
  /^[A-Za-z]\w*(?:_\w+){2,}$/,
  /^[A-Z]\w*(?:::|#|\.)[a-z]\w*(?:[A-Z_]\w*){2,}$/,
];

/** By its shape alone. */
const isTestName = (text: string): boolean =>
  text.length < 160 &&
  !/\(.+\)|[=;{}<>$|&]|\s-/.test(text) &&
  (isTestFile(text) || testNames.some((shape) => shape.test(text)));
