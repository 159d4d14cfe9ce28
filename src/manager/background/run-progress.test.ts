import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempProject } from "../../testing/temp-project.ts";
import { readProgress } from "./read-progress.ts";

const spawn = (runId: string): object => ({ type: "system", subtype: "spawn", runId });
const reply = (text: string, tools = 0): object => ({
  type: "assistant",
  message: {
    content: [
      { type: "text", text },
      ...Array.from({ length: tools }, (_, id) => ({ type: "tool_use", id: `${id}` })),
    ],
    usage: { input_tokens: 10, output_tokens: 1, other: { deep: 1 } },
  },
});

test("counts the newest run: a resume begins anew, a move between processes does not", async () => {
  using project = tempProject();
  const path = join(project.root, "t.jsonl");
  for (const line of [
    spawn("one"),
    reply("old", 3),
    spawn("two"),
    reply("first", 1),
    spawn("two"),
    reply("second", 2),
  ])
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  appendFileSync(path, '{"type":"assistant","message":{"content":[{"type":"te');
  expect(await readProgress(path)).toMatchObject({
    turns: 2,
    tool_uses: 3,
    tokens_used: 22,
    text: "first\nsecond",
  });
});

test("a file that is not there, or holds anything else, counts as nothing done", async () => {
  using project = tempProject();
  const path = join(project.root, "t.jsonl");
  expect((await readProgress(path)).turns).toBe(0);
  appendFileSync(
    path,
    'null\n[1]\nx\n{"type":"assistant","message":3}\n{"type":"assistant","message":{"content":"x","usage":[]}}\n',
  );
  expect(await readProgress(path)).toMatchObject({ tool_uses: 0, tokens_used: 0, text: "" });
});
