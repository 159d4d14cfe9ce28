// What keeps an agent from being started: all of it is said before anything has begun.
import { RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Policy } from "../../permissions/policy.ts";
import { spawnRefusal } from "../run/settle/resolve-policy.ts";
import { checkPrompt } from "../run/settle/settle-run.ts";
import type { Spending } from "../session/spending.ts";
import { spawnInputSchema, type SpawnInput } from "./spawn-input.ts";

export type SpawnWorld = {
  isClosed: boolean;
  /** The parent's. */
  policy: Policy;
  spending: Spending;
  /**
   * How many agents there are, and the ids of those at work: one that waits in the background for a
   * person takes nobody's place.
   */
  running: { readonly count: number; ids(): readonly string[] };
  /** How many may be at work at once, where the session says so. */
  maxConcurrent: number | undefined;
};

/** Throws a RetinueError. */
export function refuseSpawn(
  { type, prompt }: { type: string; prompt: string },
  {
    isClosed,
    policy,
    spending,
    running,
    maxConcurrent: max = limits.run.maxConcurrent,
  }: SpawnWorld,
): void {
  if (isClosed)
    throw new RetinueError(
      "usage",
      "this manager was closed; nothing can be started with it any more.",
    );
  checkPrompt(prompt);
  const refusal = spawnRefusal(type, policy);
  if (refusal !== undefined)
    throw new RetinueError("denied", `agent ${type} may not be started: ${refusal}`);
  if (spending.isUsedUp())
    throw new RetinueError(
      "limit",
      `the budget is used up ($${spending.usd?.toFixed(4) ?? "?"}); no agent is started.`,
    );
  if (running.count < max) return;
  const ids = running.ids();
  if (ids.length < max) return;
  const more = ids.length > 10 ? ` and ${ids.length - 10} more` : "";
  throw new RetinueError(
    "limit",
    `max concurrent agents reached (${max}): ${ids.slice(0, 10).join(", ")}${more} are running. ` +
      "Wait for one, stop one, or raise maxConcurrent in the limits " +
      "(in settings: retinue.limits.maxConcurrent).",
  );
}

/** The input as the schema reads it. Throws `usage` for what it cannot be. */
export function checkedInput(input: SpawnInput): SpawnInput {
  const parsed = spawnInputSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join(".") || "input"}: ${message}`,
  );
  throw new RetinueError("usage", `this agent cannot be started: ${problems.join("; ")}`);
}
