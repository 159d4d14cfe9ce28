// A run of the built command whose home is a real disk that gets full: a typed stop, and every later look says why. Mounting needs root on Linux.
import { spawnSync } from "node:child_process";
import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startMockProvider, type MockProvider } from "../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue, type Finished } from "./retinue-process.ts";

const project: TempProject = tempProject({ "big.txt": "some words in a line\n".repeat(1_900) });
const isMounted =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=400k", "none", project.home]).status === 0;

let server: MockProvider | undefined;
afterAll(async () => {
  await server?.close();
  if (isMounted) spawnSync("umount", ["-l", project.home]);
  project.remove();
});

test.runIf(isMounted)(
  "ends as failed (storage); `ps`, `output` and a resume after room was made say so, and nothing that was said is lost",
  async () => {
    const filler = join(project.home, "filler");
    writeFileSync(filler, Buffer.alloc(120 * 1024));
    let turn = 0;
    let isOver = false;
    const provider = await startMockProvider({
      reply: () => (
        (turn += 1),
        isOver
          ? "Went on."
          : {
              text: `Reading for the ${turn}th time.`,
              tools: [{ name: "Read", input: { file_path: project.path("big.txt") } }],
            }
      ),
    });
    server = provider;
    const call = (...args: string[]): Promise<Finished> =>
      retinue(args, {
        project,
        env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: provider.url },
      });

    const ended = await call("run", "--output-format", "json", "--", "read it again and again");
    expect(ended.code).toBe(1);
    const result = JSON.parse(ended.stdout) as {
      session_id: string;
      is_error: boolean;
      result: string;
    };
    expect(result).toMatchObject({ is_error: true, subtype: "error_during_execution" });
    expect(turn).toBeGreaterThan(1);

    const [status] = JSON.parse((await call("ps", "--all", "--json")).stdout) as Record<
      string,
      unknown
    >[];
    expect(status).toMatchObject({ state: "failed", reason: "storage", host_pid: null });
    expect((await call("ps", "--all")).stdout).toContain("failed (storage)");
    const shown = JSON.parse((await call("output", result.session_id, "--json")).stdout) as Record<
      string,
      unknown
    >;
    expect(shown).toMatchObject({
      state: "failed",
      reason: "storage",
      error: expect.stringMatching(/cannot be written: .*(?:ENOSPC|disk full)/),
      content: expect.stringContaining("Reading for the 1th time."),
    });

    unlinkSync(filler);
    isOver = true;
    const resumed = await call(
      "run",
      "--resume",
      result.session_id,
      "--output-format",
      "json",
      "--",
      "go on",
    );
    expect(JSON.parse(resumed.stdout)).toMatchObject({ is_error: false, result: "Went on." });
    expect(JSON.stringify(provider.requests.at(-1)!.body)).toContain("Reading for the 1th time.");
  },
);
