// A whole spec for tests that care about a few of its fields.
import type { RunSpec } from "../../src/events/run-spec.ts";
import { createPolicy } from "../../src/permissions/policy.ts";

export const runSpec = (more: Partial<RunSpec> = {}): RunSpec => ({
  version: 1,
  runId: "r",
  startedAt: Date.now(),
  agentId: "a0123456789abcdef",
  sessionId: "00000000-0000-4000-8000-000000000000",
  agentType: "worker",
  isMain: false,
  cwd: "/w",
  model: "mock:one",
  webSearch: false,
  system: "",
  prompt: "",
  tools: [],
  policy: createPolicy({ workspace: { cwd: "/w", home: "/h" } }),
  limits: { maxTurns: 5, timeoutMs: 60_000 },
  compactionPercent: 80,
  mcpServers: [],
  contract: "none",
  require: null,
  background: false,
  ...more,
});
