// Flows for programs: the options of `createManager`, and the patterns with a journal that survives
// a crash.
import { RetinueError } from "../../base/errors.ts";
import { isObject } from "../../base/data/json.ts";
import type { FlowOutcome } from "../../flows/run-flow.ts";
import { checkOptions, type ManagerOptions } from "../manager-options.ts";
import { refuseUnknown } from "../refuse-unknown.ts";
import { quietListener } from "../quiet-listener.ts";
import { sessionOptionsOf } from "../session/session-options-of.ts";
import * as session from "./begin-flow.ts";

/**
 * Those of a manager, for a flow or a main thread: it has a session for itself, and its events go
 * to the callbacks.
 */
export type FlowOptions = Omit<ManagerOptions, "executor" | "onEvent" | "watch">;

/**
 * A new flow, from its first phase to its last. Throws a RetinueError for what cannot be started;
 * what its agents do wrong is in the outcome.
 */
export async function startFlow(
  options: FlowOptions,
  request: session.FlowRequest,
  watch: session.FlowWatch = {},
): Promise<FlowOutcome> {
  const { options: given, named } = checked(options, watch);
  refuseUnknown(
    request,
    { pattern: true, feature: true, tasks: true, model: true, secondLooks: true },
    "startFlow: request",
  );
  if (typeof request.feature !== "string" || request.feature.trim() === "")
    throw new RetinueError("usage", "startFlow: request.feature: say what is to be done");
  return session.beginFlow(given, { ...request, model: request.model ?? named }, quiet(watch));
}

/**
 * Answers become constraints of every phase to come, in later lives too; finished phases are not
 * run again. The flow has what it began with; allow rules given now are a person's answer and add
 * to it, nothing else widens.
 */
export async function resumeFlow(
  options: Omit<FlowOptions, "cwd" | "sessionId">,
  request: { flowId: string; answers?: readonly string[]; model?: string | undefined },
  watch: session.FlowWatch = {},
): Promise<FlowOutcome> {
  const {
    options: { cwd: _cwd, ...given },
    named,
  } = checked(options, watch);
  refuseUnknown(request, { flowId: true, answers: true, model: true }, "resumeFlow: request");
  return session.continueFlow(
    given,
    { flowId: request.flowId, answers: request.answers ?? [], model: request.model ?? named },
    quiet(watch),
  );
}

const quiet = (watch: session.FlowWatch): session.FlowWatch =>
  watch.onEvent ? { ...watch, onEvent: quietListener(watch.onEvent) } : watch;

const watchKeys: Readonly<Record<keyof session.FlowWatch, true>> = {
  signal: true,
  onWarnings: true,
  onEvent: true,
  onOpen: true,
  onPhase: true,
  onPhaseStart: true,
  onStart: true,
  ask: true,
  confirm: true,
};

function checked(
  options: FlowOptions,
  watch: session.FlowWatch,
): ReturnType<typeof sessionOptionsOf> {
  refuseUnknown(watch, watchKeys, "callbacks");
  return checkForFlow(options);
}

/** The options of something that has a session for itself. */
export function checkForFlow(options: FlowOptions): ReturnType<typeof sessionOptionsOf> {
  checkOptions(options);
  const foreign = ["executor", "onEvent", "watch"].find(
    (name) => isObject(options) && options[name as never] !== undefined,
  );
  if (foreign !== undefined) {
    const instead =
      foreign === "onEvent"
        ? "give it with the callbacks, as the third argument"
        : "it is one of createManager";
    throw new RetinueError("usage", `options: there is no "${foreign}" here; ${instead}`);
  }
  return sessionOptionsOf(options);
}
