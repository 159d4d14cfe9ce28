// A flow on a mock provider that answers by phase: a test says what each agent replies, and asks afterwards what each was shown.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { FlowWatch } from "../../src/app/flows/begin-flow.ts";
import { continueFlow, beginFlow } from "../../src/app/flows/begin-flow.ts";
import type { SessionOptions } from "../../src/app/session/session-options.ts";
import { builtInDefinitions } from "../../src/definitions/built-in-definitions.ts";
import type { FlowPattern } from "../../src/flows/journal.ts";
import { taskPhase } from "../../src/flows/phases.ts";
import type { FlowOutcome } from "../../src/flows/run-flow.ts";
import { collectEvents, type EventCollector } from "../../src/testing/event-collector.ts";
import type { RunEvent } from "../../src/events/event.ts";
import {
  startMockProvider,
  type MockAnswer,
  type MockLine,
  type MockProvider,
  type MockRequest,
} from "../../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../../src/testing/temp-project.ts";

export type FlowStory = {
  project: TempProject;
  server: MockProvider;
  env: Record<string, string>;
  events: EventCollector;
  start: (
    pattern: FlowPattern,
    more?: {
      tasks?: [string, string][];
      watch?: Partial<FlowWatch>;
      options?: Partial<SessionOptions>;
    },
  ) => Promise<FlowOutcome>;
  resume: (
    flowId: string,
    more?: { answers?: string[]; watch?: Partial<FlowWatch> },
  ) => Promise<FlowOutcome>;
  /** What the model was shown for a phase, request by request. */
  shown: (phase: string) => string[];
  /** How often an agent was started for a phase. */
  runsOf: (phase: string) => number;
  /** The agent types in the order in which they started. */
  started: () => string[];
  /** The journal's file, and its lines as data; what is no JSON stands as text. */
  journal: () => { path: string; lines: unknown[] };
  [Symbol.asyncDispose]: () => Promise<void>;
};

export type StoryOptions = {
  /** Replies by phase, one a request; the last again and again. */
  script: (root: string) => Record<string, MockLine[]>;
  files?: Record<string, string>;
  /** This agent runs out of time after so many milliseconds. */
  hurried?: { agent: string; timeoutMs: number };
};

export const answer = (value: Record<string, unknown> = {}): string =>
  JSON.stringify({
    status: "complete",
    decision: "PROCEED",
    findings: {},
    issues: [],
    context_summary: "done",
    ...value,
  });
export const writes = (root: string, name: string, content = "x\n"): MockLine => ({
  tools: [{ name: "Write", input: { file_path: join(root, name), content } }],
});

/** Passes when done.txt is there; every run of it leaves a line. */
const usualPackage = JSON.stringify({
  scripts: {
    test: "echo ran >> runs.log; test -f done.txt || { echo '1 failed: done.txt is missing'; exit 1; }",
  },
});

export async function flowStory({ script, files = {}, hurried }: StoryOptions): Promise<FlowStory> {
  const project = tempProject({ "package.json": usualPackage, ...files });
  const lines = new Map(
    Object.entries(script(project.root)).map(([phase, list]) => [phase, [...list]]),
  );
  const server = await startMockProvider({ reply: (request) => next(lines, request) });
  const env = { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url };
  const events = collectEvents();
  const options = {
    cwd: project.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: project.home, ...env },
    mode: "acceptEdits",
    allowedTools: ["Bash(npm run:*)"],
    ...(hurried
      ? {
          agents: {
            [hurried.agent]: {
              ...builtInDefinitions.find(({ name }) => name === hurried.agent)!,
              timeoutMs: hurried.timeoutMs,
            },
          },
        }
      : {}),
  };
  const watch = {
    signal: new AbortController().signal,
    onEvent: (event: RunEvent) => events.onEvent(event),
  };
  const requestsOf = (phase: string): MockRequest[] =>
    server.requests.filter((request) => phaseOf(request) === phase);
  return {
    project,
    server,
    env,
    events,
    start: (pattern, more = {}) =>
      beginFlow(
        { ...options, ...more.options },
        {
          pattern,
          feature: "make the test pass",
          ...(more.tasks
            ? { tasks: more.tasks.map(([agent, prompt], index) => taskPhase(agent, prompt, index)) }
            : {}),
        },
        { ...watch, ...more.watch },
      ),
    resume: (flowId, more = {}) =>
      continueFlow(options, { flowId, answers: more.answers ?? [] }, { ...watch, ...more.watch }),
    shown: (phase) => requestsOf(phase).map(({ body }) => JSON.stringify(body)),
    runsOf: (phase) =>
      requestsOf(phase).filter(({ body }) => (body["messages"] as unknown[]).length === 1).length,
    started: () => events.of("run-start").map(({ spec }) => spec.agentType),
    journal: () => readJournal(project),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      project.remove();
    },
  };
}

function next(lines: Map<string, MockLine[]>, request: MockRequest): MockAnswer {
  const list = lines.get(phaseOf(request)) ?? [];
  const line = list.length > 1 ? list.shift()! : list[0];
  if (line === undefined)
    throw new Error(`nothing is scripted for the phase "${phaseOf(request)}"`);
  return typeof line === "function" ? line(request) : line;
}

/** The handoff names its phase in the first message. */
const phaseOf = ({ body }: MockRequest): string =>
  /^Task [\w-]+, phase ([\w-]+)\./m.exec(firstText(body))?.[1] ?? "none";

function firstText(body: Record<string, unknown>): string {
  const [first] = body["messages"] as { content: string | { text?: string }[] }[];
  return typeof first?.content === "string"
    ? first.content
    : (first?.content.map(({ text }) => text ?? "").join("\n") ?? "");
}

function readJournal({ home }: TempProject): { path: string; lines: unknown[] } {
  const projects = join(home, ".claude", "projects");
  const name = (readdirSync(projects, { recursive: true }) as string[]).find((file) =>
    /[/\\]flows[/\\][^/\\]+\.jsonl$/.test(file),
  )!;
  const path = join(projects, name);
  return { path, lines: readFileSync(path, "utf8").split("\n").filter(Boolean).map(parsed) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
