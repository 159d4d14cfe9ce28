// A temporary workspace with the built-in tools in it, for tests: real files, real processes.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { newMark } from "../../src/process/mark.ts";
import { findProcesses } from "../../src/process/find-processes.ts";
import { noKnownSecrets } from "../../src/base/secrets/find-secrets.ts";
import { noJudgedPath, type JudgedPath, type ToolResult } from "../../src/tool/tool.ts";
import { createTools, type BuiltInToolSet } from "../../src/tools/create-tools.ts";
import { noSandbox } from "../../src/process/sandbox/wrapped-command.ts";
import {
  anyPath,
  nothingApproved,
  type ToolEnvironment,
} from "../../src/tools/tool-environment.ts";

export type ToolBench = {
  /** The folder around the workspace; `ws` is the workspace. */
  root: string;
  ws: string;
  environment: ToolEnvironment;
  set: BuiltInToolSet;
  call(
    name: string,
    input: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<ToolResult & { text: string }>;
  write(path: string, content: string | Buffer): string;
  /** Processes of this bench that are alive. */
  alive(): number[];
  /** Another run in the same workspace. */
  again(more?: Partial<ToolEnvironment>, judgedPath?: JudgedPath): ToolBench;
  close(): Promise<void>;
};

export function toolBench(
  more: Partial<ToolEnvironment> = {},
  root = realpathSync(mkdtempSync(join(tmpdir(), "tools-"))),
  judgedPath: JudgedPath = noJudgedPath,
): ToolBench {
  const ws = join(root, "ws");
  mkdirSync(ws, { recursive: true });
  const environment: ToolEnvironment = {
    cwd: ws,
    home: join(root, "home"),
    spillDir: join(root, "spill"),
    mark: newMark("feed"),
    secrets: () => noKnownSecrets,
    mayRead: anyPath,
    mayWrite: anyPath,
    sandbox: noSandbox,
    approved: nothingApproved,
    takesImages: true,
    takesDocuments: true,
    ...more,
  };
  const set = createTools(environment);
  return {
    root,
    ws,
    environment,
    set,
    call: async (name, input, signal = new AbortController().signal) => {
      const tool = set.tools.find((candidate) => candidate.name === name)!;
      const parsed = tool.parse(input);
      const result: ToolResult = parsed.ok
        ? await tool.execute(parsed.value, {
            toolUseId: "t",
            judgedPath,
            signal,
            progress: () => {},
          })
        : { content: parsed.problem, isError: true };
      const text =
        typeof result.content === "string"
          ? result.content
          : result.content
              .map((block) => (block.type === "text" ? block.text : `[${block.type}]`))
              .join("\n");
      return { ...result, text };
    },
    write: (path, content) => {
      const full = join(ws, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    alive: () => findProcesses({ mark: environment.mark }),
    again: (changed = {}, judged = judgedPath) => toolBench({ ...more, ...changed }, root, judged),
    close: async () => {
      await set.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
