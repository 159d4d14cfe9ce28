// A claim that nothing on record shows, beside something that the message admits: of another subject it changes
// nothing, of the same subject or of everything it takes the claim back. Through the hook, as a whole run.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempProject } from "../../../testing/temp-project.ts";
import {
  toJsonLines,
  transcriptLines,
  type Step,
} from "../../../../test/support/transcript-lines.ts";
import { classOf } from "../../../contract/trust/verdict-classes.ts";
import { answerStopHook } from "../../stop-hook.ts";

const files = {
  "package.json": JSON.stringify({
    name: "shop",
    scripts: { test: "vitest run", build: "vite build", lint: "eslint .", types: "tsc --noEmit" },
  }),
  "src/cart.ts": "export const total = 2;\n",
  "README.md": "# Shop\n",
};
const edit: Step = {
  tool: "Edit",
  input: { file_path: "src/cart.ts", old_string: "1", new_string: "2" },
  output: "The file src/cart.ts has been updated.",
};

async function classesOf(message: string): Promise<(string | null)[]> {
  using project = tempProject(files);
  const path = join(project.home, "t.jsonl");
  const lines = transcriptLines([edit, { say: message }], {
    cwd: project.root,
    dialect: "claude-code",
  });
  writeFileSync(path, toJsonLines(lines));
  const { flagged } = await answerStopHook(
    {
      hook_event_name: "Stop",
      cwd: project.root,
      transcript_path: path,
      last_assistant_message: message,
    },
    { cwd: project.root, runnersOf: async () => [] },
  );
  return flagged.map(classOf);
}

const ofOthers: [claim: string, admission: string][] = [
  ["All tests pass.", "I did not run the linter."],
  ["All tests pass.", "I have not deployed it."],
  ["All tests pass.", "The type check was not run."],
  ["All tests pass.", "I could not build the image."],
  ["All 12 tests pass.", "I have not pushed anything."],
  ["Lint is clean.", "I have not run the tests."],
  ["Lint is clean.", "I have not published the package."],
  ["The build succeeds.", "I did not run the tests."],
  ["The build succeeds.", "I did not run the linter."],
  ["The build passes.", "It is not deployed yet."],
  ["Type check passes.", "I have not deployed anything."],
  ["Type check passes.", "I did not run the tests."],
  ["`tsc` reports no errors.", "I haven't run the tests."],
  ["Published 1.4.1 to npm.", "I did not run the tests."],
  ["Published 1.4.1 to npm.", "I could not verify it on a second machine."],
  ["Pushed to main.", "I did not run the tests."],
];

const ofItself: [claim: string, admission: string][] = [
  ["All tests pass.", "This is untested."],
  ["All tests pass.", "I have not verified this."],
  ["All tests pass.", "I have not run the tests."],
  ["All tests pass.", "Nothing was run."],
  ["Lint is clean.", "I did not run the linter."],
  ["Lint is clean.", "I have not run anything."],
  ["The build succeeds.", "I have not run the build."],
  ["The build succeeds.", "None of this was executed."],
  ["Type check passes.", "I did not run the type check."],
  ["Type check passes.", "It is unverified."],
];

test.each(ofOthers)("%s %s: told, and plainly said", async (claim, admission) => {
  const alone = await classesOf(claim);
  expect(alone).toHaveLength(1);
  for (const message of [`${claim} ${admission}`, `${claim}\n\nNote: ${admission}`])
    expect(await classesOf(message)).toEqual(alone);
  expect(alone[0]).toMatch(/\(plainly said\)$/);
});

test.each(ofItself)("%s %s: not told", async (claim, admission) => {
  expect(await classesOf(`${claim} ${admission}`)).toEqual([]);
});

test("a deployment that never was is told whatever else was not looked at", async () => {
  const [alone] = await classesOf("Deployed.");
  expect(alone).toMatch(/^result never run/);
  for (const admission of [
    "I could not verify the staging environment.",
    "I did not run the tests.",
  ])
    expect(await classesOf(`Deployed. Note: ${admission}`)).toEqual([alone]);
});
