// Rows of attacks.jsonl, layer loader: each definition is really written to disk and loaded, and each assert is executed.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isSafeAgentName } from "../src/definitions/agent-name.ts";
import { withoutTrust } from "../src/definitions/agent-definition.ts";
import { loadDefinitions } from "../src/definitions/load-definitions.ts";
import { effectiveSettings } from "../src/settings/effective-settings.ts";
import { loadSettings } from "../src/settings/load-settings.ts";
import { trustState } from "../src/settings/trust.ts";

type Row = {
  id: string;
  class: string;
  layer: string;
  note: string;
  expected: string;
  input: { file?: string; content?: string; name?: string; description?: string; memory?: string };
  setup?: { symlink?: string; to?: string }[];
  context?: { path?: string; trusted?: boolean; project_settings?: unknown; also_ok?: string[] };
};

const rows = readFileSync(new URL("./data/attacks.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Row);
const loaderRows = rows.filter((row) => row.layer === "loader");

let base: string;
const at = (...parts: string[]): string => join(base, ...parts);
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "retinue-attacks-")));
  mkdirSync(at("ws/.git"), { recursive: true });
  mkdirSync(at("out"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function arrange(row: Row): void {
  const content = (row.input.content ?? "").replaceAll("{{OUT}}", at("out"));
  const link = row.setup?.find((step) => step.symlink);
  const path = link?.to
    ? link.to.replace("{{OUT}}", at("out"))
    : at("ws", row.context?.path ?? row.input.file ?? "x.md");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  if (link?.symlink) {
    mkdirSync(dirname(at("ws", link.symlink)), { recursive: true });
    symlinkSync(path, at("ws", link.symlink));
  }
  if (row.context?.project_settings)
    writeFileSync(at("ws/.claude/settings.json"), JSON.stringify(row.context.project_settings));
}

const options = () => ({ cwd: at("ws"), configDir: at("home"), managedDir: at("managed") });
const loaded = () => loadDefinitions(options());

function load(row: Row) {
  if (row.input.file !== undefined) arrange(row);
  const result =
    row.input.file === undefined
      ? loadDefinitions({ ...options(), cliAgents: [row.input] })
      : loaded();
  return {
    ...result,
    own: [...result.definitions.values()].filter((definition) => definition.source !== "built-in"),
  };
}

const find = (id: string): Row => loaderRows.find((row) => row.id === id)!;

test("every loader row is tried", () => expect(loaderRows.length).toBe(35));

describe("rows whose definition must not be loaded", () => {
  const needTrust = new Set(["AGEN-FRON-030", "AGEN-FRON-031", "AGEN-FRON-032"]);
  const byEffect = new Set(["AGEN-FRON-016", "AGEN-FRON-020"]);
  test.each(
    loaderRows.filter(
      (row) => row.expected === "deny" && !needTrust.has(row.id) && !byEffect.has(row.id),
    ),
  )("$id: $note", (row) => {
    const { own, problems } = load(row);
    expect(own).toEqual([]);
    if (row.context?.path === undefined)
      expect(problems.some((problem) => problem.severity === "error" && problem.line >= 1)).toBe(
        true,
      );
    expect(({} as Record<string, unknown>)["permissionMode"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["tools"]).toBeUndefined();
  });
});

describe("rows that are loaded", () => {
  test.each(loaderRows.filter((row) => row.expected === "allow"))("$id: $note", (row) => {
    const { own, problems } = load(row);
    expect(own).toHaveLength(1);
    expect(problems.filter((problem) => problem.severity === "error")).toEqual([]);
    expect(own[0]?.description).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
  });

  test("AGEN-FRON-016: an unknown tool is never all tools, and the only one is an error", () => {
    const { own, problems } = load(find("AGEN-FRON-016"));
    expect(own[0]?.tools).toEqual(["Bsah"]);
    expect(problems).toContainEqual(
      expect.objectContaining({ severity: "error", code: "no-known-tool" }),
    );
  });

  test("AGEN-FRON-017: an empty list is no tools", () =>
    expect(load(find("AGEN-FRON-017")).own[0]?.tools).toEqual([]));

  test("AGEN-FRON-018 and 019: null and * inherit, which is never wider than the parent", () => {
    expect(load(find("AGEN-FRON-018")).own[0]).not.toHaveProperty("tools");
    expect(load(find("AGEN-FRON-018")).problems.map((problem) => problem.code)).toContain(
      "tools-empty",
    );
    expect(load(find("AGEN-FRON-019")).own[0]).not.toHaveProperty("tools");
  });

  test("AGEN-FRON-020: a key that differs by case is reported and brings nothing", () => {
    const { own, problems } = load(find("AGEN-FRON-020"));
    expect(own[0]?.tools).toEqual(["Read"]);
    expect(problems.map((problem) => problem.code)).toEqual(["near-miss-key"]);
  });

  test("AGEN-FRON-023: NO stays a name, with a warning about the convention", () => {
    const { own, problems } = load(find("AGEN-FRON-023"));
    expect(own[0]?.name).toBe("NO");
    expect(problems.map((problem) => problem.code)).toEqual(["name-convention"]);
  });

  test("AGEN-FRON-028: the first block names the agent", () =>
    expect(load(find("AGEN-FRON-028")).own[0]?.name).toBe("x"));

  test("AGEN-FRON-034: what shadows a built-in says so", () => {
    const { all } = load(find("AGEN-FRON-034"));
    expect(
      all.find((entry) => entry.isActive && entry.definition.name === "general-purpose")?.overrides,
    ).toEqual([{ source: "built-in" }]);
  });
});

describe("rows that need trust", () => {
  test("AGEN-FRON-014: an untrusted bypassPermissions has no effect and is named", () => {
    const { own } = load(find("AGEN-FRON-014"));
    expect(trustState(at("ws"), { configDir: at("home") }).state).toBe("untrusted");
    const { definition, withheld } = withoutTrust(own[0]!);
    expect(definition.permissionMode).toBeUndefined();
    expect(withheld).toEqual(["permissionMode: bypassPermissions"]);
  });

  test("AGEN-FRON-030: an untrusted inline server is withheld and nothing ran", () => {
    const { own } = load(find("AGEN-FRON-030"));
    expect(own[0]?.mcpServers?.[0]?.config).toBeDefined();
    expect(withoutTrust(own[0]!)).toMatchObject({
      definition: { mcpServers: [] },
      withheld: ["mcpServers"],
    });
    expect(existsSync(at("out/pwned"))).toBe(false);
  });

  test.each(["AGEN-FRON-031", "AGEN-FRON-032"])("%s: settings of an untrusted folder", (id) => {
    load(find(id));
    const trusted = trustState(at("ws"), { configDir: at("home") }).state === "trusted";
    const { settings, withheld } = effectiveSettings(loadSettings(options()), trusted);
    expect(trusted).toBe(false);
    expect(settings.permissions.defaultMode).toBeUndefined();
    expect(settings.env).toEqual({});
    expect(withheld).toHaveLength(1);
  });
});

test.each(loaderRows.filter((row) => row.class === "memory/agent-name"))(
  "$id: the name alone decides whether it may be a path: $note",
  (row) => {
    expect(isSafeAgentName(row.input.name)).toBe(row.expected === "allow");
  },
);
