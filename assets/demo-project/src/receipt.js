// A receipt as plain text.
import { formatCents } from "./money.js";

const width = 32;

const row = (label, amount) => `${label.slice(0, width - amount.length - 1).padEnd(width - amount.length)}${amount}`;

/** Prints the lines of a cart and its totals. */
export function receipt(cart) {
  const { net, discount, tax, total } = cart.totals();
  const lines = cart.lines.map(({ name, quantity, cents }) => row(`${quantity} x ${name}`, formatCents(cents * quantity)));
  const sums = [row("Net", formatCents(net)), ...(discount ? [row("Discount", formatCents(-discount))] : []), row("Tax", formatCents(tax)), row("Total", formatCents(total))];
  return [...lines, "-".repeat(width), ...sums].join("\n");
}
