// What a start of the real command touches: no library that the turn does not need, and no folder that was not there.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMockProvider, type MockLine } from "../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";

/** Tells at the end which files of the bundle `require` has read. */
const spy = `data:text/javascript,${encodeURIComponent(
  'import { createRequire } from "node:module"; import { basename } from "node:path"; const { cache } = createRequire(process.cwd() + "/x"); process.on("exit", () => process.stderr.write("read:" + Object.keys(cache).map((file) => basename(file)).sort().join(",") + "\\n"));',
)}`;

async function librariesRead(project: TempProject, script: MockLine[]): Promise<string[]> {
  const provider = await startMockProvider({ script });
  try {
    const finished = await retinue(["run", "--allowedTools", "Edit", "Bash", "--", "go"], {
      project,
      env: {
        NODE_OPTIONS: `--import=${spy}`,
        ANTHROPIC_API_KEY: "sk-ant-test",
        ANTHROPIC_BASE_URL: provider.url,
      },
    });
    expect(finished).toMatchObject({ code: 0, stdout: "Done.\n" });
    const [, read] = /^read:(.*)$/m.exec(finished.stderr) ?? [];
    return read ? read.split(",") : [];
  } finally {
    await provider.close();
  }
}

const agent = "---\nname: helper\ndescription: helps\n---\nHelp.\n";

test.each<
  [
    string,
    {
      files?: Record<string, string>;
      tools?: NonNullable<Extract<MockLine, { tools?: unknown }>["tools"]>;
      read: string[];
    },
  ]
>([
  ["an answer", { read: [] }],
  ["an agent file", { files: { ".claude/agents/helper.md": agent }, read: ["yaml.cjs"] }],
  [
    "a command",
    {
      tools: [{ name: "Bash", input: { command: "true" } }],
      read: ["shell-rooms.cjs", "unbash.cjs"],
    },
  ],
  ["a pattern", { tools: [{ name: "Glob", input: { pattern: "**/*.txt" } }], read: ["re2js.cjs"] }],
])(
  "%s reads the libraries that it needs, when it needs them",
  async (_name, { files, tools, read }) => {
    using project = tempProject({ "a.txt": "one\n", ...files });
    const script: MockLine[] = [...(tools ? [{ tools }] : []), { text: "Done." }];
    expect(await librariesRead(project, script)).toEqual(read);
  },
);

/** Names of the bundle's files that a run has read by the end, told by what V8 counts. */
async function filesRead(answer: { text: string; delayMs?: number }): Promise<string> {
  using project = tempProject();
  const provider = await startMockProvider({ reply: () => answer });
  const counted = join(project.home, "counted");
  try {
    const env = {
      NODE_V8_COVERAGE: counted,
      ANTHROPIC_API_KEY: "sk-ant-test",
      ANTHROPIC_BASE_URL: provider.url,
    };
    expect(await retinue(["run", "go"], { project, env })).toMatchObject({ code: 0 });
    return readdirSync(counted)
      .map((name) => readFileSync(join(counted, name), "utf8"))
      .join("\n");
  } finally {
    await provider.close();
  }
}

// On a busy machine a quick answer is waited for too: one try of four has to find it quiet.
test(
  "the check of an answer is read where the answer says something, or while the model is waited for",
  { retry: 3 },
  async () => {
    const nothing = await filesRead({ text: "Yes, that is possible." });
    const place = await filesRead({ text: "It stands in src/index.ts." });
    const waiting = await filesRead({ text: "Yes, that is possible.", delayMs: 2_000 });
    expect(nothing).not.toMatch(/report-verifier|claim-checks/);
    expect(place).toMatch(/report-verifier/);
    expect(place).not.toMatch(/claim-checks/);
    expect(waiting).toMatch(/report-verifier/);
    expect(waiting).toMatch(/claim-checks/);
  },
);

const canKeep = "enableCompileCache" in nodeModule;

test("compiled code is kept beside the trust store where Node can do that, and nowhere for a first look", async () => {
  using project = tempProject();
  const own = join(project.home, ".claude", "retinue");
  expect(await retinue(["ps"], { project })).toMatchObject({ code: 0 });
  expect(existsSync(own)).toBe(false);
  mkdirSync(own, { recursive: true });
  expect(await retinue(["--version"], { project })).toMatchObject({ code: 0 });
  expect(readdirSync(own)).toEqual([]);
  expect(await retinue(["ps"], { project })).toMatchObject({ code: 0 });
  expect(readdirSync(own)).toEqual(canKeep ? ["compiled"] : []);
});

test.each<[string[], number, RegExp]>([
  [["help"], 0, /^Usage: retinue COMMAND/m],
  [["help", "agents", "new"], 0, /^Usage: retinue agents new/],
  [["-V"], 0, /^\d+\.\d+\.\d+\n$/],
  [["--modle", "x"], 2, /^error unknown option "--modle": the command comes first/],
  [["rnu"], 2, /did you mean "run"/],
  [["help", "rnu"], 2, /did you mean "run"/],
])("retinue %j", async (args, code, words) => {
  using project = tempProject();
  const finished = await retinue(args, { project });
  expect(finished.code).toBe(code);
  expect(code === 0 ? finished.stdout : finished.stderr).toMatch(words);
});
