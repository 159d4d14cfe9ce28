// Judges loosely spoken claims: what the record or the files bear out is verified, what they plainly refute is contradicted, everything else is left open with the reason.
import type { Repository } from "../repository.ts";
import { isCommand, linksOf, printers, type CommandRun } from "./command-runs.ts";
import {
  contradicted,
  executed,
  isCovered,
  judgeTests,
  mayHaveTested,
  unknown,
  type ActionJudgement,
} from "./judge-actions.ts";
import type { FileEvidence } from "./judge-files.ts";
import type { Ledger } from "./ledger.ts";
import type { SnapshotDiff } from "./snapshot.ts";
import type { SpokenClaim, Subject } from "./spoken-claims.ts";

export type SpokenSetting = { ledger: Ledger; repo: Repository; evidence: FileEvidence };

/** Undefined where the words need no judgement: they are borne out by what everybody can see, or say nothing that this run could have done. */
export function judgeSpoken(
  claim: SpokenClaim,
  setting: SpokenSetting,
): ActionJudgement | undefined {
  return judges[claim.subject](claim, setting);
}

const judges: Record<
  Subject,
  (claim: SpokenClaim, setting: SpokenSetting) => ActionJudgement | undefined
> = {
  tests: ({ span, words }, { ledger }) =>
    softened(
      judgeTests(
        {
          kind: "test",
          span,
          passed: null,
          failed: null,
          total: null,
          whole: /\b(?:all|alle|every|whole|full|entire|suite)\b/i.test(words),
        },
        ledger,
      ),
    ),
  lint: (_claim, { ledger }) =>
    judgeTool(
      /(?<![\w/.-])(?:lint|eslint|oxlint|biome|ruff|clippy|flake8|prettier|fmt|format)(?![\w/.])/i,
      ledger,
    ),
  types: (_claim, { ledger }) =>
    judgeTool(
      /(?<![\w/.-])(?:type-?check|types|tsc|mypy|pyright|cargo (?:check|build|test)|go (?:build|vet|test))(?![\w/.])/i,
      ledger,
    ),
  build: (_claim, { ledger }) =>
    judgeTool(
      /(?<![\w/.-])(?:build|compile|tsc|webpack|rollup|esbuild|bundle|make|gradlew?|mvn|rustc|javac)(?![\w/.])/i,
      ledger,
    ),
  ran: ({ words }, { ledger }) => {
    if (ledger.commands.length === 0) return unknown("no command was run");
    return /\b(?:tests?|suite)\b/i.test(words) && !mayHaveTested(ledger)
      ? unknown("no test run is recorded")
      : done("commands are recorded");
  },
  output: judgeOutput,
  coverage: ({ words }, { ledger }) =>
    numbersIn(words).every((number) => ledger.commands.some(({ output }) => shows(output, number)))
      ? executed("a recorded output has this number")
      : unknown("no recorded output has this number"),
  manual: () => unknown("there is nothing to compare it with"),
  delivery: judgeDelivery,
  absence: judgeAbsence,
  search: ({ code }, { ledger }) => {
    const names = code.filter((one) => /^[\w$.-]+$/.test(one));
    return names.length === 0
      ? undefined
      : names.every((name) => ledger.searched(name))
        ? done("the search is recorded")
        : unknown("no search for it is recorded");
  },
  count: judgeCount,
  reading: judgeReading,
  length: judgeLength,
  undoing: ({ code }, { repo, evidence: { diff } }) => {
    const paths = pathsIn(code, repo);
    if (!diff || paths.length === 0) return undefined;
    return paths.some((path) => isChanged(diff, path))
      ? unknown(`${paths.find((path) => isChanged(diff, path))} is not as it was before the run`)
      : done("it is as it was before the run");
  },
  change: judgeChange,
  printed: judgePrinted,
};

/** It was done; that proves nothing about what else the sentence says. */
const done = (reason: string): ActionJudgement => ({ verdict: "verified", grade: "E1", reason });

/** Words that may be read otherwise accuse nobody. */
function softened(judged: ActionJudgement): ActionJudgement {
  return judged.verdict === "verified" ? judged : unknown(judged.reason);
}

const short = (command: string): string => `\`${command.slice(0, 80)}\``;

