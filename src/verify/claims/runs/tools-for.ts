// Which rows of the table of known tools a command line fits, and which rows of the project's owner: the
// setting `retinue.verify.runners` names commands that no table knows.
import { argumentsOf, type Words } from "./arguments-of.ts";
import { knownTools, type KnownTool } from "./tables/known-tools.ts";
import { programsOf, type Program } from "./programs-of.ts";
import type { ResultSubject } from "../result-subject.ts";

const delivers: ReadonlySet<ResultSubject> = new Set([
  "deploy",
  "publish",
  "push",
  "merge",
  "commit",
  "migration",
]);

/** Rows of the table that fit; the longest call wins within a subject. */
export function toolsFor(argv: Program["argv"]): KnownTool[] {
  const found = knownTools.flatMap((tool) => {
    const fits = tool.calls.filter((call) => isCall(call, argv) && !isOtherCall(tool, call, argv));
    return fits.length === 0
      ? []
      : [{ tool, length: Math.max(...fits.map((call) => call.split(" ").length)) }];
  });
  const longest = Math.max(0, ...found.map(({ length }) => length));
  return found.filter(({ length }) => length === longest).map(({ tool }) => tool);
}

/** `vercel` delivers, `vercel build` does not: another word of such a program is another deed. */
const isOtherCall = ({ subjects }: KnownTool, call: string, argv: Program["argv"]): boolean =>
  delivers.has(subjects[0]!) &&
  !call.includes(" ") &&
  hasSubcommands.has(call) &&
  /^[a-z][a-z:-]*$/.test(argumentsOf(argv.slice(1))[0] ?? "");

const hasSubcommands = new Set(
  knownTools.flatMap(({ calls }) =>
    calls.flatMap((call) => (/ [a-z]/.test(call) ? [call.split(" ")[0]!] : [])),
  ),
);

function isCall(call: string, argv: Program["argv"]): boolean {
  const [program, ...words] = call.split(" ");
  if (argv[0] !== program) return false;
  const args = argumentsOf(argv.slice(1)).map((word) =>
    word.replace(/^:?(?:[\w-]+:)+(?=\w)/, (lead) => (program === "gradle" ? "" : lead)),
  );
  const plain = words.filter((word) => !word.startsWith("-"));
  return (
    words
      .filter((word) => word.startsWith("-"))
      .every((word) => argv.some((one) => one === word || one?.startsWith(`${word}=`))) &&
    (program === "gradle" || program === "mvn" || program === "xcodebuild"
      ? plain.every((word) => args.some((arg) => isWord(word, arg)))
      : plain.every((word, index) => isWord(word, args[index])))
  );
}

const isWord = (pattern: string, word: string | undefined): boolean =>
  word !== undefined &&
  (pattern.includes("*")
    ? new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "i").test(word)
    : pattern === word);

/** `command`: a program with its first words, or the tool of another server. */
export type NamedRunner = { command: string; subject: ResultSubject };

/** What the owner says that a program shows; nothing where no runner is named so. */
export function namedSubjects(
  { argv, called }: { argv: Words; called: string },
  runners: readonly NamedRunner[],
): ResultSubject[] {
  return runners.filter((runner) => begins(runner, { argv, called })).map(({ subject }) => subject);
}

function begins(
  { command }: NamedRunner,
  { argv, called }: { argv: Words; called: string },
): boolean {
  const named = wordsOf(command);
  const isSame =
    // A path names one file, a bare name the program of that name.
    named.called.includes("/") || called.includes("/")
      ? bare(named.called) === bare(called)
      : named.argv[0] === argv[0];
  return isSame && named.argv.slice(1).every((word, index) => word === argv[index + 1]);
}

const bare = (path: string): string => path.replace(/^(?:\.\/)+/, "");

const known = new Map<string, { argv: Words; called: string }>();

function wordsOf(command: string): { argv: Words; called: string } {
  const found = known.get(command) ??
    programsOf(command, "/")[0] ?? { argv: [command], called: command };
  known.set(command, found);
  return found;
}

/** A runner that the run itself wrote shows what the run wants it to show. */
export const unwritten = (
  runners: readonly NamedRunner[],
  edited: readonly string[],
): NamedRunner[] =>
  runners.filter(
    ({ command }) =>
      !command.split(" ").some((word) => edited.some((path) => isPath(bare(word), path))),
  );

const isPath = (word: string, path: string): boolean =>
  path === word || path.endsWith(`/${word.replace(/^\/+/, "")}`);
