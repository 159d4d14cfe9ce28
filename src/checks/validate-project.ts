// The validator without a model: a project's own checks side by side, in the shape of a handoff's findings, each with its evidence.
import type { Decision } from "../contract/axes.ts";
import { auditDependencies, detectAudit } from "./audit-dependencies.ts";
import { checkKinds, detectChecks, type CheckKind } from "./detect-checks.ts";
import { runCheck, skipped, type CheckOutcome } from "./run-check.ts";
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
};

const defaultTimeoutMs = 10 * 60_000;

/** STOP when a check fails, CLARIFY when there is none to run, PROCEED otherwise. */
export async function validateProject(options: ValidateOptions): Promise<Validation> {
  const {
    root,
    env = process.env,
    timeoutMs = defaultTimeoutMs,
    signal = new AbortController().signal,
  } = options;
  const detected = detectChecks(root, env);
  const refused: string[] = [];
  const outcomes = await Promise.all(
    checkKinds.map(async (kind): Promise<[CheckKind, CheckOutcome]> => {
      const check = detected.find((candidate) => candidate.kind === kind);
      if (!check)
        return [
          kind,
          kind === "security"
            ? await usualSecurity({ root, env, timeoutMs, signal, mayRun: options.mayRun })
            : skipped(`the project has no ${kind} check`),
        ];
      const command = check.argv.join(" ");
      const allowed = (await options.mayRun?.(command)) ?? { ok: true };
      if (!allowed.ok) {
        refused.push(command);
        return [kind, { passed: false, errors: [`not run: ${allowed.reason}`] }];
      }
      options.onStart?.(kind, command);
      return [kind, await runCheck(check, { root, env, timeoutMs, signal })];
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
        `May these commands of the project run: ${refused.join(", ")}? Allow them with the rules ${refused.map((command) => `"Bash(${command})"`).join(" ")} (on the command line after --allowedTools)`,
      ],
    };
  // A search for secrets alone says nothing about whether the code works.
  if (detected.length === 0 && failed.length === 0)
    return {
      decision: "CLARIFY",
      checks,
      context_summary: "No check was found to run.",
      issues: ["no check was found to run"],
      questions: ["Which commands check this project?"],
    };
  return {
    decision: failed.length > 0 ? "STOP" : "PROCEED",
    checks,
    context_summary: summary(checks),
    issues: failed.flatMap((kind) =>
      checks[kind].errors.slice(0, 5).map((line) => `${kind}: ${line}`),
    ),
  };
}

/** A project without a security check of its own: its dependencies are audited, where that may be done, and its files searched for secrets. */
async function usualSecurity({
  mayRun,
  ...at
}: {
  root: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  signal: AbortSignal;
  mayRun: MayRun | undefined;
}): Promise<CheckOutcome> {
  const audit = detectAudit(at.root, at.env);
  // It asks a registry about every dependency: without a yes it is left out, and that is no failure.
  const allowed = audit && ((await mayRun?.(audit.argv.join(" "))) ?? { ok: true as const });
  const [scanned, audited] = await Promise.all([
    scanSecrets(at.root),
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

function wordsOf({ skipped: absent, passed, errors: [first = "no output"] }: CheckOutcome): string {
  if (absent) return "none";
  if (passed) return "passed";
  return first.startsWith("not run: ")
    ? `not run (${first.slice("not run: ".length)})`
    : `failed (${first})`;
}
