import assert from "node:assert/strict";
import { test } from "node:test";
import { Cart } from "../src/cart.js";
import { receipt } from "../src/receipt.js";

test("adds up lines and tax", () => {
  const cart = new Cart().add("tea", "3.50", 2).add("bread", "2.80");
  assert.deepEqual(cart.totals(), { net: 980, discount: 0, tax: 186, total: 1166 });
});

test("a sum of exactly 100.00 gets the 10 % discount", () => {
  const cart = new Cart().add("hamper", "50.00", 2);
  assert.equal(cart.totals().discount, 1000);
});

test("the better one of volume discount and coupon counts", () => {
  const cart = new Cart().add("kettle", "60.00").useCoupon({ code: "TWENTY", percent: 20 });
  assert.equal(cart.totals().discount, 1200);
});

test("prints a receipt", () => {
  const cart = new Cart().add("tea", "3.50", 2);
  assert.match(receipt(cart), /2 x tea +7\.00\n-+\nNet +7\.00\nTax +1\.33\nTotal +8\.33$/);
});
