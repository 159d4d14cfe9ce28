// Which worker shows a run now, and how often it was begun. Beside the run's own journal: a worker
// says it when an attempt begins, and a gateway asks for it.
import type * as Sdk from "@restatedev/restate-sdk";
import { limits } from "../../base/limits.ts";
import { services, type ShownAt } from "../services.ts";

/** A worker that is gone is not tried again for long: another one answers. */
export const retryPolicy = {
  initialInterval: limits.restate.firstRetryMs,
  maxInterval: limits.restate.maxRetryMs,
  exponentiationFactor: 2,
} as const;

export function placeService(sdk: typeof Sdk) {
  return sdk.object({
    name: services.place,
    handlers: {
      begin: async (
        ctx: Sdk.ObjectContext,
        { url, life }: { url: string; life: string },
      ): Promise<number> => {
        const before = await ctx.get<ShownAt>("place");
        const attempt = (before?.attempt ?? 0) + 1;
        ctx.set("place", { url, life, attempt } satisfies ShownAt);
        return attempt;
      },
      where: sdk.handlers.object.shared(
        async (ctx: Sdk.ObjectSharedContext): Promise<ShownAt | null> => ctx.get<ShownAt>("place"),
      ),
    },
    options: { journalRetention: 0, retryPolicy },
  });
}
