// The scripted part of the tour: what a model would say, made to depend on what the tools really
// returned. One reference in its report is made up on purpose.
import { join } from "node:path";
import type { ModelRequest } from "../../model/model.ts";
import { scriptedModel, type ScriptedModel } from "../../testing/scripted-model.ts";

export const scriptName = "demo:script";

export function demoScript(project: string): ScriptedModel {
  const file = join(project, "src", "discounts.js");
  return scriptedModel(
    [
      {
        text: "First the failing test and the file that was named.",
        tools: [
          { name: "Bash", input: { command: "node --test", description: "Run the tests" } },
          { name: "Read", input: { file_path: file } },
        ],
      },
      (request) => {
        if (!lastResult(request).includes("net > candidate.from"))
          return { text: "The line I expected is not there.", stop_reason: "end_turn" };
        return {
          text: "A sum must be *above* a step to get it; the test wants *reached*. One character is missing.",
          tools: [
            {
              name: "Edit",
              input: {
                file_path: file,
                old_string: "net > candidate.from",
                new_string: "net >= candidate.from",
              },
            },
          ],
        };
      },
      {
        text: "Now the tests again.",
        tools: [{ name: "Bash", input: { command: "node --test", description: "Run the tests" } }],
      },
      (request) => report(request, "src/discount-steps.js:41"),
      (request) => report(request, "src/discounts.js:4"),
    ],
    { name: scriptName },
  );
}

function report(request: ModelRequest, place: string): string {
  const passed = passedIn(lastTestRun(request)) ?? "0";
  return `## Fixer Result

### Status
SUCCESS

### Summary
A sum that has just reached a step gets its discount now.

### Findings
| ID | Issue | File:Line | Severity | Confidence |
|----|-------|-----------|----------|------------|
| BUG-1 | the step must be reached, not passed: \
\`const step = steps.findLast((candidate) => net >= candidate.from);\` | \`src/discounts.js:12\` | Important | 95 |
| BUG-2 | \`steps\` has no test of its own | \`${place}\` | Minor | 60 |

#### Files Modified
| File | Change |
|------|--------|
| \`src/discounts.js\` | \`>\` became \`>=\` |

#### Test Results
${passed} passed, 0 failed

### Confidence
95 - the tests ran after the change
- verified_confidence: 95
- inferred_confidence: 90

### Next Steps
1. Release it
`;
}

const lastResult = (request: ModelRequest): string =>
  JSON.stringify(request.messages.at(-1)?.content ?? "");

/** Node's test runner marks its sums with `#` or, in newer versions, with a sign of its own. */
const passedIn = (text: string): string | undefined => /[#\u2139] pass (\d+)/.exec(text)?.[1];

/** The newest test run that the model was shown. */
function lastTestRun(request: ModelRequest): string {
  return (
    request.messages
      .map((message) => JSON.stringify(message.content))
      .findLast((text) => passedIn(text) !== undefined) ?? ""
  );
}
