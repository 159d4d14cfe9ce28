// A program that builds on the package writes types of its own from ours: results have names that
// can be imported, and parts of them are written by their place.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempProject } from "../src/testing/temp-project.ts";

const exported = (code: string): string =>
  `import * as R from "retinue";\nimport * as T from "retinue/testing";\n${code}\n`;

/** What teams export: results whole and without annotation, parts of them by their place. */
const program = exported(`
export const hook = R.functionHook({ event: "Stop", run: () => undefined });
export const model = (sdk: R.AiSdkModel) => R.aiSdkModel(sdk);
export const source = (m: R.AgentManager) => m.listAgentInfo();
export const status = (m: R.AgentManager) => m.list();
export const spawned = (m: R.AgentManager) => m.spawn({ description: "d", prompt: "p" });
export const problem = () => R.loadDefinitions({ cwd: "." }).problems[0];
export const server = (a: R.AgentPlan) => a.mcpServers?.[0];
export const assessed = async () => R.assessReport("", { reader: R.treeReader(".") });
export const check = async () => (await assessed()).checks[0];
export const confidence = (a: R.Assessment): R.Assessment["confidence"] => a.confidence;
export const row = (a: R.Assessment): NonNullable<R.Assessment["repair"]>["rows"] => a.repair?.rows ?? [];
export const reader = () => R.memoryReader({});
export const commands = (l: R.Ledger): R.Ledger["commands"] => l.commands;
export const aggregate = () => R.aggregateReports([]);
export const conflicts = (): R.Aggregate["conflicts"] => aggregate().conflicts;
export const snapshot = () => R.takeSnapshot(".");
export const report = (r: R.AgentResult) => [r.report, r.report?.findings[0], r.report?.summary] as const;
export const parsed = () => R.parseReport("");
export const sections = (): R.Report["sections"] => parsed().sections;
export const flow = (o: R.FlowOutcome) => o;
export const content = (m: R.Message): R.Message["content"] => m.content;
export const send = (m: R.Model): R.Model["send"] => m.send;
export const outcome = (e: R.RunEvent) => (e.type === "run-end" ? e.outcome : e.type === "message" ? e.message : undefined);
export const result = (r: R.ToolResult): R.ToolResult["content"] => r.content;
export const executor = (c: R.Catalog) => R.createLocalExecutor(c);
export const transcript = () => R.readTranscript("x");
export const verdict = () => R.checkPermission({ tool: "Read" });
export const limits = (o: R.ManagerOptions): R.ManagerOptions["limits"] => o.limits;
export const main = (o: R.FlowOptions, r: R.MainRequest) => R.runMain(o, r);
export const request = (r: T.MockRequest) => r.protocol;
export const tool = R.defineTool({ name: "A", description: "", input: { type: "object" }, readOnly: true, run: () => "" });
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
}, 120_000);

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

test("a part that has no name of its own is an error without an annotation", () => {
  expect(
    compile(
      {
        "a.ts": exported(
          'export const index = (o: R.AssessOptions) => ("kindOf" in o.reader ? o.reader : undefined);',
        ),
      },
      { skipLibCheck: true },
    ),
  ).toContain("cannot be named without a reference to 'Repository'");
});
