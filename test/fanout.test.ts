import { expect, test } from "vitest";
import { createManager } from "../src/app/create-manager.ts";
import { startMockProvider } from "../src/testing/mock-provider.ts";
import { tempProject } from "../src/testing/temp-project.ts";

test("50 agents at once all finish although the provider refuses half of their requests", async () => {
  using project = tempProject({ "a.txt": "one\n" });
  // The agents take turns in what they do, so that refusals hit first and later requests alike.
  const answer = (messages: number) =>
    messages < 2 ? { tools: [{ name: "Glob", input: { pattern: `*.${messages}` } }] } : "done";
  const provider = await startMockProvider({
    reply: ({ body }) => answer((body["messages"] as unknown[]).length),
    rateLimited: { share: 0.5, seed: 7, headers: { "retry-after-ms": "20" } },
  });
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: provider.url },
    model: "sonnet",
    contract: "none",
    watch: false,
    limits: { maxConcurrent: 50 },
  });
  try {
    const runs = Array.from({ length: 50 }, (_, index) =>
      manager.spawn({
        description: `look ${index}`,
        prompt: "look for files",
        subagent_type: "Explore",
      }),
    );
    const results = await Promise.all(runs.map((run) => run.done));
    expect(results.map(({ state, content }) => `${state}: ${content}`)).toEqual(
      runs.map(() => "completed: done"),
    );
    // Two answered requests each; the others were refused and asked again.
    expect(provider.requests.length).toBeGreaterThan(50 * 2 * 1.5);
  } finally {
    await manager.close();
    await provider.close();
  }
});
