import { describe, expect, test } from "vitest";
import { RetinueError } from "../../../base/errors.ts";
import type { Model } from "../../../model/model.ts";
import { resolveModel } from "./resolve-model.ts";

const known =
  (...names: string[]) =>
  (name: string): Model => {
    if (names.includes(name)) return { name } as Model;
    throw new RetinueError(
      /^(opus|sonnet|haiku|anthropic:.*)$/i.test(name) ? "missing_key" : "unknown_model",
      `no ${name}`,
    );
  };

describe("the model of a run", () => {
  test.each([
    [
      "the definition's alias, where there is a key for it",
      { definition: "haiku" },
      ["haiku", "openai:gpt-5"],
      "haiku",
    ],
    [
      "the parent's, where nobody has a key for the definition's alias",
      { definition: "haiku" },
      ["openai:gpt-5"],
      "openai:gpt-5",
    ],
    [
      "the call's, whatever the definition says",
      { input: "offline", definition: "haiku" },
      ["offline", "openai:gpt-5"],
      "offline",
    ],
  ])("is %s", (_, choice, reachable, expected) => {
    const { model, notes } = resolveModel(
      { ...choice, parent: () => "openai:gpt-5" },
      known(...reachable),
    );
    expect(model.name).toBe(expected);
    expect(notes).toHaveLength(expected === "openai:gpt-5" ? 1 : 0);
  });

  test.each([
    ["an alias that the call names", { input: "haiku" }, "no haiku"],
    ["an alias from the environment", { fallback: "haiku" }, "no haiku"],
    [
      "a provider that the definition names",
      { definition: "anthropic:claude-x" },
      "no anthropic:claude-x",
    ],
    ["a model that does not exist", { definition: "haikku" }, "no haikku"],
  ])("is never replaced for %s", (_, choice, message) => {
    expect(() =>
      resolveModel({ ...choice, parent: () => "openai:gpt-5" }, known("openai:gpt-5")),
    ).toThrow(message);
  });

  test("is offline where the parent is, though there is a key for the definition's alias", () => {
    const { model, notes } = resolveModel(
      { definition: "haiku", parent: () => "offline" },
      known("haiku", "offline"),
    );
    expect([model.name, notes[0]]).toEqual(["offline", expect.stringContaining('"haiku"')]);
  });

  test("is not asked of a parent that has none", () => {
    const parent = (): string => {
      throw new RetinueError("missing_key", "no model");
    };
    expect(resolveModel({ definition: "haiku", parent }, known("haiku")).model.name).toBe("haiku");
  });

  test("tells the note that names both models", () => {
    expect(
      resolveModel({ definition: "sonnet", parent: () => "ollama:x" }, known("ollama:x")).notes[0],
    ).toMatch(/"sonnet".*ollama:x/);
  });
});
