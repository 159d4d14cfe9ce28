// Every file call of a run, of one with a sub-agent and of a resume, through the command, fails once in every way: EIO, ENOSPC, EMFILE, and kill -9 in its place. Nothing that was
// told as done may be missing on disk, every transcript must load, and no stack trace may reach a person.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./support/root.mjs";

export const summary =
  "every file call of a run, one with a sub-agent and a resume fails once in every way, through the command ([--every N])";

const faults = ["EIO", "ENOSPC", "EMFILE", "kill"];
const entry = join(root, "dist", "cli", "retinue.js");
const shim = pathToFileURL(join(root, "bench", "faults", "shim.mjs")).href;

export async function run(args = []) {
  if (!existsSync(entry)) throw new Error("run `npm run build` first");
  const every = args.includes("--every") ? Number(args[args.indexOf("--every") + 1]) : 1;
  const { startMockProvider } = await import(join(root, "dist", "testing", "index.js"));
  const { readTranscript } = await import(join(root, "dist", "app", "index.js"));
  const provider = await startMockProvider({ reply: ({ body }) => replyTo(body.messages) });
  const folder = mkdtempSync(join(tmpdir(), "retinue-faults-"));
  const world = { folder, url: provider.url, readTranscript };
  let isGood = true;
  try {
    const first = await attempt(world, { words: ["run", "look"] });
    const session = JSON.parse(first.out).session_id;
    for (const [name, words] of [
      ["run", ["run", "look"]],
      ["run with a sub-agent", ["run", "delegate", "--allowedTools", "Agent"]],
      ["resume", ["run", "--resume", session, "go on"]],
    ])
      isGood = (await sweepCalls(world, { name, words, every, from: first.home })) && isGood;
  } finally {
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return isGood;
}

/** One tool call, then an answer; a resumed conversation goes the same way once more. */
function replyTo(messages) {
  const last = messages.at(-1).content;
  const isResult = Array.isArray(last) && last.some(({ type }) => type === "tool_result");
  if (isResult) return { text: "All done." };
  const id = `toolu_${messages.length}`;
  const task = { description: "look", prompt: "look around", subagent_type: "Explore" };
  return JSON.stringify(messages[0]).includes("delegate")
    ? { tools: [{ name: "Agent", input: task, id }] }
    : { tools: [{ name: "Glob", input: { pattern: "*.md" }, id }] };
}

async function sweepCalls(world, { name, words, every, from }) {
  const whole = await attempt(world, { words, from });
  if (whole.code !== 0)
    throw new Error(`${name} without a fault ended with ${whole.code}: ${whole.err}`);
  const tally = {
    bench: name,
    calls: whole.calls,
    tried: 0,
    ended: 0,
    lost: 0,
    traces: 0,
    unloadable: 0,
  };
  for (const fault of faults)
    for (let at = 1; at <= whole.calls; at += every) {
      const tried = await attempt(world, { words, from, at: `${at}:${fault}` });
      tally.tried += 1;
      if (tried.code !== 0) tally.ended += 1;
      const problem = await judge(world, tried, fault);
      if (problem) {
        tally[problem] += 1;
        console.log(`${name}, call ${at}, ${fault}: ${problem}\n${tried.err.slice(0, 400)}`);
      }
      rmSync(tried.home, { recursive: true, force: true });
    }
  console.log(JSON.stringify(tally));
  return tally.lost + tally.traces + tally.unloadable === 0;
}

async function judge({ readTranscript }, { home, code, out, err }, fault) {
  if (/\n\s+at .+:\d+:\d+/.test(err + out)) return "traces";
  const results = [];
  for (const path of transcriptsIn(home)) {
    try {
      results.push(await readTranscript(path));
    } catch {
      return "unloadable";
    }
  }
  if (fault === "kill" || code !== 0) return undefined;
  const isKept = results.some(
    ({ ended, messages }) =>
      ended?.state === "completed" && JSON.stringify(messages.at(-1)).includes("All done."),
  );
  return isKept ? undefined : "lost";
}

const transcriptsIn = (home) =>
  readdirSync(home, { recursive: true })
    .filter((path) => path.endsWith(".jsonl"))
    .map((path) => join(home, path));

let homes = 0;

/** The command in a home of its own: an empty one, or a copy of `from`. */
async function attempt({ folder, url }, { words, from, at }) {
  const home = join(folder, `home-${homes++}`);
  if (from) cpSync(from, home, { recursive: true });
  else mkdirSync(home);
  const project = join(folder, "project");
  mkdirSync(project, { recursive: true });
  const count = join(folder, "count");
  const child = spawn(
    process.execPath,
    [
      "--import",
      shim,
      entry,
      ...words,
      "--model",
      "anthropic:claude-sonnet-4-5",
      "--output-format",
      "json",
    ],
    {
      cwd: project,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        HOME: home,
        ANTHROPIC_API_KEY: "sk-ant-test",
        ANTHROPIC_BASE_URL: url,
        RETINUE_FAULT_UNDER: home,
        RETINUE_FAULT_COUNT: count,
        ...(at ? { RETINUE_FAULT_AT: at } : {}),
      },
    },
  );
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  const code = await new Promise((resolve) => child.on("close", resolve));
  return {
    home,
    code,
    out,
    err,
    calls: existsSync(count) ? Number(readFileSync(count, "utf8")) : 0,
  };
}
