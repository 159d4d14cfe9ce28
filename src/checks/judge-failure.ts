// Whether a check that failed speaks against the change: a tool that is not there, and a failure that
// was there before in the same way, do not. What cannot be compared counts against the change.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../base/data/json.ts";
import type { BeforeState } from "./before-state.ts";
import type { DetectedCheck } from "./detect-checks.ts";
import {
  runCheck,
  skipped,
  type CheckOutcome,
  type CheckPlace,
  type RanCheck,
} from "./run-check.ts";

/** What a check came to at the state before, by its command. */
export type BeforeChecks = Map<string, Promise<RanCheck | undefined>>;

export type History = { before: BeforeState; checks: BeforeChecks };

/** Runs the same check at the state before at most once. */
export async function judgeFailure(
  check: DetectedCheck,
  ran: RanCheck,
  { at, history }: { at: CheckPlace; history: History | undefined },
): Promise<CheckOutcome> {
  const missing = notInstalled(check, ran, at.root);
  const then = history && (await checkBefore(check, at, history));
  if (missing !== undefined) {
    // A change that takes the tool away is no gap of the environment.
    const wasMissing = then === undefined || notInstalled(check, then.ran, then.root) !== undefined;
    return wasMissing ? skipped("not installed", `not installed: ${missing}`) : ran.outcome;
  }
  if (then === undefined || !isSameFailure({ ran, root: at.root }, then)) {
    const news = then === undefined ? undefined : newLines({ ran, root: at.root }, then);
    return news && news.length > 0 && news.length < ran.lines.length
      ? { ...ran.outcome, errors: news.slice(0, 20) }
      : ran.outcome;
  }
  const { errors, evidence } = ran.outcome;
  return {
    ...skipped(
      "broken before",
      `broken before this run, in the same way: ${errors[0] ?? "no output"}`,
    ),
    ...(evidence ? { evidence } : {}),
  };
}

type Located = { ran: RanCheck; root: string };

async function checkBefore(
  check: DetectedCheck,
  at: CheckPlace,
  { before, checks }: History,
): Promise<Located | undefined> {
  const root = await before.folder();
  if (root === undefined) return undefined;
  const command = check.argv.join(" ");
  const run = checks.get(command) ?? runCheck(check, { ...at, root });
  checks.set(command, run);
  const ran = await run;
  return ran && { ran, root };
}

/** Both ended by themselves with the same code, and nothing is said now that was not said then. */
const isSameFailure = (now: Located, then: Located): boolean =>
  now.ran.ended === "exit" &&
  then.ran.ended === "exit" &&
  now.ran.exitCode !== 0 &&
  now.ran.exitCode === then.ran.exitCode &&
  now.ran.lines.length > 0 &&
  newLines(now, then).length === 0;

/** Lines of now beyond those of then, each as often as it stands there. */
function newLines(now: Located, then: Located): string[] {
  const left = new Map<string, number>();
  for (const line of then.ran.lines.map(comparable(then.root)))
    left.set(line, (left.get(line) ?? 0) + 1);
  const plain = comparable(now.root);
  return now.ran.lines.filter((line) => {
    const count = left.get(plain(line)) ?? 0;
    left.set(plain(line), count - 1);
    return count <= 0;
  });
}

/** Without what differs between two runs of the same: where it ran, how long it took, line numbers. */
const comparable =
  (root: string) =>
  (line: string): string =>
    line
      .replaceAll(root, ".")
      .replace(/\bduration_ms\W+[\d.]+/g, "")
      .replace(/\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds|m)\b/g, "")
      .replace(/\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b/g, "")
      .replace(/(?::\d+){1,2}\b|\(\d+,\d+\)|\bline \d+\b/g, "")
      .replace(/\b0x[0-9a-f]+\b/gi, "")
      .replace(/\s+/g, " ")
      .trim();

/** The name of what is missing; undefined where the check could run. */
function notInstalled({ argv }: DetectedCheck, ran: RanCheck, root: string): string | undefined {
  const [program = ""] = argv;
  if (ran.ended === "not-started") return program;
  if (ran.ended !== "exit") return undefined;
  const text = ran.lines.join("\n");
  if (ran.exitCode === 127 || /\bError 127\b/.test(text))
    return (
      /(?:^|[\s:])([\w./@-]+): (?:command )?not found/im.exec(text)?.[1] ?? "a tool of the check"
    );
  const module = /No module named '?([\w.]+)'?/.exec(text)?.[1];
  if (module !== undefined && argv.includes(module)) return module;
  return lacksPackages(root) && /Cannot find (?:module|package)/.test(text)
    ? "the packages of package.json"
    : undefined;
}

/** It names packages, and there is no folder with any. */
function lacksPackages(root: string): boolean {
  try {
    const data: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const named = ["dependencies", "devDependencies"].some(
      (key) => isObject(data) && isObject(data[key]) && Object.keys(data[key]).length > 0,
    );
    return named && !existsSync(join(root, "node_modules"));
  } catch {
    return false;
  }
}
