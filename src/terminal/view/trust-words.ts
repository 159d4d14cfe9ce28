// Shows what the verifier found: the line below an answer, the words in lists, the part of a JSON
// result. Also decides whether a command may end with exit code 0.
import { oneLine } from "../../base/text/printable.ts";
import { axes } from "../../contract/axes.ts";
import { belowWords, isBelow, type Requirement } from "../../contract/trust/requirement.ts";
import type { AgentResult } from "../../manager/session/agent-result.ts";
import { tallyWords } from "../../verify/trust/trust-word.ts";

type Verified = AgentResult["verification"];

export type JudgedWords = {
  outcome: string | null;
  decision: string | null;
  trust: string | null;
};

/** An answer in no form has no outcome and no decision of its own. */
export function judgedWords(verification: Verified): JudgedWords {
  const is_free = verification?.["is_free"] === true;
  return {
    outcome: is_free ? null : wordOf(verification?.["outcome"]),
    decision: is_free ? null : wordOf(verification?.["decision"]),
    trust: wordOf(verification?.["trust"]),
  };
}

/** A word, or the settled one of a claimed and a settled value. */
function wordOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return null;
  const { value: outcome, decision } = value as { value?: unknown; decision?: unknown };
  return typeof outcome === "string" ? outcome : typeof decision === "string" ? decision : null;
}

/** One line, as a transcript keeps it; nothing where nothing was checked. */
export function trustWords(verification: Verified): string[] {
  const { trust, outcome, decision } = judgedWords(verification);
  // A search has places that hold and no word of trust.
  if (trust === null && !verification?.tally?.places.of) return [];
  const words = [
    ...(verification?.tally ? [tallyWords(verification.tally, "made")] : []),
    ...(trust === null ? [] : [`trust ${trust}`]),
    ...(outcome === null ? [] : [`outcome ${outcome}${whyInvalid(verification)}`]),
    ...(decision === null ? [] : [`decision ${decision}`]),
  ];
  return [oneLine(words.join(" · "), 300)];
}

/** What is no answer at all says why. */
function whyInvalid(verification: Verified): string {
  const { value, reasons = [] } = verification?.outcome ?? {};
  return value === "INVALID" && reasons.length > 0 ? ` (${oneLine(reasons.join("; "), 120)})` : "";
}

/** Below the answer: the runtime's header without the cost, which stands there already. */
export function trustLines(verification: Verified, isOn: boolean): string[] {
  if (!isOn) return ["[retinue] the answer was not checked: --no-verify"];
  const header = verification?.["header"];
  if (typeof header !== "string") return [];
  return header.split("\n").filter((line) => !/^\[retinue\] .*\bagent a[0-9a-f]{16}$/.test(line));
}

const lost = new Set<unknown>(
  axes.outcomes.filter((one) => one !== "SUCCESS" && one !== "PARTIAL"),
);

/** Why the answer does not end with exit code 0; undefined where it may. */
export function refusedBy(verification: Verified, require: Requirement | null): string | undefined {
  const { outcome, trust: word } = judgedWords(verification);
  const trust = axes.trusts.find((one) => one === word) ?? null;
  if (lost.has(outcome)) return `the outcome is ${outcome}`;
  const against = verification?.objections?.find(({ binds }) => binds);
  if (trust === "CONTRADICTED" && against)
    return `${against.class}: ${oneLine(against.text, 100)} (${oneLine(against.reason, 200)})`;
  return require !== null && isBelow(trust, require) ? belowWords(trust, require) : undefined;
}

export type CheckedWire = JudgedWords & {
  /** Why the outcome is not what was claimed. */
  reasons: string[];
  overridden: { claimed: string; why: string } | null;
  tally: unknown;
  counts: unknown;
  confidence: unknown;
  objections: unknown;
  /** Those that do not hold first. */
  checks: unknown;
};

const maxChecks = 200;

/** The part of a result that programs read; null where nothing was checked. */
export function checkedWire(verification: Verified): CheckedWire | null {
  if (verification === null) return null;
  const { tally, counts, confidence, objections, checks, decision, outcome } = verification;
  const settled = decision?.overridden === undefined ? null : decision;
  return {
    ...judgedWords(verification),
    reasons: outcome?.reasons ?? [],
    overridden: settled && {
      claimed: settled.claimed,
      why: settled.overridden ?? "",
    },
    tally: tally ?? null,
    counts: counts ?? null,
    confidence: confidence ?? null,
    objections: objections ?? [],
    checks: (checks ?? []).slice(0, maxChecks),
  };
}
