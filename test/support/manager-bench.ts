// A manager on a real project with a scripted language model: everything but the model is the real thing.
import { join } from "node:path";
import { afterEach } from "vitest";
import { createManager, type AgentManager } from "../../src/app/create-manager.ts";
import type { ManagerOptions } from "../../src/app/manager-options.ts";
import type { Message } from "../../src/model/message.ts";
import { textOf } from "../../src/model/message.ts";
import type { Model, ModelRequest, ModelResult } from "../../src/model/model.ts";
import { tempProject, type TempProject } from "../../src/testing/temp-project.ts";

export type Say =
  | string
  | {
      text?: string;
      tools?: { name: string; input: unknown; id?: string }[];
      usage?: { input_tokens?: number; output_tokens?: number };
    };

/** What a model answers, from what it is shown; `turn` counts from 1 within one conversation. */
export type Brain = (seen: {
  request: ModelRequest;
  turn: number;
  prompt: string;
  last: Message;
  signal: AbortSignal;
}) => Say | Promise<Say>;

export type BrainModel = Model & { requests: ModelRequest[] };

/** A model that thinks with a function, safe for any number of conversations at once. */
export function brainModel(brain: Brain, facts: Partial<Omit<Model, "send">> = {}): BrainModel {
  const requests: ModelRequest[] = [];
  let calls = 0;
  return {
    name: "brain:one",
    contextWindow: 200_000,
    maxOutputTokens: 8_192,
    takesImages: true,
    takesDocuments: true,
    hasWebSearch: false,
    ...facts,
    requests,
    async send(request, { signal }): Promise<ModelResult> {
      if (requests.length < 100)
        requests.push({ ...request, messages: structuredClone(request.messages) });
      const first = request.messages[0]!;
      const turn = 1 + request.messages.filter((message) => message.role === "assistant").length;
      const said = await brain({
        request,
        turn,
        prompt: textOf(first.content),
        last: request.messages.at(-1)!,
        signal,
      });
      if (signal.aborted) return { ok: false, failure: { kind: "aborted", message: "aborted" } };
      const { text, tools = [], usage = {} } = typeof said === "string" ? { text: said } : said;
      calls += 1;
      return {
        ok: true,
        reply: {
          model: "brain",
          content: [
            ...(text === undefined ? [] : [{ type: "text" as const, text }]),
            ...tools.map(({ name, input, id }, index) => ({
              type: "tool_use" as const,
              id: id ?? `toolu_${calls}_${index}`,
              name,
              input,
            })),
          ],
          stop_reason: tools.length > 0 ? "tool_use" : "end_turn",
          usage: {
            input_tokens: 100,
            output_tokens: 20,
            cache_read_input_tokens: 0,
            cache_creation_input_tokens: 0,
            ...usage,
          },
        },
      };
    },
  };
}

export type Bench = {
  project: TempProject;
  manager: AgentManager;
  model: BrainModel;
  store: string;
  close(): Promise<void>;
};

const worker = { worker: { description: "works", prompt: "You work." } };

/** The environment has a home of its own and nothing else; transcripts land below it. */
export function managerBench(
  brain: Brain,
  options: ManagerOptions & { files?: Record<string, string>; project?: TempProject } = {},
): Bench {
  const { files, project = tempProject(files ?? {}), ...rest } = options;
  const model = brainModel(brain);
  const manager = createManager({
    cwd: project.root,
    watch: false,
    contract: "none",
    models: { "brain:one": model },
    model: "brain:one",
    ...rest,
    env: { PATH: process.env["PATH"], HOME: project.home, ...rest.env },
    agents: { ...worker, ...rest.agents },
  });
  return {
    project,
    manager,
    model,
    store: join(project.home, ".claude", "projects"),
    async close() {
      await manager.close();
      if (!options.project) project.remove();
    },
  };
}

/** Settles when the signal aborts: a model that would think for ever. */
export const forever = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) =>
    signal.aborted
      ? resolve("late")
      : signal.addEventListener("abort", () => resolve("late"), { once: true }),
  );

export const task = (prompt: string, more: Record<string, unknown> = {}) => ({
  description: "a task",
  prompt,
  subagent_type: "worker",
  ...more,
});

/** Opens managers on one project a test, and closes and removes everything after it. */
export function benchesOfTest(): {
  open: (brain: Brain, options?: Parameters<typeof managerBench>[1]) => Bench;
  project: (files?: Record<string, string>) => TempProject;
} {
  const opened: Bench[] = [];
  let project: TempProject | undefined;
  afterEach(async () => {
    for (const bench of opened.splice(0)) await bench.close();
    project?.remove();
    project = undefined;
  });
  const theProject = (files?: Record<string, string>): TempProject =>
    (project ??= tempProject(files ?? {}));
  return {
    project: theProject,
    open(brain, options = {}) {
      const bench = managerBench(brain, { project: theProject(), ...options });
      opened.push(bench);
      return bench;
    },
  };
}
