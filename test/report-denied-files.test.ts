// What a check tells an agent may hold lines of files. A file that the agent may not read is neither
// quoted nor named by it, whether the report comes as data or as text.
import { expect, test } from "vitest";
import { createManager } from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const report = (finding: object) => ({
  status: "SUCCESS",
  summary: "Looked.",
  findings: [{ title: "t", statement: "s", ...finding }],
  confidence: { verified: 80, inferred: 70, justification: "read the file" },
});
const data = (finding: object) => ({ tools: [{ name: "Report", input: report(finding) }] });

test.each([
  [
    "a quotation with one word changed",
    data({ kind: "present", path: "notes/plan.txt", quote: "the launch is on the tenth of May" }),
  ],
  [
    "a right quotation",
    data({ kind: "present", path: "notes/plan.txt", quote: "the launch is on the ninth of May" }),
  ],
  ["a statement of absence", data({ kind: "absent", quote: "launch" })],
  ["text with a line", "The date is in `notes/plan.txt:1`: `the launch is on the tenth of May`."],
])("%s tells nothing of a denied file", async (_name, reply) => {
  using project = tempProject({
    "src/a.ts": "export const a = 1;\n",
    "notes/plan.txt": "the launch is on the ninth of May\n",
    ".claude/settings.json": '{"permissions":{"deny":["Read(./notes/**)"]}}',
  });
  const heard: string[] = [];
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] },
    watch: false,
    contract: "report",
    model: scriptedModel([
      { tools: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
      reply,
      ({ messages }) => (heard.push(JSON.stringify(messages.at(-1))), "done"),
      "done",
    ]),
  });
  const { content } = await manager.spawn({ description: "d", prompt: "p" }).done;
  await manager.close();
  expect(heard.join()).not.toContain("ninth");
  expect(heard.join()).not.toContain("1 hit");
  expect(content).not.toMatch(/ninth|1 hit/);
});
