// Who may make workers run something, and what the engine gets to see: a gateway's word is needed
// for every run, a tenant reaches its own runs only, and the journal is sealed.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAgentId, newUuid } from "../src/base/ids.ts";
import { openClusterKey, readClusterKey } from "../src/restate/cluster-key.ts";
import { openIngress } from "../src/restate/ingress.ts";
import { restate } from "../src/restate/index.ts";
import { lifeKey, signedJob, type RunJob, type RunOrder } from "../src/restate/run-job.ts";
import { startCluster, type Cluster } from "./support/cluster/cluster.ts";
import { withEngine } from "./support/cluster/with-engine.ts";
import { waitUntil } from "./support/wait-until.ts";
import { runSpec } from "./support/run-spec.ts";

const narrow = {
  folders: ["/srv/narrow"],
  modes: ["default"],
  tools: ["Read"],
  models: ["offline"],
  deny: ["Read(./.env)"],
  maxRuns: 5,
  maxTurns: 5,
  timeoutMs: 60_000,
};

withEngine("a cluster's doors", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ workers: 1, tenants: { narrow, few: { maxRuns: 2 } } });
  }, 60_000);
  afterAll(() => cluster.close());

  const order = (more: Partial<RunOrder["spec"]> = {}): RunOrder => ({
    spec: runSpec({
      runId: newUuid(),
      agentId: newAgentId(),
      session: { id: newUuid() },
      startedAt: Date.now(),
      ...more,
    }),
    approvals: [],
    approved: [],
    hasHooks: false,
  });

  const ask = (path: string, token: string | undefined, body?: unknown): Promise<Response> =>
    fetch(cluster.gateway + path, {
      method: body === undefined ? "GET" : "POST",
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const submit = async (
    tenant: string,
    given: unknown,
  ): Promise<{ status: number; said: string }> => {
    const response = await ask("/v1/runs", cluster.tokens[tenant], given);
    return { status: response.status, said: await response.text() };
  };

  test("without a token, or with one that nobody has, nothing is answered", async () => {
    for (const token of [undefined, "rt_guess", `${cluster.tokens["web"]}x`])
      for (const [path, body] of [
        ["/v1/runs", order()],
        [`/v1/runs/${newUuid()}/events`, undefined],
        ["/v1/store/objects?prefix=", undefined],
      ] as const)
        expect((await ask(path, token, body)).status).toBe(401);
  });

  test("an order that is wider than its tenant's ceiling is refused, and says why", async () => {
    const { policy, place } = order().spec;
    const inside = (cwd: string) => ({
      place: { ...place, cwd },
      policy: {
        ...policy,
        mode: "default" as const,
        workspace: { ...policy.workspace, cwd, root: cwd, additionalDirectories: [] },
      },
    });
    const fits = { ...inside("/srv/narrow/a"), tools: ["Read"], model: "offline" };
    const wide: [object, string][] = [
      [{ ...fits, tools: ["Read", "Bash"] }, "the tool Bash"],
      [{ ...fits, model: "anthropic:other" }, "the model anthropic:other"],
      [
        { ...fits, policy: { ...fits.policy, mode: "bypassPermissions" } },
        "the mode bypassPermissions",
      ],
      [{ ...fits, ...inside("/srv/narrow-not") }, "outside of the folders"],
      [{ ...fits, ...inside("/srv/narrow/../other") }, "outside of the folders"],
      [{ ...fits, mcpServers: [{ name: "own", config: { command: "sh" } }] }, "MCP servers"],
      [{ ...fits, startedAt: Date.now() - 86_400_000 }, "its time was over"],
      [{ ...fits, startedAt: Date.now() + 86_400_000 }, "in the future"],
    ];
    for (const [more, why] of wide) {
      const { status, said } = await submit("narrow", order(more));
      expect([status, said], why).toEqual([403, expect.stringContaining(why)]);
    }
    expect((await submit("narrow", order(fits))).status).toBe(201);
  });

  test("what is no order is refused before anything of it is used", async () => {
    const { spec, ...rest } = order();
    for (const bad of [
      null,
      [],
      {},
      { ...rest, spec: { ...spec, version: 99 } },
      { ...rest, spec: { ...spec, runId: "../x" } },
      { ...rest, spec: { ...spec, session: { id: "../../etc" } } },
      { ...rest, spec: { ...spec, isMain: true } },
      { ...rest, spec: { ...spec, policy: null } },
      { ...rest, spec, approvals: "all" },
    ])
      expect((await submit("web", bad)).status, JSON.stringify(bad)?.slice(0, 80)).toBe(400);
  });

  test("a submit that is sent again starts nothing", async () => {
    const again = order({ model: "offline" });
    expect(await submit("web", again)).toEqual({ status: 201, said: '{"accepted":true}' });
    expect(await submit("web", again)).toEqual({ status: 200, said: '{"accepted":false}' });
    const rows = await cluster.engine.sql(
      `select count(*) as n from sys_invocation where target_service_key = '${lifeKey("web", again.spec)}' and target_handler_name = 'run'`,
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test("who reaches the engine itself gets no run past the workers without a gateway's signature", async () => {
    const key = readClusterKey(cluster.keyFile);
    const { ingress: url } = cluster.engine;
    const job: RunJob = { ...order(), version: 1, tenant: "web", isCounted: false };
    const life = lifeKey("web", job.spec);
    const signed = signedJob(job, key);
    const widened = { ...signed, job: signed.job.replace('"maxTurns":', '"maxTurns":9') };
    const other: RunJob = { ...job, ...order(), tenant: "other" };
    const stranger = openClusterKey(Buffer.from("a key of somebody else, 32 bytes"));
    const refusals: [object, string, string][] = [
      [{ job: signed.job }, "has no signature", life],
      [widened, "not a gateway's", `${life}1`],
      [{ ...signed, signature: stranger.sign(signed.job) }, "not a gateway's", `${life}2`],
      [signed, "signed for another run", lifeKey("web", order().spec)],
      [signedJob(other, key), "signed for another run", lifeKey("web", other.spec)],
    ];
    const ingress = openIngress(url, key);
    const none = new AbortController().signal;
    for (const [given, why, at] of refusals) {
      await ingress.submit(at, given);
      await expect(ingress.end(at, none), why).rejects.toThrow(why);
    }
    // Without the cluster's key not even the envelope can be read.
    const blind = openIngress(url, stranger);
    await blind.submit(`${life}3`, signed);
    await expect(ingress.end(`${life}3`, none)).rejects.toThrow("decode");
  });

  test("a tenant neither sees, stops, answers nor reads a run of another", async () => {
    const { thinker, tokens, gateway } = cluster;
    const project = cluster.project();
    thinker.tell("private", ({ turn }) =>
      turn === 1
        ? {
            tools: [{ id: "t1", name: "Bash", input: { command: "sleep 1; echo done > log.txt" } }],
          }
        : "finished",
    );
    let runId = "";
    const manager = cluster.manager(project, {
      permissions: { mode: "acceptEdits", allow: ["Bash"] },
      onEvent: (event) => void (runId = event.runId),
    });
    const run = manager.spawn({ description: "p", prompt: "private" });
    for await (const event of run.events()) if (event.type === "tool-start") break;
    const foreign = tokens["other"];
    for (const [what, body] of [
      ["stop", null],
      ["message", { text: "give me everything" }],
      ["answer", { toolUseId: "t1", said: "once" }],
    ] as const)
      expect((await ask(`/v1/runs/${runId}/${what}`, foreign, body)).status).toBe(404);
    expect((await ask(`/v1/runs/${runId}/events`, foreign)).status).toBe(404);
    expect(await run.done).toMatchObject({ state: "completed", content: "finished" });
    const listed = await ask("/v1/store/objects?prefix=", foreign);
    expect(await listed.json()).toEqual([]);
    const own = (await (await ask("/v1/store/objects?prefix=", tokens["web"])).json()) as {
      key: string;
    }[];
    expect(own.length).toBeGreaterThan(0);
    for (const key of [own[0]!.key, `../web/${own[0]!.key}`, `web/${own[0]!.key}`])
      expect([
        (await ask(`/v1/store/object?key=${encodeURIComponent(key)}`, foreign)).ok,
        (await ask("/v1/store/joined", foreign, { keys: [key] })).ok,
      ]).toEqual([false, false]);
    const named = restate({ url: gateway, token: foreign!, tenant: "web" });
    const result = await cluster
      .manager(project, { executor: named })
      .spawn({ description: "p", prompt: "private" }).done;
    expect(result).toMatchObject({
      state: "failed",
      error: expect.stringContaining("not one of the tenant web") as string,
    });
  });

  test("a tenant's runs beyond its ceiling wait for their turn, and one that waits can be stopped", async () => {
    let now = 0;
    let most = 0;
    cluster.thinker.tell("crowd", ({ turn }) => {
      if (turn === 1) most = Math.max(most, (now += 1));
      else now -= 1;
      const tools = [{ id: "t1", name: "Bash", input: { command: "sleep 0.1" } }];
      return turn === 1 ? { tools } : "done";
    });
    const manager = cluster.manager(cluster.project(), {
      executor: restate({ url: cluster.gateway, token: cluster.tokens["few"]! }),
      permissions: { mode: "acceptEdits", allow: ["Bash"] },
      limits: { maxConcurrent: 100 },
    });
    const spawn = (prompt: string) => manager.spawn({ description: prompt, prompt });
    const runs = Array.from({ length: 7 }, () => spawn("crowd"));
    const states = await Promise.all(runs.map(async ({ done }) => (await done).state));
    expect([states, most]).toEqual([runs.map(() => "completed"), 2]);
    cluster.thinker.tell("block", () => ({
      tools: [{ id: "t1", name: "Bash", input: { command: "sleep 30" } }],
    }));
    const blocking = [spawn("block"), spawn("block")];
    await waitUntil(() => cluster.thinker.asked("block").length === 2);
    const waiting = spawn("block");
    await manager.stop(waiting.id);
    expect(await waiting.done).toMatchObject({ state: "stopped", reason: "cancelled" });
    expect(cluster.thinker.asked("block")).toHaveLength(2);
    for (const { id } of blocking) await manager.stop(id);
    expect(await spawn("crowd").done).toMatchObject({ state: "completed" });
    // Handed in together with others and with itself, it is one run all the same.
    const given = [1, 2].map(() => order());
    const answers = await Promise.all(
      [...given, ...given, ...given].map((one) => submit("few", one)),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 201, 201,
    ]);
  }, 60_000);

  test("nothing that was said, read or known stands in the engine's tables or files", async () => {
    const inResult = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    const project = cluster.project({ "secret.txt": `token ${inResult}\n` });
    cluster.thinker.tell("whisper", ({ turn }) =>
      turn === 1
        ? { tools: [{ id: "t1", name: "Bash", input: { command: "cat secret.txt" } }] }
        : "I have read a sentence nobody else knows.",
    );
    const manager = cluster.manager(project, {
      permissions: { mode: "acceptEdits", allow: ["Bash"] },
      env: { CLIENT_API_KEY: "client-secret-9f8e7d6c5b4a" },
    });
    const result = await manager.spawn({
      description: "w",
      prompt: "whisper the unusual-prompt-words",
    }).done;
    expect(result.content).toContain("nobody else knows");
    const hidden = [
      inResult,
      "unusual-prompt-words",
      "nobody else knows",
      "client-secret-9f8e7d6c5b4a",
      cluster.thinker.env["ANTHROPIC_API_KEY"]!,
      cluster.tokens["web"]!,
      readFileSync(cluster.keyFile, "utf8").trim(),
    ];
    const rows = JSON.stringify(await cluster.engine.sql("select * from sys_journal"));
    const state = JSON.stringify(await cluster.engine.sql("select * from state"));
    const files = filesBelow(cluster.engine.data).map((path) => readFileSync(path, "latin1"));
    expect(files.length).toBeGreaterThan(3);
    for (const text of [rows, state, ...files])
      for (const secret of hidden) {
        expect(text.includes(secret), secret).toBe(false);
        expect(text.includes(Buffer.from(secret).toString("hex")), secret).toBe(false);
      }
    // What the agent read, its transcript in the store does not tell.
    const stored = filesBelow(cluster.store).map((path) => readFileSync(path, "utf8"));
    expect(stored.some((text) => text.includes("whisper the unusual-prompt-words"))).toBe(true);
    for (const text of stored) expect(text).not.toContain(inResult);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
