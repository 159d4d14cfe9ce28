// Every random text that the decision allows is run by a real bash in an empty folder: the command
// that it hides must not run.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decide } from "../src/permissions/decide.ts";
import { createPolicy, type FactsOf } from "../src/permissions/policy.ts";
import { readPlain } from "../src/permissions/plain/read-plain.ts";
import { hidden, shellText } from "./shell-texts.ts";

type Numbered = { index: number; text: string };

export type DifferentialOutcome = {
  texts: number;
  allowed: number;
  inert: number;
  inertAllowed: number;
  /** Allowed texts that bash really ran: each once, however often it came. */
  executed: number;
  /** Texts that left a file: the next one found a new folder. */
  littered: number;
  /** Allowed texts whose hidden command ran. */
  ran: Numbered[];
};

const policy = createPolicy({
  workspace: { cwd: "/w", home: "/h" },
  rules: {
    allow:
      "echo cat ls printf true grep test [ : cd sed awk bash sh env timeout xargs find export read"
        .split(" ")
        .map((name) => `Bash(${name}:*)`),
    ask: [],
    deny: [],
  },
});
const facts: FactsOf = (path) => ({ real: path, exists: false, kind: "absent" });
/** Few enough that a pipe holds them: bash goes on while the next ones are decided. */
const batchSize = 500;

export async function tryTexts({
  seed,
  count,
  skip = 0,
  batches = 1,
  decided = new Map<string, boolean>(),
}: {
  seed: number;
  count: number;
  skip?: number;
  /** How many shells run at once. */
  batches?: number;
  /** A text that came before, in this call or an earlier one, is decided and run as before. */
  decided?: Map<string, boolean>;
}): Promise<DifferentialOutcome> {
  const outcome: DifferentialOutcome = {
    texts: 0,
    allowed: 0,
    inert: 0,
    inertAllowed: 0,
    executed: 0,
    littered: 0,
    ran: [],
  };
  const waiting: Numbered[] = [];
  const running: Promise<void>[] = [];
  for (let index = skip; index < skip + count; index += 1) {
    const { text, inert } = shellText(seed, index);
    outcome.texts += 1;
    if (inert) outcome.inert += 1;
    const before = decided.get(text);
    const isAllowed = before ?? judge(text, index);
    if (before === undefined) decided.set(text, isAllowed);
    if (!isAllowed) continue;
    outcome.allowed += 1;
    if (inert) outcome.inertAllowed += 1;
    if (before === true) continue;
    waiting.push({ index, text });
    if (waiting.length < batchSize) continue;
    // Bash runs some batches while the next is decided.
    if (running.length >= batches) await running.shift();
    running.push(runBatch(waiting.splice(0), outcome));
  }
  await Promise.all([...running, runBatch(waiting, outcome)]);
  return outcome;
}

/** What is not plain is never allowed: of these one in ten is asked about all the same. */
function judge(text: string, index: number): boolean {
  const isPlain = readPlain(text).script !== undefined;
  if (!isPlain && index % 10 !== 0) return false;
  const { behavior } = decide({ tool: "Bash", input: { command: text } }, policy, facts);
  if (behavior === "allow" && !isPlain)
    throw new Error(`a text that is not plain was allowed: ${JSON.stringify(text)}`);
  return behavior === "allow";
}

/** Runs the texts of a batch among planted ones; a planted text that is not seen to run throws. */
async function runBatch(texts: Numbered[], outcome: DifferentialOutcome): Promise<void> {
  const middle = texts.length >> 1;
  const batch = [hidden, ...texts.slice(0, middle), hidden, ...texts.slice(middle), hidden];
  const planted = [0, middle + 1, batch.length - 1];
  const { ran, littered } = await runTexts(batch.map((item) => textOf(item)));
  const missed = planted.filter((at) => !ran.includes(at));
  if (missed.length > 0) throw new Error(`planted texts ${missed.join(", ")} were not seen to run`);
  outcome.executed += texts.length;
  outcome.littered += littered;
  for (const at of ran) {
    const found = batch[at]!;
    if (typeof found !== "string") outcome.ran.push(found);
  }
}

const textOf = (item: Numbered | string): string => (typeof item === "string" ? item : item.text);

/**
 * Reads texts that end with a NUL; each runs in a shell of its own, in a folder that is empty. What
 * is left in the background may still run it: `wait`.
 */
const driver = `
n=0
while IFS= read -r -d '' text; do
  ( cd "$EMPTY" && PATH="$BIN:/usr/bin:/bin" && ulimit -t 5 && eval "$text"
    wait ) </dev/null >/dev/null 2>&1
  if [ -e "$MARKER" ]; then rm -f "$MARKER"; echo "ran $n"; fi
  for left in "$EMPTY"/{*,.[!.]*,..?*}; do
    if [ -e "$left" ] || [ -L "$left" ]; then
      rm -rf "$EMPTY" && mkdir "$EMPTY" && echo "littered $n"
      break
    fi
  done
  n=$((n + 1))
done
echo "done $n"`;

/** Which of the texts, by their places, ran the hidden command; all in one process of bash. */
export async function runTexts(texts: string[]): Promise<{ ran: number[]; littered: number }> {
  const place = createPlace();
  try {
    const child = spawn("bash", ["--noprofile", "--norc", "-c", driver], {
      env: place.env,
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
    });
    const watchdog = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), 120_000);
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdin.on("error", () => undefined);
    child.stdin.end(texts.map((text) => `${text}\0`).join(""));
    await new Promise<void>((resolve) => child.on("close", () => resolve()));
    clearTimeout(watchdog);
    const lines = said.trim().split("\n");
    if (lines.pop() !== `done ${texts.length}`)
      throw new Error(`bash stopped behind ${lines.length} lines of ${texts.length} texts`);
    if (existsSync(place.env.MARKER)) throw new Error("a hidden command ran behind its text");
    return {
      ran: lines.flatMap((line) => (line.startsWith("ran ") ? [Number(line.slice(4))] : [])),
      littered: lines.filter((line) => line.startsWith("littered ")).length,
    };
  } finally {
    place.remove();
  }
}

/** Whether the one text, as the command of a bash of its own, runs the hidden command. */
export function runsAlone(text: string): boolean {
  const place = createPlace();
  try {
    const { BIN, EMPTY, MARKER } = place.env;
    const env = { ...place.env, PATH: `${BIN}:/usr/bin:/bin` };
    spawnSync("bash", ["--noprofile", "--norc", "-c", `${text}\nwait`], {
      cwd: EMPTY,
      env,
      stdio: "ignore",
      timeout: 10_000,
    });
    return existsSync(MARKER);
  } finally {
    place.remove();
  }
}

/** A new folder with an empty one in it and the program that leaves the marker. */
function createPlace() {
  const root = mkdtempSync(join(tmpdir(), "retinue-texts-"));
  const [bin, empty] = [join(root, "bin"), join(root, "empty")];
  for (const folder of [bin, empty]) mkdirSync(folder);
  const program = join(bin, hidden.split(" ")[0]!);
  writeFileSync(program, '#!/bin/sh\n: > "$MARKER"\n');
  chmodSync(program, 0o755);
  const env = {
    PATH: "/usr/bin:/bin",
    BIN: bin,
    EMPTY: empty,
    MARKER: join(root, "marker"),
    HOME: empty,
  };
  return { env, remove: () => rmSync(root, { recursive: true, force: true }) };
}
