import { expect, test } from "vitest";
import { masked, maskedJson, maskedSoFar } from "./masked-json.ts";

const key = `sk-ant-api03-${"Ab3dE5gH7jK9".repeat(7)}-AA`;

test("masks every text, however deep, and leaves the value itself alone", () => {
  const fact = {
    type: "message",
    message: {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: `ANTHROPIC_API_KEY=${key}` },
      ],
    },
    toolFacts: { toolu_1: { stdout: [key] } },
  };
  const before = structuredClone(fact);
  expect(maskedJson(fact, [])).not.toContain("Ab3dE5");
  expect(fact).toEqual(before);
});

test("masks values that are known to be secret here, and those whose name says so", () => {
  const message = {
    content: [
      {
        type: "tool_use",
        id: "toolu_1",
        name: "mcp__db__open",
        input: { host: "db", password: "Tr0ub4dor3xyzQ7", note: "uses correct-horse-battery" },
      },
    ],
  };
  const text = maskedJson(message, ["correct-horse-battery"]);
  expect(text).not.toMatch(/Tr0ub4dor|correct-horse/);
  expect(text).toContain('"host":"db"');
});

test.each(['a"quoted-Value\\77', "two\nLines-of-8", "tab\tValue-12"])(
  "finds a known value that JSON writes in another way: %j",
  (value) => {
    const [before, after] = maskedJson({ content: `it is ${value} here` }, [value]).split(
      "[masked environment]",
    );
    expect([before, after]).toEqual(['{"content":"it is ', ' here"}']);
  },
);

test("what has nothing to hide is the same object", () => {
  const fact = {
    type: "message",
    message: { role: "assistant", content: [{ type: "text", text: "plain words" }] },
  };
  expect(masked(fact, [])).toBe(fact);
});

test("signatures and media stay as they are", () => {
  const fact = {
    content: [
      { type: "thinking", thinking: "hm", signature: key },
      { type: "redacted_thinking", data: key },
      { type: "image", source: { type: "base64", media_type: "image/png", data: key } },
    ],
  };
  expect(masked(fact, [])).toBe(fact);
  expect(maskedJson(fact, [])).toBe(JSON.stringify(fact));
});

test("counts the texts in which something was masked", () => {
  const before = maskedSoFar();
  maskedJson({ text: "nothing", list: ["more of it", 4] }, []);
  expect(maskedSoFar()).toBe(before);
  maskedJson({ text: "the value is hidden-value-1", password: "Zk3!vQ9p-LmX2" }, [
    "hidden-value-1",
  ]);
  expect(maskedSoFar()).toBe(before + 2);
});
