import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { gatherCalls } from "./gathered-calls.ts";

test("calls that come while one is under way go together, in their order, and no call is too large", async () => {
  const calls: string[][] = [];
  const call = gatherCalls({
    work: async (inputs: string[]) => {
      calls.push(inputs);
      await turn();
      if (inputs.includes("bad")) throw new Error("refused");
      return inputs.map((input) => input.length);
    },
    sizeOf: (input) => input.length,
    mostSize: 4,
  });
  const words = ["a", "bb", "cc", "bad", "larger than that", "d"];
  const answers = await Promise.allSettled(words.map(call));
  expect(calls).toEqual([["a"], ["bb", "cc"], ["bad"], ["larger than that"], ["d"]]);
  expect(
    answers.map((answer) => ("value" in answer ? answer.value : answer.reason.message)),
  ).toEqual([1, 2, 2, "refused", 16, 1]);
  expect(await call("later")).toBe(5);
});
