import { expect, test } from "vitest";
import { outcomeWithout } from "../../manager/session/agent-result.ts";
import type { RunSpec } from "../../executors/run-spec.ts";
import { inBackground } from "./move-to-host.ts";

test("a run that moves to a host starts no MCP server there and has nobody to ask; its counts go with it", () => {
  const spec: RunSpec = {
    version: 1,
    runId: "r",
    agentId: "a0123456789abcdef",
    sessionId: "s",
    agentType: "t",
    isMain: false,
    cwd: "/",
    model: "m",
    webSearch: false,
    system: "",
    prompt: "",
    tools: ["Read"],
    policy: { mode: "default" },
    limits: { maxTurns: 2, timeoutMs: 1 },
    compactionPercent: 95,
    mcpServers: [{ name: "own" }],
    contract: "none",
    background: false,
  };
  const left = outcomeWithout("stopped", "moved", "");
  expect(inBackground(spec, left)).toEqual({
    ...spec,
    background: true,
    policy: { mode: "default", background: true },
    mcpServers: [],
    carried: { metrics: left.metrics, permission_denials: [] },
  });
});
