// Every example runs as a reader would run it, and its own assertions decide.
import { readdirSync } from "node:fs";
import { expect, test, vi } from "vitest";

const folder = new URL(".", import.meta.url);
const examples = readdirSync(folder)
  .filter((name) => /^\d\d-.*\.ts$/.test(name))
  .sort();

test("the examples are numbered without a gap", () => {
  expect(examples.map((name) => Number(name.slice(0, 2)))).toEqual(
    examples.map((_, index) => index + 1),
  );
  expect(examples.length).toBeGreaterThanOrEqual(10);
});

test.each(examples)("%s holds", async (name) => {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(new URL(name, folder).href);
  printed.mockRestore();
});
