// Discounts: what comes off a net sum. The best single discount counts, never two together.
import { percentOf } from "./money.js";

const steps = [
  { from: 5000, percent: 5 },
  { from: 10000, percent: 10 },
  { from: 20000, percent: 15 },
];

/** The discount in cents for a net sum: the highest step that the sum has reached. */
export function volumeDiscount(net) {
  const step = steps.findLast((candidate) => net > candidate.from);
  return step ? percentOf(net, step.percent) : 0;
}

/** The discount in cents for a coupon such as { code: "TEN", percent: 10 }. */
export function couponDiscount(net, coupon) {
  return coupon ? percentOf(net, coupon.percent) : 0;
}

/** The better one of the two. */
export function bestDiscount(net, coupon) {
  return Math.max(volumeDiscount(net), couponDiscount(net, coupon));
}
