// The confidence of a finding that several agents report: agreement lifts it, never past what the evidence allows.
import { betterGrade, caps, type Grade } from "../grades.ts";
import type { Member } from "./verified-report.ts";

export type ConfidencePolicy = "pool" | "seed-mean" | "seed-max";

/** `expertise[agent][category]` weighs an agent's word; 1 where nothing is said. */
export type Expertise = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** One voice per agent: its highest number and its best evidence. Null when nobody gave one. */
export function pooledConfidence(
  members: readonly Member[],
  policy: ConfidencePolicy,
  expertise: Expertise = {},
): number | null {
  const voices = oneVoiceEach(members);
  if (voices.length === 0) return null;
  const weight = ({ agent_type, category }: Voice): number =>
    expertise[agent_type]?.[category] ?? 1;
  const highest = voices[0]!.confidence;
  const bonus = voices.length > 1 ? 10 : 0;
  if (policy === "seed-max") return oneDecimal(Math.min(100, highest + bonus));
  if (policy === "seed-mean") {
    const weights = voices.map(weight);
    const total = weights.reduce((sum, value) => sum + value, 0);
    const mean =
      total > 0
        ? voices.reduce((sum, voice, index) => sum + voice.confidence * weights[index]!, 0) / total
        : highest;
    return oneDecimal(Math.min(100, mean + bonus));
  }
  return pool(voices, weight);
}

type Voice = Member & { confidence: number };

function oneVoiceEach(members: readonly Member[]): Voice[] {
  const best = new Map<string, Voice>();
  for (const member of members) {
    if (member.confidence === null) continue;
    const known = best.get(member.agent_id);
    const grade = known ? betterGrade(known.grade, member.grade) : member.grade;
    const higher = !known || member.confidence > known.confidence ? member : known;
    best.set(member.agent_id, { ...higher, confidence: higher.confidence!, grade });
  }
  return [...best.values()].sort(
    (a, b) => b.confidence - a.confidence || (a.agent_id < b.agent_id ? -1 : 1),
  );
}

/**
 * The highest voice leads and the others lift it. A lower one leads where that gives more, so that
 * a further voice never lowers the number.
 */
function pool(voices: Voice[], weight: (voice: Voice) => number): number {
  const sums = voices.map((leader, index) =>
    voices
      .slice(index + 1)
      .reduce(
        (total, other) =>
          total + dependence(leader, other) * weight(other) * Math.max(0, logit(other.confidence)),
        logit(leader.confidence),
      ),
  );
  const lifted = Math.max(100 / (1 + Math.exp(-Math.max(...sums))), voices[0]!.confidence);
  const grade = voices.map((voice) => voice.grade).reduce<Grade>(betterGrade, "X");
  return oneDecimal(Math.min(lifted, caps[grade]));
}

/**
 * How much a second voice counts: little when it had the same model and looked at the same lines,
 * fully when it executed something.
 */
function dependence(first: Voice, other: Voice): number {
  if (other.grade === "E4") return 1;
  const sameLines =
    first.path === other.path && JSON.stringify(first.lines) === JSON.stringify(other.lines);
  if (first.model !== null && first.model === other.model && sameLines) return 0.1;
  const bothKnown = first.model !== null && other.model !== null;
  return bothKnown && familyOf(first.model!) !== familyOf(other.model!) && !sameLines ? 0.5 : 0.3;
}

const familyOf = (model: string): string => model.replace(/^[^:]*:/, "").split(/[-\d]/)[0]!;

const logit = (percent: number): number => {
  const share = Math.min(99.5, Math.max(0.5, percent)) / 100;
  return Math.log(share / (1 - share));
};

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;
