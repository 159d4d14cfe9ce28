// One hook as data: when it fires and what it runs. Settings, definitions and the library all give
// this type.
import { RetinueError } from "../base/errors.ts";
import { suggest } from "../base/text/suggest.ts";
import { hookEvents, isHookEvent, type HookEvent, type HookInput } from "./hook-event.ts";
import { compileMatcher } from "./matching/matcher.ts";

/**
 * What a hook may answer, as Claude Code writes it. Everything is optional and is checked before it
 * counts.
 */
export type HookOutput = {
  continue?: boolean;
  stopReason?: string;
  suppressOutput?: boolean;
  systemMessage?: string;
  decision?: "block" | "approve";
  reason?: string;
  hookSpecificOutput?: {
    hookEventName?: string;
    permissionDecision?: "allow" | "deny" | "ask";
    permissionDecisionReason?: string;
    updatedInput?: Record<string, unknown>;
    additionalContext?: string;
    decision?: {
      behavior: "allow" | "deny";
      message?: string;
      updatedInput?: Record<string, unknown>;
    };
  };
};

export type HookFunction = (
  input: HookInput,
  context: { signal: AbortSignal },
) => HookOutput | undefined | Promise<HookOutput | undefined>;

type Common = {
  event: HookEvent;
  /** As written; `*` if it was left out. */
  matcher: string;
  matches(subject: string | undefined): boolean;
  /** The hook's `if`; without it, every matching call fires the hook. */
  applies?(input: HookInput): boolean;
  timeoutMs?: number;
  /** Its source, for messages: a settings file, a definition or "library". */
  source: string;
};

/** With `args` the program is started directly; without it, the command is a line for the shell. */
export type CommandHook = Common & { type: "command"; command: string; args?: readonly string[] };
export type FunctionHook = Common & { type: "function"; run: HookFunction };
/**
 * A type that this runtime does not run (`prompt`, `http` and others): it is listed and never run.
 */
export type UnsupportedHook = Common & { type: "unsupported"; declared: string };
/** A hook of a manager; make one with `functionHook`. */
export type Hook = CommandHook | FunctionHook | UnsupportedHook;

const planKeys: readonly string[] = ["event", "matcher", "timeoutMs", "run"];

/**
 * Makes a hook from a function, for the option `hooks`. An unknown event
 * throws `RetinueError("usage")`, an unreadable matcher `RetinueError("config")`.
 */
export function functionHook(plan: {
  event: HookEvent;
  matcher?: string;
  timeoutMs?: number;
  run: HookFunction;
}): Hook {
  const unknown = Object.keys(plan ?? {}).find((key) => !planKeys.includes(key));
  // A misspelt `matcher` would be no matcher, and the hook would fire for everything.
  if (unknown !== undefined || typeof plan !== "object")
    throw new RetinueError(
      "usage",
      "functionHook: " +
        `${unknown === undefined ? "expected an object" : `there is no "${unknown}"`}; it ` +
        `takes ${planKeys.join(", ")}`,
    );
  const matcher = plan.matcher ?? "*";
  if (!isHookEvent(plan.event)) {
    const near = suggest(String(plan.event), hookEvents);
    throw new RetinueError(
      "usage",
      `functionHook: there is no event ${JSON.stringify(plan.event)}, so it would never ` +
        `fire${near ? `; did you mean "${near}"?` : `. There are ${hookEvents.join(", ")}.`}`,
    );
  }
  if (typeof plan.run !== "function")
    throw new RetinueError("usage", "functionHook: `run` must be a function (input) => answer");
  if (plan.timeoutMs !== undefined && !(typeof plan.timeoutMs === "number" && plan.timeoutMs > 0))
    throw new RetinueError(
      "usage",
      `functionHook: timeoutMs must be a number above 0, got ${JSON.stringify(plan.timeoutMs)}`,
    );
  return {
    type: "function",
    event: plan.event,
    matcher,
    matches: compileMatcher(matcher),
    source: "library",
    run: plan.run,
    ...(plan.timeoutMs === undefined ? {} : { timeoutMs: plan.timeoutMs }),
  };
}

/** The name of a hook in events and messages. */
export function hookLabel(hook: Hook): string {
  if (hook.type === "command") return clipped([hook.command, ...(hook.args ?? [])].join(" "));
  if (hook.type === "function") return hook.run.name || "function";
  return hook.declared;
}

const clipped = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);
