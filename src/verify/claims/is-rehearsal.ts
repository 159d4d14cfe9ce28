// Whether a sentence tells a rehearsal of a delivery as one, or describes a state that nobody delivered.
import type { Ledger } from "../evidence/ledger.ts";
import type { Record } from "./runs/recorded-runs.ts";
import { knownTools } from "./runs/tables/known-tools.ts";
import type { ResultClaim } from "./words/find-result-claims.ts";
import type { ResultSubject } from "./result-subject.ts";

/** What is told as a dry run was delivered to nobody, and nobody says so. */
const rehearsal =
  /\bdry[- ]?runs?\b|--dry-?run|\bpreview(?:ed)? (?:only|the (?:changes|plan))\b|\bsimulat/i;

/** A plan, a dry run, a check mode: told as what they are, in words or by their options. */
export const tellsRehearsal = ({
  words,
  code,
}: {
  words: string;
  code: readonly string[];
}): boolean => rehearsed.test([words, ...code].join(" "));
const rehearsed =
  /\b(?:plan|planned|dry[- ]?runs?|check[- ]?mode)\b|\bto (?:add|change|destroy)\b|--(?:check|plan|dry-?run)\b/i;

export const isRehearsal = ({ subject, sentence }: ResultClaim): boolean =>
  delivered.has(subject) && sentence.search(rehearsal) >= 0;

const everyday = new Set([
  "git",
  "gh",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "mix",
  "dotnet",
  "gradle",
  "mvn",
  "ssh",
  "docker",
  "cargo",
]);
const delivered: ReadonlySet<ResultSubject> = new Set(["deploy", "publish", "merge", "migration"]);

const deliverers = new RegExp(
  `(?:^|[\\s;&|/])(?:${[
    ...new Set(
      knownTools
        .filter(({ subjects }) => delivered.has(subjects[0]!))
        .flatMap(({ calls }) => calls.map((call) => call.split(" ")[0]!)),
    ),
  ]
    .filter((program) => /^[\w-]+$/.test(program) && !everyday.has(program))
    .join("|")})\\s`,
);

/** "The service is deployed on Fly" in a run that changed nothing tells how things stand. */
export const isState = (
  { subject, words }: ResultClaim,
  { ledger, record }: { ledger: Ledger; record: Record },
): boolean =>
  delivered.has(subject) &&
  ledger.edits.length === 0 &&
  !record.recognitions.some(({ recognition }) => recognition.rehearsed.includes(subject)) &&
  !ledger.commands.some(({ command }) => deliverers.test(command)) &&
  !/\b(?:I|we|just|successfully)\b|^(?:re-?)?(?:deployed|published|released|ran|applied)/i.test(
    words,
  ) &&
  !record.recognitions.some(({ recognition }) => recognition.mayWrite);
