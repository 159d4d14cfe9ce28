import { expect, test } from "vitest";
import { modelNameProblem } from "./model-name-problem.ts";

const names = {
  env: {},
  aliases: { quick: "haiku", odd: "nobody" },
  providers: { local: { protocol: "openai", baseUrl: "http://127.0.0.1:1/v1" } },
} as const;

test.each([
  "opus",
  "Sonnet",
  "fable",
  "quick",
  "inherit",
  "offline",
  "claude-opus-5-5",
  "gpt-5",
  "GPT-4.1",
  "gemini-2.5-pro",
  "ollama:llama3",
  "local:any",
])("%s can be resolved", (name) => {
  expect(modelNameProblem(name, names)).toBeUndefined();
});

test.each<[string, string | undefined]>([
  ["sonet", "sonnet"],
  ["opsu", "opus"],
  ["antropic:claude-opus-5-5", "anthropic:claude-opus-5-5"],
  ["yellow", undefined],
  ["deepseek-chat", undefined],
  ["odd", undefined],
])("%s cannot, and what was probably meant is %s", (name, suggestion) => {
  expect(modelNameProblem(name, names)).toMatchObject({
    message: expect.stringContaining("unknown model") as string,
    ...(suggestion !== undefined && { suggestion }),
  });
  expect(modelNameProblem(name, names)?.suggestion).toBe(suggestion);
});
