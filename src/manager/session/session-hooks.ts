// SessionStart, UserPromptSubmit and SessionEnd: the events of a main thread, fired before its first line and after its last.
import { existsSync } from "node:fs";
import { RetinueError } from "../../base/errors.ts";
import type { Fact } from "../../events/event.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import { fire, stoppedHooksMs, type HookParts } from "../run/hook-ports.ts";
import { transcriptPath } from "../run/run-store.ts";
import type { Session } from "./session.ts";

type Told = { signal: AbortSignal; warn: (message: string) => void };

/** What they did before the transcript was open is put on record with the first turn. Throws RetinueError `denied` where a hook refuses the prompt: nothing of it has been written or sent then. What they add waits in `session.openings`. */
export async function openingHooks(
  session: Session,
  spec: RunSpec,
  { signal, warn }: Told,
): Promise<void> {
  const facts: Fact[] = [];
  const parts = partsOf(session, spec, { warn, record: (fact) => void facts.push(fact) });
  const started = await fire(
    parts,
    [
      "SessionStart",
      {
        source: existsSync(transcriptPath(session, spec)) ? "resume" : "startup",
        model: spec.model,
      },
    ],
    signal,
  );
  const submitted = await fire(parts, ["UserPromptSubmit", { prompt: spec.prompt }], signal);
  const refusal =
    started?.stop ??
    submitted?.stop ??
    (submitted?.behavior === "deny" ? (submitted.reason ?? "it gave no reason") : undefined);
  if (refusal !== undefined)
    throw new RetinueError("denied", `a hook refused the prompt: ${refusal}`);
  const context = [...(started?.additionalContext ?? []), ...(submitted?.additionalContext ?? [])];
  if (facts.length > 0) session.openings.set(spec.agentId, { facts, context });
}

/** Nobody waits for them longer than for those of a stopped agent once the run was interrupted. */
export async function closingHooks(
  session: Session,
  spec: RunSpec,
  { signal, warn }: Told,
): Promise<void> {
  session.openings.delete(spec.agentId);
  await fire(
    partsOf(session, spec, { warn, record: () => undefined }),
    ["SessionEnd", { reason: "other" }],
    signal.aborted ? AbortSignal.timeout(stoppedHooksMs) : signal,
  );
}

function partsOf(
  session: Session,
  spec: RunSpec,
  { warn, record }: Pick<Told, "warn"> & { record: (fact: Fact) => void },
): HookParts {
  return {
    session,
    spec,
    log: { record, signal: (event) => void (event.type === "warning" && warn(event.message)) },
  };
}
