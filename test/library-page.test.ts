// Every program of docs/library.md runs as it stands, in a project of its own, against a mock provider; the TypeScript of the other pages is compiled.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startMockProvider,
  type MockAnswer,
  type MockRequest,
} from "../src/testing/mock-provider.ts";
import { tempProject } from "../src/testing/temp-project.ts";

const page = readFileSync("docs/library.md", "utf8");
const programs = [...page.matchAll(/^## (.+)\n(?:(?!^## )[^])*?^```ts\n([^]*?)^```/gm)].map(
  ([, title, code]) => ({ title: title!, code: code! }),
);
const project = tempProject({
  "package.json": '{"type":"module"}',
  "src/total.js": "export const total = (items) => items.length;\n",
});
afterAll(() => project.remove());

beforeAll(() => {
  mkdirSync(project.path("node_modules/@types"), { recursive: true });
  for (const name of ["zod", "undici-types", "@types/node"])
    symlinkSync(join(process.cwd(), "node_modules", name), project.path(`node_modules/${name}`));
  symlinkSync(process.cwd(), project.path("node_modules/retinue"));
});

const handoff = (summary: string, more: object = {}): string =>
  JSON.stringify({
    status: "complete",
    decision: "PROCEED",
    findings: {},
    context_summary: summary,
    issues: [],
    ...more,
  });
const call = (name: string, input: object): MockAnswer => ({ tools: [{ name, input }] });
const turns = (request: MockRequest): number => (request.body["messages"] as unknown[]).length;
const report =
  "## Explore Result\n\n### Status\nSUCCESS\n\n### Summary\nThe total counts the items.\n\n### Findings\n- The total is computed in `src/total.js:1`: `export const total = (items) => items.length;`\n\n### Confidence\n90 - read the function\n- verified_confidence: 90\n- inferred_confidence: 90";
const reads = (request: MockRequest): MockAnswer =>
  turns(request) === 1 ? call("Read", { file_path: "src/total.js" }) : report;

/** What the model says in each program, and what the program prints. */
const stories: Record<string, { reply?: (request: MockRequest) => MockAnswer; prints: RegExp }> = {
  "One agent": { reply: reads, prints: /Read: 1 line[^]*completed VERIFIED \d+\n$/ },
  "Agents and tools of your own": {
    reply: (request) =>
      turns(request) === 1
        ? call("Stock", { article: "apple" })
        : turns(request) === 3
          ? call("Order", { article: "apple", count: 1 })
          : JSON.stringify(request.body).includes("ordered")
            ? "It is on its way."
            : "no",
    prints: /^It is on its way\. 0\n$/,
  },
  "Side by side, with a person and with hooks": {
    reply: (request) =>
      turns(request) === 1
        ? call("Bash", {
            command: JSON.stringify(request.body).includes("unit tests") ? "npm test" : "rm x",
          })
        : "done",
    prints:
      /^general-purpose wants Bash\(\{"command":"npm test"\}\): .*\n(17 completed done\n){3}$/,
  },
  "What comes back": {
    reply: reads,
    prints: /every claim holds\n1 The total counts the items\. \d+ 0\.\d+\n$/,
  },
  "A model that leads": {
    reply: (request) =>
      JSON.stringify(request.body["system"]).includes("You find things")
        ? reads(request)
        : turns(request) === 1
          ? call("Agent", {
              subagent_type: "finder",
              description: "total",
              prompt: "Where is the total?",
            })
          : "In src/total.js.",
    prints: /has ended\n.*has ended\nIn src\/total\.js\. \[ 'finder VERIFIED' \]/,
  },
  "Stopping, limits, errors": {
    reply: () => ({ text: "x", fault: { kind: "stall", at: "body" } }),
    prints:
      /^stopped cancelled\nunknown_agent unknown subagent_type: explore\. Did you mean Explore\?/,
  },
  Models: { prints: /^You said: "hello"\n$/ },
  "In the background, and in another process": {
    reply: () => ({ text: "Surveyed.", delayMs: 100 }),
    prints: /^true\ncompleted Surveyed\.\ncompleted\n$/,
  },
  Flows: {
    reply: (request) =>
      JSON.stringify(request.body).includes("MIT or GPL?=MIT") ||
      !JSON.stringify(request.body["system"]).includes("licences")
        ? handoff("clear")
        : handoff("open", { status: "blocked", decision: "CLARIFY", questions: ["MIT or GPL?"] }),
    prints:
      /^research PROCEED clear\nlicences CLARIFY open\nCLARIFY \[ 'MIT or GPL\?' \]\nPROCEED\n$/,
  },
  "Tests of your agents": { prints: /[#ℹ] pass 1\n[#ℹ] fail 0/ },
  "The verifier alone": {
    prints:
      /^MIXED \[ '.*total\.js:1.* verified'[^]*tax\.js:9.* missing[^]*\[retinue\] places 1 of 2 hold · trust MIXED[^]*deny Bash\(git push:\*\)\n$/,
  },
};

test("every program has its story", () => {
  expect(programs.map(({ title }) => title)).toEqual(Object.keys(stories));
});

test.each(programs)("$title", async ({ title, code }) => {
  const { reply = () => "unexpected", prints } = stories[title]!;
  const provider = await startMockProvider({ reply });
  const file = `${title.replaceAll(/\W+/g, "-")}.mjs`;
  project.write(file, transformSync(code, { loader: "ts" }).code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], {
    cwd: project.root,
    encoding: "utf8",
    timeout: 30_000,
    env: {
      PATH: process.env["PATH"],
      HOME: project.home,
      ANTHROPIC_API_KEY: "key",
      ANTHROPIC_BASE_URL: provider.url,
    },
  }).catch((error: { stdout: string; stderr: string }) => error);
  await provider.close();
  expect(stderr).toBe("");
  expect(stdout).toMatch(prints);
});

test("the programs of all pages fit the types, as strictly as a compiler can be", () => {
  const given =
    'import { createManager, functionHook } from "retinue";\nvoid createManager, functionHook;\n';
  const blocks = (name: string): string[] =>
    [...readFileSync(name, "utf8").matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code]) =>
      code!.includes("import ") ? code! : `${given}${code}`,
    );
  const files = Object.fromEntries(
    ["docs/library.md", "docs/mcp.md", "docs/hooks.md", "docs/report-tool.md", "README.md"].flatMap(
      (name) =>
        blocks(name).map((code, index) => [
          `types/${name.replaceAll(/\W/g, "-")}-${index}.ts`,
          `${code}\nexport {};\n`,
        ]),
    ),
  );
  for (const [name, code] of Object.entries(files)) project.write(name, code);
  project.write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: {
        strict: true,
        module: "nodenext",
        target: "es2022",
        noEmit: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        skipLibCheck: true,
        types: ["node"],
      },
      include: ["types"],
    }),
  );
  expect(Object.keys(files).length).toBeGreaterThan(programs.length);
  const { stdout } = spawnSync(join(process.cwd(), "node_modules/.bin/tsc"), ["-p", project.root], {
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});
