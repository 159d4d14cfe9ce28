// A handoff's frame (its id, its form) is not what somebody asks for: the offline model searches for what the task names.
import { expect, test } from "vitest";
import { analyzerPhase } from "../src/flows/phases.ts";
import { renderHandoff } from "../src/flows/render-handoff.ts";
import { readQuestion } from "../src/offline/read-question.ts";

const handoff = (instructions: string, feature: string): string =>
  renderHandoff({
    task_id: "616701f8-05bf-442b-9799-6b36d1c5c030-analyze-1",
    phase: "analyze",
    instructions,
    expected_output: "structured_findings",
    context: {
      feature,
      spec_path: null,
      relevant_files: [],
      constraints: [],
      previous_findings: null,
    },
  });

test("the symbol that the feature names is the question", () => {
  expect(readQuestion(handoff(analyzerPhase.instructions, "look at parseConfig")).symbols).toEqual([
    "parseConfig",
  ]);
});

test("so is one that the instructions name", () => {
  expect(readQuestion(handoff("Where is `readRow` used?", "the parser")).symbols).toEqual([
    "readRow",
  ]);
});
