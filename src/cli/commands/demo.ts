// `retinue demo`: the whole system in under a minute, on a temporary copy of a small project with a
// real bug, without a key and without a network.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../base/files/package-folder.ts";
import { removeTree } from "../../process/remove-tree.ts";
import { makeScratchFolder } from "../../process/sandbox/scratch-folder.ts";
import { createCommand, type CommandModule, type ExitCode } from "../command.ts";
import { tour } from "../demo/tour.ts";
import type { Io } from "../io.ts";

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("demo", io)
    .description(
      "the tour: agents repair a small project, and a made-up reference is caught; no key needed",
    )
    .action(async () => finish(await demo(io)));

async function demo(io: Io): Promise<ExitCode> {
  const base = makeScratchFolder("demo");
  try {
    const project = join(base, "corner-shop");
    cpSync(assetFolder("demo-project"), project, { recursive: true });
    io.out(
      io.paint(
        "bold",
        "A shop's test fails: a sum of exactly 100.00 should get 10 % off. Two agents look into it.",
      ),
    );
    const ok = await tour(io, { project, home: join(base, "home") });
    if (io.signal.aborted) return 130;
    const verdict = ok
      ? io.paint("green", "Repaired, checked, tested.")
      : io.paint("red", "The tour did not end as it should: please report this.");
    io.out(`\n${verdict} Next:`);
    io.out(
      "  retinue audit                                               what your agents said lately, checked; no key",
    );
    io.out('  retinue run --agent Explore --model offline "where is …?"   your own code, no key');
    io.out(
      '  retinue run "what does this project do?"                    with ANTHROPIC_API_KEY or OPENAI_API_KEY set',
    );
    io.out(
      "  retinue doctor                                              what is missing on this machine",
    );
    return ok ? 0 : 1;
  } finally {
    removeTree(base);
  }
}

const assetFolder = (name: string): string => join(packageFolder(), "assets", name);
