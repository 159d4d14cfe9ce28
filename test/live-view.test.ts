// What a person watches while agents work, cell by cell: a line for each agent at work, what each does with its name, nothing left over at the end.
import { afterEach, expect, test } from "vitest";
import { entry } from "./retinue-process.ts";
import { backgroundWorld, type BackgroundWorld } from "./support/background-world.ts";
import { openScreen } from "./support/screen.ts";
import { waitUntil } from "./support/wait-until.ts";

let world: BackgroundWorld;
afterEach(() => world.close());

const call = (name: string, input: unknown) => ({ name, input });
const wait = "until [ -e go ]; do sleep 0.05; done";
const agents = JSON.stringify({
  alpha: { description: "a", prompt: "You are alpha.", tools: ["Bash", "Read"] },
  beta: { description: "b", prompt: "You are beta.", tools: ["Bash", "Read"] },
});

test.each([
  [80, {}],
  [160, {}],
  [80, { NO_COLOR: "1" }],
] as const)("two agents side by side at %i columns with %j", async (columns, env) => {
  world = await backgroundWorld(
    ({ body }) => {
      const text = JSON.stringify(body);
      const isOver = text.includes("tool_result");
      if (text.includes("You are alpha."))
        return isOver
          ? "alpha is done"
          : { tools: [call("Bash", { command: wait, description: "wait 世界 \u001b[2J" })] };
      if (text.includes("You are beta."))
        return isOver
          ? "beta is done"
          : {
              tools: [
                call("Read", { file_path: "a.txt", offset: 2, limit: 3 }),
                call("Bash", { command: wait }),
              ],
            };
      return isOver
        ? "All done."
        : {
            tools: ["alpha", "beta"].map((name) =>
              call("Agent", { subagent_type: name, description: name, prompt: "go" }),
            ),
          };
    },
    { "a.txt": "1\n2\n3\n4\n5\n" },
  );
  const screen = openScreen(
    [
      entry,
      "run",
      "--model",
      "sonnet",
      "--allowedTools=Bash",
      "--agents",
      agents,
      "--contract",
      "none",
      "start them",
    ],
    { cwd: world.project.root, env: { HOME: world.project.home, ...world.env, ...env }, columns },
  );
  await screen.until(/└ alpha · Bash until/);
  await screen.until(/└ beta · Bash until/);
  const status = (): string[] => screen.rows().filter((row) => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /.test(row));
  await waitUntil(() => status().length === 3);
  expect(status()[0]).toMatch(
    /^. general-purpose · .* · 1 turn · [\d,]+ tokens · \$0\.\d{4} · \d+ s$/,
  );
  expect(screen.all()).toContain("beta │ ✓ Read a.txt:2-4");
  for (const row of screen.rows()) expect(row.length).toBeLessThanOrEqual(columns);
  screen.resize(60, 40);
  await waitUntil(() => status().length === 3 && status().every((row) => row.length <= 60));
  world.project.write("go", "");
  expect(await screen.ended()).toBe(0);
  expect(screen.all()).toContain("All done.");
  expect(status()).toEqual([]);
  expect(screen.all()).toMatch(/alpha │ ✓ Bash/);
  expect(screen.bytes()).not.toContain("\u001b[2J");
});
