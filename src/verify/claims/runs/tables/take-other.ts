// Programs that no row of the table knows: what their name, their first words and the way they are called
// say about what they may have done.
import { posix } from "node:path";
import { argumentsOf } from "../arguments-of.ts";
import { isCall, isInline } from "../no-run.ts";
import { modulesOf } from "../scope/parts-of.ts";
import type { Program } from "../programs-of.ts";
import type { Recognised, Recognition } from "./recognition.ts";
import { knownTools } from "./known-tools.ts";
import { handlingPrograms, ordinaryPrograms, otherPrograms } from "./other-programs.ts";
import { checkAllNames, scriptNames } from "./script-names.ts";
import { takeWrites } from "./take-writes.ts";

export function takeUnknown(name: string, found: Recognition, isOpaque: boolean): void {
  found.unknown ??= name.slice(0, 80);
  found.isOpaque ||= isOpaque;
}

/** A program that no row knows: only its name and its output say what it did. */
export function takeOther(program: Program, folder: string, found: Recognition): void {
  const { argv, proof } = program;
  takeWrites(argv, found);
  if (handlingPrograms.has(argv[0]!)) return;
  const first = targetOf(argv) ?? argumentsOf(argv.slice(1))[0];
  if (runners.test(argv[0]!) && namesCheck(first)) {
    found.executes = true;
    return void found.runs.push(
      byName(first!, {
        proof,
        folder,
        parts: [...(targetOf(argv) ? [] : [first!]), ...modulesOf(argv)],
      }),
    );
  }
  if (isKnownOther(argv[0]!) && !ordinaryPrograms.has(argv[0]!)) {
    // `nix flake check`: a known program's word for a check that no row has.
    if (otherPrograms.has(argv[0]!) || !firstWords(argv).some(namesAnyCheck)) return;
    found.executes = true;
    return takeUnknown(spelled(argv), found, false);
  }
  found.executes = found.runsOther = true;
  if (isCall(argv)) return takeUnknown(spelled(argv), found, false);
  takeStrange(program, { first, folder }, found);
}

function takeStrange(
  { argv, called, proof }: Program,
  { first, folder }: { first: string | undefined; folder: string },
  found: Recognition,
): void {
  const isOrdinary = ordinaryPrograms.has(argv[0]!);
  if (isInline(argv) || (isOrdinary && !namesCheck(first))) return;
  if (isOrdinary && first !== undefined)
    return void found.runs.push(byName(first, { proof, folder, parts: [first] }));
  const isOpaque = /[/\\]|\.\w+$/.test(called) || runners.test(argv[0]!);
  takeUnknown(spelled(argv), found, isOpaque);
}

const firstWords = (argv: Program["argv"]): string[] => argumentsOf(argv.slice(1)).slice(0, 3);

const spelled = (argv: Program["argv"]): string => argv.filter((word) => word !== null).join(" ");

/** `nx run-many -t lint`: the target is what runs. */
const targetOf = (argv: Program["argv"]): string | undefined => {
  if (argv[0] !== "nx") return undefined;
  const at = argv.findIndex((word) => word !== null && /^(?:-t|--targets?)(?:=|$)/.test(word));
  return at < 0 ? undefined : (argv[at]!.split("=")[1] ?? argv[at + 1] ?? undefined);
};

/** Programs of the table: what they do besides is known not to be that. */
export const tablePrograms = new Set(
  knownTools.flatMap(({ calls }) => calls.map((call) => call.split(" ")[0]!)),
);
/** Programs that run tasks of any name: an unknown task may be anything. */
const runners =
  /^(?:gradle|mvn|rake|mix|nx|turbo|lerna|tox|nox|bazel|buck2|sbt|lein|ant|hatch|pre-commit)$/;
const isKnownOther = (program: string): boolean =>
  (tablePrograms.has(program) && !runners.test(program)) || otherPrograms.has(program);
const namesCheck = (file: string | undefined): boolean =>
  file !== undefined && scriptNames.some(([name]) => name.test(posix.basename(file)));

const namesAnyCheck = (word: string): boolean => namesCheck(word) || checkAllNames.test(word);

export function byName(
  name: string,
  rest: Pick<Recognised, "proof" | "folder" | "parts">,
): Recognised {
  const subjects = scriptNames
    .filter(([pattern]) => pattern.test(posix.basename(name)))
    .map(([, subject]) => subject);
  return { subjects, ecosystem: "any", fixes: false, mayBeEmpty: false, ...rest };
}
