// Ties a run to a folder that follows it. After a step in which something may have changed, the
// folder's state is kept with the step; a machine that goes on reads the newest state off the kept
// steps, and has these files before it does its first own step.
import { relative, isAbsolute, join } from "node:path";
import { isObject } from "../../base/data/json.ts";
import { RetinueError, errorText } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { RunSpec, TreeState } from "../../events/run-spec.ts";
import type { Catalog, ToolSet } from "../../executors/catalog.ts";
import type { KeptStep, StepJournal } from "../../executors/step-journal.ts";
import type { RunWorkspace } from "../../manager/session/run-workspace.ts";
import { withExecute, type Tool, type ToolResult } from "../../tool/tool.ts";
import { untilDone } from "../store/chunk-upload.ts";
import { TreeOvertaken, type RunTree, type Workspaces } from "./workspaces.ts";

export type FollowRunParts = {
  workspaces: Workspaces;
  journal: StepJournal;
  /** The number of this try at the run, as the store knows it. */
  attempt: number;
  onTrouble: (message: string) => void;
};

export type FollowedRun = {
  tree: RunTree;
  /** The spec, with this folder in place of its client's. */
  spec: RunSpec;
  journal: StepJournal;
  /** The core's port. */
  workspace: RunWorkspace;
  /** The same catalog; its tools tell when something may have changed. */
  watched(catalog: Catalog): Catalog;
};

/** Opens the folder of a run: its files are there, so that settings can be read from them. */
export async function followRun(spec: RunSpec, parts: FollowRunParts): Promise<FollowedRun> {
  const { workspaces, journal, attempt, onTrouble } = parts;
  const owner = { sessionId: spec.session.id, agentId: spec.agentId };
  const { value: begun } = await journal.once("workspace", async () => ({
    value: await patiently(() => beginning(workspaces, spec), onTrouble),
    at: Date.now(),
    attempt: journal.attempt,
  }));
  const tree = workspaces.tree(owner, begun, { startedAt: spec.startedAt, attempt });
  await patiently(() => tree.arrive(), onTrouble);
  const changes = { isLikely: false };
  return {
    tree,
    spec: specIn(tree.path, spec),
    journal: followingJournal(journal, { tree, changes, onTrouble }),
    workspace: workspaceOf(tree, onTrouble),
    watched: (catalog) => ({
      ...catalog,
      tools: async (of, step) => watchedTools(await catalog.tools(of, step), changes),
    }),
  };
}

/** An agent that goes on finds what it left. */
async function beginning(workspaces: Workspaces, { session, agentId, place }: RunSpec) {
  const last = await workspaces.last({ sessionId: session.id, agentId });
  return last ?? place.checkpoint ?? (await workspaces.begin());
}

/** Waits a while for a remote that is not there. */
async function patiently<T>(
  work: () => Promise<T>,
  onTrouble: (message: string) => void,
): Promise<T> {
  const until = performance.now() + limits.workspace.remoteWaitMs;
  let result: T;
  await untilDone(
    async () => void (result = await work()),
    (error) => {
      if (error instanceof RetinueError || performance.now() > until) throw error;
      onTrouble(`a run waits for its folder: ${errorText(error)}`);
    },
    () => false,
  );
  return result!;
}

type Changes = { isLikely: boolean };
type Following = { tree: RunTree; changes: Changes; onTrouble: (message: string) => void };

/** Hooks at the end of a run may write too. */
const endings = /^end(?:ed$|\/)/;

function followingJournal(journal: StepJournal, following: Following): StepJournal {
  const { tree, changes, onTrouble } = following;
  return {
    attempt: journal.attempt,
    async once<T>(key: string, work: () => Promise<KeptStep<T>>): Promise<KeptStep<T>> {
      let isNew = false;
      const kept = await journal.once(key, async () => {
        isNew = true;
        await patiently(() => tree.arrive(), onTrouble);
        const step = await work();
        if (!changes.isLikely && !endings.test(key)) return step;
        changes.isLikely = false;
        return withState(step, key, following);
      });
      if (!isNew && kept.tree) tree.note(kept.tree);
      return kept;
    },
    close: (how) => journal.close(how),
    ...(journal.isFull ? { isFull: () => journal.isFull!() } : {}),
  };
}

/** The step has been done: whatever becomes of the checkpoint, it is kept and not done again. */
async function withState<T>(
  step: KeptStep<T>,
  key: string,
  { tree, changes, onTrouble }: Following,
): Promise<KeptStep<T>> {
  try {
    const state = endings.test(key) ? await tree.settle() : await tree.checkpoint(key);
    return { ...step, tree: state };
  } catch (error) {
    if (error instanceof TreeOvertaken) throw error;
    // The next checkpoint has these files too.
    changes.isLikely = true;
    const told = `The call was made, but its files are on one machine only: ${errorText(error)}`;
    onTrouble(told);
    return { ...step, value: toldInResult(step.value, told) };
  }
}

function toldInResult<T>(value: T, text: string): T {
  const result = isObject(value) ? (value["result"] as ToolResult | undefined) : undefined;
  if (!result) return value;
  const content: ToolResult["content"] =
    typeof result.content === "string"
      ? `${result.content}\n\n${text}`
      : [...result.content, { type: "text", text }];
  return { ...value, result: { ...result, isError: true, content } };
}

const watchedTools = (set: ToolSet, changes: Changes): ToolSet => ({
  tools: set.tools.map((tool) => (tool.readOnly ? tool : watchedTool(tool, changes))),
  close: () => set.close(),
});

const watchedTool = (tool: Tool, changes: Changes): Tool =>
  withExecute(tool, (input, context) => {
    changes.isLikely = true;
    return tool.execute(input, context);
  });

function workspaceOf(tree: RunTree, onTrouble: (message: string) => void): RunWorkspace {
  return {
    async open(_session, { cwd }) {
      await patiently(() => tree.arrive(), onTrouble);
      // It is removed by whoever opened the folder.
      return { path: cwd, finish: async () => undefined };
    },
    async look({ cwd }) {
      await patiently(() => tree.arrive(), onTrouble);
      const { takeSnapshot } = await import("../../verify/evidence/snapshot.ts");
      try {
        return takeSnapshot(cwd);
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * The client's folder is not on this machine: the run's own one stands for it, wherever the spec
 * names it. Other folders of the client's machine are no part of the run here.
 */
function specIn(path: string, spec: RunSpec): RunSpec {
  const { place, policy } = spec;
  const { cwd, root } = policy.workspace;
  const below = place.isolation ? "" : relative(root, place.cwd);
  const isInside = !below.startsWith("..") && !isAbsolute(below);
  const here = isInside ? join(path, below) : path;
  const state: { checkpoint?: TreeState } = place.checkpoint
    ? { checkpoint: place.checkpoint }
    : {};
  return {
    ...spec,
    place: { cwd: here, ...state },
    system: replaced(
      spec.system,
      new Map([
        [place.cwd, here],
        [cwd, here],
        [root, path],
      ]),
    ),
    policy: {
      ...policy,
      workspace: { ...policy.workspace, cwd: here, root: path, additionalDirectories: [] },
    },
  };
}

/** Whole paths in one pass: what stands for one folder may hold the name of another. */
function replaced(text: string, folders: ReadonlyMap<string, string>): string {
  const names = [...folders.keys()].filter((name) => name.length > 1);
  const words = names
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[^\w/]/g, "\\$&"));
  return words.length === 0
    ? text
    : text.replace(new RegExp(`(?<![\\w./-])(?:${words.join("|")})(?![\\w.-])`, "g"), (name) =>
        folders.get(name)!,
      );
}
