// Holds the hooks of a session: shared hooks fire everywhere, scoped hooks only for the agent whose
// definition has them.
import type { Hook } from "./hook.ts";

export type HookRegistry = {
  /** Hooks of settings and of the library: they fire on the main thread and in every sub-agent. */
  add(hooks: readonly Hook[]): () => void;
  /**
   * Hooks of a definition (`readScopedHooks`), for one run. The returned function removes exactly
   * these hooks; calling it twice does nothing more.
   */
  registerScoped(agentId: string, hooks: readonly Hook[]): () => void;
  /** Shared hooks, then the agent's own. Without an id: for the main thread. */
  hooksFor(agentId?: string): readonly Hook[];
};

export function createHookRegistry(shared: readonly Hook[] = []): HookRegistry {
  const everywhere = new Set<readonly Hook[]>([shared]);
  const scoped = new Map<string, Set<readonly Hook[]>>();
  return {
    add(hooks) {
      const group = [...hooks];
      everywhere.add(group);
      return () => void everywhere.delete(group);
    },
    registerScoped(agentId, hooks) {
      // Most definitions have none: their runs are asked for at every call and cost nothing.
      if (hooks.length === 0) return () => undefined;
      const group = [...hooks];
      const groups = scoped.get(agentId) ?? new Set();
      scoped.set(agentId, groups.add(group));
      return () => {
        groups.delete(group);
        if (groups.size === 0 && scoped.get(agentId) === groups) scoped.delete(agentId);
      };
    },
    hooksFor(agentId) {
      const own = agentId === undefined ? undefined : scoped.get(agentId);
      // Called at every tool call, mostly with no hooks.
      if (!own && everywhere.size === 1) return shared;
      return [...everywhere, ...(own ?? [])].flat();
    },
  };
}