/** A check by the tool that its name belongs to: the last proven run decides where they agree; runs that only ever failed refute the words. */
function judgeTool(tool: RegExp, ledger: Ledger): ActionJudgement {
  const runs = ledger.commands.flatMap((run) =>
    linksOf(run.command)
      .filter(({ text }) => tool.test(text) && !printers.test(text))
      .map(({ proven }) => ({ run, proven })),
  );
  const proven = runs.filter((one) => one.proven && one.run.exitCode !== null);
  const last = proven.at(-1)?.run;
  if (!last)
    return unknown(
      runs.length === 0
        ? "no run of such a check is recorded"
        : `recorded: ${short(runs.at(-1)!.run.command)}; its exit code proves nothing about it`,
    );
  if (proven.every(({ run }) => run.exitCode !== 0))
    return contradicted(
      "altered",
      `recorded: ${short(last.command)} ended with exit code ${last.exitCode}`,
    );
  if (last.exitCode !== 0)
    return unknown(
      `recorded: ${short(last.command)} ended with exit code ${last.exitCode} at last`,
    );
  const edit = ledger.edits.find(({ order, path }) => order > last.order && isCovered(path));
  return edit
    ? unknown(
        `recorded: ${short(last.command)} ended with exit code 0, but ${edit.path} was changed after that run`,
      )
    : executed(`recorded: ${short(last.command)} ended with exit code 0`);
}

const numbersIn = (text: string): string[] => text.match(/\d+(?:[.,]\d+)*/g) ?? [];
/** A digit inside a hash is no figure. */
const shows = (output: string, number: string): boolean =>
  new RegExp(`(?<![\\w.])${number.replace(/[.,]/g, "[.,]?")}(?![a-z]{0,40}\\d|\\.\\d)`).test(
    output,
  );
const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();

/** A command that ran, and figures and words that it printed. What an agent computed from them is not found, and not accused. */
function judgeOutput(
  { words, code }: SpokenClaim,
  { ledger, repo }: SpokenSetting,
): ActionJudgement | undefined {
  const commands = code.filter(isCommand);
  const runs =
    commands.length === 0
      ? ledger.commands
      : commands.flatMap((command) => ledger.ran(command).map(({ run }) => run));
  if (commands.some((command) => ledger.ran(command).length === 0))
    return unknown(
      `no run of ${short(commands.find((command) => ledger.ran(command).length === 0)!)} is recorded`,
    );
  const quoted = code.filter(
    (one) => !isCommand(one) && !repo.isListed(one) && repo.kindOf(one) === "none",
  );
  const figures = numbersIn(words.replace(/\bexit(?:s|ed)?\s+(?:with\s+)?(?:code\s+)?\d+/gi, ""));
  const absent =
    quoted.find((text) => !runs.some(({ output }) => squeezed(output).includes(squeezed(text)))) ??
    figures.find((number) => !runs.some(({ output }) => shows(output, number)));
  if (absent !== undefined)
    return unknown(`its recorded output does not show ${absent.slice(0, 80)}`);
  return figures.length + quoted.length > 0
    ? executed("the recorded output shows it")
    : done("the run is recorded");
}

function judgeDelivery({ words, code }: SpokenClaim, { ledger }: SpokenSetting): ActionJudgement {
  const deeds =
    words.match(/commit|push|merge|tag|deploy|publish/gi)?.map((word) => word.toLowerCase()) ?? [];
  const silent = deeds.find(
    (deed) =>
      !ledger.commands.some(
        (run) =>
          run.exitCode === 0 &&
          linksOf(run.command).some(({ text }) => new RegExp(`\\b${deed}\\b`, "i").test(text)),
      ),
  );
  if (silent !== undefined) return unknown(`no successful ${silent} is recorded`);
  const hashes = [...code, ...words.split(/[^\w]+/)].filter((one) =>
    /^(?=[a-f]*\d)[0-9a-f]{7,40}$/.test(one),
  );
  const strange = hashes.find(
    (hash) => !ledger.commands.some(({ output }) => output.includes(hash.slice(0, 7))),
  );
  return strange === undefined
    ? executed("the command is recorded with exit code 0")
    : unknown(`no recorded output shows ${strange}`);
}

const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*(?:\(\))?$/.test(text);
const marks = /\b(?:TODO|FIXME|HACK)/g;

