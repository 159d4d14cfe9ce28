// A manager with everything it stands on: the catalog that gives main threads their Agent tools,
// the executor, and the news of finished agents.
import type { RunEvent } from "../../events/event.ts";
import type { Executor } from "../../executors/executor.ts";
import { createDurableExecutor, createLocalExecutor } from "../../executors/local.ts";
import type { Catalog } from "../../executors/catalog.ts";
import { oneLine } from "../../base/text/printable.ts";
import type { AgentResult } from "../session/agent-result.ts";
import { agentTools } from "./tools/agent-tools.ts";
import { noticeText } from "./tools/report-text.ts";
import type { EndedChild } from "../run/tools/child-evidence.ts";
import { earlierRuns, resultOnDisk } from "../session/earlier-run.ts";
import { Manager } from "./manager.ts";
import type { Children } from "../run/tools/orchestrator.ts";
import { createRunCatalog } from "../run/run-catalog.ts";
import type { Session } from "../session/session.ts";
import type { Parent } from "../run/settle/settle-run.ts";

export type OpenManagerOptions = {
  parent: Parent;
  maxUsd?: number | undefined;
  onEvent?: ((event: RunEvent) => void) | undefined;
  onEnd?: ((result: AgentResult) => void) | undefined;
  /** Makes the executor; without it, the session's. */
  executor?: ((catalog: Catalog) => Executor) | undefined;
  /** The main thread goes on after an interruption: it is told which agents it lost. */
  isResumed?: boolean;
};

const executors = { local: createLocalExecutor, durable: createDurableExecutor };

export function openManager(session: Session, options: OpenManagerOptions): Manager {
  const news = new Map<string, { agentType: string; text: string }>();
  let tellLost = options.isResumed === true;
  const notices = (): string[] => {
    const lost = tellLost ? lostText(manager) : [];
    tellLost = false;
    const all = [...lost, ...[...news.values()].map(({ text }) => text)];
    news.clear();
    return all;
  };
  const watchers = new Set<(child: EndedChild) => void>();
  const children: Children = {
    running: () =>
      manager
        .list()
        .flatMap(({ agent_id }) => manager.running(agent_id) ?? [])
        .map(({ spec: { agentId, agentType }, done }) => ({ agentId, agentType, done })),
    unread: () => [...news].map(([agentId, { agentType }]) => ({ agentId, agentType })),
    *earlier() {
      for (const run of earlierRuns(session))
        if (run.state !== "running") yield endedChild(resultOnDisk(run, ""));
    },
    watch: (onEnd) => void watchers.add(onEnd),
    types: () => [...manager.definitions().keys()],
  };
  const catalog = createRunCatalog(session, {
    runOf: (agentId) => manager.runOf(agentId),
    tools: (run, shells) =>
      agentTools(run, {
        session,
        manager,
        shells,
        onSeen: (agentId) => void news.delete(agentId),
      }),
    notices,
    children,
  });
  const executor = (options.executor ?? usualExecutor(session))(catalog);
  const onEnd = (result: AgentResult, { background }: { background: boolean }): void => {
    if (background && result.reason !== "moved")
      news.set(result.agent_id, { agentType: result.agent_type, text: noticeText(result) });
    if (result.reason !== "moved") for (const watch of watchers) watch(endedChild(result));
    options.onEnd?.(result);
  };
  const manager: Manager = new Manager({
    session,
    executor,
    parent: options.parent,
    maxUsd: options.maxUsd,
    onEvent: options.onEvent,
    onEnd,
  });
  return manager;
}

/** What keeps nothing on disk keeps no steps either. */
function usualExecutor({ executor, persist }: Session): (catalog: Catalog) => Executor {
  if (typeof executor === "function") return executor;
  return executors[persist ? executor : "local"];
}

const endedChild = ({ agent_id, agent_type, transcript, report }: AgentResult): EndedChild => ({
  agentId: agent_id,
  agentType: agent_type,
  transcript,
  report: { key_references: report?.key_references },
});

/** No second child is started for a call that an interruption left open: the first one is named. */
function lostText(manager: Manager): string[] {
  const lost = manager.lostAgents();
  if (lost.length === 0) return [];
  const rows = lost.slice(0, 20).map(({ agent_id, agent_type, description, toolUseId }) => {
    const row = `- ${agent_id} (${oneLine(agent_type, 60)}): ${oneLine(description, 100)}`;
    if (toolUseId === undefined) return row;
    return `${row}, started by the call ${oneLine(toolUseId, 80)}`;
  });
  return [
    "[retinue] these agents were interrupted together with this conversation; SendMessage " +
      `lets one go on where it was:\n${rows.join("\n")}`,
  ];
}
