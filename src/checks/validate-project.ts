// The validator without a model: a project's own checks side by side, in the shape of a handoff's
// findings, each with its evidence.
import { limits } from "../base/limits.ts";
import type { Decision } from "../contract/axes.ts";
import { auditDependencies, detectAudit } from "./audit-dependencies.ts";
import type { BeforeState } from "./before-state.ts";
import { checkKinds, detectChecks, type CheckKind } from "./detect-checks.ts";
import { judgeFailure, type History } from "./judge-failure.ts";
import { runCheck, skipped, type CheckOutcome, type CheckPlace } from "./run-check.ts";
import { scanSecrets } from "./scan-secrets.ts";

export type Validation = {
  decision: Decision;
  checks: Record<CheckKind, CheckOutcome>;
  context_summary: string;
  issues: string[];
  questions?: string[];
};

/** Whether a command of the project may run; a project's own scripts are anybody's code. */
export type MayRun = (command: string) => Promise<{ ok: true } | { ok: false; reason: string }>;

export type ValidateOptions = {
  root: string;
  mayRun?: MayRun;
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
  signal?: AbortSignal;
  onStart?: (kind: CheckKind, command: string) => void;
  /** The project before the change, with what its checks came to: without it a failure is the change's. */
  history?: History | undefined;
};

/** STOP when the change breaks a check, CLARIFY when none could run, PROCEED otherwise. */
export async function validateProject(options: ValidateOptions): Promise<Validation> {
  const {
    root,
    env = process.env,
    timeoutMs = limits.checks.timeoutMs,
    signal = new AbortController().signal,
    history,
  } = options;
  const at: CheckPlace = { root, env, timeoutMs, signal };
  const detected = detectChecks(root, env);
  const refused: string[] = [];
  const outcomes = await Promise.all(
    checkKinds.map(async (kind): Promise<[CheckKind, CheckOutcome]> => {
      const check = detected.find((candidate) => candidate.kind === kind);
      if (!check)
        return [
          kind,
          kind === "security"
            ? await usualSecurity(at, { mayRun: options.mayRun, before: history?.before })
            : skipped("none", `the project has no ${kind} check`),
        ];
      const command = check.argv.join(" ");
      const allowed = (await options.mayRun?.(command)) ?? { ok: true };
      if (!allowed.ok) {
        refused.push(command);
        return [kind, { passed: false, errors: [`not run: ${allowed.reason}`] }];
      }
      options.onStart?.(kind, command);
      const ran = await runCheck(check, at);
      return [
        kind,
        ran.outcome.passed ? ran.outcome : await judgeFailure(check, ran, { at, history }),
      ];
    }),
  );
  const checks = Object.fromEntries(outcomes) as Validation["checks"];
  const failed = checkKinds.filter((kind) => !checks[kind].passed);
  // Nobody has failed yet: a person has to say whether the project's code may run.
  if (refused.length > 0)
    return {
      decision: "CLARIFY",
      checks,
      context_summary: summary(checks),
      issues: refused.map((command) => `not run: ${command}`),
      questions: [
        `May these commands of the project run: ${refused.join(", ")}? Allow them with the rules ` +
          `${refused.map((command) => `"Bash(${command})"`).join(" ")} ` +
          "(on the command line after --allowedTools)",
      ],
    };
  return failed.length > 0 ? stopped(checks, failed) : passedBy(checks, detected.length);
}

const stopped = (checks: Validation["checks"], failed: readonly CheckKind[]): Validation => ({
  decision: "STOP",
  checks,
  context_summary: summary(checks),
  issues: [
    ...failed.flatMap((kind) => checks[kind].errors.slice(0, 5).map((line) => `${kind}: ${line}`)),
    ...gapsIn(checks),
  ],
});

/** A search for secrets alone says nothing about whether the code works: then a person is asked. */
function passedBy(checks: Validation["checks"], detected: number): Validation {
  const isChecked = checkKinds.some((kind) => checks[kind].evidence && !checks[kind].skipped);
  if (isChecked)
    return {
      decision: "PROCEED",
      checks,
      context_summary: summary(checks),
      issues: gapsIn(checks),
    };
  const gaps = gapsIn(checks);
  return {
    decision: "CLARIFY",
    checks,
    context_summary: detected === 0 ? "No check was found to run." : summary(checks),
    issues: detected === 0 ? ["no check was found to run"] : gaps,
    questions: [
      detected === 0
        ? "Which commands check this project?"
        : `No check could say anything about the change (${gaps.join("; ")}). How is it to be checked?`,
    ],
  };
}

/** What was left out for a reason that a person can do something about. */
const gapsIn = (checks: Validation["checks"]): string[] =>
  checkKinds.flatMap((kind) => {
    const { cause, reason } = checks[kind];
    return cause === undefined || cause === "none" ? [] : [`${kind}: ${reason}`];
  });

/**
 * A project without a security check of its own: its dependencies are audited, where that may be
 * done, and its files searched for secrets.
 */
async function usualSecurity(
  at: CheckPlace,
  { mayRun, before }: { mayRun: MayRun | undefined; before: BeforeState | undefined },
): Promise<CheckOutcome> {
  const audit = detectAudit(at.root, at.env);
  // It asks a registry about every dependency: without a yes it is left out, and that is no failure.
  const allowed = audit && ((await mayRun?.(audit.argv.join(" "))) ?? { ok: true as const });
  const [scanned, audited] = await Promise.all([
    scanSecrets(at.root, before),
    audit && allowed?.ok ? auditDependencies(audit, at) : undefined,
  ]);
  const note =
    audited?.note ??
    (audit
      ? `${audit.argv.slice(0, 2).join(" ")} was not allowed`
      : "no dependency audit for this project");
  const errors = [...(audited?.errors ?? []), ...scanned.errors];
  return {
    ...scanned,
    passed: errors.length === 0,
    reason: `${scanned.reason ?? ""}; ${note}`,
    errors,
  };
}

function summary(checks: Validation["checks"]): string {
  return checkKinds.map((kind) => `${kind}: ${wordsOf(checks[kind])}`).join("; ");
}

function wordsOf({
  skipped: isSkipped,
  cause,
  reason,
  passed,
  errors: [first = "no output"],
}: CheckOutcome): string {
  if (isSkipped) return cause === "none" ? "none" : `skipped (${reason})`;
  if (passed) return "passed";
  return first.startsWith("not run: ")
    ? `not run (${first.slice("not run: ".length)})`
    : `failed (${first})`;
}
