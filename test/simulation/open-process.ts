// A process of the world: a real manager over a real session, with the world's model, tools, hooks, person and disk.
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSession } from "../../src/app/session/open-session.ts";
import type { AgentDefinition } from "../../src/definitions/agent-definition.ts";
import { createHookRegistry } from "../../src/hooks/hook-registry.ts";
import { createApprovals } from "../../src/manager/session/asker.ts";
import type { Manager } from "../../src/manager/agents/manager.ts";
import { openManager } from "../../src/manager/agents/open-manager.ts";
import { resolveMainPolicy } from "../../src/manager/run/settle/resolve-policy.ts";
import type { Session } from "../../src/manager/session/session.ts";
import { sessionPaths } from "../../src/transcripts/paths.ts";
import { faultyFs, type FaultyFs } from "./faulty-fs.ts";
import { agentMark, modelOf, newMind, type Mind, type Voice } from "./mind.ts";
import { scriptedAsker, scriptedHooks } from "./scripted-hooks.ts";
import { scriptedTools, toolNames } from "./scripted-tools.ts";
import { hear, type Agent, type ProcessLife, type World } from "./world.ts";

export const sessionId = "51000000-0000-4000-8000-000000000000";
export const maxConcurrent = 4;

export type OpenProcess = {
  life: ProcessLife;
  session: Session;
  manager: Manager;
  disk: FaultyFs;
  transcript(agentId: string): string;
  /** A second manager on the same disk stands for another process that is alive; one that is heard is a host, where nobody can be asked. */ rival(how?: {
    isHeard: boolean;
  }): Manager;
};

/** What a world keeps over its processes besides its disk. */
export type Minds = Map<string, Mind>;

/** The parts of a session that no world changes; opened once, since it reads settings and definitions. */
export function commonSession(folder: string): Session {
  mkdirSync(join(folder, "project"), { recursive: true });
  writeFileSync(join(folder, "project", "notes.md"), "first line\nsecond line\nthird line\n");
  return openSession({ cwd: join(folder, "project"), env: { HOME: folder }, sessionId }).session;
}

export function openProcess(world: World, minds: Minds, common: Session): OpenProcess {
  const life = world.process;
  const random = world.random.fork(`process ${life.number}`);
  const paths = sessionPaths(join(life.dir, "projects", "p"), sessionId);
  const transcript = (agentId: string): string => paths.agent(agentId);
  const disk = faultyFs(world, life);
  const ask = scriptedAsker(world, life);
  const mindOf = (name: string): Mind =>
    minds.get(name) ?? newMind(world, { index: 0, model: name, id: "", type: "", lives: [] });
  const transcriptOf = (toolUseId: string): string | undefined => {
    const agent = world.agents[Number(/^toolu_(\d+)_/.exec(toolUseId)?.[1])];
    return agent && transcript(agent.id);
  };
  const { ask: _nobody, ...rest } = common;
  const session: Session = {
    ...rest,
    paths,
    persist: true,
    storeDirectory: join(life.dir, "projects"),
    fsync: random.pick(["turn", "end", "never"]),
    definitions: () => definitions(world, life),
    rules: {
      allow: toolNames.filter(() => random.chance(0.7)),
      ask: toolNames.filter(() => random.chance(0.1)),
      deny: random.chance(0.2) ? [random.pick(toolNames)] : [],
    },
    mode: random.pick([
      "default",
      "default",
      "acceptEdits",
      "dontAsk",
      "plan",
      "bypassPermissions",
    ]),
    hooks: createHookRegistry(scriptedHooks(world, life)),
    tools: scriptedTools(world, life, transcriptOf),
    approvals: createApprovals(),
    background: { ask: "upfront", mcp: false, default: false, waitMs: 60_000 },
    subagentModel: "default",
    limits: { maxConcurrent, timeoutMs: random.pick([60_000, 1_800_000]) },
    transcriptFs: disk,
    ...(ask ? { ask } : {}),
  };
  const onEvent = (event: Parameters<typeof hear>[2]["event"]): void =>
    hear(world, life, { event, sizeOf: (agentId) => sizeOf(transcript(agentId)) });
  const { ask: _none, ...alone } = session;
  const manage = (
    { isAlone = false }: { isAlone?: boolean },
    listener?: typeof onEvent,
  ): Manager => {
    const voice: Voice = {};
    return (voice.manager = newManager(
      {
        ...(isAlone ? alone : session),
        model: (name) => modelOf(world, life, { mind: mindOf(name), voice }),
      },
      listener,
    ));
  };
  return {
    life,
    session,
    manager: manage({}, onEvent),
    disk,
    transcript,
    rival: ({ isHeard } = { isHeard: false }) =>
      manage({ isAlone: isHeard }, isHeard ? onEvent : undefined),
  };
}

function newManager(
  session: Session,
  onEvent?: Parameters<typeof openManager>[1]["onEvent"],
): Manager {
  const main: AgentDefinition = {
    name: "main",
    description: "",
    prompt: "",
    source: "library",
    priority: 500,
  };
  const policy = resolveMainPolicy(session, main, { cwd: session.cwd });
  return openManager(session, {
    parent: { policy, model: "sim:0" },
    ...(onEvent ? { onEvent } : {}),
  });
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

/** The definitions change from process to process: what a resumed agent may do must not grow with them. */
function definitions(world: World, life: ProcessLife): ReadonlyMap<string, AgentDefinition> {
  const random = world.random.fork(`definitions ${life.number}`);
  const rows = agentTypes.map((name): AgentDefinition => {
    const tools = toolNames.filter(() => random.chance(0.6));
    return {
      name,
      description: name,
      prompt: agentMark,
      source: "library",
      priority: 500,
      contract: random.weighted<"none" | "report" | "handoff">([
        [7, "none"],
        [3, "report"],
        [1, "handoff"],
      ]),
      omitClaudeMd: true,
      ...(random.chance(0.7) ? { tools: [...tools, "mark"] } : {}),
      ...(random.chance(0.2) ? { disallowedTools: [random.pick(toolNames)] } : {}),
      ...(random.chance(0.3)
        ? {
            permissionMode: random.pick([
              "plan",
              "default",
              "acceptEdits",
              "bypassPermissions",
              "dontAsk",
            ]),
          }
        : {}),
      ...(random.chance(0.3) ? { maxTurns: 1 + random.int(12) } : {}),
      ...(random.chance(0.2) ? { maxTokens: 1_000 + random.int(50_000) } : {}),
      ...(random.chance(0.2) ? { timeoutMs: 1_000 + random.int(60_000) } : {}),
      ...(random.chance(0.2) ? { background: true } : {}),
    };
  });
  return new Map(rows.map((definition) => [definition.name, definition]));
}

export const agentTypes = ["worker", "helper", "scout"] as const;

export function newAgent(world: World, minds: Minds, type: string): Agent {
  const index = world.agents.length;
  const agent: Agent = { index, model: `sim:${index}`, id: "", type, lives: [] };
  world.agents.push(agent);
  minds.set(agent.model, newMind(world, agent));
  return agent;
}
