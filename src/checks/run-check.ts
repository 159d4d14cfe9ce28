// Runs one check of a project and says what came of it: passed or not, the lines that say why, the
// coverage where it is printed.
import { limits } from "../base/limits.ts";
import { printable } from "../base/text/printable.ts";
import { maskSecrets } from "../base/secrets/find-secrets.ts";
import { countTokens } from "../base/text/tokens.ts";
import { createCapture } from "../process/capture.ts";
import { newMark } from "../process/mark.ts";
import { scrubEnvironment } from "../process/sandbox/scrub-environment.ts";
import { spawnGroup } from "../process/spawn-group.ts";
import type { DetectedCheck } from "./detect-checks.ts";

/**
 * Why a check counts for nothing: the project has none, its tool is not there, or it failed
 * before.
 */
export type SkipCause = "none" | "not installed" | "broken before";

/**
 * The seed's shape of a check, with the evidence: the command, its exit code, the hash of what it
 * printed.
 */
export type CheckOutcome = {
  passed: boolean;
  skipped?: true;
  /** With `skipped`. */
  cause?: SkipCause;
  reason?: string;
  errors: string[];
  coverage?: number;
  evidence?: {
    grade: "E4";
    command: string;
    exit_code: number | null;
    duration_ms: number;
    output_sha256: string;
    /** Of what it printed, as much as an agent would have been shown. */ output_tokens: number;
  };
};

export const skipped = (cause: SkipCause, reason: string): CheckOutcome => ({
  passed: true,
  skipped: true,
  cause,
  reason,
  errors: [],
});

export type CheckPlace = {
  root: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  signal: AbortSignal;
  /** How much of its output is kept. */ characters?: number;
};

/** A command in the project's folder, with what it printed; never rejects. */
export async function runRaw(
  argv: readonly string[],
  at: CheckPlace,
): Promise<Awaited<ReturnType<typeof spawnGroup>["done"]> & { text: string; sha256: string }> {
  const capture = createCapture({ characters: at.characters ?? limits.checks.outputCharacters });
  const end = await spawnGroup({
    argv: [...argv],
    cwd: at.root,
    env: { ...scrubEnvironment(at.env), CI: "true", NO_COLOR: "1", FORCE_COLOR: "0" },
    mark: newMark(),
    mergeStderr: true,
    timeoutMs: at.timeoutMs,
    graceMs: 500,
    signal: at.signal,
    onOutput: (chunk) => {
      capture.write(chunk);
      return capture.overflowing();
    },
  }).done;
  return { ...end, ...capture.close() };
}

/** A check that was run: what came of it, and all that says why, to compare it with another run. */
export type RanCheck = {
  outcome: CheckOutcome;
  ended: Awaited<ReturnType<typeof runRaw>>["ended"];
  exitCode: number | null;
  /** The telling lines of its output, or the last ones; more than the outcome keeps. */
  lines: string[];
};

/** Never rejects. A check that runs out of time has failed. */
export async function runCheck(check: DetectedCheck, at: CheckPlace): Promise<RanCheck> {
  const { text, sha256, ...end } = await runRaw(check.argv, at);
  const command = check.argv.join(" ");
  const { ended, exitCode } = end;
  if (ended === "not-started") {
    const why = `${command} did not start: ${end.problem ?? "unknown reason"}`;
    return { outcome: { passed: false, errors: [why] }, ended, exitCode, lines: [why] };
  }
  const passed = ended === "exit" && exitCode === 0;
  const coverage = coverageIn(text);
  const lines = passed ? [] : errorLines(text);
  const outcome: CheckOutcome = {
    passed,
    errors: passed
      ? []
      : [...endWords(command, ended, at), ...lines.slice(0, limits.checks.errors)],
    ...(coverage === undefined ? {} : { coverage }),
    evidence: {
      grade: "E4",
      command,
      exit_code: exitCode,
      duration_ms: Math.round(end.durationMs),
      output_sha256: sha256,
      output_tokens: countTokens(text.slice(0, limits.bash.outputCharacters)),
    },
  };
  return { outcome, ended, exitCode, lines };
}

function endWords(command: string, ended: RanCheck["ended"], { timeoutMs }: CheckPlace): string[] {
  if (ended === "exit") return [];
  const how = ended === "timeout" ? `did not end within ${timeoutMs / 1000} s` : "was stopped";
  return [`${command} ${how}`];
}

const comparedLines = 2_000;

/** The lines that look like the reason; without any, the last ones. */
function errorLines(text: string): string[] {
  const lines = maskSecrets(printable(text))
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const telling = lines.filter(
    (line) =>
      /\b(?:error|fail(?:ed|ure)?|not ok|assert\w*|panic|exception|undefined reference)\b|^✗|^✖|^×|^E\s/i.test(
        line,
      ) && !/\b0 (?:errors?|failed|failures?)\b/i.test(line),
  );
  return (telling.length > 0 ? telling : lines.slice(-limits.checks.errors))
    .slice(0, comparedLines)
    .map((line) => line.slice(0, 300));
}

function coverageIn(text: string): number | undefined {
  const found =
    /(?:all files\s*\|\s*|\bcoverage:?\s+|\bTOTAL\s+\d+\s+\d+\s+)(\d{1,3}(?:\.\d+)?)\s*%?/i.exec(
      text.slice(-20_000),
    );
  const value = found ? Number(found[1]) : Number.NaN;
  return value >= 0 && value <= 100 ? value : undefined;
}
