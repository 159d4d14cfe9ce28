// What a message says that a command printed: a fence below a prompt, a figure beside a command. What
// the record shows is verified; the same line with other figures is no misunderstanding.
import type { CommandRun } from "../evidence/command-runs.ts";
import type { Ledger } from "../evidence/ledger.ts";
import type { Repository } from "../../source/repository.ts";
import { isCommandText } from "./command-claims.ts";
import {
  contradicted,
  executed,
  inDoubt,
  onRecord,
  unsupported,
  type ClaimJudgement,
} from "./judgement.ts";
import { readTestOutput } from "./runs/read-test-output.ts";
import { isAside } from "./words/is-asserted.ts";
import { anyPhrase } from "./words/phrase.ts";
import { statementsOf, type Clause, type Statement } from "./words/statements.ts";

/** `lines` of a fence, or the figures and quotations of a sentence. */
export type PrintedClaim = {
  kind: "printed";
  span: [number, number];
  command: string | null;
  lines: string[];
  isFence: boolean;
};

export function findPrintedClaims(text: string): PrintedClaim[] {
  return statementsOf(text)
    .filter(({ kind, words }) => kind === "fence" || words.includes("§"))
    .filter((statement) => !isAside(statement))
    .flatMap((statement) =>
      statement.kind === "fence"
        ? fenceClaims(statement)
        : statement.clauses.flatMap((clause) => sentenceClaims(clause)),
    )
    .slice(0, 100);
}

function fenceClaims({ parts, span }: Statement): PrintedClaim[] {
  const prompt = parts.findIndex((line) => /^\s*[$❯]\s+\S/.test(line));
  const command = prompt < 0 ? null : parts[prompt]!.replace(/^\s*[$❯]\s+/, "").trim();
  const lines = parts
    .slice(prompt + 1)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:[$❯]\s|\.{3}|…|#)/.test(line));
  if (command === null ? readTestOutput(parts.join("\n")) === null : !isCommandText(command))
    return [];
  // A runner's summary is told in many forms; the names of its tests are not.
  const told = command === null ? lines.filter((line) => testLine.test(line)) : lines;
  return told.length === 0
    ? []
    : [{ kind: "printed", span, command, lines: told.slice(0, 200), isFence: true }];
}

const testLine = /^(?:[✓✔√✗✖]|(?:not )?ok \d+ -|--- (?:PASS|FAIL):)/;
const says = anyPhrase([
  "§[^§]{0,60}(?:print(?:s|ed)|output|reports?|reported|shows?|showed|says|said|took|returned|gave|logged)",
  "(?:printed|logged):?\\s*§",
]);

function sentenceClaims({ words, code, span }: Clause): PrintedClaim[] {
  if (words.search(says) < 0) return [];
  const command = code.find(isCommandText) ?? null;
  if (command === null && !/(?:printed|logged):?\s*§/i.test(words)) return [];
  const quoted = code.filter((one) => one !== command && !isCommandText(one));
  const figures = words.match(/\d+(?:[.,]\d+)*/g) ?? [];
  const lines = [...quoted, ...figures];
  return lines.length === 0 ? [] : [{ kind: "printed", span, command, lines, isFence: false }];
}

const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();
/** A digit inside a hash is no figure. */
const shows = (output: string, text: string): boolean =>
  /^\d+(?:[.,]\d+)*$/.test(text)
    ? new RegExp(`(?<![\\w.])${text.replace(/[.,]/g, "[.,]?")}(?![a-z]{0,40}\\d|\\.\\d)`).test(
        output,
      )
    : squeezed(output).includes(squeezed(text));

export function judgePrinted(
  claim: PrintedClaim,
  { ledger, repo }: { ledger: Ledger; repo: Repository },
): ClaimJudgement | undefined {
  const { command, lines } = claim;
  const runs = command === null ? ledger.commands : ledger.ran(command).map(({ run }) => run);
  if (runs.length === 0)
    return command === null
      ? undefined
      : notPrinted(`no run of \`${command.slice(0, 80)}\` is recorded`);
  if (claim.isFence) return judgeFence(claim, runs);
  const own = lines.filter((line) => !repo.isListed(line) && repo.kindOf(line) === "none");
  const absent = own.find((line) => !runs.some(({ output }) => shows(output, line)));
  if (absent !== undefined)
    return notPrinted(`its recorded output does not show ${absent.slice(0, 80)}`);
  return own.length > 0
    ? executed("the recorded output shows it")
    : onRecord("the run is recorded");
}

function judgeFence({ lines, command }: PrintedClaim, runs: readonly CommandRun[]): ClaimJudgement {
  const marks = /[✓✔√✗✖×●•*]|^(?:not )?ok \d+ -|\(\d+(?:\.\d+)?\s*m?s\)|\d+(?:\.\d+)?\s*ms\b/g;
  const plain = (text: string): string => squeezed(text.replace(marks, " "));
  const outputs = runs.map(({ output }) => plain(output));
  const missing = lines.find(
    (line) => plain(line) !== "" && !outputs.some((output) => output.includes(plain(line))),
  );
  if (missing === undefined) return executed("the recorded output has these lines");
  const shape = (text: string): string => plain(text).replace(/\d+/g, "0");
  const isTelling = command !== null && /\d/.test(missing) && !/^\W*\d+\W*$/.test(plain(missing));
  const like = isTelling
    ? runs
        .flatMap(({ output }) => output.split("\n"))
        .find((line) => plain(line) !== "" && shape(line) === shape(missing))
    : undefined;
  return like !== undefined && runs.every(({ output }) => !output.includes("\n…\n"))
    ? contradicted(`recorded: ${plain(like).slice(0, 200)}`)
    : notPrinted(`no recorded output has the line ${missing.slice(0, 80)}`);
}

/** It may have been put in other words. */
const notPrinted = (reason: string): ClaimJudgement =>
  inDoubt("not printed", reason, unsupported(reason));
