import { expect, test } from "vitest";
import { outcomeWithout } from "../../manager/session/agent-result.ts";
import { runSpec } from "../../../test/support/run-spec.ts";
import { inBackground } from "./move-to-host.ts";

test("a run that moves to a host starts no MCP server there and has nobody to ask; its counts go with it", () => {
  const spec = runSpec({ tools: ["Read"], mcpServers: [{ name: "own" }] });
  const left = outcomeWithout("stopped", "moved", "");
  expect(inBackground(spec, left)).toEqual({
    ...spec,
    background: true,
    policy: { ...spec.policy, background: true },
    mcpServers: [],
    carried: { metrics: left.metrics, permission_denials: [] },
  });
});
