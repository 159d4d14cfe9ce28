// SessionStart, UserPromptSubmit and SessionEnd: the events of a main thread, fired before its
// first line and after its last.
import { existsSync } from "node:fs";
import { RetinueError } from "../../../base/errors.ts";
import type { Fact } from "../../../events/event.ts";
import type { Session } from "../../session/session.ts";
import { fire, type FiringParts } from "./fire.ts";
import { stoppedHooksMs } from "./hook-ports.ts";
import type { Opening, RunHandle } from "../run-handle.ts";
import { transcriptPath } from "../transcripts-on-disk.ts";

type Warn = (message: string) => void;

/**
 * Returns what they did before the transcript was open, to be put on record with the first turn.
 * Throws RetinueError `denied` where a hook refuses the prompt: nothing of it has been written or
 * sent then.
 */
export async function openingHooks(
  session: Session,
  run: RunHandle,
  warn: Warn,
): Promise<Opening | undefined> {
  const { spec } = run;
  const facts: Fact[] = [];
  const parts = partsOf(session, run, { warn, record: (fact) => void facts.push(fact) });
  const source = existsSync(transcriptPath(session, spec)) ? "resume" : "startup";
  const started = await fire(parts, ["SessionStart", { source, model: spec.model }]);
  const submitted = await fire(parts, ["UserPromptSubmit", { prompt: spec.prompt }]);
  const refusal =
    started?.stop ??
    submitted?.stop ??
    (submitted?.behavior === "deny" ? (submitted.reason ?? "it gave no reason") : undefined);
  if (refusal !== undefined)
    throw new RetinueError("denied", `a hook refused the prompt: ${refusal}`);
  const context = [...(started?.additionalContext ?? []), ...(submitted?.additionalContext ?? [])];
  return facts.length > 0 ? { facts, context } : undefined;
}

/** Nobody waits for them longer than for those of a stopped agent once the run was interrupted. */
export async function closingHooks(session: Session, run: RunHandle, warn: Warn): Promise<void> {
  await fire(
    partsOf(session, run, { warn, record: () => undefined }),
    ["SessionEnd", { reason: "other" }],
    run.signal.aborted ? AbortSignal.timeout(stoppedHooksMs) : run.signal,
  );
}

function partsOf(
  session: Session,
  run: RunHandle,
  { warn, record }: { warn: Warn; record: (fact: Fact) => void },
): FiringParts {
  return {
    session,
    run,
    log: { record, signal: (event) => void (event.type === "warning" && warn(event.message)) },
  };
}
