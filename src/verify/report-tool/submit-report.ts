// The talk about one report: every call is answered at once with what does not hold, and what an
// agent cannot put right within its corrections is withdrawn and told. What is accepted holds.
import { limits } from "../../base/limits.ts";
import { inLine } from "../../contract/report-tool/marked-text.ts";
import {
  readReportInput,
  type ReportInput,
  type ReportProblem,
} from "../../contract/report-tool/report-input.ts";
import { renderToolReport } from "../../contract/report-tool/render-tool-report.ts";
import { assessReport } from "../assess-report.ts";
import { checkGiven } from "../check-given.ts";
import { isOpen, type Assessment, type Withdrawn } from "../assessment.ts";
import { fileEvidence, type CheckOptions } from "../collect-checks.ts";
import { Repository } from "../../source/repository.ts";
import { knownChecks } from "./known-checks.ts";
import { isLookedUp, type LookedUp, type Lookup, type LookupProblem } from "./lookup.ts";
import { placeFindings, placeReferences } from "./place-findings.ts";

/** Where a computed reference stands, for programs: `entry` is `findings[0]` or the like. */
export type ReportPlace = {
  entry: string;
  path: string;
  lines: [number, number];
  hash: string;
};

export type AcceptedReport = {
  ok: true;
  /** The report in the contract's Markdown. */
  text: string;
  report: ReportInput;
  assessment: Assessment;
  places: ReportPlace[];
  withdrawn: Withdrawn[];
};

export type SubmittedReport =
  | AcceptedReport
  | { ok: false; is_readable: boolean; problems: ReportProblem[] };

export type ReportWorld = Omit<CheckOptions, "known"> & {
  /** Who reports; the title is made from it. */
  agent: string;
};

export type ReportTalk = {
  /** `isLast`: there will be no other call, so what does not hold is withdrawn now. */
  submit(input: unknown, world: ReportWorld, at?: { isLast: boolean }): Promise<SubmittedReport>;
};

/**
 * Checks a report that was written as data, once: what does not hold is named, and what holds comes
 * back as the contract's Markdown. A statement of absence that argues against its hits is kept.
 *
 * @example
 * const answer = await checkReportInput(JSON.parse(text), { reader: treeReader("."), agent: "me" });
 * console.log(answer.ok ? answer.text : answer.problems);
 */
export function checkReportInput(
  input: unknown,
  world: ReportWorld,
  { withdraw = false }: { /** Leaves out what does not hold. */ withdraw?: boolean } = {},
): Promise<SubmittedReport> {
  checkGiven("checkReportInput", "", world);
  return judge(input, world, { isFinal: withdraw, keepsArgued: true, asked: new Set() });
}

/** One for each run: it remembers how often it has sent a report back, and what it has asked. */
export function openReportTalk(): ReportTalk {
  let sentBack = 0;
  const asked = new Set<string>();
  return {
    async submit(input, world, { isLast } = { isLast: false }) {
      const isFinal = isLast || sentBack >= limits.report.corrections;
      const answer = await judge(input, world, { isFinal, keepsArgued: false, asked });
      if (!answer.ok) sentBack += 1;
      return answer;
    },
  };
}

/** `keepsArgued`: nobody can be asked back, so an argument in the report has to do. */
type Talk = { isFinal: boolean; keepsArgued: boolean; asked: Set<string> };

async function judge(input: unknown, world: ReportWorld, talk: Talk): Promise<SubmittedReport> {
  const read = readReportInput(input);
  if (!read.ok) return { ok: false, is_readable: false, problems: read.problems };
  const { report } = read;
  const repo = world.reader instanceof Repository ? world.reader : new Repository(world.reader);
  const evidence = { repo, ledger: world.ledger, files: fileEvidence(world, repo) };
  const findings = placeFindings(report, evidence).map((lookup) => settled(lookup, talk));
  const references = placeReferences(report, evidence).map((lookup) => settled(lookup, talk));
  const problems = [...findings, ...references].flatMap((lookup) =>
    isLookedUp(lookup) ? [] : [lookup.problem],
  );
  remember(problems, talk);
  if (problems.length > 0 && !talk.isFinal) return sentBackWith(problems);
  return accept(withdrawn(report, findings, references), { ...world, reader: repo }, talk);
}

/** A doubt that was told once is the agent's to keep. */
function settled(lookup: Lookup, { isFinal, keepsArgued, asked }: Talk): Lookup {
  if (isLookedUp(lookup) || !lookup.problem.doubt) return lookup;
  const { problem } = lookup;
  const isKept = isFinal || asked.has(keyOf(problem)) || (keepsArgued && problem.isArgued === true);
  return isKept ? problem.doubt! : lookup;
}

/** The entry may have another number next time; what was found stays the same. */
const keyOf = ({ message }: LookupProblem): string => message;

