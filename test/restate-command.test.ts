// Every command over a cluster, as a person calls it: a main thread here, its agents on two workers.
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TempProject } from "../src/testing/temp-project.ts";
import { retinue, type Finished } from "./retinue-process.ts";
import { startCluster, type Cluster } from "./support/cluster/cluster.ts";
import { hasHaproxy, startHaproxy } from "./support/cluster/haproxy.ts";
import { withEngine } from "./support/cluster/with-engine.ts";
import { waitUntil } from "./support/wait-until.ts";

withEngine("commands over a cluster", () => {
  let cluster: Cluster;
  beforeAll(async () => (cluster = await startCluster()), 60_000);
  afterAll(() => cluster.close());

  const envOf = () => ({ ...cluster.thinker.env, RETINUE_TOKEN: cluster.tokens["web"]! });

  /** A project whose user has the cluster in the settings. */
  function person(files: Record<string, string> = {}, restate: object = {}) {
    const project = cluster.project(files);
    const settings = {
      model: cluster.thinker.model,
      retinue: {
        background: { ask: "wait" },
        executor: {
          restate: { url: cluster.gateway, tokenEnv: "RETINUE_TOKEN", ...restate },
        },
      },
    };
    mkdirSync(join(project.home, ".claude"), { recursive: true });
    writeFileSync(join(project.home, ".claude", "settings.json"), JSON.stringify(settings));
    const call = (args: string[], onStart?: (child: ChildProcess) => void): Promise<Finished> =>
      retinue(args, { project, env: envOf(), ...(onStart ? { onStart } : {}) });
    const json = async <T>(...args: string[]): Promise<T> => {
      const { stdout, stderr } = await call([...args, "--json"]);
      try {
        return JSON.parse(stdout) as T;
      } catch {
        throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
      }
    };
    return { project, call, json };
  }

  const bash = (id: string, command: string) => ({
    tools: [{ id, name: "Bash", input: { command } }],
  });

  /** A main thread that starts one agent, named after the word, and repeats what it says. */
  function tellLead(word: string, more: object = {}): string {
    const input = {
      description: word,
      prompt: `${word} now`,
      subagent_type: "helper",
      name: word,
      ...more,
    };
    cluster.thinker.tell(`lead-${word}`, ({ turn, last }) =>
      turn === 1 ? { tools: [{ id: "m1", name: "Agent", input }] } : `Lead: ${last}`,
    );
    return `lead-${word} the way`;
  }

  const helper = { description: "helps", prompt: "You help.", contract: "none" };
  const checker = { ...helper, contract: "handoff" };
  const agents = ["--agents", JSON.stringify({ helper, checker })];
  const allow = [...agents, "--allowedTools", "Bash", "--permission-mode", "acceptEdits"];

  type Row = { agent_id: string; name?: string; state: string };
  const rowOf = async ({ json }: ReturnType<typeof person>, name: string): Promise<Row> =>
    waitUntil(async () => (await json<Row[]>("ps", "--all")).find((row) => row.name === name));

  const startedRuns = async (): Promise<number> => {
    const metrics = await Promise.all(
      cluster.workers.map(async ({ events }) => (await fetch(`${events}/metrics`)).text()),
    );
    return metrics
      .map((text) => Number(/retinue_worker_started_total (\d+)/.exec(text)?.[1]))
      .reduce((sum, count) => sum + count);
  };

  test("run, ps, send, logs -f, output and resume: an agent on a worker is like one of this machine", async () => {
    const me = person();
    const before = await startedRuns();
    cluster.thinker.tell("scout", ({ turn, last }) =>
      last.includes("news") || turn > 60
        ? `The scout is back: ${last.split("\n").at(-1)}`
        : bash(`s${turn}`, `echo ${turn} > step.txt; sleep 0.1`),
    );
    const running = me.call(["run", ...allow, "--json", "--", tellLead("scout")]);
    const { agent_id: id } = await rowOf(me, "scout");
    expect(await me.json<Row[]>("ps")).toContainEqual(
      expect.objectContaining({ agent_id: id, state: "running" }),
    );
    const following = me.call(["logs", "-f", id]);
    const waiting = me.call(["output", "--block", id]);
    await waitUntil(() => existsSync(me.project.path("step.txt")));
    const sent = await me.call(["send", id, "news: rain"]);
    expect(sent.code, sent.stderr).toBe(0);
    const [run, logs, output] = await Promise.all([running, following, waiting]);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain("The scout is back: news: rain");
    expect(logs.stdout).toContain("step.txt");
    expect(logs.stdout).toContain("The scout is back");
    expect(output.stdout).toContain("The scout is back");
    expect(await startedRuns()).toBe(before + 1);
    const again = await me.call(["resume", id, ...allow, "--", "news: sun"]);
    expect(again.stdout, again.stderr).toContain("The scout is back: news: sun");
    expect(await startedRuns()).toBe(before + 2);
  }, 60_000);

  test("stop ends an agent on a worker, in the middle of a call", async () => {
    const me = person();
    cluster.thinker.tell("sleeper", () => bash("s1", "touch asleep.txt; sleep 30"));
    const running = me.call(["run", ...allow, "--json", "--", tellLead("sleeper")]);
    const { agent_id: id } = await rowOf(me, "sleeper");
    await waitUntil(() => existsSync(me.project.path("asleep.txt")));
    const stopped = await me.call(["stop", id]);
    expect(stopped.code, stopped.stderr).toBe(0);
    expect((await running).stdout).toContain("state=stopped");
    expect(await rowOf(me, "sleeper")).toMatchObject({ state: "stopped" });
  }, 60_000);

  test("asks and answer: a question of an agent on a worker, from any terminal", async () => {
    const me = person();
    cluster.thinker.tell("asker", ({ turn, last }) => {
      if (turn === 1) return bash("a1", "touch asked.txt");
      const questions = [{ question: "Which colour?" }];
      return turn === 2
        ? { tools: [{ id: "a2", name: "AskUserQuestion", input: { questions } }] }
        : `The asker heard ${last.split("\n").at(-1)}`;
    });
    const started = await me.call([
      "run",
      ...agents,
      "--background",
      "--json",
      "--",
      tellLead("asker", { run_in_background: true }),
    ]);
    expect(started.code, started.stderr).toBe(0);
    type Ask = { id: string; tool: string; agent_type: string };
    const openAsk = (tool: string): Promise<Ask> =>
      waitUntil(async () => (await me.json<Ask[]>("asks")).find((ask) => ask.tool === tool));
    const yes = await me.call(["answer", (await openAsk("Bash")).id, "yes"]);
    expect(yes.code, yes.stderr).toBe(0);
    const blue = await me.call(["answer", (await openAsk("AskUserQuestion")).id, "blue"]);
    expect(blue.code, blue.stderr).toBe(0);
    const { agent_id: id } = await rowOf(me, "asker");
    const output = await me.call(["output", "--block", id]);
    expect(output.stdout).toContain("The asker heard → blue");
    expect(existsSync(me.project.path("asked.txt"))).toBe(true);
  }, 60_000);

  const handoff = (value: object): string =>
    JSON.stringify({
      status: "complete",
      decision: "PROCEED",
      findings: {},
      issues: [],
      context_summary: "done",
      ...value,
    });

  test("flow: its agents run on the workers, a question ends it, and flow resume goes on with the answer", async () => {
    const me = person();
    const before = await startedRuns();
    cluster.thinker.tell("storage", ({ prompt }) =>
      prompt.includes("Postgres")
        ? handoff({ context_summary: "clear now" })
        : handoff({ decision: "CLARIFY", status: "blocked", questions: ["Which database?"] }),
    );
    const flow = await me.call([
      "flow",
      "parallel",
      ...agents,
      "--json",
      "--second-looks",
      "0",
      "--task",
      "checker=story:storage choose a database",
      "--",
      "choose",
    ]);
    const told = JSON.parse(flow.stdout) as { flow_id?: string; decision?: string };
    expect(told.decision, flow.stdout + flow.stderr).toBe("CLARIFY");
    const again = await me.call([
      "flow",
      "resume",
      String(told.flow_id),
      ...agents,
      "--json",
      "--answer",
      "Which database?=Postgres",
    ]);
    expect(JSON.parse(again.stdout), again.stderr).toMatchObject({ decision: "PROCEED" });
    expect(await startedRuns()).toBe(before + 2);
  }, 60_000);

  const times = Number(process.env["RETINUE_FAILURES"] ?? 1);

  test(
    "a client that is killed leaves its agent running, and the next one sees it end",
    async () => {
      for (let time = 0; time < times; time += 1) await killClient(person());
    },
    60_000 * times,
  );

  async function killClient(me: ReturnType<typeof person>): Promise<void> {
    cluster.thinker.tell("survivor", ({ turn }) =>
      turn <= 8 ? bash(`s${turn}`, `echo ${turn} >> log.txt; sleep 0.1`) : "The survivor is done.",
    );
    let client: ChildProcess | undefined;
    const running = me.call(
      ["run", ...allow, "--", tellLead("survivor")],
      (child) => (client = child),
    );
    const { agent_id: id } = await rowOf(me, "survivor");
    await waitUntil(() => existsSync(me.project.path("log.txt")));
    client!.kill("SIGKILL");
    await running;
    await waitUntil(() => linesOf(me.project).length === 8);
    const resumed = await me.call(["resume", id, ...allow, "--", "go on"]);
    expect(resumed.stdout, resumed.stderr).toContain("The survivor is done.");
    expect(linesOf(me.project)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
  }

  test("a run whose client is gone for good is found in the engine and stopped by its tenant", async () => {
    const me = person();
    cluster.thinker.tell("orphan", () => bash("o1", "touch asleep.txt; sleep 30"));
    let client: ChildProcess | undefined;
    const running = me.call(
      ["run", ...allow, "--", tellLead("orphan")],
      (child) => (client = child),
    );
    await waitUntil(() => existsSync(me.project.path("asleep.txt")));
    client!.kill("SIGKILL");
    await running;
    const underWay = (): Promise<Record<string, unknown>[]> =>
      cluster.engine.sql(
        "select target_service_key as life from sys_invocation where target_service_name = 'RetinueRun' and target_handler_name = 'run' and status <> 'completed' and target_service_key like 'web.%'",
      );
    const [{ life } = { life: "" }] = await underWay();
    const run = String(life).split(".")[1]!;
    const stop = (tenant: string): Promise<Response> =>
      fetch(`${cluster.gateway}/v1/runs/${run}/stop`, {
        method: "POST",
        headers: { authorization: `Bearer ${cluster.tokens[tenant]}` },
      });
    expect((await stop("other")).status).toBe(404);
    expect((await stop("web")).status).toBe(200);
    await waitUntil(async () => (await underWay()).length === 0);
  }, 60_000);

  test.skipIf(!hasHaproxy)(
    "through the balancer of the documentation: TLS for clients, HTTP/2 for the engine, a worker's death in between",
    async () => {
      const haproxy = await startHaproxy(cluster);
      try {
        const me = person({}, { url: haproxy.clients });
        cluster.thinker.tell("balanced", ({ turn }) =>
          turn <= 8
            ? bash(`s${turn}`, `echo ${turn} >> log.txt; sleep 0.1`)
            : "The lines are there.",
        );
        const env = { ...envOf(), NODE_EXTRA_CA_CERTS: haproxy.certificate };
        const running = retinue(["run", ...allow, "--json", "--", tellLead("balanced")], {
          project: me.project,
          env,
        });
        await waitUntil(() => existsSync(me.project.path("log.txt")));
        const driven = await Promise.all(cluster.workers.map((worker) => drivenBy(worker.events)));
        await cluster.removeWorker(cluster.workers[driven.indexOf(1)]!);
        const run = await running;
        expect(run.stdout, run.stderr).toContain("The lines are there.");
        expect(new Set(linesOf(me.project)).size).toBe(linesOf(me.project).length);
        for (const path of ["/metrics", "/healthz"]) {
          const answer = await haproxy.ask(path);
          expect(answer).toBe(403);
        }
      } finally {
        await haproxy.close();
        await cluster.addWorker();
      }
    },
    60_000,
  );

  const drivenBy = async (events: string): Promise<number> =>
    Number(/retinue_worker_runs (\d+)/.exec(await (await fetch(`${events}/metrics`)).text())?.[1]);

  const linesOf = (project: TempProject): string[] => project.read("log.txt").trim().split("\n");

  test("doctor says whether the gateway knows the token, and a missing token is said before anything starts", async () => {
    const me = person({}, { tenant: "web" });
    const gatewayLine = async (env: Record<string, string>): Promise<unknown> => {
      const { stdout } = await retinue(["doctor", "--json"], { project: me.project, env });
      const rows = JSON.parse(stdout) as { check: string }[];
      return rows.find(({ check }) => check === "gateway");
    };
    expect(await gatewayLine(envOf())).toMatchObject({ ok: true });
    expect(
      await gatewayLine({ ...envOf(), RETINUE_TOKEN: cluster.tokens["other"]! }),
    ).toMatchObject({ ok: false });
    const { RETINUE_TOKEN: _none, ...without } = envOf();
    const refused = await retinue(["run", "--", "anything"], { project: me.project, env: without });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("RETINUE_TOKEN");
  }, 60_000);
});
