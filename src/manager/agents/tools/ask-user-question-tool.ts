// AskUserQuestion: a question to the person, only where one is there.
import * as z from "zod";
import { defineZodTool } from "../../../tool/define-tool.ts";
import { errorResult, type Tool, type ToolResult } from "../../../tool/tool.ts";
import { answererOf } from "../../asking/answerer-of.ts";
import type { UserQuestion } from "../../session/asker.ts";
import type { Session } from "../../session/session.ts";
import type { RunHandle } from "../../run/run-handle.ts";
import { unlessStopped } from "../../run/tools/unless-stopped.ts";

const option = z.object({
  label: z.string().min(1).max(200),
  description: z.string().max(1_000).optional(),
});

const input = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().min(1).max(4_000),
        header: z.string().max(100).optional(),
        options: z.array(option).max(10).optional(),
        multiSelect: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(4)
    .describe("One to four questions; options are suggestions, the person may answer otherwise"),
});

/** In the background the questions wait on disk, where the settings say so. */
export function askUserQuestionTool(session: Session, asking: RunHandle): Tool {
  return defineZodTool({
    name: "AskUserQuestion",
    description:
      "Asks the person one to four questions where only they can decide. Not for " +
      "permission to use a tool: that is asked for by itself.",
    input,
    readOnly: true,
    async run({ questions }, { signal, toolUseId }) {
      const answer = answererOf(session, asking, toolUseId);
      if (!answer)
        return errorResult(
          "nobody can be asked in the background; decide yourself and say what you assumed",
        );
      const answers = await asking.whileAsking(unlessStopped(signal, answer(questions, signal)));
      return answersResult(questions, answers);
    },
  });
}

/** What the agent reads. */
export function answersResult(
  questions: readonly UserQuestion[],
  answers: readonly string[] | undefined,
): ToolResult {
  if (!answers)
    return errorResult("the person did not answer; go on without it and say what you assumed");
  return {
    content: questions
      .map(({ question }, index) => `${question}\n→ ${answers[index] ?? "(no answer)"}`)
      .join("\n\n"),
    summary: `${questions.length} answered`,
  };
}
