// A document with all that was found in it, put in order once for all its flags.
import type { Repository } from "../../source/repository.ts";
import { sharedDocument } from "../../markdown/shared-document.ts";
import { holds, type Judgement } from "../judgement.ts";
import type { Claim } from "../reading/claim.ts";
import { isFlagged } from "../verdict.ts";
import { commitsOf } from "./commits-of.ts";
import {
  isFinishedPlan,
  isInPastFolder,
  isKeptAsHistory,
  settledThings,
  type SettledThings,
} from "./is-settled.ts";

export type JudgedClaim = { claim: Claim; judged: Judgement };

export type JudgedDocument = {
  report: string;
  repo: Repository;
  /** It shows places as a pattern of what to write. */
  isPattern: boolean;
  /** Its folder, its name or its title says that it plans work. */
  isPlan: boolean;
  /** Its folder, or the head of a plan, says that what it speaks of is over. */
  isPast: boolean;
  /** What it says was dealt with. */
  settled: SettledThings;
  /** Where its parts speak of several commits: which part speaks of which. */
  commits: ReadonlyMap<number, string> | undefined;
  lined: Tally;
  byPath: ReadonlyMap<string, readonly JudgedClaim[]>;
};

type Tally = { held: number; failed: number; open: number };

/** So many places of one file are compared with each other. */
const mostMates = 200;

export function judgedDocument(
  all: readonly JudgedClaim[],
  { report, repo }: { report: string; repo: Repository },
): JudgedDocument {
  const lined = all.filter(({ claim }) => claim.range);
  return {
    report,
    repo,
    ...documentMarks(report, all[0]?.claim.document ?? ""),
    settled: settledThings(report),
    commits: commitsOf(sharedDocument(report).blocks),
    lined: countOutcomes(lined),
    byPath: groupByPath(lined),
  };
}

function groupByPath(all: readonly JudgedClaim[]): Map<string, JudgedClaim[]> {
  const groups = new Map<string, JudgedClaim[]>();
  for (const one of all) {
    const path = comparedPath(one);
    const known = groups.get(path);
    if (!known) groups.set(path, [one]);
    else if (known.length < mostMates) known.push(one);
  }
  return groups;
}

export const comparedPath = ({ claim, judged }: JudgedClaim): string =>
  judged.path ?? claim.mention.path;

export function countOutcomes(list: readonly JudgedClaim[]): Tally {
  const tally = { held: 0, failed: 0, open: 0 };
  for (const { judged } of list)
    tally[holds(judged) ? "held" : isFlagged(judged.verdict) ? "failed" : "open"]++;
  return tally;
}

type Marks = Pick<JudgedDocument, "isPattern" | "isPlan" | "isPast">;

/** The definition of an agent, a skill or a command shows places as a pattern of what to write. */
function documentMarks(report: string, document: string): Marks {
  const front = /^---\r?\n([\s\S]{0,3000}?)\n---/.exec(report)?.[1] ?? "";
  const isDefinition = /^name:/m.test(front) && /^description:/m.test(front);
  const name = document.slice(document.lastIndexOf("/") + 1);
  const title = `${name} ${/^#\s+(.{0,200})/m.exec(report)?.[1] ?? ""}`;
  const isPlan = plans.test(title) || planFolders.test(document);
  return {
    isPattern: isDefinition || patterns.test(document),
    isPlan,
    isPast:
      isInPastFolder(document) || isKeptAsHistory(report) || (isPlan && isFinishedPlan(report)),
  };
}

const patterns = /(?:^|\/)(?:agents|skills|commands|prompts|templates|examples)\//i;
const plans = /(?<![a-z])(?:plan|todo|roadmap|refactor|implementation|tasks?\b|migration)/i;
const planFolders = new RegExp(
  String.raw`(?:^|[/._-])(?:plan\w*|todos?|phases?|specs?|changes|tasks?|prds?|rfcs?|proposals?|research|` +
    String.raw`stor(?:y|ies)|sprints?|epics?)\/`,
  "i",
);
