import fc from "fast-check";
import { expect, test } from "vitest";
import type { AssistantBlock, Message, UserBlock } from "../../model/message.ts";
import {
  continueText,
  interruptedText,
  normalizeHistory,
  normalizeMessages,
} from "./normalize-messages.ts";

const use = (id: string, input: unknown = {}): AssistantBlock => ({
  type: "tool_use",
  id,
  name: "Read",
  input,
});
const result = (id: string, content = "ok"): UserBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const text = (words: string) => ({ type: "text" as const, text: words });
const user = (...content: UserBlock[]): Message => ({ role: "user", content });
const assistant = (...content: AssistantBlock[]): Message => ({ role: "assistant", content });
const interrupted = (id: string): UserBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content: interruptedText,
  is_error: true,
});
const orphan = (words: string) =>
  text(`[result of an earlier tool call that is no longer shown]\n${words}`);

const rows: [string, Message[], Message[]][] = [
  [
    "leaves a valid list as it is",
    [
      user(text("a")),
      assistant(use("1")),
      user(result("1")),
      assistant(text("b")),
      user(text("c")),
    ],
    [
      user(text("a")),
      assistant(use("1")),
      user(result("1")),
      assistant(text("b")),
      user(text("c")),
    ],
  ],
  [
    "RESUM-07 answers every open call at the end",
    [user(text("a")), assistant(text("x"), use("1"), use("2"))],
    [
      user(text("a")),
      assistant(text("x"), use("1"), use("2")),
      user(interrupted("1"), interrupted("2")),
    ],
  ],
  [
    "RESUM-07 answers an open call before the words that follow it",
    [user(text("a")), assistant(use("1"), use("2")), user(text("go on"), result("2"))],
    [
      user(text("a")),
      assistant(use("1"), use("2")),
      user(interrupted("1"), result("2"), text("go on")),
    ],
  ],
  [
    "RESUM-07 answers an open call in the middle",
    [user(text("a")), assistant(use("1")), user(text("b")), assistant(text("c")), user(text("d"))],
    [
      user(text("a")),
      assistant(use("1")),
      user(interrupted("1"), text("b")),
      assistant(text("c")),
      user(text("d")),
    ],
  ],
  [
    "RESUM-08 turns a result without its call into words",
    [user(text("summary"), result("9", "found")), assistant(text("b")), user(result("8", "more"))],
    [user(text("summary"), orphan("found")), assistant(text("b")), user(orphan("more"))],
  ],
  [
    "RESUM-08 drops an orphan that says nothing",
    [user(text("a"), result("9", " "))],
    [user(text("a"))],
  ],
  [
    "RESUM-08 a second result for one call is words",
    [user(text("a")), assistant(use("1")), user(result("1"), result("1", "again"))],
    [user(text("a")), assistant(use("1")), user(result("1"), orphan("again"))],
  ],
  [
    "RESUM-10 merges neighbours of one role",
    [
      { role: "user", content: "a" },
      user(text("b")),
      assistant(text("c")),
      assistant(use("1")),
      user(result("1")),
    ],
    [user(text("a"), text("b")), assistant(text("c"), use("1")), user(result("1"))],
  ],
  [
    "RESUM-10 removes what is empty",
    [
      { role: "user", content: "" },
      user(text("a"), text("  ")),
      assistant(),
      assistant(text("")),
      user(text("b")),
    ],
    [user(text("a"), text("b"))],
  ],
  [
    "RESUM-10 a trailing answer is history and gets a user turn after it",
    [user(text("a")), assistant(text("b"))],
    [user(text("a")), assistant(text("b")), user(text(continueText))],
  ],
  [
    "RESUM-10 a list that begins with an answer gets a user turn before it",
    [assistant(text("b")), user(text("c"))],
    [user(text(continueText)), assistant(text("b")), user(text("c"))],
  ],
  [
    "RESUM-11 keeps an input of the wrong type inside an object",
    [user(text("a")), assistant(use("1", { file_path: 5 })), user(result("1"))],
    [user(text("a")), assistant(use("1", { file_path: 5 })), user(result("1"))],
  ],
  [
    "RESUM-11 wraps an input that is no object",
    [user(text("a")), assistant(use("1", 5)), user(result("1"))],
    [user(text("a")), assistant(use("1", { value: 5 })), user(result("1"))],
  ],
  ["has nothing to say of nothing", [], []],
];

test.each(rows)("%s", (_, given, expected) => {
  expect(normalizeMessages(given)).toEqual(expected);
});

test("a history that somebody continues keeps its last answer last, with its calls open", () => {
  const open = [user(text("a")), assistant(text("b"), use("1"))];
  expect(normalizeHistory(open)).toEqual(open);
  expect(normalizeHistory([...open, user(text("c"))])).toEqual([
    ...open,
    user(interrupted("1"), text("c")),
  ]);
  expect(normalizeHistory([])).toEqual([]);
});

test("RESUM-09 refuses the second call with one id, within a reply and across replies", () => {
  const messages = normalizeMessages([
    user(text("a")),
    assistant(use("1"), use("1")),
    user(result("1")),
    assistant(use("1")),
    user(result("1", "second")),
  ]);
  const calls = messages
    .flatMap((message) => message.content as AssistantBlock[])
    .filter((block) => block.type === "tool_use");
  expect(calls).toHaveLength(1);
  expect(JSON.stringify(messages)).toContain("was used before");
  expect(JSON.stringify(messages.at(-1))).toContain("second");
});

const id = fc.constantFrom("1", "2", "3", "4");
const anything = fc.anything() as fc.Arbitrary<never>;
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.oneof(fc.string(), anything) }),
  fc.record({
    type: fc.constant("tool_use"),
    id: fc.oneof(id, anything),
    name: fc.constantFrom("Read", "Bash"),
    input: anything,
  }),
  fc.record({
    type: fc.constant("tool_result"),
    tool_use_id: fc.oneof(id, anything),
    content: fc.oneof(fc.string(), anything),
  }),
  fc.record({ type: fc.constantFrom("thinking", "image", "strange") }),
);
const message = fc.record({
  role: fc.constantFrom("user", "assistant"),
  content: fc.oneof(fc.string(), fc.array(block, { maxLength: 5 })),
});

test("P8 any list becomes one that a provider accepts, and doing it again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), (given) => {
      const messages = normalizeMessages(given as Message[]);
      const seen = new Set<string>();
      for (const [index, { role, content }] of messages.entries()) {
        expect(role).toBe(index % 2 === 0 ? "user" : "assistant");
        expect(content.length).toBeGreaterThan(0);
        const before =
          index === 0
            ? []
            : (messages[index - 1]!.content as AssistantBlock[]).flatMap((item) =>
                item.type === "tool_use" ? [item.id] : [],
              );
        if (role === "user")
          expect(
            (content as UserBlock[]).flatMap((item) =>
              item.type === "tool_result" ? [item.tool_use_id] : [],
            ),
          ).toEqual(before);
        for (const item of content as AssistantBlock[]) {
          if (item.type !== "tool_use") continue;
          expect(seen.has(item.id)).toBe(false);
          seen.add(item.id);
        }
      }
      if (messages.length > 0) expect(messages.at(-1)!.role).toBe("user");
      expect(normalizeMessages(messages)).toEqual(messages);
    }),
    { numRuns: 500 },
  );
});
