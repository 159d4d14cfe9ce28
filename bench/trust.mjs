// What the look at a final answer costs: the same ten-turn run over HTTP with it and without it, side by
// side in one process, in random order; the provider runs in another. Fails above 5 % beside a provider
// that answers at once; what a person meets, with a model that takes its time, is printed below it.
import { fork } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./support/root.mjs";

export const summary =
  "processor time that the check of a final answer adds to a ten-turn run ([ROUNDS])";

const turns = 10;
const limitPercent = 5;
/** Processor time after which the engine has compiled what these runs need. */
const warmUpMs = 2_500;
/** How long a quick model takes to answer a turn. */
const modelMs = 100;
const files = 200;
const line = (index) => `export const part${index} = (value: number): number => value + ${index};`;

/**
 * Final answers, each run's another one, as in life: with places to compare, of which the run has read
 * some, and with nothing to check.
 */
const answers = {
  "five places": (run) =>
    [1, 3, 5, run, run + 1]
      .map((index) => index % files)
      .map((index) => `\`part${index}\` stands in \`src/part-${index}.ts:1\`: \`${line(index)}\``)
      .join("\n\n"),
  "nothing to check": (run) =>
    `The parts add a number to a value, one number each, and nothing ${run % 2 === 0 ? "else" : "more"}.`,
};

export async function run(args = []) {
  const rounds = Number(args[0] ?? 60);
  if (!existsSync(join(root, "dist", "testing", "index.js")))
    throw new Error("build first: npm run build");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retinue-bench-")));
  const project = join(folder, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(join(folder, "home", ".claude"), { recursive: true });
  for (let index = 0; index < files; index++)
    writeFileSync(join(project, "src", `part-${index}.ts`), `${line(index)}\n`);
  const { startMockProvider } = await import(join(root, "dist", "testing", "index.js"));
  let isFine = true;
  try {
    console.log(
      `Node ${process.versions.node}; ${turns} turns of Read over HTTP, then the answer; ${files} files; after ${warmUpMs / 1000} s of warming up ${rounds} runs each, in random order: median (quartiles) of processor time a run.\n`,
    );
    for (const [name, answer] of Object.entries(answers)) {
      let answered = 0;
      let delayMs = 0;
      const provider = await startMockProvider({
        reply: (request) => ({
          ...(reply(request, project) ?? { text: answer(answered++) }),
          ...(delayMs > 0 ? { delayMs } : {}),
        }),
      });
      const job = {
        folder,
        rounds,
        url: provider.url,
        slowRounds: Math.min(10, Math.ceil(rounds / 6)),
      };
      const { atOnce, slow } = await measure(job, () => (delayMs = modelMs));
      await provider.close();
      isFine &&= moreOf(atOnce.processor) < limitPercent;
      console.log(row(name, atOnce.processor));
      console.log(`${row("  by the clock", atOnce.clock)} (the same runs)`);
      console.log(
        `${row(`  ${modelMs} ms a turn`, slow)} (by the clock; ${slow.with.length} runs each, a model that takes ${modelMs} ms to answer a turn)`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${isFine ? "below" : "NOT below"} ${limitPercent} %`);
  return isFine;
}

/** The next call; undefined where the answer is due. */
function reply({ body }, project) {
  const done = body.messages.filter(({ role }) => role === "assistant").length;
  return done < turns
    ? { tools: [{ name: "Read", input: { file_path: join(project, "src", `part-${done}.ts`) } }] }
    : undefined;
}

const quartile = (sorted, which) => sorted[Math.floor((sorted.length * which) / 4)];

const words = (sorted) =>
  `${quartile(sorted, 2).toFixed(2)} ms (${quartile(sorted, 1).toFixed(2)} to ${quartile(sorted, 3).toFixed(2)})`;

const moreOf = (times) => (quartile(times.with, 2) / quartile(times.without, 2) - 1) * 100;

function row(name, times) {
  const more = moreOf(times);
  return `${name.padEnd(18)} with ${words(times.with)}, without ${words(times.without)}: ${more >= 0 ? "+" : ""}${more.toFixed(1)} %`;
}

/**
 * The times with the check and without it, in milliseconds, sorted: of processor time beside a
 * provider that answers at once, and by the clock beside a slow one. `slowDown` makes it slow.
 */
function measure(job, slowDown) {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(job)]);
  return new Promise((done, failed) => {
    child.on("message", (told) => {
      if (told !== "slower") return done(told);
      slowDown();
      child.send("slow");
    });
    child.once("exit", (code) => code !== 0 && failed(new Error(`the worker ended with ${code}`)));
  });
}

async function work({ folder, rounds, slowRounds, url }) {
  const { runMain } = await import(join(root, "dist", "app", "index.js"));
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, "home"),
    ANTHROPIC_API_KEY: "key",
    ANTHROPIC_BASE_URL: url,
  };
  const once = async (verify) => {
    const [before, clock] = [process.cpuUsage(), performance.now()];
    const options = { cwd: join(folder, "project"), env, verify, model: "sonnet" };
    const { state, error } = await runMain(options, { prompt: "what are the parts?" });
    if (state !== "completed") throw new Error(error);
    const { user, system } = process.cpuUsage(before);
    return { processor: (user + system) / 1000, clock: performance.now() - clock };
  };
  const inTurns = async (count) => {
    const times = { processor: { with: [], without: [] }, clock: { with: [], without: [] } };
    for (let index = 0; index < count; index++) {
      const first = Math.random() < 0.5;
      for (const verify of [first, !first])
        for (const [measure, spent] of Object.entries(await once(verify)))
          times[measure][verify ? "with" : "without"].push(spent);
    }
    for (const lists of Object.values(times))
      for (const list of Object.values(lists)) list.sort((a, b) => a - b);
    return times;
  };
  for (let spent = 0, index = 0; spent < warmUpMs; index++)
    spent += (await once(index % 2 === 0)).processor;
  const atOnce = await inTurns(rounds);
  await new Promise((done) => {
    process.once("message", done);
    process.send("slower");
  });
  const { clock: slow } = await inTurns(slowRounds);
  process.send({ atOnce, slow });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await work(JSON.parse(process.argv[2]));
  process.exit(0);
}
