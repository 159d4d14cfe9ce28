// What can happen to a run on several machines, each as a story with a fault in it, and what must
// hold afterwards: calls that write ran at most once, every cut call was told, the transcript is
// whole, and the report is judged as on one machine.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ManagerOptions } from "../../../src/app/manager-options.ts";
import type { AgentRun } from "../../../src/manager/agents/agent-run.ts";
import type { AgentResult } from "../../../src/manager/session/agent-result.ts";
import { register, type Cluster } from "./cluster.ts";

export type Account = {
  name: string;
  calls: number;
  /** Calls that wrote and ran more than once. */
  twice: number;
  /** Calls of which nobody knows whether they ran, as the agent was told. */
  interrupted: number;
  /** Lines that are missing although nobody was told of it. */
  untold: number;
  problems: string[];
  /** From the fault to the first fact after it. */
  progressMs?: number;
};

export type Fault = (cluster: Cluster, run: AgentRun, story: FaultyStory) => Promise<void>;

/** `hit` says that it has happened now; `send` is a message to the agent. */
type FaultyStory = { hit: () => void; send: (text: string) => void };

const turns = 6;
let count = 0;

const report = (lines: string): string =>
  "## Edit Result\n\n### Status\nSUCCESS\n\n### Summary\nWrote the lines.\n\n### Files Changed\n" +
  "- `log.txt` - the lines\n\n### Findings\n| ID | Issue | File:Line | Severity | Confidence |\n|---|---|---|---|---|\n" +
  `| QA-1 | the first line | \`notes.txt:1\` \`${lines}\` | Important | 90 |\n\n` +
  "### Confidence\n90 - read it\n\n### Verification Completed\n- [x] File References Valid\n\n### Next Steps\n1. none\n";

export const allowed: ManagerOptions = {
  permissions: { mode: "acceptEdits", allow: ["Bash"] },
  contract: "report",
};

export const bash = (id: string, command: string) => ({
  tools: [{ id, name: "Bash", input: { command } }],
});

/** Reads a file, writes lines one by one, reports. */
export function tellStory(cluster: Cluster, pauseMs = 60): string {
  const word = `story-${(count += 1)}`;
  const pause = pauseMs > 0 ? "sleep 0.04;" : "";
  cluster.thinker.tell(word, ({ turn }) => {
    if (turn === 1)
      return { tools: [{ id: "r1", name: "Read", input: { file_path: "notes.txt" } }] };
    if (turn <= turns + 1)
      return {
        ...bash(`t${turn}`, `${pause} echo ${turn} >> log.txt; ${pause}`),
        delayMs: pauseMs,
      };
    return report("one");
  });
  return word;
}

/** In the middle of a call, or shortly after it. */
async function someMoment(run: AgentRun): Promise<void> {
  const wanted = 3 + Math.floor(Math.random() * 3);
  let calls = 0;
  for await (const event of run.events())
    if (event.type === "tool-start" && ++calls === wanted) break;
  await sleep(Math.random() * 150);
}

export async function storyWith(
  cluster: Cluster,
  { name, fault, options = {} }: { name: string; fault: Fault; options?: ManagerOptions },
): Promise<Account> {
  const project = cluster.project({ "notes.txt": "one\n" });
  let hitAt = Infinity;
  let progressMs: number | undefined;
  const manager = cluster.manager(project, {
    ...allowed,
    ...options,
    onEvent(event) {
      // What was said before it happened may still be on its way.
      if (event.type === "message" && event.time > hitAt) progressMs ??= Date.now() - hitAt;
      return options.onEvent?.(event);
    },
  });
  const run = manager.spawn({ description: name, prompt: `${tellStory(cluster)} go` });
  await someMoment(run);
  await fault(cluster, run, {
    hit: () => (hitAt = Date.now()),
    send: (text) => void manager.send(run.id, text),
  });
  const result = await run.done;
  const log = lines(project.read("log.txt"));
  const account = judge(name, result, log);
  await manager.close();
  return progressMs === undefined ? account : { ...account, progressMs };
}

