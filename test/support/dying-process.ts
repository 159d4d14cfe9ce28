// A durable executor whose process dies at a chosen step: nothing of it is written afterwards, and
// everything that it held in memory is gone.
import type { Catalog } from "../../src/executors/catalog.ts";
import type { Executor } from "../../src/executors/executor.ts";
import { createDurableExecutor } from "../../src/executors/local.ts";
import type { KeptStep } from "../../src/executors/step-journal.ts";
import { detachedReason } from "../../src/loop/ports.ts";

/** `before`: the step was done and not kept. `after`: it was kept, and nothing came of it. */
export type Death = { step: string; when: "before" | "after" };

/** The names of all steps that were kept go to `steps`. */
export function dyingProcess(
  death: Death | undefined,
  steps: string[] = [],
): (catalog: Catalog) => Executor {
  return (catalog) => {
    const process = new AbortController();
    const die = (): never => {
      process.abort(detachedReason);
      throw new Error("killed");
    };
    const inner = createDurableExecutor({
      ...catalog,
      async journal(spec) {
        const journal = await catalog.journal!(spec);
        const isHere = (key: string, when: Death["when"]): boolean =>
          death?.step === key && death.when === when;
        return {
          ...journal,
          async once<T>(key: string, work: () => Promise<KeptStep<T>>): Promise<KeptStep<T>> {
            let isNew = false;
            const kept = await journal.once(key, async () => {
              const step = await work();
              isNew = true;
              if (isHere(key, "before")) die();
              return step;
            });
            if (isNew) steps.push(key);
            if (isNew && isHere(key, "after")) die();
            return kept;
          },
        };
      },
    });
    const execute: Executor["execute"] = (spec, watch) => {
      watch.signal.addEventListener("abort", () => process.abort(watch.signal.reason));
      return inner.execute(spec, { ...watch, signal: process.signal });
    };
    return { ...inner, execute, attach: execute };
  };
}
