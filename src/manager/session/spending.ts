// What a main thread and its agents have spent together: no new agent when the budget is gone, and
// none gets more than what is left.
import type { Price, Usage } from "../../model/model.ts";
import { costUsd } from "../../model/prices.ts";

export class Spending {
  readonly #maxUsd: number | undefined;
  #usd = 0;
  #isKnown = true;

  constructor(maxUsd: number | undefined) {
    this.#maxUsd = maxUsd;
  }

  /** One reply. Where a price is not known the sum is none, and no budget can hold. */
  add(usage: Usage, price: Price | undefined): void {
    const cost = costUsd(usage, price);
    if (cost === null) this.#isKnown = false;
    else this.#usd += cost;
  }

  /** USD of everything so far; null where a part has no price. */
  get usd(): number | null {
    return this.#isKnown ? this.#usd : null;
  }

  isUsedUp(): boolean {
    return this.#maxUsd !== undefined && this.#usd >= this.#maxUsd;
  }

  left(): { maxUsd?: number } {
    return this.#maxUsd === undefined ? {} : { maxUsd: Math.max(0, this.#maxUsd - this.#usd) };
  }
}
