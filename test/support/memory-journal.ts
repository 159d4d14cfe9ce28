// A journal in memory that can die at any step: before the step is kept, or right after.
import type { StepJournal, KeptStep } from "../../src/executors/step-journal.ts";

export type Crash = { at: number; when: "before" | "after"; die: () => void };

export class MemoryJournal {
  /** What is kept, as JSON, in the order in which it was. */
  readonly kept = new Map<string, string>();
  isOver = false;
  #attempts = 0;
  #writes = 0;

  /** One process's hold on it. */
  open(crash?: Crash): StepJournal {
    const attempt = String(++this.#attempts);
    this.#writes = 0;
    let isDead = false;
    const die = (): never => {
      isDead = true;
      crash!.die();
      throw new Error("killed");
    };
    return {
      attempt,
      once: async <T>(key: string, work: () => Promise<KeptStep<T>>): Promise<KeptStep<T>> => {
        const known = this.kept.get(key);
        if (known === undefined) {
          const step = await work();
          if (isDead) throw new Error("killed");
          this.#writes += 1;
          const isHere = this.#writes === crash?.at;
          if (isHere && crash.when === "before") die();
          this.kept.set(key, JSON.stringify(step));
          if (isHere) die();
          return step;
        }
        return JSON.parse(known) as KeptStep<T>;
      },
      close: (how) => void (this.isOver ||= how === "over"),
    };
  }
}
