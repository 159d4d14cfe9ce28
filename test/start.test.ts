// What a start of the real command touches: no library that the turn does not need, and no folder that was not there.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMockProvider, type MockLine } from "../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue, type Finished } from "./retinue-process.ts";

/** What V8 counted in a run, as text: the names of the files that were read are in it. */
async function counted(
  project: TempProject,
  args: string[],
  model: Parameters<typeof startMockProvider>[0],
): Promise<string> {
  const provider = await startMockProvider(model);
  const folder = join(project.home, "counted");
  try {
    const env = {
      NODE_V8_COVERAGE: folder,
      ANTHROPIC_API_KEY: "sk-ant-test",
      ANTHROPIC_BASE_URL: provider.url,
    };
    expect(await retinue(args, { project, env })).toMatchObject({ code: 0 });
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
  } finally {
    await provider.close();
  }
}

async function librariesRead(project: TempProject, script: MockLine[]): Promise<string[]> {
  const args = ["run", "--allowedTools", "Edit", "Bash", "--", "go"];
  const text = await counted(project, args, { script });
  const names = text.matchAll(/\/((?:diff|ipaddr\.js|re2js|shell-rooms|unbash|yaml)\.cjs)"/g);
  return [...new Set([...names].map(([, name]) => name!))].sort();
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

async function filesRead(answer: { text: string; delayMs?: number }): Promise<string> {
  using project = tempProject();
  return await counted(project, ["run", "go"], { reply: () => answer });
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

test("compiled code is kept beside the trust store, and nowhere for a first look", async () => {
  using project = tempProject();
  const own = join(project.home, ".claude", "retinue");
  expect(await retinue(["ps"], { project })).toMatchObject({ code: 0 });
  expect(existsSync(own)).toBe(false);
  mkdirSync(own, { recursive: true });
  expect(await retinue(["--version"], { project })).toMatchObject({ code: 0 });
  expect(readdirSync(own)).toEqual([]);
  expect(await retinue(["ps"], { project })).toMatchObject({ code: 0 });
  expect(readdirSync(own)).toEqual(["compiled"]);
});

test("compiled code is written once, and what is damaged or of other files is not used", async () => {
  using project = tempProject();
  const folder = join(project.home, ".claude", "retinue", "compiled");
  mkdirSync(folder, { recursive: true });
  const look = async (): Promise<Finished> => retinue(["ps"], { project });
  const first = await look();
  const [name, ...others] = readdirSync(folder);
  expect(name).toMatch(/^ps-\d+-\d+$/);
  expect(others).toEqual([]);
  const file = join(folder, name!);
  const { ino, mode } = statSync(file);
  expect(mode & 0o077).toBe(0);
  expect(await look()).toEqual(first);
  expect(statSync(file).ino).toBe(ino);
  const whole = readFileSync(file);
  for (const damaged of [flipped(whole, 0), flipped(whole, whole.length >> 1), whole.subarray(9)]) {
    writeFileSync(file, damaged);
    expect(await look()).toEqual(first);
    expect(readFileSync(file).length).toBeGreaterThan(whole.length / 2);
    expect(readFileSync(file)).not.toEqual(damaged);
  }
});

test("compiled code that somebody else may write is not used, and is made anew", async () => {
  using project = tempProject();
  const folder = join(project.home, ".claude", "retinue", "compiled");
  mkdirSync(folder, { recursive: true });
  const look = async (): Promise<Finished> => retinue(["ps"], { project });
  const first = await look();
  const file = join(folder, readdirSync(folder)[0]!);
  chmodSync(file, 0o666);
  const { ino } = statSync(file);
  expect(await look()).toEqual(first);
  expect(statSync(file).mode & 0o022).toBe(0);
  expect(statSync(file).ino).not.toBe(ino);
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 0xff;
  return copy;
}

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
