import { describe, expect, it } from "vitest";
import { aliasTable, expandAlias } from "./aliases.ts";
import { noUsage } from "./model.ts";
import { costUsd, priceOf } from "./prices.ts";
import { windowOf } from "./windows.ts";

describe("prices", () => {
  it.each([
    ["claude-opus-5-5", 4],
    ["claude-opus-5-5-20260922", 4],
    ["claude-opus-5", 5],
    ["claude-opus-4-8", 5],
    ["claude-opus-4-1-20250805", 15],
    ["claude-opus-4-20250514", 15],
    ["claude-sonnet-5-5", 2],
    ["claude-sonnet-4-6", 3],
    ["anthropic/claude-3-7-sonnet", 3],
    ["claude-sonnet-4-20250514", 3],
    ["claude-3-5-sonnet-latest", 3],
    ["claude-haiku-4-5", 1],
    ["claude-haiku-5-5", 0.1],
    ["gpt-5", 1.25],
    ["gpt-5-2026-04-01", 1.25],
    ["gpt-5-mini", 0.25],
    ["gpt-5.4", 2.5],
    ["gpt-4o-mini", 0.15],
  ])("of %s start at %d", (id, input) => expect(priceOf(id)?.input).toBe(input));

  it.each([
    "gpt-5.9",
    "gpt-5-pro",
    "gpt-5.4-nano",
    "llama-4",
    "claude-haiku-9",
    "claude-sonnet-6",
    "claude-opus-6",
    "claude-opus-5-7",
    "claude-sonnet-5-9-20270101",
    "",
  ])("of %s are not known, and neither is the cost", (id) => {
    expect(priceOf(id)).toBeUndefined();
    expect(costUsd(noUsage, priceOf(id))).toBeNull();
  });

  it("add up per million tokens, each kind at its own rate", () => {
    const usage = {
      input_tokens: 10_000,
      output_tokens: 1_000,
      cache_read_input_tokens: 20_000,
      cache_creation_input_tokens: 2_000,
    };
    expect(costUsd(usage, priceOf("claude-sonnet-5-5"))).toBeCloseTo(
      0.02 + 0.01 + 0.004 + 0.005,
      10,
    );
  });

  it("rise for the whole call where a long prompt costs more", () => {
    const usage = {
      ...noUsage,
      input_tokens: 60_000,
      cache_read_input_tokens: 50_000,
      output_tokens: 1_000,
    };
    expect(costUsd(usage, priceOf("claude-haiku-5-5"))).toBeCloseTo(0.03 + 0.0025 + 0.0025, 10);
    expect(
      costUsd({ ...usage, cache_read_input_tokens: 0 }, priceOf("claude-haiku-5-5")),
    ).toBeCloseTo(0.006 + 0.0005, 10);
  });

  it("are nothing for a model on the own machine", () =>
    expect(costUsd({ ...noUsage, input_tokens: 5 }, priceOf("llama3", "ollama"))).toBe(0));
});

describe("windows", () => {
  it.each([
    ["claude-sonnet-5-5", 1_000_000, 128_000],
    ["claude-haiku-4-5", 200_000, 64_000],
    ["claude-next", 200_000, 32_000],
    ["gpt-4o", 128_000, 16_384],
    ["some/new-model", 128_000, 16_384],
  ])("of %s are %i and %i", (id, contextWindow, maxOutputTokens) =>
    expect(windowOf(id)).toEqual({ contextWindow, maxOutputTokens }),
  );
});

describe("aliases", () => {
  it("are the built-in ones, changed by the environment, changed by the settings", () => {
    expect(expandAlias("Opus", aliasTable({}))).toBe("claude-opus-5-5");
    const env = {
      ANTHROPIC_DEFAULT_OPUS_MODEL: "claude-opus-5",
      ANTHROPIC_DEFAULT_HAIKU_MODEL: " ",
    };
    expect(expandAlias("opus", aliasTable(env))).toBe("claude-opus-5");
    expect(expandAlias("haiku", aliasTable(env))).toBe("claude-haiku-5-5");
    expect(expandAlias("opus", aliasTable(env, { opus: "openai:gpt-5" }))).toBe("openai:gpt-5");
    expect(
      ["opusplan", "best", "Default", "sonnet[1m]", "claude-opus-4-8[1M]", "x[2m]"].map((name) =>
        expandAlias(name, aliasTable({})),
      ),
    ).toEqual([
      "claude-opus-5-5",
      "claude-opus-5-5",
      "claude-sonnet-5-5",
      "claude-sonnet-5-5",
      "claude-opus-4-8",
      "x[2m]",
    ]);
    expect(
      expandAlias("opus", aliasTable({ ANTHROPIC_DEFAULT_OPUS_MODEL: "claude-opus-5[1m]" })),
    ).toBe("claude-opus-5");
  });

  it("may name each other but never go in a circle", () => {
    expect(expandAlias("best", aliasTable({}, { best: "opus" }))).toBe("claude-opus-5-5");
    expect(["a", "b"]).toContain(expandAlias("a", aliasTable({}, { a: "b", b: "a" })));
    expect(expandAlias("toString", aliasTable({}))).toBe("toString");
  });
});
