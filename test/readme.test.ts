import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