function remember(problems: readonly LookupProblem[], { asked }: Talk): void {
  for (const problem of problems) if (problem.doubt) asked.add(keyOf(problem));
}

const sentBackWith = (problems: readonly ReportProblem[]): SubmittedReport => ({
  ok: false,
  is_readable: true,
  problems: problems.map(({ at, message }) => ({ at, message })),
});

type Kept = {
  report: ReportInput;
  findings: LookedUp[];
  key_references: LookedUp[];
  withdrawn: Withdrawn[];
};

/** Without what could not be found; a report that loses something is PARTIAL at best. */
function withdrawn(
  report: ReportInput,
  findings: readonly Lookup[],
  references: readonly Lookup[],
): Kept {
  const lost = (lookups: readonly Lookup[], titleOf: (index: number) => string): Withdrawn[] =>
    lookups.flatMap((lookup, index) =>
      isLookedUp(lookup)
        ? []
        : [
            {
              text: inLine(titleOf(index)).slice(0, 200),
              reason: `withdrawn after ${limits.report.corrections} corrections: ${lookup.problem.message}`,
            },
          ],
    );
  const gone = [
    ...lost(findings, (index) => report.findings[index]!.title),
    ...lost(references, (index) => report.key_references[index]!.item),
  ];
  const kept = {
    ...report,
    findings: report.findings.filter((_, index) => isLookedUp(findings[index]!)),
    key_references: report.key_references.filter((_, index) => isLookedUp(references[index]!)),
  };
  const loss = {
    description: `${gone.length} of the entries withdrawn: the files or the record say otherwise`,
    resolution: "look again at what stands under Withdrawn",
  };
  return {
    report:
      gone.length === 0
        ? report
        : {
            ...kept,
            status: report.status === "SUCCESS" ? "PARTIAL" : report.status,
            blockers: [...report.blockers, loss],
          },
    findings: findings.filter(isLookedUp),
    key_references: references.filter(isLookedUp),
    withdrawn: gone,
  };
}

async function accept(kept: Kept, world: ReportWorld, talk: Talk): Promise<SubmittedReport> {
  const { report, findings, key_references } = kept;
  const rendered = renderToolReport(report, {
    agent: world.agent,
    findings: findings.map(({ placed }) => placed),
    references: key_references.map(({ placed }) => placed),
  });
  const { agent: _agent, ...options } = world;
  const assessment = await assessReport(rendered.text, {
    ...options,
    contract: "report",
    known: knownChecks(rendered, { findings, key_references }),
  });
  const doubts = proseProblems(assessment).filter(({ at, message }) => {
    const key = `${at} ${message}`;
    const isNew = !talk.asked.has(key);
    talk.asked.add(key);
    return isNew;
  });
  if (doubts.length > 0 && !talk.isFinal) return sentBackWith(doubts);
  return {
    ok: true,
    text: rendered.text,
    report,
    assessment: { ...assessment, withdrawn: kept.withdrawn, repair: null },
    places: [...placesOf("findings", findings), ...placesOf("key_references", key_references)],
    withdrawn: kept.withdrawn,
  };
}

export function placesOf(list: string, lookups: readonly LookedUp[]): ReportPlace[] {
  return lookups.flatMap(({ placed: { path }, lines, hash }, index) =>
    path === null || lines === null || hash === null
      ? []
      : [{ entry: `${list}[${index}]`, path, lines, hash }],
  );
}

const maxDoubts = 20;

/** What the sentences say beside the entries: asked back once, because a sentence can be misread. */
function proseProblems(assessment: Assessment): ReportProblem[] {
  const { checks, undeclared, outcome, lint } = assessment;
  return [
    ...(outcome.value === "INVALID"
      ? outcome.reasons.map((reason) => ({ at: "the report", message: reason }))
      : []),
    ...lint
      .filter(({ level }) => level === "L1")
      .map(({ message }) => ({ at: "the report", message })),
    ...checks.filter(isOpen).map(({ text, verdict, reason, finding }) => ({
      at: finding ?? "a sentence",
      message: `"${inLine(text).slice(0, 120)}" does not hold (${verdict}): ${reason}`,
    })),
    ...undeclared.map(({ path, change }) => ({
      at: "findings",
      message: `${path} was ${change} in this run and is not in the report: add a finding of the kind did`,
    })),
  ].slice(0, maxDoubts);
}

/** The tool's answer to a report that is not taken yet. */
export function problemsText(problems: readonly ReportProblem[]): string {
  return [
    `Not accepted yet: ${problems.length} ${problems.length === 1 ? "problem" : "problems"}. ` +
      "Put right what you can, take back what you cannot show, " +
      "and call Report again with the whole report.",
    ...problems.map(({ at, message }) => `- ${at} ${message}`),
  ].join("\n");
}
