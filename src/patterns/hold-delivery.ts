// Checks a delivery again by the contract's rules before a pattern uses it, whichever delegate made
// it. An answer that cannot be read is no answer; a failed check or a lost outcome overrides the
// decision.
import { isObject } from "../base/data/json.ts";
import { axes } from "../contract/axes.ts";
import { checkResponse, type CheckedResponse } from "../contract/handoff/check-response.ts";
import { belowWords, isBelow, usualRequirements } from "../contract/trust/requirement.ts";
import { settleDecision, type Settled } from "../contract/trust/settle-decision.ts";
import { binds, classOf, type Judged } from "../contract/trust/verdict-classes.ts";
import type { Delivery, Overridden, Phase } from "./flow.ts";

export function holdDelivery(given: Delivery, at: { taskId: string; phase: Phase }): Delivery {
  const { phase } = at;
  const delivery = wellFormed(given, at.taskId);
  const { response } = delivery;
  if (response === null) return delivery;
  const read = isObject(response)
    ? checkResponse(response, {
        task_id: at.taskId,
        phase: phase.name,
        tokens_used: tokensOf(response["tokens_used"]),
        teller: delivery.teller ?? "agent",
      })
    : { ok: false as const, problems: [noObject], is_unreadable: true };
  if (!read.ok)
    return {
      ...delivery,
      response: null,
      outcome: "INVALID",
      problem: read.problems.map(({ field, message }) => `${field}: ${message}`).join("; "),
      is_unreadable: read.is_unreadable,
    };
  return settledDelivery(delivery, read, phase);
}

/** The phase's own requirement stops it; the usual one warns until its class binds. */
function settledDelivery(
  delivery: Delivery,
  read: Extract<CheckedResponse, { ok: true }>,
  phase: Phase,
): Delivery {
  const usual = usualRequirements[phase.expected_output] ?? null;
  const settled = settleDecision(read.response.decision, {
    failedChecks: [],
    contradictions: [],
    outcome: delivery.outcome,
    trust: delivery.trust,
    require: phase.require ?? (binds("usual requirement") ? usual : null),
  });
  const overridden = delivery.overridden ?? overriddenBy(read.settled) ?? overriddenBy(settled);
  const { decision } = settled;
  const isShort =
    decision === "PROCEED" &&
    phase.require === undefined &&
    usual !== null &&
    isBelow(delivery.trust, usual);
  const warnings = [
    ...(isShort ? [belowWords(delivery.trust, usual)] : []),
    ...(decision === "PROCEED" ? claimsAgainst(delivery) : []),
  ];
  return {
    ...delivery,
    response: {
      ...read.response,
      decision,
      ...(settled.overridden === undefined ? {} : { reason: settled.overridden }),
    },
    ...(overridden ? { overridden } : {}),
    ...(warnings.length > 0 ? { warned: warnings.join("; ") } : {}),
  };
}

const mostClaims = 3;

/** What the verifier holds against the answer, where it goes on all the same. */
function claimsAgainst({ verification }: Delivery): string[] {
  const checks = verification?.["checks"];
  if (!Array.isArray(checks)) return [];
  return checks
    .flatMap((check): string[] => {
      if (!isObject(check)) return [];
      const { kind, verdict, text, reason } = check;
      if (![kind, verdict, text, reason].every((value) => typeof value === "string")) return [];
      const told = { kind, verdict, text, reason } as Record<string, string> & Judged;
      return classOf(told) === null ? [] : [`"${told["text"]!.slice(0, 80)}": ${told["reason"]}`];
    })
    .slice(0, mostClaims);
}

const noObject = { field: "response", message: "is no object" };

const overriddenBy = ({
  claimed,
  overridden: why,
  failed_checks,
}: Settled): Overridden | undefined =>
  why === undefined ? undefined : { claimed, why, ...(failed_checks ? { failed_checks } : {}) };

const tokensOf = (value: unknown): number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0;

/** A program's own delegate may give anything: words that are none of the axes count as the worst. */
function wellFormed(given: unknown, taskId: string): Delivery {
  const value = (isObject(given) ? given : {}) as Partial<Delivery>;
  return {
    ...value,
    task_id: taskId,
    agent: typeof value.agent === "string" ? value.agent : "",
    run_ids: Array.isArray(value.run_ids) ? value.run_ids : [],
    state: value.state ?? "failed",
    outcome: axes.outcomes.find((one) => one === value.outcome) ?? "INVALID",
    trust: axes.trusts.find((one) => one === value.trust) ?? "UNVERIFIED",
    response: value.response ?? null,
    partial: typeof value.partial === "string" ? value.partial : "",
    verification: value.verification ?? null,
  };
}
