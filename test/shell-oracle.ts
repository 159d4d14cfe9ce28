// Runs commands under a real bash whose PATH holds only stubs, and says what was executed that the
// analysis did not foresee.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { analyseCommand } from "../src/permissions/shell/reading/analyse-command.ts";
import { realWrappers, shellCommands, stubs } from "./shell-grammar.ts";

export type Surprise = {
  index: number;
  command: string;
  executed: string[];
  judged: (string | null)[][];
};
export type Outcome = {
  cases: number;
  executed: number;
  foreseeable: number;
  surprises: Surprise[];
};

/**
 * Concerns that say: what runs here cannot be known. All others must not excuse a command that was
 * overlooked.
 */
const blind = new Set([
  "syntax",
  "unknown-syntax",
  "dynamic-command",
  "dynamic-code",
  "too-deep",
  "too-many",
  "builtin",
  "arithmetic",
]);
const batchSize = 250;
const unit = "\x1e";
const end = "\x1d";

/** Tries `count` commands of this seed; a seed and an index name one command for ever. */
export async function tryCommands({
  seed,
  count,
  skip = 0,
  workers = 2,
}: {
  seed: number;
  count: number;
  skip?: number;
  workers?: number;
}): Promise<Outcome> {
  const commands = fc.sample(shellCommands, { seed, numRuns: skip + count }).slice(skip);
  const root = mkdtempSync(join(tmpdir(), "retinue-shell-"));
  try {
    const bin = makeStubs(root);
    const total: Outcome = { cases: commands.length, executed: 0, foreseeable: 0, surprises: [] };
    const starts = Array.from(
      { length: Math.ceil(commands.length / batchSize) },
      (_, at) => at * batchSize,
    );
    const work = async () => {
      for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
        const batch = commands.slice(start, start + batchSize);
        const dir = join(root, `b${start}`);
        await runBatch(batch, { dir, bin });
        batch.forEach((command, at) =>
          judge(command, { index: skip + start + at, dir, at }, total),
        );
        rmSync(dir, { recursive: true, force: true });
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    return total;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function makeStubs(root: string): string {
  const bin = join(root, "bin");
  mkdirSync(bin);
  const stub = join(root, "stub");
  // Some fail, so that both sides of && and || are taken.
  writeFileSync(
    stub,
    `#!/bin/sh\nprintf '%s\\036' "\${0##*/}" "$@" '${end}' >&9\ncase "\${0##*/}" in *[aeiou]?|x1) exit 1;; esac\nexit 0\n`,
  );
  chmodSync(stub, 0o755);
  for (const name of stubs) symlinkSync(stub, join(bin, name));
  for (const name of realWrappers) {
    const found = ["/bin", "/usr/bin", "/usr/local/bin"]
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path));
    if (found) symlinkSync(found, join(bin, name));
  }
  return bin;
}

/**
 * Descriptor 9: what the stubs ran. 8: the trace of builtins. 7: closed only when every descendant
 * is gone. FUNCNEST ends functions that call themselves.
 */
const driver = `
for ((n = 0; n < COUNT; n++)); do
  cd "$DIR/$n/w" || exit 1
  : "$(SHELLOPTS=braceexpand:hashall:interactive-comments:xtrace BASH_XTRACEFD=8 FUNCNEST=3 PATH="$BIN" "$BASH" --noprofile --norc -c "$(<"$DIR/$n/command")" 7>&1 9>>"$DIR/$n/ran" 8>>"$DIR/$n/trace" </dev/null >/dev/null 2>&1)"
done`;

const offline = spawnSync("unshare", ["-n", "true"]).status === 0 ? ["unshare", "-n"] : [];

async function runBatch(
  commands: string[],
  { dir, bin }: { dir: string; bin: string },
): Promise<void> {
  commands.forEach((command, at) => {
    mkdirSync(join(dir, String(at), "w"), { recursive: true });
    writeFileSync(join(dir, String(at), "command"), command);
  });
  const args = [...offline, "bash", "--noprofile", "--norc", "-c", driver];
  const env = {
    PATH: process.env["PATH"],
    DIR: dir,
    BIN: bin,
    COUNT: String(commands.length),
    HOME: join(dir, "home"),
    LC_ALL: "C.UTF-8",
  };
  await new Promise<void>((resolve, reject) => {
    const child = spawn(args[0]!, args.slice(1), { env, stdio: "ignore", detached: true });
    const watchdog = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), 60_000);
    child.on("error", reject);
    child.on("exit", (code) => {
      clearTimeout(watchdog);
      if (code === 0) resolve();
      else reject(new Error(`the batch of ${commands.length} commands ended with ${code}`));
    });
  });
}

function judge(
  command: string,
  { index, dir, at }: { index: number; dir: string; at: number },
  total: Outcome,
): void {
  const analysis = analyseCommand(command, {
    cwd: join(dir, String(at), "w"),
    home: join(dir, "home"),
  });
  const executed = executedWords(join(dir, String(at)));
  total.executed += executed.length;
  if (
    [...analysis.concerns, ...analysis.commands.flatMap((item) => item.concerns)].some((concern) =>
      blind.has(concern.code),
    )
  )
    return;
  total.foreseeable += 1;
  const judged = analysis.commands.map((item) => item.argv);
  const surprise = executed.find((words) => !judged.some((argv) => fits(argv, words)));
  if (surprise) total.surprises.push({ index, command, executed: surprise, judged });
}

function executedWords(dir: string): string[][] {
  const read = (name: string) =>
    existsSync(join(dir, name)) ? readFileSync(join(dir, name), "utf8") : "";
  const ran = read("ran")
    .split(end + unit)
    .filter(Boolean)
    .map((record) => record.split(unit).slice(0, -1));
  const traced = read("trace")
    .split("\n")
    .filter((line) => /^\++ /.test(line))
    .map((line) => line.replace(/^\++ /, ""))
    .filter((line) => !/^(?:\w+(?:\[[^\]]*\])?\+?=|for |case |\[\[ |\(\( |select )/.test(line))
    .map((line) => [
      /^(?:'([^']*)'|(\S+))/
        .exec(line)
        ?.slice(1)
        .find((text) => text !== undefined) ?? line,
    ]);
  // A trace gives names only: its words are quoted in ways of their own, and the stubs report
  // theirs exactly.
  return [...ran, ...traced.map((words) => [words[0]!, "\0any"])];
}

/** An unknown word stands for any number of words. */
function fits(argv: (string | null)[], words: string[]): boolean {
  const base = (word: string | null) => word?.split("/").at(-1) ?? null;
  if (argv[0] !== null && base(argv[0]!) !== base(words[0]!)) return false;
  return words[1] === "\0any" || fitsFrom(argv.slice(1), words.slice(1));
}

function fitsFrom(argv: (string | null)[], words: string[]): boolean {
  const [first, ...rest] = argv;
  if (argv.length === 0) return words.length === 0;
  if (first === null)
    return words.some((_, at) => fitsFrom(rest, words.slice(at))) || fitsFrom(rest, []);
  return words.length > 0 && words[0] === first && fitsFrom(rest, words.slice(1));
}
