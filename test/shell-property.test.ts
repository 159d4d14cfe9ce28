// Whatever bash executes must have been foreseen, and whatever is allowed hides nothing.
// `SHELL_SEED=n` replays a run.
import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { runsAlone, runTexts, tryTexts } from "./shell-differential.ts";
import { tryCommands } from "./shell-oracle.ts";
import { activeTexts, inertTexts } from "./shell-texts.ts";

const seed = Number(process.env["SHELL_SEED"] ?? 20_261_115);

// The bash of macOS is too old to trace to a descriptor of its own.
it.runIf(process.platform === "linux")(
  "foresees every command that bash executes, or asks",
  { timeout: 120_000 },
  async () => {
    const outcome = await tryCommands({ seed, count: 1_000 });
    expect(outcome.surprises, `SHELL_SEED=${seed} replays this`).toEqual([]);
    expect(outcome.executed).toBeGreaterThan(1_000);
    expect(
      outcome.foreseeable,
      "too few commands could be foreseen for the run to mean anything",
    ).toBeGreaterThan(500);
  },
);

it(
  "allows no text whose hidden command bash runs, out of 100,000",
  { timeout: 240_000 },
  async () => {
    const outcome = await tryTexts({ seed, count: 100_000, batches: availableParallelism() });
    expect(outcome.ran, `SHELL_SEED=${seed} replays this`).toEqual([]);
    expect(
      outcome.inertAllowed / outcome.inert,
      "too few texts with the command as mere text are allowed for the run to mean anything",
    ).toBeGreaterThan(0.05);
  },
);

it("sees in one shell for many texts what a shell for each one sees", async () => {
  const texts = [...inertTexts, ...activeTexts, "echo a > f; echo b > .g", "ls f", ...activeTexts];
  const { ran, littered } = await runTexts(texts);
  expect(ran.map((at) => texts[at])).toEqual(texts.filter((text) => runsAlone(text)));
  expect(new Set(ran.map((at) => texts[at])).size).toBeGreaterThan(100);
  expect(littered).toBeGreaterThan(0);
}, 120_000);
