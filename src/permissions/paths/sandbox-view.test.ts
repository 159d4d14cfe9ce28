import { describe, expect, test } from "vitest";
import { createPolicy, type FactsOf, type PolicyInput } from "../policy.ts";
import { sandboxView } from "./sandbox-view.ts";

const facts: FactsOf = (path) => ({ real: path, exists: true, kind: "file" });
const view = (more: Partial<PolicyInput> = {}, hide: string[] = []) =>
  sandboxView(
    createPolicy({
      ...more,
      workspace: { cwd: "/w", home: "/h", additionalDirectories: ["/more"], ...more.workspace },
    }),
    facts,
    hide,
  );
const deny = (...rules: string[]) => ({ rules: { allow: [], ask: [], deny: rules } });

describe("what a command may not write", () => {
  test.each([
    ["/w/src/a.ts", "open"],
    ["/w/CLAUDE.md", "read-only"],
    ["/w/a/b/c/d/CLAUDE.md", "read-only"],
    ["/w/a/.claude", "read-only"],
    ["/w/a/b/.Claude", "read-only"],
    ["/w/.git", "read-only"],
    ["/w/x/.npmrc", "read-only"],
    ["/w/p/.github/workflows", "read-only"],
    ["/w/p/.cargo/config.toml", "read-only"],
    ["/w/p/.local/share/fish", "read-only"],
    ["/w/p/fish", "open"],
    ["/w/workflows", "open"],
    ["/w/a.code-workspace", "read-only"],
    ["/more/x/.mcp.json", "read-only"],
    ["/w/.env", "open"],
  ])("%s: %s", (path, verdict) => expect(view().judge(path)).toBe(verdict));

  test("a workspace inside a protected folder can be worked in", () => {
    const inside = view({ workspace: { cwd: "/w/.claude/worktrees/x", home: "/h" } });
    expect([
      inside.judge("/w/.claude/worktrees/x/a.ts"),
      inside.judge("/w/.claude/worktrees/x/.claude"),
    ]).toEqual(["open", "read-only"]);
  });

  test("Edit and Write rules hold, and plan mode writes nothing", () => {
    expect(view(deny("Edit(./gen/**)")).judge("/w/gen/a/b")).toBe("read-only");
    expect(view(deny("Write(./gen/**)")).judge("/w/gen/a/b")).toBe("read-only");
    expect(view().writable).toEqual(["/w", "/more"]);
    expect(view({ mode: "plan" }).writable).toEqual([]);
  });
});

describe("what a command may not see", () => {
  test.each([
    ["Read(./.env)", "/w/.env", "hidden"],
    ["Read(./.env)", "/w/.ENV", "hidden"],
    ["Read(.env)", "/w/a/b/.env", "hidden"],
    ["Read(./secrets/**)", "/w/secrets/x/y", "hidden"],
    ["Read(**/*.pem)", "/w/a/b.pem", "hidden"],
    ["Read(./.env)", "/w/.env.example", "open"],
    ["Grep(./.env)", "/w/.env", "open"],
  ])("%s, %s: %s", (rule, path, verdict) => expect(view(deny(rule)).judge(path)).toBe(verdict));

  test("key files, where the profile hides them", () => {
    expect([
      view({ hidesSecrets: true }).judge("/w/.env.local"),
      view().judge("/w/.env.local"),
    ]).toEqual(["hidden", "open"]);
  });

  test.each([
    ["Read(~/.ssh/**)", ["/h/.ssh"]],
    ["Read(~/.netrc)", ["/h/.netrc"]],
    ["Read(//etc/secret)", ["/etc/secret"]],
    ["Read(./secrets/)", ["/w/secrets"]],
    ["Read(//**)", []],
    ["Read(~/**/*.pem)", []],
    ["Read", []],
  ])("%s elsewhere: %j", (rule, paths) => expect(view(deny(rule)).hidden).toEqual(paths));

  test("patterns of the settings, and those that cannot be read", () => {
    expect(view({}, ["~/.config/x", "//srv/keys"]).hidden).toEqual(["/h/.config/x", "/srv/keys"]);
    expect(view({}, ["a(b"]).problems.length + view({}, [""]).problems.length).toBeGreaterThan(0);
  });
});
