// The tree as it was before a run's first command that may write, for answers that were asked for in no
// form: what such a command made or changed is on no record, and a run without one pays nothing.
import { builtInTools } from "../../../base/tool-names.ts";
import type { RunSpec } from "../../../events/run-spec.ts";
import { isReadOnly } from "../../../permissions/bash/read-only.ts";
import { analyseCommand } from "../../../permissions/shell/reading/analyse-command.ts";
import { withExecute, type Tool } from "../../../tool/tool.ts";
import type { Ledger } from "../../../verify/evidence/ledger.ts";
import type { Snapshot } from "../../../verify/evidence/snapshot.ts";
import type { Session } from "../../session/session.ts";

export type TreeKeeper = {
  /** Bash, with a look at the tree before the first call that may write. */
  watched(bash: Tool): Tool;
  /** Undefined where no such call was made, or where others may have written before it. */
  before(ledger: Ledger): Promise<Snapshot | undefined>;
};

/** In memory alone: a run that another process goes on with is judged by its record. */
export function openTreeKeeper(
  { workspace, home }: Pick<Session, "workspace" | "home">,
  { place, tools, carried }: Pick<RunSpec, "place" | "tools" | "carried">,
): TreeKeeper {
  let kept: Promise<Snapshot | undefined> | undefined;
  const isAlone =
    carried === undefined && tools.every((tool) => recorded.has(tool) || tool.startsWith("mcp__"));
  return {
    watched: (bash) =>
      withExecute(bash, async (input, context) => {
        if (!kept && !onlyReads(input["command"], { cwd: place.cwd, home }))
          await (kept = workspace.look(place));
        return bash.execute(input, context);
      }),
    before: async (ledger) => (isAlone && isWhole(ledger) ? await kept : undefined),
  };
}

/** Their writing is on record; a tool of somebody else may have written anything. */
const recorded: ReadonlySet<string> = new Set(builtInTools);

/** What other agents or an earlier life did stands before the look at the tree, and on another record. */
const isWhole = ({
  delegations,
  toolRuns,
  truncated,
  isContinued,
  earlierCalls,
}: Ledger): boolean =>
  delegations + toolRuns.length + earlierCalls === 0 && !truncated && !isContinued;

function onlyReads(command: unknown, place: { cwd: string; home: string }): boolean {
  if (typeof command !== "string") return false;
  const { commands, accesses, concerns, complete } = analyseCommand(command, place);
  return (
    complete &&
    concerns.length === 0 &&
    commands.every(isReadOnly) &&
    accesses.every(({ kind }) => kind !== "write")
  );
}
