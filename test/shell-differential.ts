// Every random text that the decision allows is run by a real bash in an empty folder: the command
// that it hides must not run.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decide } from "../src/permissions/decide.ts";
import { createPolicy, type FactsOf } from "../src/permissions/policy.ts";
import { readPlain } from "../src/permissions/plain/read-plain.ts";
import { hidden, shellText } from "./shell-texts.ts";

export type DifferentialOutcome = {
  texts: number;
  allowed: number;
  inert: number;
  inertAllowed: number;
  /** Allowed texts whose hidden command ran. */
  ran: { index: number; text: string }[];
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
const batchSize = 2_000;

export async function tryTexts({
  seed,
  count,
  skip = 0,
}: {
  seed: number;
  count: number;
  skip?: number;
}): Promise<DifferentialOutcome> {
  const root = mkdtempSync(join(tmpdir(), "retinue-texts-"));
  const outcome: DifferentialOutcome = { texts: 0, allowed: 0, inert: 0, inertAllowed: 0, ran: [] };
  const bin = join(root, "bin");
  mkdirSync(bin);
  const program = join(bin, hidden.split(" ")[0]!);
  writeFileSync(program, '#!/bin/sh\n: > "$MARKER"\n');
  chmodSync(program, 0o755);
  const waiting: { index: number; text: string }[] = [];
  const decided = new Map<string, boolean>();
  let running = Promise.resolve();
  try {
    for (let index = skip; index < skip + count; index += 1) {
      const { text, inert } = shellText(seed, index);
      outcome.texts += 1;
      if (inert) outcome.inert += 1;
      // A text that came before is decided as before.
      const before = decided.get(text);
      const isAllowed = before ?? judge(text, index);
      if (before === undefined) decided.set(text, isAllowed);
      if (!isAllowed) continue;
      outcome.allowed += 1;
      if (inert) outcome.inertAllowed += 1;
      if (before === true) continue;
      waiting.push({ index, text });
      if (waiting.length < batchSize) continue;
      // Bash runs one batch while the next is decided.
      await running;
      running = runAll(waiting.splice(0), { root, bin, outcome });
    }
    await running;
    await runAll(waiting, { root, bin, outcome });
    return outcome;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
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

/**
 * Reads texts that end with a NUL; each runs in a shell of its own. What is left in the background
 * may still run it: `wait`.
 */
const driver = `
n=0
while IFS= read -r -d '' text; do
  ( cd "$EMPTY" && PATH="$BIN:/usr/bin:/bin" && ulimit -t 5 && eval "$text"
    wait ) </dev/null >/dev/null 2>&1
  if [ -e "$MARKER" ]; then rm -f "$MARKER"; echo "$n"; fi
  n=$((n + 1))
done
echo done`;

type Run = { root: string; bin: string; outcome: DifferentialOutcome };

async function runAll(
  texts: { index: number; text: string }[],
  { root, bin, outcome }: Run,
): Promise<void> {
  if (texts.length === 0) return;
  const [empty, marker] = [join(root, "empty"), join(root, "marker")];
  rmSync(empty, { recursive: true, force: true });
  mkdirSync(empty);
  const child = spawn("bash", ["--noprofile", "--norc", "-c", driver], {
    env: { PATH: "/usr/bin:/bin", BIN: bin, EMPTY: empty, MARKER: marker, HOME: empty },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const watchdog = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), 120_000);
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stdin.on("error", () => undefined);
  child.stdin.end(texts.map(({ text }) => `${text}\0`).join(""));
  await new Promise<void>((resolve) => child.on("close", () => resolve()));
  clearTimeout(watchdog);
  const lines = said.trim().split("\n");
  if (lines.pop() !== "done") throw new Error(`bash stopped behind ${lines.length} of the texts`);
  for (const line of lines) outcome.ran.push(texts[Number(line)]!);
  if (existsSync(marker)) throw new Error("a hidden command ran behind its text");
}
