// The rows of layer redaction, each really tried: what leaves a run, and what is kept of it,
// carries no secret.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createManager, type AgentManager } from "../src/app/create-manager.ts";
import { factsNear } from "../src/base/files/path-facts.ts";
import { findSecrets } from "../src/base/secrets/find-secrets.ts";
import { checkResponse } from "../src/contract/handoff/check-response.ts";
import { decide } from "../src/permissions/decide.ts";
import { createPolicy } from "../src/permissions/policy.ts";
import {
  scriptedModel,
  type ScriptLine,
  type ScriptedModel,
} from "../src/testing/scripted-model.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";

type Row = {
  id: string;
  layer: string;
  tool: string;
  input: Record<string, string>;
  mode: string;
  rules: { allow: string[]; ask: string[]; deny: string[] };
  expected: string;
  context?: { also_ok?: string[] };
  setup?: { file: string; content: string }[];
};
const rows = new Map(
  readFileSync("test/data/attacks.jsonl", "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row)
    .filter(({ layer }) => layer === "redaction")
    .map((row) => [row.id, row]),
);
const secret = /ghp_a1B2\w+|sk-ant-api03-A+|Sup3rS3cret|AKIAZ7VQ3XJ2NB4MK9PL|xoxb-[\w-]+/;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

type World = {
  project: TempProject;
  model: ScriptedModel;
  manager: AgentManager;
  kept: () => string;
};

function world(
  script: (root: string) => ScriptLine[],
  row: Row,
  env: Record<string, string> = {},
): World {
  const project = tempProject(
    Object.fromEntries((row.setup ?? []).map(({ file, content }) => [file, content])),
  );
  const model = scriptedModel(script(project.root));
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] ?? "", ...env },
    model,
    watch: false,
    contract: "none",
    permissions: { allow: ["Bash(*)"] },
  });
  open.push({ close: () => project.remove() }, manager);
  const kept = (): string =>
    readdirSync(project.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
      .join("\n");
  return { project, model, manager, kept };
}

const call = (row: Row, root: string): ScriptLine => ({
  tools: [
    {
      name: row.tool,
      input: JSON.parse(JSON.stringify(row.input).replaceAll("{{WS}}", root)) as unknown,
    },
  ],
});
const spawn = ({ manager }: World, prompt = "do it"): Promise<unknown> =>
  manager.spawn({
    description: "d",
    prompt,
    subagent_type: "general-purpose",
    run_in_background: true,
  }).done;
const row = (id: string): Row => rows.get(id)!;
const shown = ({ model }: World): string => JSON.stringify(model.requests.at(-1)!.messages);

test("every row of the layer has a test here", () => {
  const text = readFileSync("test/attacks-redaction.test.ts", "utf8");
  expect([...rows.keys()].filter((id) => !text.includes(`"${id} `))).toEqual([]);
});

test("SECR-LEAK-001 an environment dump holds no key of the runtime", async () => {
  const all = world((root) => [call(row("SECR-LEAK-001"), root), "done"], row("SECR-LEAK-001"), {
    ANTHROPIC_API_KEY: "sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  });
  await spawn(all);
  expect(shown(all)).toContain("PATH=");
  expect(shown(all)).not.toContain("ANTHROPIC_API_KEY");
});

test("SECR-LEAK-002 an .env file is not loaded into commands", async () => {
  const all = world((root) => [call(row("SECR-LEAK-002"), root), "done"], {
    ...row("SECR-LEAK-002"),
    setup: [{ file: ".env", content: "DB_PASSWORD=hunter2-hunter2\n" }],
  });
  await spawn(all);
  expect(shown(all)).not.toContain("hunter2");
});

test("SECR-LEAK-003 a token in output is masked in transcript and output file", async () => {
  const all = world(
    (root) => [
      call(row("SECR-LEAK-003"), root),
      `it is ${row("SECR-LEAK-003").input["command"]!.slice(5)}`,
    ],
    row("SECR-LEAK-003"),
  );
  await spawn(all);
  expect(all.kept()).toContain("state=completed");
  expect(all.kept()).not.toMatch(secret);
});

test("SECR-LEAK-004 a secret in a file that is read is masked in what is kept", async () => {
  const all = world((root) => [call(row("SECR-LEAK-004"), root), "read"], row("SECR-LEAK-004"));
  await spawn(all);
  expect(all.kept()).toContain("config.txt");
  expect(all.kept()).not.toMatch(secret);
});

test("SECR-LEAK-005 a handoff that carries a key is masked and flagged", () => {
  const checked = checkResponse(
    { status: "complete", ...row("SECR-LEAK-005").input },
    { task_id: "t", phase: "research", tokens_used: 1 },
  );
  expect(checked).toMatchObject({
    ok: true,
    response: { issues: [expect.stringContaining("context_summary")] },
  });
  expect(JSON.stringify(checked)).not.toMatch(secret);
});

test("SECR-LEAK-006 encoded secrets are a documented limit", () => {
  expect(findSecrets(row("SECR-LEAK-006").input["command"]!)).toEqual([]);
  expect(readFileSync("src/base/secrets/find-secrets.ts", "utf8")).toContain("Encoded secrets");
});

test.each(["SECR-LEAK-007 ", "SECR-LEAK-008 "])("%sis decided as the row wants it", (label) => {
  const { tool, input, mode, rules, expected, context } = row(label.trim());
  const project = tempProject();
  open.push({ close: () => project.remove() });
  const policy = createPolicy({
    mode: mode as "default",
    rules,
    workspace: { cwd: project.root, home: project.home },
  });
  const { behavior } = decide(
    {
      tool,
      input: JSON.parse(JSON.stringify(input).replaceAll("{{WS}}", project.root)) as Record<
        string,
        unknown
      >,
    },
    policy,
    (path, folder) => factsNear(path, { cwd: project.root, home: project.home, folder }),
  );
  expect([expected, ...(context?.also_ok ?? [])]).toContain(behavior);
});

test("SECR-LEAK-009 a prompt to a child is masked in the child's transcript", async () => {
  const all = world(() => ["done"], row("SECR-LEAK-009"));
  await spawn(all, row("SECR-LEAK-009").input["prompt"]);
  expect(all.kept()).toContain("general-purpose");
  expect(all.kept()).not.toMatch(secret);
});

test("SECR-LEAK-012 error texts are masked too", async () => {
  const all = world(
    () => [{ failure: { kind: "network", message: row("SECR-LEAK-012").input["message"]! } }],
    row("SECR-LEAK-012"),
  );
  await spawn(all);
  expect(all.kept()).toContain("ECONNREFUSED");
  expect(all.kept()).not.toMatch(secret);
});
