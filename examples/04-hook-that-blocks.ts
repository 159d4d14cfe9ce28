// A hook is asked before a tool runs. It can say no, and the model reads the reason.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createManager, functionHook } from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

const project = tempProject();
const noGeneratedFiles = functionHook({
  event: "PreToolUse",
  matcher: "Write|Edit",
  run: (input) => {
    const path =
      "tool_input" in input ? (input.tool_input as { file_path?: string }).file_path : undefined;
    if (!path?.includes("/generated/")) return undefined;
    return {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "generated files are made by `npm run generate`",
      },
    };
  },
});

const model = scriptedModel([
  {
    tools: [
      {
        name: "Write",
        input: { file_path: project.path("generated/api.ts"), content: "export {};\n" },
      },
    ],
  },
  {
    tools: [
      { name: "Write", input: { file_path: project.path("src/api.ts"), content: "export {};\n" } },
    ],
  },
  "Wrote src/api.ts.",
]);
const manager = createManager({
  cwd: project.root,
  env: { HOME: project.home, PATH: process.env["PATH"] },
  model,
  hooks: [noGeneratedFiles],
  permissions: { mode: "acceptEdits" },
  contract: "none",
});

const { state } = await manager.spawn({ description: "write", prompt: "Write the client." }).done;
assert.equal(state, "completed");
assert.match(JSON.stringify(model.requests[1]!.messages.at(-1)), /npm run generate/);
assert.equal(existsSync(project.path("generated/api.ts")), false);
assert.equal(existsSync(project.path("src/api.ts")), true);

await manager.close();
project.remove();
