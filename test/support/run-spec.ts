// A whole spec for tests that care about a few of its fields.
import { specVersion, type RunSpec } from "../../src/events/run-spec.ts";
import { createPolicy } from "../../src/permissions/policy.ts";

/** The same for all, so that two specs are equal. */
const startedAt = Date.now();

export const runSpec = (more: Partial<RunSpec> = {}): RunSpec => ({
  version: specVersion,
  runId: "r",
  startedAt,
  agentId: "a0123456789abcdef",
  session: { id: "00000000-0000-4000-8000-000000000000" },
  agentType: "worker",
  isMain: false,
  place: { cwd: "/w" },
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
