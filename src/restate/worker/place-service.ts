// Which life of a run goes on, for runs that have moved on to a new journal. Kept as long as the
// engine keeps the journals.
import type * as Sdk from "@restatedev/restate-sdk";
import { limits } from "../../base/limits.ts";
import { services } from "../services.ts";

/**
 * A worker that is gone is not tried again for long: another one answers. Where none does, what
 * waits goes on when one is back: without a number of its own the engine pauses it for good after
 * 70 tries, which are over in two minutes.
 */
export const retryPolicy = {
  maxAttempts: 1_000_000_000,
  initialInterval: limits.restate.firstRetryMs,
  maxInterval: limits.restate.maxRetryMs,
  exponentiationFactor: 2,
} as const;

export function placeService(sdk: typeof Sdk) {
  return sdk.object({
    name: services.place,
    handlers: {
      moved: async (ctx: Sdk.ObjectContext, life: string): Promise<void> => {
        ctx.set("life", life);
      },
      /** Unless it has moved since. */
      forget: async (ctx: Sdk.ObjectContext, life: string): Promise<void> => {
        if ((await ctx.get<string>("life")) === life) ctx.clearAll();
      },
      life: sdk.handlers.object.shared(
        async (ctx: Sdk.ObjectSharedContext): Promise<string | null> => ctx.get<string>("life"),
      ),
    },
    options: { journalRetention: 0, retryPolicy },
  });
}
