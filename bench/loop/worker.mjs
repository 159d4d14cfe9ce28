// One contender, one scenario, one process: prints one line of JSON with what was measured.
import { turns, work } from "./scenario.mjs";

const { contender, url, options, scenario, agents, within } = JSON.parse(process.argv[2]);
const before = process.memoryUsage().rss;
const { prepare } = await import(`./${contender}.mjs`);
const runAgent = await prepare({ url, ...options, within });
const all = (count) => Promise.all(Array.from({ length: count }, (_, index) => runAgent(index)));

const milliseconds = ({ user, system }) => (user + system) / 1000;
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function oneByOne() {
  // In processor time: beside busy neighbours as many runs warm up and count as on a machine without other work.
  const spent = () => milliseconds(process.cpuUsage());
  const until = spent() + 800;
  for (let run = 0; run < 40 && spent() < until; run++) await runAgent(run);
  const times = [];
  const cpu = process.cpuUsage();
  const end = spent() + 1_500;
  for (let run = 0; run < (url ? 60 : 300) && (run < 5 || spent() < end); run++) {
    const started = performance.now();
    await runAgent(run);
    times.push(performance.now() - started);
  }
  return { cpuMs: milliseconds(process.cpuUsage(cpu)) / times.length, ms: median(times) };
}

async function together() {
  await all(20);
  const cpu = process.cpuUsage();
  const started = performance.now();
  await all(agents);
  return {
    ms: performance.now() - started,
    cpuMs: milliseconds(process.cpuUsage(cpu)),
    peakRss: process.resourceUsage().maxRSS * 1024,
  };
}

/** Memory while every agent waits in its last tool call, over what there was before they started. */
async function held() {
  await all(20);
  const used = () => {
    for (let round = 0; round < 4; round++) globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const empty = used();
  let waiting = 0;
  let everyone;
  const arrived = new Promise((resolve) => (everyone = resolve));
  let release;
  const released = new Promise((resolve) => (release = resolve));
  work.hold = () => {
    if (++waiting === agents) everyone();
    return released;
  };
  const running = all(agents);
  await Promise.race([arrived, running]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const perAgent = (used() - empty) / agents;
  release();
  await running;
  return { perAgent };
}

work.runs = 0;
const measured = await { one: oneByOne, long: oneByOne, many: together, memory: held }[scenario]();
if (work.runs === 0 || work.runs % turns !== 0)
  throw new Error(
    `${contender}: the tool ran ${work.runs} times, which is no multiple of ${turns}`,
  );
console.log(JSON.stringify({ ...measured, loadedRss: before, runs: work.runs }));
process.exit(0);
