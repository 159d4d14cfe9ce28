// The pages and files of docs/scale-out name options that the commands have, and files that are there.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
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

test("the compose file is whole: every secret, volume and network that a service uses is declared", () => {
  type Service = { networks?: string[]; secrets?: string[]; volumes?: string[] };
  const compose = parse(readFileSync("docs/scale-out/compose.yaml", "utf8"), { merge: true }) as {
    services: Record<string, Service>;
    secrets: object;
    volumes: object;
    networks: object;
  };
  for (const { networks = [], secrets = [], volumes = [] } of Object.values(compose.services)) {
    expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networks));
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
    const named = volumes
      .map((volume) => volume.split(":")[0]!)
      .filter((name) => !name.startsWith("."));
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named));
  }
});
