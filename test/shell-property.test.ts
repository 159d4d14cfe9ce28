// Whatever bash executes must have been foreseen. `SHELL_SEED=n` replays a run.
import { expect, it } from "vitest";
import { tryCommands } from "./shell-oracle.ts";

// The bash of macOS is too old to trace to a descriptor of its own.
it.runIf(process.platform === "linux")(
  "foresees every command that bash executes, or asks",
  { timeout: 120_000 },
  async () => {
    const seed = Number(process.env["SHELL_SEED"] ?? 20_261_115);
    const outcome = await tryCommands({ seed, count: 2_000 });
    expect(outcome.surprises, `SHELL_SEED=${seed} replays this`).toEqual([]);
    expect(outcome.executed).toBeGreaterThan(2_000);
    expect(
      outcome.foreseeable,
      "too few commands could be foreseen for the run to mean anything",
    ).toBeGreaterThan(1_000);
  },
);
