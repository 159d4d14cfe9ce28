// The script of the demo: what a model would say, made to depend on what the tools really returned.
import { join } from "node:path";
import { scriptedModel, type ScriptedModel } from "../../testing/scripted-model.ts";
import type { ModelRequest } from "../../model/model.ts";

export function demoScript(project: string): ScriptedModel {
  const file = join(project, "src", "discounts.js");
  return scriptedModel(
    [
      { text: "First the failing test, then where discounts are decided.", tools: [{ name: "Bash", input: { command: "node --test", description: "Run the tests" } }, { name: "Grep", input: { pattern: "volumeDiscount|steps", path: "src", output_mode: "content" } }] },
      { text: "The steps are in src/discounts.js.", tools: [{ name: "Read", input: { file_path: file } }] },
      (request) => {
        if (!lastResult(request).includes("net > candidate.from")) return { text: "The line I expected is not there.", stop_reason: "end_turn" };
        return { text: "A sum must be *above* a step to get it; the test wants *reached*. One character is missing.", tools: [{ name: "Edit", input: { file_path: file, old_string: "net > candidate.from", new_string: "net >= candidate.from" } }] };
      },
      { text: "Now the tests again.", tools: [{ name: "Bash", input: { command: "node --test", description: "Run the tests" } }] },
      (request) => (/# fail 0\b/.test(lastResult(request)) ? "Repaired: `src/discounts.js:14` compared with `>` where a sum that has just reached a step needs `>=`. All tests pass now; no other place compares with a step." : "The tests still fail."),
    ],
    { name: "demo:script" },
  );
}

function lastResult(request: ModelRequest): string {
  return JSON.stringify(request.messages.at(-1)?.content ?? "");
}
