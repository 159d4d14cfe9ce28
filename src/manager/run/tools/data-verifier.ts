// Takes the data that an agent owes: by the Report tool, or as JSON in its words. What does not fit
// is told at once, and the value stands in the run's result.
import { isObject, type Json } from "../../../base/data/json.ts";
import { jsonInText } from "../../../contract/handoff/json-in-text.ts";
import type { RunLog } from "../../../executors/catalog.ts";
import type { AnswerCheck } from "../../../loop/ports.ts";
import { errorResult, type ToolResult } from "../../../tool/tool.ts";
import { isBare, type OwedData } from "./owed-data.ts";
import type { ReportVerifier } from "../report-verifier.ts";

const nudge =
  "You owe data, not words: call the Report tool with it. Its schema says which fields it has.";

export function dataVerifier({ schema, type }: OwedData, log: RunLog): ReportVerifier {
  const submitted = new Map<string, unknown>();
  let wasNudged = false;
  const read = (value: unknown): { text: string; value: unknown } | { problem: string } => {
    const parsed = type.safeParse(value);
    if (parsed.success) return { text: JSON.stringify(parsed.data) ?? "null", value: parsed.data };
    const problems = parsed.error.issues
      .slice(0, 20)
      .map(({ path, message }) => `- ${path.map(String).join(".") || "the data"}: ${message}`);
    return {
      problem: `Not accepted: put this right and call Report again.\n${problems.join("\n")}`,
    };
  };
  const end = (content: string, output: unknown): AnswerCheck => {
    log.record({ type: "verification", result: { report: null, content, output: output as Json } });
    return { judged: { content, report: null, verification: null, output } };
  };
  return {
    submit: async (input): Promise<ToolResult> => {
      const answer = read(isBare(schema) && isObject(input) ? input["value"] : input);
      if ("problem" in answer) return errorResult(answer.problem, "not accepted");
      submitted.set(answer.text, answer.value);
      return { content: "Accepted: this is your answer.", answer: answer.text };
    },
    async beforeEnd(answer, { isLast }) {
      if (submitted.has(answer)) return end(answer, submitted.get(answer));
      const found = jsonInText(answer);
      const said = found.ok ? read(found.value) : undefined;
      if (said && "text" in said) return end(said.text, said.value);
      if (wasNudged || isLast) return {};
      wasNudged = true;
      return { objection: said ? said.problem : nudge };
    },
    memory: () => ({ wasNudged }),
    remember: (memory) => void (wasNudged = memory["wasNudged"] === true),
  };
}
