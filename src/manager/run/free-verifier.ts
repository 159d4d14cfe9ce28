// The check of an answer in no form, without the code that checks: that is loaded where an answer may
// say something.
import { setTimeout as afterRealTime } from "node:timers";
import { loadOnce } from "../../base/load-once.ts";
import type { RunLog } from "../../executors/catalog.ts";
import { loadClaimChecks } from "../../verify/trust/spoken-checks.ts";
import { saysSomething } from "../../verify/trust/says-something.ts";
import type { Session } from "../session/session.ts";
import type { VerifiedRun } from "./answer-evidence.ts";
import type { ReportVerifier } from "./report-verifier.ts";
import type { TreeKeeper } from "./tools/tree-keeper.ts";

export const loadVerifier = loadOnce(() => import("./report-verifier.ts"));

/**
 * The check of an answer that was asked for in no form: loaded when there is an answer, so that a
 * run costs nothing before it; no repair turn, and nothing is held against its form.
 */
export function freeVerifier(
  session: Session,
  run: VerifiedRun,
  keeper: Pick<TreeKeeper, "before">,
): (log: RunLog) => ReportVerifier {
  loadWhileWaiting();
  return (log) => {
    let verifier: ReportVerifier | undefined;
    const loaded = async (): Promise<ReportVerifier> => {
      const { prepareFreeVerifier } = await loadVerifier();
      return (verifier ??= prepareFreeVerifier(session, run, keeper)(log));
    };
    return {
      submit: async (input) => (await loaded()).submit(input),
      beforeEnd: async (answer, at) =>
        saysSomething(answer) ? (await loaded()).beforeEnd(answer, at) : {},
    };
  };
}

const lookEveryMs = 150;
const idleShare = 0.5;
let isLookedAfter = false;

/**
 * A process that waits for its model loads meanwhile what the check of an answer will need. One that
 * is at work all the time loads no more than its answer needs.
 */
function loadWhileWaiting(): void {
  if (isLookedAfter) return;
  isLookedAfter = true;
  loadWhenIdle();
}

function loadWhenIdle(): void {
  const before = performance.eventLoopUtilization();
  // The process's own timer: it belongs to no run and to no run's clock.
  afterRealTime(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization > 1 - idleShare) return loadWhenIdle();
    // Whoever needs the code loads it again, and meets the failure.
    loadVerifier().catch(() => undefined);
    loadClaimChecks().catch(() => undefined);
  }, lookEveryMs).unref();
}
