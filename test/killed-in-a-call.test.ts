// Rows of faults.jsonl about kill -9 between what a call did and its result line, with the built command, a real kill and a real MCP
// server: a hook that runs after the tool holds the run exactly there.
import type { ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import {
  startMockProvider,
  type MockLine,
  type MockRequest,
} from "../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { interruptedText } from "../src/transcripts/reading/normalize-messages.ts";
import { retinue } from "./retinue-process.ts";

const rows = new Map(
  readFileSync(new URL("data/faults.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; inject: string; when: string; expect: string })
    .map((row) => [row.id, row]),
);
const named = (id: string): string =>
  `${id}: ${rows.get(id)!.inject} ${rows.get(id)!.when}: ${rows.get(id)!.expect}`;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Blocks once, and leaves a file that says so. */
const hold = (marker: string): string =>
  JSON.stringify({
    hooks: {
      PostToolUse: [
        {
          matcher: "*",
          hooks: [
            { type: "command", command: `test -e ${marker} || { touch ${marker}; sleep 50; }` },
          ],
        },
      ],
    },
  });

type Call = { name: string; id: string; input: unknown };
const resultsIn = ({
  body,
}: MockRequest): { tool_use_id: string; content: unknown; is_error?: boolean }[] =>
  (body["messages"] as { content: { type: string }[] }[])
    .at(-1)!
    .content.filter((block) => block.type === "tool_result") as never;

/** The first life makes `call` and is killed when it has been carried out; the second one goes on with `script`. */
async function killedIn(
  call: Call,
  {
    files,
    allowed,
    script,
  }: {
    files: Record<string, string>;
    allowed: string[];
    script: (project: TempProject) => MockLine[];
  },
): Promise<{ project: TempProject; requests: readonly MockRequest[] }> {
  const project = tempProject(files);
  const marker = join(project.home, "held");
  mkdirSync(join(project.home, ".claude"));
  writeFileSync(join(project.home, ".claude", "settings.json"), hold(marker));
  const server = await startMockProvider({ script: [{ tools: [call] }, ...script(project)] });
  open.push(server, { close: () => project.remove() });
  const run = (more: string[], onStart?: (child: ChildProcess) => void) =>
    retinue(["run", "--trust", "--output-format", "json", "--allowedTools", ...allowed, ...more], {
      project,
      env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
      ...(onStart ? { onStart } : {}),
    });
  const killed = await run(
    ["--", "go"],
    (child) => void until(() => existsSync(marker)).then(() => child.kill("SIGKILL")),
  );
  expect(killed).toMatchObject({ signal: "SIGKILL", stdout: "" });
  expect(transcript(project)).toContain(`"${call.id}"`);
  expect(transcript(project)).not.toContain('"tool_result"');
  const finished = await run(["--resume", sessionOf(project), "--", "go on"]);
  expect([finished.code, finished.stderr.includes("Error")]).toEqual([0, false]);
  server.finish();
  const [first] = resultsIn(server.requests[1]!);
  expect(first).toMatchObject({ tool_use_id: call.id, is_error: true, content: interruptedText });
  return { project, requests: server.requests };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

const filesOf = (project: TempProject): string[] =>
  readdirSync(join(project.home, ".claude", "projects"), {
    recursive: true,
    encoding: "utf8",
  }).filter((path) => /[0-9a-f-]{36}\.jsonl$/.test(path));
const transcript = (project: TempProject): string =>
  readFileSync(join(project.home, ".claude", "projects", filesOf(project)[0]!), "utf8");
const sessionOf = (project: TempProject): string =>
  /([0-9a-f-]{36})\.jsonl$/.exec(filesOf(project)[0]!)![1]!;

test(
  named("RESUM-02"),
  async () => {
    const input = { file_path: "new.txt", content: "written once\n" };
    const write = (id: string, content = input.content): MockLine => ({
      tools: [{ name: "Write", id, input: { ...input, content } }],
    });
    const read = (id: string): MockLine => ({
      tools: [{ name: "Read", id, input: { file_path: "new.txt" } }],
    });
    const before: { ino: number; mtimeMs: number }[] = [];
    const { project, requests } = await killedIn(
      { name: "Write", id: "toolu_first", input },
      {
        files: {},
        allowed: ["Write"],
        script: (at) => [
          () => (before.push(statSync(at.path("new.txt"))), write("toolu_first") as never),
          write("toolu_second"),
          () => (before.push(statSync(at.path("new.txt"))), read("toolu_read") as never),
          // Of the same length and with the same times: only the content tells.
          () => (changeUnseen(at.path("new.txt"), "written 0nce\n"), write("toolu_third") as never),
          read("toolu_again"),
          write("toolu_fourth", "known and replaced\n"),
          "done",
        ],
      },
    );
    const answers = requests.slice(2).map((request) => String(resultsIn(request)[0]?.content));
    expect(answers[0]).toContain("was used before");
    expect(answers[1]).toContain("exists and was not read in this run");
    expect(before[1]).toMatchObject({ ino: before[0]!.ino, mtimeMs: before[0]!.mtimeMs });
    expect(answers[3]).toContain("changed since");
    expect(answers[5]).toContain("was replaced");
    expect(project.read("new.txt")).toBe("known and replaced\n");
  },
  60_000,
);

function changeUnseen(path: string, content: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, content);
  utimesSync(path, atime, mtime);
}

test(
  named("RESUM-04"),
  async () => {
    const server = createRequire(import.meta.url).resolve(
      "@modelcontextprotocol/server-filesystem/dist/index.js",
    );
    const mcp = JSON.stringify({
      mcpServers: { x: { command: process.execPath, args: [server, "."] } },
    });
    const call: Call = {
      name: "mcp__x__edit_file",
      id: "toolu_first",
      input: { path: "list.txt", edits: [{ oldText: "END", newText: "one\nEND" }] },
    };
    const { project, requests } = await killedIn(call, {
      files: { ".mcp.json": mcp, "list.txt": "END\n" },
      allowed: ["mcp__x__edit_file"],
      script: () => [{ tools: [call] }, "done"],
    });
    expect(String(resultsIn(requests[2]!)[0]?.content)).toContain("was used before");
    expect(project.read("list.txt")).toBe("one\nEND\n");
  },
  60_000,
);
