import { expect, test } from "vitest";
import type { Message } from "../message.ts";
import type { ModelRequest } from "../model.ts";
import { anthropicRequestBody } from "./anthropic-request.ts";

const request = (messages: readonly Message[]): ModelRequest => ({
  system: "Look things up.",
  messages,
  tools: [],
  maxOutputTokens: 1_000,
});

const body = (messages: readonly Message[]): string =>
  anthropicRequestBody("claude-sonnet-4-5", request(messages));

const call = (turn: number): Message => ({
  role: "assistant",
  content: [
    { type: "text", text: `turn ${turn} "quoted" \ud800` },
    { type: "tool_use", id: `toolu_${turn}`, name: "look", input: { turn, deep: [{ a: null }] } },
  ],
});
const result = (turn: number): Message => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: `toolu_${turn}`, content: `found ${turn}` }],
});

test("a growing conversation is written as if it were written anew, with two marks, whatever stands at its end", () => {
  const messages: Message[] = [{ role: "user", content: "go" }];
  for (let turn = 1; turn <= 30; turn++) {
    messages.push(turn % 7 === 0 ? { role: "assistant", content: [] } : call(turn), result(turn));
    const text = body(messages);
    expect(text, `turn ${turn}`).toBe(body([...messages]));
    expect(text.match(/"cache_control"/g)).toHaveLength(3);
    // As a message does that comes between two turns.
    if (turn % 5 === 0)
      messages[messages.length - 1] = {
        role: "user",
        content: [
          ...(result(turn).content as Exclude<Message["content"], string>),
          { type: "text", text: "and hurry" },
        ] as never,
      };
    expect(body(messages)).toBe(body([...messages]));
  }
  messages.splice(10);
  expect(body(messages)).toBe(body([...messages]));
  messages[0] = { role: "user", content: "another beginning" };
  expect(body(messages)).toBe(body([...messages]));
});

test("what an earlier request has written is not written again", () => {
  let written = 0;
  const counted = (turn: number): Message => {
    const input = { turn, toJSON: () => ((written += 1), { turn }) };
    return {
      role: "assistant",
      content: [{ type: "tool_use", id: `toolu_${turn}`, name: "look", input }],
    };
  };
  const messages: Message[] = [{ role: "user", content: "go" }];
  const turns = 200;
  for (let turn = 1; turn <= turns; turn++) {
    messages.push(counted(turn), result(turn));
    body(messages);
  }
  // Each reply once behind the marks and once before them; a list that is written anew each time reads 20,100.
  expect(written).toBeLessThanOrEqual(turns * 3);
});
