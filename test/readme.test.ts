import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { startMockProvider } from "../src/testing/mock-provider.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";

const page = readFileSync("README.md", "utf8");
const shell = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) =>
  block!.split("\n"),
);
const lines = shell.map((line) => line.replace(/\s+#.*$/, "")).filter((line) => line !== "");
const commands = lines.filter((line) => line.startsWith("retinue "));

/** The words of a line as a shell would pass them; the page uses plain words and double quotes. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);

/** What a command ends with here, where its agents answer with one honest sentence. */
const exits: [start: string, code: number][] = [
  // The report has one place that does not hold.
  ["retinue verify report.md", 1],
  // Nobody answers the open question of a flow whose agents hand over nothing.
  ["retinue flow", 1],
  ["retinue", 0],
];

const files = {
  "package.json": '{ "name": "shop", "scripts": { "test": "node --test" } }\n',
  "src/config.js": "export function parseConfig(text) {\n  return JSON.parse(text);\n}\n",
  "report.md": "`parseConfig` is defined in `src/config.js:1`.\n\nIt reads `src/nowhere.js:3`.\n",
  "session.jsonl": [
    { type: "user", message: { role: "user", content: "Where is parseConfig?" } },
    {
      type: "assistant",
      message: {
        role: "assistant",
        content: [{ type: "text", text: "`parseConfig` is defined in `src/config.js:1`." }],
      },
    },
  ]
    .map((line, index) => JSON.stringify({ ...line, uuid: `u${index}`, sessionId: "s" }))
    .join("\n"),
};

test("names commands in three ways in", () => {
  expect(commands.length).toBeGreaterThanOrEqual(7);
  expect(lines.filter((line) => !line.startsWith("retinue "))).toEqual([
    "npm install && npm start",
  ]);
});

test.each(commands)("%s", async (line) => {
  using project = tempProject(files);
  spawnSync("git", ["init", "-q"], { cwd: project.root });
  const history = join(project.home, ".claude/projects/-shop");
  mkdirSync(history, { recursive: true });
  writeFileSync(join(history, "s.jsonl"), files["session.jsonl"]);
  const provider = await startMockProvider({ reply: () => "I looked and have nothing to add." });
  try {
    const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: provider.url };
    const { code, stderr } = await retinue(words(line).slice(1), { project, env });
    const expected = exits.find(([start]) => line.startsWith(start))![1];
    expect([code, stderr.includes("Unknown")], stderr).toEqual([expected, false]);
  } finally {
    await provider.close();
  }
});

test("an example runs by the command that the page gives", () => {
  const [, number] = /`npm run example (\d\d)`/.exec(page)!;
  const { status, stdout } = spawnSync("npm", ["run", "-s", "example", number!], {
    encoding: "utf8",
  });
  expect([status, stdout.includes("src/discount.js missing")]).toEqual([0, true]);
});

test("without a key the program of the page ends with a short error that says what to do", () => {
  using project = tempProject();
  const [, program] = /```ts\n([\s\S]*?)```/.exec(page)!;
  mkdirSync(project.path("node_modules"));
  symlinkSync(resolve("."), project.path("node_modules/retinue"));
  project.write("embed.mjs", program!);
  const { status, stderr } = spawnSync(process.execPath, ["embed.mjs"], {
    cwd: project.root,
    env: { PATH: process.env["PATH"], HOME: project.home },
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain("ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN is not set");
  expect(stderr.length).toBeLessThan(4_000);
});

/** Of the table: the commands in its first column. */
const listed = [...page.matchAll(/^\| (`retinue [^|]*) \|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/`(?:retinue )?([^`]+)`/g)].map(([, name]) => name!),
);

/** A call of each, in a folder with files and with one run, whose id is ID; what it ends with. */
const calls: Record<string, [args: string[], code: number]> = {
  run: [["run", "look"], 0],
  "flow sequence": [["flow", "list"], 0],
  parallel: [["flow", "parallel", "--help"], 0],
  branch: [["flow", "branch", "--help"], 0],
  top: [["top", "--json"], 0],
  ps: [["ps", "--all"], 0],
  output: [["output", "ID"], 0],
  logs: [["logs", "ID"], 0],
  stop: [["stop", "ID"], 0],
  resume: [["resume", "ID", "go on"], 0],
  send: [["send", "ID", "go on"], 0],
  asks: [["asks"], 0],
  answer: [["answer", "q0123456789abcdef", "yes"], 2],
  audit: [["audit"], 0],
  verify: [["verify", "report.md"], 1],
  aggregate: [["aggregate", "report.md"], 1],
  report: [["report", "--help"], 0],
  handoff: [["handoff", "--help"], 0],
  hook: [["hook", "--help"], 0],
  demo: [["demo", "--help"], 0],
  agents: [["agents", "list"], 0],
  init: [["init"], 0],
  trust: [["trust", "--help"], 0],
  "permissions explain": [["permissions", "explain", "Explore", "Bash(ls)"], 0],
  worker: [["worker", "--key-file", "absent", "--store", "/tmp", "--scratch", "scratch"], 2],
  gateway: [["gateway", "--new-token"], 0],
  doctor: [["doctor"], 0],
  clean: [["clean", "--dry-run"], 0],
  completion: [["completion", "bash"], 0],
};

test("the table lists every command, and each of them runs", async () => {
  using project = tempProject(files);
  spawnSync("git", ["init", "-q"], { cwd: project.root });
  const provider = await startMockProvider({ reply: () => "I looked and have nothing to add." });
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: provider.url };
  const call = (args: string[]) => retinue(args, { project, env });
  try {
    const { stdout } = await call(["--help"]);
    const known = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name!);
    const first = (name: string): string => calls[name]?.[0][0] ?? name;
    expect([...new Set(listed.map(first))].sort()).toEqual(known.sort());
    await call(["run", "look"]);
    const [{ agent_id } = { agent_id: "" }] = JSON.parse(
      (await call(["ps", "--all", "--json"])).stdout,
    ) as { agent_id: string }[];
    const check = async (name: string): Promise<void> => {
      const [args, code] = calls[name]!;
      const ended = await call(args.map((word) => (word === "ID" ? agent_id : word)));
      expect([name, ended.code], ended.stderr).toEqual([name, code]);
    };
    // Two that go on with the same run do so one after the other.
    const last = ["resume", "send"];
    await Promise.all(listed.filter((name) => !last.includes(name)).map(check));
    for (const name of last) await check(name);
  } finally {
    await provider.close();
  }
}, 120_000);
