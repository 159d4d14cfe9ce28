// Runs one check of a project and says what came of it: passed or not, the lines that say why, the coverage where it is printed.
import { limits } from "../base/limits.ts";
import { printable } from "../base/text/printable.ts";
import { maskSecrets } from "../base/secrets/find-secrets.ts";
import { countTokens } from "../base/text/tokens.ts";
import { createCapture } from "../process/capture.ts";
import { newMark } from "../process/mark.ts";
import { scrubEnvironment } from "../process/sandbox/scrub-environment.ts";
import { spawnGroup } from "../process/spawn-group.ts";
import type { DetectedCheck } from "./detect-checks.ts";

/** The seed's shape of a check, with the evidence: the command, its exit code, the hash of what it printed. */
export type CheckOutcome = {
  passed: boolean;
  skipped?: true;
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

const keptErrors = 20;
const outputCharacters = 60_000;

export const skipped = (reason: string): CheckOutcome => ({
  passed: true,
  skipped: true,
  reason,
  errors: [],
});

type Place = {
  root: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  signal: AbortSignal;
  /** How much of its output is kept. */ characters?: number;
};

/** A command in the project's folder, with what it printed; never rejects. */
export async function runRaw(
  argv: readonly string[],
  at: Place,
): Promise<Awaited<ReturnType<typeof spawnGroup>["done"]> & { text: string; sha256: string }> {
  const capture = createCapture({ characters: at.characters ?? outputCharacters });
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

/** Never rejects. A check that runs out of time has failed. */
export async function runCheck(check: DetectedCheck, at: Place): Promise<CheckOutcome> {
  const { text, sha256, ...end } = await runRaw(check.argv, at);
  const command = check.argv.join(" ");
  if (end.ended === "not-started")
    return {
      passed: false,
      errors: [`${command} did not start: ${end.problem ?? "unknown reason"}`],
    };
  const passed = end.ended === "exit" && end.exitCode === 0;
  const coverage = coverageIn(text);
  return {
    passed,
    errors: passed
      ? []
      : [
          ...(end.ended === "exit"
            ? []
            : [
                `${command} ${end.ended === "timeout" ? `did not end within ${at.timeoutMs / 1000} s` : "was stopped"}`,
              ]),
          ...errorLines(text),
        ],
    ...(coverage === undefined ? {} : { coverage }),
    evidence: {
      grade: "E4",
      command,
      exit_code: end.exitCode,
      duration_ms: Math.round(end.durationMs),
      output_sha256: sha256,
      output_tokens: countTokens(text.slice(0, limits.bash.outputCharacters)),
    },
  };
}

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
  return (telling.length > 0 ? telling : lines.slice(-keptErrors))
    .slice(0, keptErrors)
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
