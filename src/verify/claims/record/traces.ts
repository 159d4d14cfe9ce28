// What a record shows of programs that ran: the programs themselves, what they printed, and the texts of
// the project's own tasks. A program that only looks or prints leaves no trace of what it names.
import type { ResultSetting } from "../gap-of.ts";
import { carried } from "../runs/arguments-of.ts";
import { runsTasks } from "../runs/tables/echoed-commands.ts";
import { noRun } from "../runs/no-run.ts";
import { programsOf } from "../runs/programs-of.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";

/** `ran`: commands; `did`: their programs, lookers aside; `shown`: what those printed, and task files. */
export type Traces = {
  ran: readonly string[];
  did: readonly string[];
  shown: string;
  runs: readonly RecordedRun[];
};

const taskFiles = new RegExp(
  "(?:^|/)(?:package\\.json|[Mm]akefile|[Jj]ustfile|Rakefile|tox\\.ini|noxfile\\.py|Taskfile\\.ya?ml|" +
    "pyproject\\.toml|composer\\.json|build\\.gradle(?:\\.kts)?|pom\\.xml|\\.pre-commit-config\\.yaml|" +
    "mix\\.exs|deno\\.jsonc?)$|\\.sh$",
);
export function tracesOf({ ledger, project, record }: ResultSetting): Traces {
  const all = [...ledger.commands, ...ledger.toolRuns].map(({ command, output }) => {
    const programs = programsOf(command, "/");
    const doing = programs.filter(({ argv }) => !noRun(carried(argv, () => false) ?? argv));
    const spelled = doing.map(({ argv }) => argv.map((word) => word ?? "*").join(" "));
    return { command, output, did: programs.length === 0 ? [command] : spelled };
  });
  const did = all.flatMap((one) => one.did);
  const scripts = did.some(runsTasks)
    ? project
        .paths()
        .filter((path) => taskFiles.test(path))
        .slice(0, 60)
        .map((path) => project.read(path) ?? "")
    : [];
  const shown = all.filter((one) => one.did.length > 0).map(({ output }) => output);
  return {
    ran: all.map(({ command }) => command),
    did,
    shown: [...shown, ...scripts].join("\n").toLowerCase(),
    runs: record.runs,
  };
}

/** "doctest" and "Doc-tests" are one. */
const squeezed = (text: string): string => text.toLowerCase().replace(/-/g, "");

/** A program, an output or a task names it. */
export const isTraced = (name: string, { did, shown }: Traces): boolean => {
  const low = squeezed(name);
  return squeezed(shown).includes(low) || did.some((one) => squeezed(one).includes(low));
};
