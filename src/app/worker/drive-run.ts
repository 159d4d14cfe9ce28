// Runs a job of another machine here: a session over this machine's own settings, the run's folder,
// and the transcripts that all machines share. What the job asks for is narrowed once more.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorText } from "../../base/errors.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { Catalog, ToolSet } from "../../executors/catalog.ts";
import { createDurableExecutor } from "../../executors/local.ts";
import type { Hook } from "../../hooks/hook.ts";
import { openManager } from "../../manager/agents/open-manager.ts";
import { outcomeWithout } from "../../manager/session/agent-result.ts";
import type { Answerer, Asker } from "../../manager/session/asker.ts";
import type { Environment, Session } from "../../manager/session/session.ts";
import type { Model } from "../../model/model.ts";
import { awaitedQuestion } from "../../restate/worker/restate-journal.ts";
import type { RunJob } from "../../restate/run-job.ts";
import type { Attempt, DriveRun } from "../../restate/worker/run-service.ts";
import { sharedTranscripts } from "../../restate/store/shared-transcripts.ts";
import { followRun, type FollowedRun } from "../../restate/workspace/follow-run.ts";
import type { Workspaces } from "../../restate/workspace/workspaces.ts";
import { withExecute, type Tool } from "../../tool/tool.ts";
import { masked } from "../../transcripts/masked-json.ts";
import { openSession, type OpenedSession } from "../session/open-session.ts";

/** What a worker's module brings: what is code and not data. */
export type WorkerModule = {
  tools?: readonly Tool[];
  hooks?: readonly Hook[];
  models?: Readonly<Record<string, Model>>;
};

export type DriveOptions = {
  env: Environment;
  /** Whether the folders that runs work in may widen what is allowed. */
  trust: boolean;
  module: WorkerModule;
  /** Where transcripts are written before the store has them. */
  scratch: string;
  /** Folders that follow their runs; null: a run works in the folder that its spec names. */
  workspaces: Workspaces | null;
  onTrouble: (message: string) => void;
};

/** The person is elsewhere: the question waits in the engine, and the answer comes from there. */
const askElsewhere: Asker = async (question) => awaitedQuestion(question) as never;
const answerElsewhere: Answerer = async () => undefined;

const askingElsewhere = (set: ToolSet): ToolSet => ({
  ...set,
  close: () => set.close(),
  tools: set.tools.map((tool) =>
    tool.name === "AskUserQuestion"
      ? withExecute(tool, async (input) => ({ content: "", facts: awaitedQuestion(input) }))
      : tool,
  ),
});

export function driveRuns(options: DriveOptions): DriveRun {
  return async (job, attempt) => {
    const folder = await mkdtemp(join(options.scratch, "attempt-"));
    let opened: OpenedSession | undefined;
    try {
      const followed = await followedRun(job.spec, attempt, options);
      const spec = followed?.spec ?? job.spec;
      opened = openSession({
        ...options.module,
        cwd: spec.place.from ?? spec.place.cwd,
        env: options.env,
        sessionId: spec.session.id,
        transcriptDir: folder,
        trust: options.trust,
        ask: askElsewhere,
        answer: answerElsewhere,
        approvals: job.approvals,
        mode: spec.policy.mode,
      });
      const shared = sharedSession(opened.session, attempt, options);
      const session = followed ? { ...shared, workspace: followed.workspace } : shared;
      const outcome = await driveIn(session, { ...job, spec }, { ...attempt, followed });
      if (outcome.reason === "moved" || !followed) return outcome;
      await followed.tree.finish();
      return { ...outcome, work: { branch: followed.tree.branch } };
    } catch (error) {
      return outcomeWithout("failed", "error", errorText(error));
    } finally {
      await opened?.close();
      await rm(folder, { recursive: true, force: true });
    }
  };
}

const askingCatalog = (catalog: Catalog): Catalog => ({
  ...catalog,
  tools: async (spec, step) => askingElsewhere(await catalog.tools(spec, step)),
});

const followedRun = (
  spec: RunSpec,
  { journal, number }: Attempt,
  { workspaces, onTrouble }: DriveOptions,
): Promise<FollowedRun> | undefined =>
  workspaces === null
    ? undefined
    : followRun(spec, { workspaces, journal, attempt: number, onTrouble });

const sharedSession = (
  session: Session,
  { store, number }: Attempt,
  { onTrouble }: DriveOptions,
): Session => ({
  ...session,
  // The engine has every step: what is lost here is written again.
  fsync: "never",
  transcripts: sharedTranscripts({ store, attempt: () => number, onTrouble }),
});

type Driven = Attempt & { followed: FollowedRun | undefined };

async function driveIn(session: Session, job: RunJob, attempt: Driven): Promise<RunOutcome> {
  const spec = narrowedHere(session, job.spec);
  const { journal, shown, signal, followed } = attempt;
  const manager = openManager(session, {
    parent: { policy: spec.policy, model: spec.model },
    onEvent: (event) => shown.publish(masked(event, session.secrets)),
    executor: (catalog) => {
      const durable = createDurableExecutor({
        ...askingCatalog(followed?.watched(catalog) ?? catalog),
        journal: () => followed?.journal ?? journal,
      });
      const attach: typeof durable.attach = (of, watch) =>
        durable.attach(of, { ...watch, askedMs: () => journal.askedMs() });
      return { ...durable, attach };
    },
  });
  try {
    if (!session.definitions().has(spec.agentType)) {
      if (job.hasHooks) return withoutHooks(spec);
      const description = "an agent of the client";
      manager.registerAgents({ [spec.agentType]: { description, prompt: description } });
    }
    // What comes before a run begins, its client has done: here it only goes on.
    const { id } = manager.take(spec, { isContinued: true });
    const run = manager.runOf(id)!;
    run.approved.push(...job.approved);
    journal.held = run;
    attempt.onEnd(() => run.abort());
    const letGo = (): void => run.detach();
    if (signal.aborted) letGo();
    signal.addEventListener("abort", letGo, { once: true });
    const { worktree } = await run.done;
    const outcome = run.outcome ?? outcomeWithout("failed", "error", "it did not begin");
    return worktree === undefined ? outcome : { ...outcome, work: { worktree } };
  } finally {
    await manager.close();
  }
}

const withoutHooks = ({ agentType }: RunSpec): RunOutcome =>
  outcomeWithout(
    "failed",
    "permission",
    `the agent ${agentType} has hooks, and this worker has no definition of it: an agent does ` +
      "not run without its guards. Put its file where the workers read definitions.",
  );

/** Never more than this machine's own settings allow. Whether it is in the background its client knows. */
function narrowedHere(session: Session, spec: RunSpec): RunSpec {
  const { rules, workspace } = spec.policy;
  const joined = (given: readonly string[], own: readonly string[]): string[] => [
    ...new Set([...given, ...own]),
  ];
  return {
    ...spec,
    background: false,
    policy: {
      ...spec.policy,
      rules: {
        allow: rules.allow,
        ask: joined(rules.ask, session.rules.ask),
        deny: joined(rules.deny, session.rules.deny),
      },
      workspace: {
        ...workspace,
        home: session.home,
        protectedPaths: joined(workspace.protectedPaths, [session.configDir]),
        storeDirectories: joined(workspace.storeDirectories, [session.storeDirectory]),
      },
    },
  };
}
