// Which words, names and figures of a clause stand on record: in commands, in what they printed, in the
// texts that were written and in the paths of the tree.
import type { ResultSetting } from "../gap-of.ts";
import { stemsOf } from "../record/may-be-its-run.ts";
import { tellingWords } from "../results/echo-of.ts";
import { carried } from "../runs/arguments-of.ts";
import { isInline, noRun } from "../runs/no-run.ts";
import { programsOf } from "../runs/programs-of.ts";
import type { Clause } from "../words/statements.ts";
import type { Ledger } from "../../evidence/ledger.ts";

/**
 * `ran`: programs that did something, and `shown`: what they printed too; those that only look or print prove nothing.
 * `all`: every command, output and file that was written. In small letters.
 */
type RecordWords = { ran: string; shown: string; all: string; stems: ReadonlySet<string> };

const longestOutput = 20_000;
const mostFiles = 50;
const known = new WeakMap<Ledger, RecordWords>();

/** One record is asked about many clauses. */
export function recordWords({ ledger, project }: ResultSetting): RecordWords {
  const found = known.get(ledger);
  if (found) return found;
  const runs = [...ledger.commands, ...ledger.toolRuns].map((run) => ({
    text: `${run.command.slice(0, longestOutput)}\n${run.output.slice(-longestOutput)}`,
    ran: run.tool === "Bash" ? didOf(run.command) : run.command,
  }));
  const doing = runs.filter(({ ran }) => ran !== "");
  const shown = doing.map(({ text }) => text).join("\n");
  const edited = [...new Set(ledger.edits.map(({ path }) => path))].slice(0, mostFiles);
  const texts = edited.map((path) => (project.read(path) ?? "").slice(0, longestOutput));
  const paths = [...project.paths().slice(0, 5_000), ...edited];
  const words = {
    ran: doing
      .map(({ ran }) => ran)
      .join("\n")
      .toLowerCase(),
    shown: shown.toLowerCase(),
    all: squeezed([...runs.map(({ text }) => text), ...texts, ...paths].join("\n")),
    stems: stemsOf(shown),
  };
  known.set(ledger, words);
  return words;
}

/** The programs of a command that neither look, nor print, nor are written on its line. */
const didOf = (command: string): string =>
  programsOf(command, "/")
    .filter(({ argv }) => !noRun(carried(argv, () => false) ?? argv) && !isInline(argv))
    .map(({ argv }) => argv.map((word) => word ?? "*").join(" "))
    .join("\n");

/** From 0 to 1: how many telling words of what failed last the rest of the message has. */
export function echoedShare(report: string, { ledger }: ResultSetting): number {
  const failed = ledger.commands.findLast(({ exitCode }) => exitCode !== null && exitCode !== 0);
  if (!failed) return 0;
  const told = tellingWords(report);
  const own = [...tellingWords(failed.output.slice(-2_000))].filter(
    (word) => !failed.command.toLowerCase().includes(word),
  );
  return Math.min(1, own.filter((word) => told.has(word)).length / 4);
}

/** "AddressSanitizer" and "address-sanitizer" are one. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[-_\s.]/g, "");

/** Neither a command, nor an output, nor a file that was written has it. */
export const isUntraced = (name: string, setting: ResultSetting): boolean =>
  !recordWords(setting).all.includes(squeezed(name));

/** Names that are written large inside a clause, and code of one word, which nothing on record has. */
export function untracedNames({ words, code }: Clause, setting: ResultSetting): string[] {
  // German writes every noun large.
  const names = german.test(words) ? [] : words.matchAll(large);
  return [
    ...[...names].map(([one]) => one),
    ...code.filter((one) => /^[\w@./+-]{3,40}$/.test(one)),
  ].filter((name) => isUntraced(name, setting));
}
const large = /(?<=[\p{L}§¤,;] )\p{Lu}[\p{L}\d+#-]{2,}/gu;
const german = /[äöüß]|\b(?:und|der|die|das|ist|sind|bei|mit|auf|wird|wurde|nicht|ohne|im|zum)\b/i;

/** From 0 to 1, and null where it has none: how many of its telling words the record has. */
export function tracedShare(text: string, setting: ResultSetting): number | null {
  const own = [...stemsOf(text)];
  const { stems } = recordWords(setting);
  return own.length === 0 ? null : own.filter((one) => stems.has(one)).length / own.length;
}

/** The same of its figures of two digits and more. */
export function figureShare(text: string, setting: ResultSetting): number | null {
  const own = text.match(/\d{2,}(?:[.,]\d+)?/g) ?? [];
  const { shown } = recordWords(setting);
  return own.length === 0 ? null : own.filter((one) => shown.includes(one)).length / own.length;
}
