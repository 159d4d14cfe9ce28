import { describe, expect, test } from "vitest";
import { childMode, isWider, permissionModes, unknownMode, type PermissionMode } from "./mode.ts";

describe("isWider", () => {
  test("orders plan < dontAsk < default < acceptEdits < bypassPermissions", () => {
    const order: PermissionMode[] = [
      "plan",
      "dontAsk",
      "default",
      "acceptEdits",
      "bypassPermissions",
    ];
    for (const [i, a] of order.entries())
      for (const [j, b] of order.entries()) expect(isWider(a, b)).toBe(i > j);
  });

  test("compares delegate by its tools: the others have more, and only plan writes less", () => {
    for (const mode of permissionModes) {
      expect(isWider(mode, "delegate")).toBe(mode !== "delegate");
      expect(isWider("delegate", mode)).toBe(mode === "plan");
    }
  });
});

describe("childMode", () => {
  const spawn = { parent: "default", trusted: true, viaTool: true } as const;

  test.each<[string, Partial<Parameters<typeof childMode>[0]>, PermissionMode]>([
    ["the parent's without a definition's", {}, "default"],
    ["the definition's", { definition: "plan" }, "plan"],
    ["a trusted definition's that widens", { definition: "acceptEdits" }, "acceptEdits"],
    [
      "the parent's where an untrusted definition widens",
      { definition: "bypassPermissions", trusted: false },
      "default",
    ],
    [
      "bypassPermissions of the parent, whatever the definition says",
      { parent: "bypassPermissions", definition: "plan" },
      "bypassPermissions",
    ],
    ["a narrower one from a tool call", { input: "plan" }, "plan"],
    [
      "a narrower one from a tool call below a definition",
      { definition: "acceptEdits", input: "default" },
      "default",
    ],
    [
      "default below a delegating parent, so that somebody works",
      { parent: "delegate" },
      "default",
    ],
    [
      "what the library says, wider or not",
      { input: "bypassPermissions", viaTool: false },
      "bypassPermissions",
    ],
  ])("is %s", (_name, input, mode) => {
    expect(childMode({ ...spawn, ...input })).toMatchObject({ ok: true, mode });
  });

  test.each<[Partial<Parameters<typeof childMode>[0]>]>([
    [{ input: "bypassPermissions" }],
    [{ input: "acceptEdits", definition: "acceptEdits", trusted: false }],
    [{ input: "default", definition: "plan" }],
    [{ parent: "plan", input: "delegate" }],
  ])("refuses a tool call that widens: %j", (input) => {
    const result = childMode({ ...spawn, ...input });
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.reason).toMatch(/only narrow/);
  });

  test("reports a widening that had no effect", () => {
    expect(childMode({ ...spawn, definition: "bypassPermissions", trusted: false })).toMatchObject({
      note: expect.stringMatching(/not trusted/),
    });
  });
});

test("suggests the mode that was meant", () => {
  expect(unknownMode("acceptEdit")).toMatch(/did you mean acceptEdits/);
});