const lines = (text: string): string[] => text.split("\n").filter(Boolean);

function judge(name: string, result: AgentResult, log: readonly string[]): Account {
  const problems: string[] = [];
  if (result.state !== "completed") problems.push(`${result.state}: ${result.error}`);
  const told = lines(readFileSync(result.transcript, "utf8")).map(
    (line) => JSON.parse(line) as { seq?: number; subtype?: string; toolUseIds?: string[] },
  );
  const numbers = told.flatMap(({ seq }) => seq ?? []);
  if (numbers.some((seq, index) => seq !== index + 1)) problems.push("the transcript has gaps");
  if (told.filter(({ subtype }) => subtype === "run_end").length !== 1)
    problems.push("the transcript has not one end");
  const cut = new Set(
    told.flatMap(({ subtype, toolUseIds }) =>
      subtype === "interrupted" ? (toolUseIds ?? []) : [],
    ),
  );
  const missing = Array.from({ length: turns }, (_, index) => String(index + 2)).filter(
    (turn) => !log.includes(turn) && !cut.has(`t${turn}`),
  );
  for (const turn of missing)
    problems.push(`t${turn} wrote nothing, and the transcript says: ${saidOf(`t${turn}`, told)}`);
  const { trust, decision } = result.verification ?? {};
  if (trust !== "VERIFIED") problems.push(`judged ${trust} (${JSON.stringify(decision)})`);
  return {
    name,
    calls: turns,
    twice: log.length - new Set(log).size,
    interrupted: cut.size,
    untold: missing.length,
    problems,
  };
}

/** The lines that speak of the call, for whoever looks for the cause. */
const saidOf = (id: string, told: readonly object[]): string =>
  told
    .map((line) => JSON.stringify(line))
    .filter((line) => line.includes(`"${id}"`))
    .map((line) => line.slice(0, 600))
    .join("\n  ");

/** What happens to a story in its middle. */
export const faults: Readonly<Record<string, Fault>> = {
  "kill -9 of the worker": async (cluster, run, { hit }) => {
    const worker = await cluster.workerOf(run.id);
    hit();
    await cluster.removeWorker(worker);
    // A start of another one takes the processor from the run that goes on.
    await run.done;
    await cluster.addWorker();
  },
  "kill -9 of the engine": async ({ engine }, _run, { hit }) => {
    hit();
    await engine.kill();
    await engine.start();
  },
  "kill -9 of both": async (cluster, run, { hit }) => {
    const worker = await cluster.workerOf(run.id);
    hit();
    await Promise.all([cluster.engine.kill(), cluster.removeWorker(worker)]);
    await cluster.engine.start();
    await run.done;
    await cluster.addWorker();
  },
  "a frozen worker that wakes": async (cluster, run, { hit }) => {
    const worker = await cluster.workerOf(run.id);
    hit();
    worker.signal("SIGSTOP");
    await run.done;
    worker.signal("SIGCONT");
    await sleep(300);
  },
  "a cut network": async ({ balancer }) => {
    balancer.cut();
    await sleep(700);
    balancer.join();
  },
  "an engine that hangs": async ({ engine }) => {
    engine.signal("SIGSTOP");
    await sleep(700);
    engine.signal("SIGCONT");
  },
  "the store is down": async ({ store }) => {
    renameSync(store, `${store}.away`);
    writeFileSync(store, "");
    await sleep(700);
    rmSync(store);
    renameSync(`${store}.away`, store);
  },
  "new code on a second address": async (cluster, run) => {
    const old = await cluster.workerOf(run.id);
    const worker = await cluster.addWorker("alone");
    await register(cluster.engine.admin, `http://127.0.0.1:${worker.port}`);
    await run.done;
    const still = await cluster.workerOf(run.id);
    // The balancer is the newest address again for the stories after this one.
    await register(cluster.engine.admin, cluster.balancer.url);
    await cluster.removeWorker(worker);
    if (still !== old && !cluster.workers.includes(still))
      throw new Error("the run has left the address on which it began");
  },
};
