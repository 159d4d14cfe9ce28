// Test runs of the record that are run once more: the word of the new run counts more than the record.
import type { Ledger } from "../../evidence/ledger.ts";
import { printed } from "../../evidence/command-runs.ts";
import type { Project } from "./script-of.ts";
import { recordedRuns } from "./recorded-runs.ts";

/** Runs a recorded command again. Undefined: this one is not to be run. */
export type Rerun = (
  command: string,
) => Promise<{ exitCode: number | null; output: string } | undefined>;

/** The commands on record that run tests, each once. */
export function testCommands({ commands }: Ledger, project: Project): string[] {
  const runs = recordedRuns(commands, [], project).runs;
  return [
    ...new Set(
      runs.filter(({ subjects }) => subjects.includes("tests")).map(({ run }) => run.command),
    ),
  ];
}

/** The ledger as if the last test run that may be run again had just taken place. */
export async function withRerun(ledger: Ledger, rerun: Rerun, project: Project): Promise<Ledger> {
  for (const command of testCommands(ledger, project).toReversed()) {
    const found = await rerun(command);
    if (!found) continue;
    const run = ledger.commands.findLast((one) => one.command === command)!;
    const fresh = {
      ...run,
      order: Number.MAX_SAFE_INTEGER,
      exitCode: found.exitCode,
      ...printed(found.output),
    };
    const commands = [...ledger.commands.filter((one) => one !== run), fresh];
    return Object.defineProperty(Object.create(ledger) as Ledger, "commands", { value: commands });
  }
  return ledger;
}
