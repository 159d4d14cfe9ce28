import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";

test("TRANS-06 of several processes that take over one stale lock exactly one succeeds", async () => {
  const dir = mkdtempSync(join(tmpdir(), "retinue-race-"));
  const script = join(dir, "taker.mjs");
  buildSync({
    entryPoints: [join(import.meta.dirname, "support", "lock-taker.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const rounds = 60;
  for (let round = 0; round < rounds; round++)
    writeFileSync(
      join(dir, `${round}.jsonl.lock`),
      JSON.stringify({ pid: 2 ** 22 - 1, startTime: "1", bootId: null }),
    );
  const start = String(Date.now() + 800);
  const takers = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [script, dir, start, String(rounds)], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  try {
    const wins = await Promise.all(
      takers.map(async (taker) => {
        let text = "";
        taker.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        while (!text.endsWith("]")) await once(taker.stdout, "data");
        return JSON.parse(text) as number[];
      }),
    );
    expect(wins.flat().sort((a, b) => a - b)).toEqual(
      Array.from({ length: rounds }, (_, round) => round),
    );
  } finally {
    for (const taker of takers) taker.kill("SIGKILL");
    rmSync(dir, { recursive: true, force: true });
  }
});
