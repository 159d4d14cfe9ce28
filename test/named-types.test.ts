// A program that builds on the package writes types of its own from ours: every type that the compiler would have to name in its declarations can be imported.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempProject } from "../src/testing/temp-project.ts";

const exported = (code: string): string =>
  `import * as R from "retinue";\nimport * as T from "retinue/testing";\n${code}\n`;

/** Functions and constants of the kinds that teams export, none of them annotated. */
const program = exported(`
export const hook = R.functionHook({ event: "Stop", run: () => undefined });
export const model = (sdk: R.AiSdkModel) => R.aiSdkModel(sdk);
export const source = (m: R.AgentManager) => m.listAgentInfo()[0]!.source;
export const problem = () => R.loadDefinitions({ cwd: "." }).problems[0];
export const server = (a: R.AgentPlan) => a.mcpServers?.[0];
export const check = async () => (await R.assessReport("", { reader: R.treeReader(".") })).checks[0];
export const confidence = (a: R.Assessment) => a.confidence;
export const row = (a: R.Assessment) => a.repair?.rows[0];
export const reader = () => R.memoryReader({});
export const commands = (l: R.Ledger) => [l.commands, l.ran("x"), l.final, l.edits] as const;
export const aggregate = () => R.aggregateReports([]);
export const conflict = () => aggregate().conflicts[0];
export const merged = () => aggregate().findings[0]?.members[0];
export const changes = () => R.diffSnapshots(R.takeSnapshot("."), R.takeSnapshot("."));
export const section = () => R.parseReport("").sections[0]?.blocks[0];
export const finding = (r: R.Report) => [r.findings[0], r.issues[0], r.ticks[0], r.confidence] as const;
export const measures = (o: R.FlowOutcome) => [o.measures, o.context, o.second_looks] as const;
export const content = (m: R.Message) => m.content;
export const send = (m: R.Model) => m.send;
export const outcome = (e: R.RunEvent) => (e.type === "run-end" ? e.outcome : e.type === "message" ? e.message : undefined);
export const result = (r: R.ToolResult) => r.content;
export const catalog = (c: R.Catalog) => [c.tools, c.gate, c.store, c.hooks] as const;
export const transcript = () => R.readTranscript("x");
export const verdict = () => R.checkPermission({ tool: "Read" });
export const limits = (o: R.ManagerOptions) => [o.limits, o.env, o.permissions?.mode, o.hooks] as const;
export const main = R.runMain;
export const request = (r: T.MockRequest) => r.protocol;
export const tool = R.defineTool({ name: "A", description: "", input: { type: "object" }, readOnly: true, run: async () => ({ content: "" }) });
`);

function compile(files: Record<string, string>, flags: object = {}): string {
  using project = tempProject({
    ...files,
    "package.json": '{"type":"module"}',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        strict: true,
        module: "nodenext",
        target: "es2022",
        declaration: true,
        noEmit: true,
        exactOptionalPropertyTypes: true,
        verbatimModuleSyntax: true,
        preserveSymlinks: true,
        skipLibCheck: false,
        types: ["node"],
        ...flags,
      },
    }),
  });
  mkdirSync(project.path("node_modules/retinue"), { recursive: true });
  mkdirSync(project.path("node_modules/@types"));
  const here = process.cwd();
  for (const part of ["dist", "package.json"])
    symlinkSync(join(here, part), project.path(`node_modules/retinue/${part}`));
  for (const name of [
    "zod",
    "undici-types",
    "@types/node",
    "@modelcontextprotocol",
    "eventsource",
    "eventsource-parser",
  ])
    symlinkSync(join(here, "node_modules", name), project.path(`node_modules/${name}`));
  try {
    execFileSync(join(here, "node_modules/.bin/tsc"), ["-p", project.root], { encoding: "utf8" });
    return "";
  } catch (error) {
    return String((error as { stdout: unknown }).stdout);
  }
}

test("declarations can be made of a strict program that uses the whole package", () => {
  expect(compile({ "a.ts": program })).toBe("");
});

test("the same from CommonJS, and for a bundler", () => {
  expect(
    compile(
      {
        "a.cts": program.replaceAll(
          /import \* as (\w) from ("[^"]+");/g,
          "import $1 = require($2);",
        ),
      },
      { verbatimModuleSyntax: false, skipLibCheck: true },
    ),
  ).toBe("");
  expect(
    compile(
      { "a.ts": program },
      { module: "esnext", moduleResolution: "bundler", skipLibCheck: true },
    ),
  ).toBe("");
});

test("the compiler would say so: a type that is not exported is an error here", () => {
  expect(
    compile(
      {
        "a.ts": exported(
          'export const index = (o: R.VerifyOptions) => ("kindOf" in o.reader ? o.reader : undefined);',
        ),
      },
      { skipLibCheck: true },
    ),
  ).toContain("cannot be named without a reference to 'Repository'");
});
