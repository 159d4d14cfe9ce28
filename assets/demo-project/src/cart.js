// A cart: lines of goods, and what they come to.
import { bestDiscount } from "./discounts.js";
import { percentOf, toCents } from "./money.js";

const taxPercent = 19;

export class Cart {
  #lines = [];
  #coupon;

  /** Adds `quantity` pieces at `price` each. */
  add(name, price, quantity = 1) {
    if (!Number.isInteger(quantity) || quantity < 1) throw new RangeError(`quantity must be a whole number above 0: ${quantity}`);
    this.#lines.push({ name, cents: toCents(price), quantity });
    return this;
  }

  useCoupon(coupon) {
    this.#coupon = coupon;
    return this;
  }

  get lines() {
    return this.#lines.map((line) => ({ ...line }));
  }

  /** Net, discount, tax and total in cents. */
  totals() {
    const net = this.#lines.reduce((sum, line) => sum + line.cents * line.quantity, 0);
    const discount = bestDiscount(net, this.#coupon);
    const tax = percentOf(net - discount, taxPercent);
    return { net, discount, tax, total: net - discount + tax };
  }
}
