// The commands with a cluster in the settings: a main thread here, its agents on the workers.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { retinue } from "./retinue-process.ts";
import { startCluster, type Cluster } from "./support/cluster/cluster.ts";
import { restateBinary } from "./support/cluster/restate-server.ts";

describe.skipIf(restateBinary() === undefined)(
  "commands over a cluster (needs the engine's package)",
  () => {
    let cluster: Cluster;
    beforeAll(async () => (cluster = await startCluster()), 60_000);
    afterAll(() => cluster.close());

    const settingsOf = (more: object = {}): string =>
      JSON.stringify({
        retinue: {
          executor: { restate: { url: cluster.gateway, tokenEnv: "RETINUE_TOKEN", ...more } },
        },
      });
    const envOf = () => ({ ...cluster.thinker.env, RETINUE_TOKEN: cluster.tokens["web"]! });

    test("run starts an agent on a worker; output and logs know it as one of this machine", async () => {
      const { thinker } = cluster;
      const project = cluster.project({ "settings.json": settingsOf() });
      const settings = ["--settings", project.path("settings.json"), "--model", thinker.model];
      const handOver = {
        description: "look",
        prompt: "scout the folder",
        subagent_type: "general-purpose",
      };
      thinker.tell("lead", ({ turn, last }) =>
        turn === 1 ? { tools: [{ id: "m1", name: "Agent", input: handOver }] } : `Lead: ${last}`,
      );
      thinker.tell("scout", ({ turn }) =>
        turn === 1
          ? { tools: [{ id: "s1", name: "Bash", input: { command: "echo here > where.txt" } }] }
          : "The scout is back.",
      );
      const allow = ["--allowedTools", "Bash", "--permission-mode", "acceptEdits"];
      const run = await retinue(
        ["run", ...settings, ...allow, "--output-format", "json", "--", "lead the way"],
        { project, env: envOf() },
      );
      expect(run.code, run.stderr).toBe(0);
      expect(run.stdout).toContain("The scout is back.");
      const metrics = await Promise.all(
        cluster.workers.map(async ({ events }) => (await fetch(`${events}/metrics`)).text()),
      );
      expect(metrics.join("")).toMatch(/retinue_worker_started_total 1/);
      const { agents } = JSON.parse(run.stdout) as { agents?: { agent_id: string }[] };
      const id = agents?.[0]?.agent_id ?? /a[0-9a-f]{16}/.exec(run.stdout)?.[0] ?? "";
      const output = await retinue(["output", id], { project, env: envOf() });
      expect(output.stdout + output.stderr).toContain("The scout is back.");
      const logs = await retinue(["logs", id], { project, env: envOf() });
      expect(logs.stdout).toContain("where.txt");
    }, 60_000);

    test("doctor says whether the gateway knows the token, and a missing token is said before anything starts", async () => {
      const project = cluster.project();
      const gatewayLine = async (env: Record<string, string>): Promise<unknown> => {
        const { stdout } = await retinue(["doctor", "--json"], { project, env });
        const rows = JSON.parse(stdout) as { check: string }[];
        return rows.find(({ check }) => check === "gateway");
      };
      mkdirSync(join(project.home, ".claude"), { recursive: true });
      writeFileSync(join(project.home, ".claude", "settings.json"), settingsOf({ tenant: "web" }));
      expect(await gatewayLine(envOf())).toMatchObject({ ok: true });
      expect(
        await gatewayLine({ ...envOf(), RETINUE_TOKEN: cluster.tokens["other"]! }),
      ).toMatchObject({
        ok: false,
      });
      const { RETINUE_TOKEN: _none, ...without } = envOf();
      const refused = await retinue(["run", "--", "anything"], { project, env: without });
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain("RETINUE_TOKEN");
    }, 60_000);
  },
);
