// The limits of one run: the smallest of what the call, the definition and the settings give.
import { limits as defaults } from "../../../base/limits.ts";
import type { RunLimits } from "../../../events/run-spec.ts";

export type LimitSource = {
  maxTurns?: number | undefined;
  timeoutMs?: number | undefined;
  maxTokens?: number | undefined;
  maxUsd?: number | undefined;
  /** Sub-agents running at once. */ maxConcurrent?: number | undefined;
};

/** Where nobody names a number the default holds; the settings' number is a cap over everything. */
export function resolveLimits(
  input: LimitSource,
  definition: LimitSource,
  settings: LimitSource,
): RunLimits {
  const maxTokens = smallest(input.maxTokens, definition.maxTokens, settings.maxTokens);
  const maxUsd = smallest(input.maxUsd, definition.maxUsd, settings.maxUsd);
  return {
    maxTurns:
      smallest(input.maxTurns, definition.maxTurns, settings.maxTurns) ?? defaults.run.maxTurns,
    timeoutMs:
      smallest(input.timeoutMs, definition.timeoutMs, settings.timeoutMs) ?? defaults.run.timeoutMs,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxUsd === undefined ? {} : { maxUsd }),
  };
}

function smallest(...values: (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined);
  return given.length > 0 ? Math.min(...given) : undefined;
}
