// The pages and files of docs/scale-out name options that the commands have, and files that are there.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { newToken } from "../src/restate/gateway/tenants.ts";
import { guardedProcess } from "./support/cluster/guarded-process.ts";
import { entry } from "./retinue-process.ts";

const files = [
  "docs/scale-out.md",
  ...readdirSync("docs/scale-out").map((name) => `docs/scale-out/${name}`),
];
const texts = files.map((file) => readFileSync(file, "utf8").replace(/\\?\n\s+(?=--)/g, " "));

test.each(["worker", "gateway"])("every option of `retinue %s` that is named exists", (command) => {
  const help = execFileSync(process.execPath, [entry, command, "--help"], { encoding: "utf8" });
  const known = new Set(help.match(/--[a-z][a-z-]*/g));
  const lines = texts.flatMap((text) => [
    ...text.matchAll(new RegExp(`(?:retinue|>-\\s+)\\s*${command} ([^\n\`]*--[^\n\`]*)`, "g")),
  ]);
  const named = lines.flatMap(([line]) => line.match(/--[a-z][a-z-]*/g) ?? []);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((option) => !known.has(option))).toEqual([]);
});

type Compose = {
  services: Record<
    string,
    { command?: string; networks?: string[]; secrets?: string[]; volumes?: string[] }
  >;
  secrets: object;
  volumes: object;
  networks: object;
};
const compose = parse(readFileSync("docs/scale-out/compose.yaml", "utf8"), {
  merge: true,
}) as Compose;

test("the commands of the compose file start with their arguments", async () => {
  const folder = mkdtempSync(join(tmpdir(), "retinue-compose-"));
  const { hash } = newToken();
  const ceiling = { folders: "*", modes: [], tools: "*", models: "*", deny: [], maxRuns: 5 };
  const tenant = { tokens: [hash], ...ceiling, maxTurns: 5, timeoutMs: 1_000 };
  writeFileSync(join(folder, "cluster.key"), "k".repeat(40));
  writeFileSync(join(folder, "tenants.json"), JSON.stringify({ web: tenant }));
  mkdirSync(join(folder, "store"));
  const argumentsOf = (name: string): string[] =>
    compose.services[name]!.command!.trim()
      .replaceAll("/run/secrets", folder)
      .replaceAll("/srv/retinue", folder)
      .replaceAll("/var/lib/retinue", folder)
      .replaceAll(/0\.0\.0\.0:\d+/g, "127.0.0.1:0")
      .replaceAll(/engine:8080/g, "127.0.0.1:9")
      .split(/\s+/);
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, NO_COLOR: "1" };
  try {
    for (const name of ["worker-1", "worker-2", "gateway"]) {
      const started = await guardedProcess(process.execPath, [entry, ...argumentsOf(name)], {
        cwd: folder,
        env,
      });
      await started.line(/(?:worker|gateway) ready/);
      await started.end();
    }
    // There is no engine, and everything else is there.
    const checked = spawnSync(
      process.execPath,
      [entry, ...argumentsOf("gateway"), "--check", "--json"],
      { cwd: folder, env, encoding: "utf8" },
    );
    const rows = JSON.parse(checked.stdout) as { what: string; ok: boolean }[];
    expect(rows.filter(({ ok }) => ok).map(({ what }) => what)).toEqual(["tenants", "store"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the compose file is whole: every secret, volume and network that a service uses is declared", () => {
  for (const { networks = [], secrets = [], volumes = [] } of Object.values(compose.services)) {
    expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networks));
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
    const named = volumes
      .map((volume) => volume.split(":")[0]!)
      .filter((name) => !name.startsWith("."));
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named));
  }
});