function judgeAbsence(
  { words, code }: SpokenClaim,
  { repo }: SpokenSetting,
): ActionJudgement | undefined {
  const names = [
    ...code.filter(isName).map((name) => name.replace("()", "")),
    ...(words.match(marks) ?? []),
  ].slice(0, 5);
  const paths = pathsIn(code, repo);
  const none = /\b(?:no|zero|0)\s+(?:hits?|matches|results?|TODO|FIXME|HACK)/i.test(words);
  for (const name of names) {
    const files = repo.filesWith(name);
    const strange = files.filter(({ path }) => !paths.includes(path));
    // One line of one file may be its definition; what more there is would have to be understood.
    const allowed = none || paths.length > 0 ? 0 : 1;
    if (strange.length > allowed)
      return unknown(
        `\`${name}\` stands in ${strange
          .slice(0, 3)
          .map(({ path }) => path)
          .join(", ")}`,
      );
    if (strange.some((file) => file.linesWith(name).length > 1))
      return unknown(`\`${name}\` stands on several lines of ${strange[0]!.path}`);
  }
  if (/\d/.test(words.replace(/\b0\b/, "")))
    return unknown("how often it stands where is not compared");
  return names.length === 0
    ? undefined
    : { verdict: "verified", grade: "E2", reason: `\`${names[0]}\` stands nowhere else` };
}

function judgeCount(
  { words, code }: SpokenClaim,
  { repo }: SpokenSetting,
): ActionJudgement | undefined {
  const name = code.find(isName)?.replace("()", "");
  const found = /\b(\d{1,5})\s+(files|\w+)/i.exec(words);
  if (name === undefined || !found) return undefined;
  const files = repo.filesWith(name);
  const lines = files.reduce((sum, file) => sum + file.linesWith(name).length, 0);
  const defined = repo.definedAt(name).length;
  const count = /^files$/i.test(found[2]!) ? files.length : lines;
  if (Number(found[1]) === count || Number(found[1]) === count - defined)
    return {
      verdict: "verified",
      grade: "E2",
      reason: `\`${name}\` stands on ${lines} lines in ${files.length} files`,
    };
  return unknown(`\`${name}\` stands on ${lines} lines in ${files.length} files`);
}

