// The talk about a handoff's answer that was given as data: its quotations become places with lines,
// and the whole is judged like any other answer before it is accepted.
import { limits } from "../../base/limits.ts";
import { readHandoffInput, type HandoffInput } from "../../contract/report-tool/handoff-input.ts";
import { inLine } from "../../contract/report-tool/marked-text.ts";
import type { ReportProblem } from "../../contract/report-tool/report-input.ts";
import { assessHandoff } from "../assess-handoff.ts";
import type { Assessment, Withdrawn } from "../assessment.ts";
import { fileEvidence } from "../collect-checks.ts";
import { Repository } from "../../source/repository.ts";
import { isLookedUp, type LookedUp, type Lookup } from "./lookup.ts";
import { placeReferences } from "./place-findings.ts";
import { placesOf, type ReportPlace, type ReportWorld } from "./submit-report.ts";

export type SubmittedHandoff =
  | { ok: true; text: string; assessment: Assessment; places: ReportPlace[] }
  | { ok: false; problems: ReportProblem[] };

export type HandoffTalk = {
  submit(input: unknown, world: ReportWorld): Promise<SubmittedHandoff>;
};

/** One for each run, as for a report. */
export function openHandoffTalk(): HandoffTalk {
  let sentBack = 0;
  const asked = new Set<string>();
  return {
    async submit(input, world) {
      const isFinal = sentBack >= limits.report.corrections;
      const answer = await judge(input, world, { isFinal, asked });
      if (!answer.ok) sentBack += 1;
      return answer;
    },
  };
}

async function judge(
  input: unknown,
  world: ReportWorld,
  { isFinal, asked }: { isFinal: boolean; asked: Set<string> },
): Promise<SubmittedHandoff> {
  const read = readHandoffInput(input);
  if (!read.ok) return read;
  const { handoff } = read;
  const repo = world.reader instanceof Repository ? world.reader : new Repository(world.reader);
  const lookups = placeReferences(
    { key_references: handoff.references },
    { repo, ledger: world.ledger, files: fileEvidence(world, repo) },
  );
  const problems = lookups.flatMap((lookup) =>
    isLookedUp(lookup)
      ? []
      : [
          {
            at: lookup.problem.at.replace("key_references", "references"),
            message: lookup.problem.message,
          },
        ],
  );
  if (problems.length > 0 && !isFinal) return { ok: false, problems };
  const text = JSON.stringify(responseOf(handoff, lookups), null, 2);
  const { agent: _agent, ...options } = world;
  const assessment = await assessHandoff(text, { ...options, reader: repo });
  const doubts = doubtsOf(assessment).filter(({ at, message }) => !asked.has(`${at} ${message}`));
  for (const { at, message } of doubts) asked.add(`${at} ${message}`);
  if (doubts.length > 0 && !isFinal) return { ok: false, problems: doubts };
  const withdrawn = lookups.flatMap((lookup, index): Withdrawn[] =>
    isLookedUp(lookup)
      ? []
      : [{ text: inLine(handoff.references[index]!.item), reason: lookup.problem.message }],
  );
  return {
    ok: true,
    text,
    assessment: { ...assessment, withdrawn, repair: null },
    places: placesOf("references", lookups.filter(isLookedUp)),
  };
}

/** The answer on the wire: references with the lines that were found. */
function responseOf(
  { references, findings, ...rest }: HandoffInput,
  lookups: readonly Lookup[],
): Record<string, unknown> {
  const placed = references.flatMap(({ item, relevance }, index) => {
    const lookup = lookups[index]!;
    return isLookedUp(lookup) ? [{ item, ...placeOf(lookup), relevance }] : [];
  });
  const isWhole = placed.length === references.length;
  return {
    ...rest,
    status: isWhole || rest.status !== "complete" ? rest.status : "partial",
    findings: { ...findings, ...(placed.length > 0 ? { references: placed } : {}) },
  };
}

const placeOf = ({ placed, lines }: LookedUp): Record<string, unknown> => ({
  path: placed.path,
  ...(lines === null
    ? {}
    : { line: lines[0] === lines[1] ? lines[0] : `${lines[0]}-${lines[1]}`, code: placed.excerpt }),
});

/** What the rest of the answer says and does not hold: asked back once. */
const doubtsOf = ({ repair }: Assessment): ReportProblem[] => [
  ...(repair?.problems ?? []).map((message) => ({ at: "the answer", message })),
  ...(repair?.rows ?? []).map(({ text, verdict, actual, nearest }) => ({
    at: "the answer",
    message: `"${inLine(text).slice(0, 120)}" does not hold (${verdict}): ${actual}; nearest: ${nearest}`,
  })),
];
