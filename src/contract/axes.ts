// The four axes of a result, never mixed: what the runtime saw (state), what the agent claims
// (outcome), what should happen next (decision), what was found true (trust).

/** The words of each axis, and how bad a finding is. */
export const axes = {
  /** Best first. INVALID: there was no report that could be read. */
  outcomes: ["SUCCESS", "PARTIAL", "BLOCKED", "FAILED", "INVALID"],
  /** Mildest first. */
  decisions: ["PROCEED", "CLARIFY", "STOP"],
  trusts: ["VERIFIED", "MIXED", "UNVERIFIED", "CONTRADICTED"],
  severities: ["critical", "important", "minor"],
} as const;

/** Whether the agent did its job. */
export type Outcome = (typeof axes.outcomes)[number];
/** What a report asks for next. */
export type Decision = (typeof axes.decisions)[number];
/** What the verifier found about a report. */
export type Trust = (typeof axes.trusts)[number];
/** How bad a finding is. */
export type Severity = (typeof axes.severities)[number];

const { outcomes, decisions } = axes;

const outcomeWords: Record<string, Outcome> = {
  success: "SUCCESS",
  successful: "SUCCESS",
  succeeded: "SUCCESS",
  complete: "SUCCESS",
  completed: "SUCCESS",
  done: "SUCCESS",
  partial: "PARTIAL",
  partially: "PARTIAL",
  incomplete: "PARTIAL",
  blocked: "BLOCKED",
  failed: "FAILED",
  failure: "FAILED",
  fail: "FAILED",
  error: "FAILED",
  invalid: "INVALID",
};

/** Words that turn the next one around: "not complete" claims nothing that could be read. */
const turning = new Set(["not", "no", "never", "isn", "wasn", "hardly", "t"]);

/**
 * The outcome that a status line claims, by its first known word; null when it claims none, denies
 * it, or still offers all of them.
 */
export function readOutcome(text: string): Outcome | null {
  const words =
    text
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.slice(0, 12) ?? [];
  const known = words.findIndex((word) => Object.hasOwn(outcomeWords, word));
  if (known < 0 || words.slice(0, known).some((word) => turning.has(word))) return null;
  const claimed = new Set(
    words.flatMap((word) => (Object.hasOwn(outcomeWords, word) ? [outcomeWords[word]] : [])),
  );
  const isMenu = claimed.size > 2 && text.includes("|");
  return isMenu ? null : outcomeWords[words[known]!]!;
}

export const readDecision = (text: unknown): Decision | null => {
  const word = typeof text === "string" ? text.trim().toUpperCase() : "";
  return decisions.find((decision) => decision === word) ?? null;
};

const severityWords: [Severity, RegExp][] = [
  ["critical", /^(?:critical|blocker|blocking|severe|p0|sev-?0)\b/],
  ["important", /^(?:important|high|major|medium|moderate|warning|warn|p1|p2|sev-?[12])\b/],
  ["minor", /^(?:minor|low|info|informational|nit|note|trivial|suggestion|p3|p4|sev-?[34])\b/],
];

/** The severity behind a word of whatever scale; null when it is none. */
export function readSeverity(word: string): Severity | null {
  const bare = word.toLowerCase().replace(/^[^a-z0-9]+/, "");
  return severityWords.find(([, pattern]) => pattern.test(bare))?.[0] ?? null;
}

export function worstOutcome(list: readonly Outcome[]): Outcome {
  return list.reduce<Outcome>(
    (worst, next) => (outcomes.indexOf(next) > outcomes.indexOf(worst) ? next : worst),
    "SUCCESS",
  );
}

/**
 * STOP over CLARIFY over PROCEED; nothing at all is STOP, and so is a word that is none of them.
 */
export function foldDecisions(list: readonly Decision[]): Decision {
  if (list.length === 0) return "STOP";
  return list
    .map((given) => readDecision(given) ?? "STOP")
    .reduce((strictest, next) =>
      decisions.indexOf(next) > decisions.indexOf(strictest) ? next : strictest,
    );
}

/** The decision that an outcome stands for where none was given. */
export function decisionOf(
  outcome: Outcome,
  open: { critical: boolean; answerable: boolean },
): Decision {
  switch (outcome) {
    case "SUCCESS":
      return "PROCEED";
    case "PARTIAL":
      return open.critical ? "CLARIFY" : "PROCEED";
    case "BLOCKED":
      return open.answerable ? "CLARIFY" : "STOP";
    default:
      return "STOP";
  }
}