const pathsIn = (code: readonly string[], repo: Repository): string[] =>
  code
    .map((one) => one.replace(/^\.\//, "").replace(/:\d[\d:,-]*$/, ""))
    .filter((one) => repo.isListed(one));

function judgeReading(
  { words, code }: SpokenClaim,
  { ledger, repo }: SpokenSetting,
): ActionJudgement | undefined {
  const folders = code
    .filter((one) => repo.kindOf(one.replace(/\/$/, "")) === "directory")
    .map((one) => `${one.replace(/\/$/, "")}/`);
  const listed = [
    ...pathsIn(code, repo),
    ...(folders.length === 0
      ? []
      : repo.reader
          .list()
          .paths.filter((path) => folders.some((folder) => path.startsWith(folder)))),
  ];
  const seen = new Set(ledger.seenPaths);
  const unseen = listed.find((path) => !seen.has(path));
  if (listed.length === 0) return undefined;
  if (unseen !== undefined) return unknown(`no tool showed ${unseen}`);
  const whole =
    /\b(?:whole|entire|full|fully|completely|every\s+line|all\s+(?:of\s+the\s+)?lines|vollständig|komplett|ganze[nrs]?)\b/i.test(
      words,
    );
  const partly = whole ? listed.find((path) => !isShownWhole(path, ledger, repo)) : undefined;
  return partly === undefined
    ? done("the record shows it")
    : unknown(`${partly} was shown in parts only`);
}

function isShownWhole(path: string, ledger: Ledger, repo: Repository): boolean {
  const state = repo.open(path);
  if (!state.ok) return false;
  const { file } = state;
  return Array.from({ length: file.lineCount }, (_, index) => file.line(index + 1)).every(
    (text) => text.trim() === "" || ledger.showed(path, text),
  );
}

function judgeLength(
  { words, code }: SpokenClaim,
  { repo }: SpokenSetting,
): ActionJudgement | undefined {
  const [path] = pathsIn(code, repo);
  const state = path === undefined ? undefined : repo.open(path);
  if (!state?.ok || pathsIn(code, repo).length > 1) return undefined;
  const said = Number(/(\d{1,7})\s+(?:lines|Zeilen)/i.exec(words)![1]);
  const { lineCount } = state.file;
  // A last line end may or may not be counted as a line.
  if (Math.abs(said - lineCount) <= 1)
    return { verdict: "verified", grade: "E2", reason: `${path} has ${lineCount} lines` };
  return contradicted("altered", `${path} has ${lineCount} lines`);
}

const isChanged = ({ created, modified, deleted }: SnapshotDiff, path: string): boolean =>
  created.includes(path) || modified.includes(path) || deleted.includes(path);

/** A run that wrote nothing, ran nothing and left the tree as it was did not change anything. */
function judgeChange(
  { words, code, isPlain }: SpokenClaim,
  { ledger, repo, evidence }: SpokenSetting,
): ActionJudgement | undefined {
  const { diff } = evidence;
  if (!diff?.complete || evidence.readOnly) return undefined;
  const names = code.map((one) => one.replace(/^\.\//, "").replace(/:\d[\d:,-]*$/, ""));
  const changed = names.filter((path) => isChanged(diff, path));
  const absent =
    changed.length === 0
      ? undefined
      : newWords({ words, code }).find((text) => !changed.some((path) => holds(repo, path, text)));
  if (absent !== undefined) return unknown(`${changed[0]} does not hold ${absent.slice(0, 80)}`);
  if (changed.length > 0)
    return { verdict: "verified", grade: "E2", reason: `${changed[0]} changed in this run` };
  const paths = pathsIn(code, repo);
  const idle = diff.created.length + diff.modified.length + diff.deleted.length === 0;
  if (
    idle &&
    isPlain &&
    paths.length > 0 &&
    ledger.commands.length + ledger.delegations + ledger.earlierCalls === 0
  )
    return contradicted("altered", "nothing was changed in this run");
  if (paths.length > 0) return unknown(`${paths[0]} did not change in this run`);
  return idle && ledger.earlierCalls === 0
    ? unknown("no file of the tree changed in this run")
    : undefined;
}

/** What stands there now, by the sentence's own words: "replaced § with §". */
function newWords({ words, code }: Pick<SpokenClaim, "words" | "code">): string[] {
  const before = /^[^§]*§[^§]{0,20}\s(?:with|by|to|durch)\s+§/.exec(words)?.[0];
  return before === undefined ? [] : code.slice(1, 2);
}

function holds(repo: Repository, path: string, text: string): boolean {
  const state = repo.open(path);
  return (
    path === text ||
    !state.ok ||
    Array.from({ length: state.file.lineCount }, (_, index) => state.file.line(index + 1)).some(
      (line) => squeezed(line).includes(squeezed(text)),
    )
  );
}

/** Lines said to have been printed, against what was. The same line with other figures is no misunderstanding. */
function judgePrinted(
  { words: command, code: lines }: SpokenClaim,
  { ledger }: SpokenSetting,
): ActionJudgement | undefined {
  const runs: readonly CommandRun[] =
    command === "" ? ledger.commands : ledger.ran(command).map(({ run }) => run);
  if (runs.length === 0)
    return command === "" ? undefined : unknown(`no run of ${short(command)} is recorded`);
  const plain = (text: string): string =>
    squeezed(
      text.replace(
        /[✓✔√✗✖×●•*]|^(?:not )?ok \d+ -|\(\d+(?:\.\d+)?\s*m?s\)|\d+(?:\.\d+)?\s*ms\b/g,
        " ",
      ),
    );
  const outputs = runs.map(({ output }) => plain(output));
  const missing = lines.find(
    (line) => plain(line) !== "" && !outputs.some((output) => output.includes(plain(line))),
  );
  if (missing === undefined) return executed("the recorded output has these lines");
  const shape = (text: string): string => plain(text).replace(/\d+/g, "0");
  const like =
    command === "" || !/\d/.test(missing)
      ? undefined
      : runs
          .flatMap(({ output }) => output.split("\n"))
          .find((line) => plain(line) !== "" && shape(line) === shape(missing));
  if (
    like !== undefined &&
    !/^\W*\d+\W*$/.test(plain(missing)) &&
    runs.every(({ output }) => !output.includes("\n…\n"))
  )
    return contradicted("altered", `recorded: ${plain(like).slice(0, 200)}`);
  return unknown(`no recorded output has the line ${missing.slice(0, 80)}`);
}
