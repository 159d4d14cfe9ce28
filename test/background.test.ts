// Background runs with the built command and real processes: they outlive what started them, are seen from anywhere, and end when told to.
import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import {
  backgroundWorld,
  rareWord,
  sleepers,
  stubbornCommand,
  type BackgroundWorld,
  type Output,
  type Status,
} from "./support/background-world.ts";
import { waitUntil } from "./support/wait-until.ts";

let world: BackgroundWorld;
afterEach(() => world.close());

const bash = (
  command: string,
  text = "",
): { text: string; tools: { name: string; input: unknown }[] } => ({
  text,
  tools: [{ name: "Bash", input: { command } }],
});

describe("retinue run --background", () => {
  test("returns with the id and the output file while the run goes on, seen by ps and output from other processes", async () => {
    world = await backgroundWorld([
      bash("until [ -e go ]; do sleep 0.05; done", "I wait."),
      "All done.",
    ]);
    const { code, stdout } = await world.call([
      "run",
      "--background",
      "--name",
      "waiter",
      "--model",
      "sonnet",
      "--allowedTools=Bash",
      "wait for it",
    ]);
    expect(code).toBe(0);
    const [, id, file] =
      /^Background task started\. Agent ID: (a[0-9a-f]{16})\nOutput file: (\S+)\nUse Read tool or `tail -f \2` to check output\.\n$/.exec(
        stdout,
      ) ?? [];
    const [status] = await world.json<Status[]>(["ps"]);
    expect(status).toMatchObject({
      agent_id: id,
      agent_type: "general-purpose",
      name: "waiter",
      state: "running",
      background: true,
    });
    expect(status!.host_pid).toBeGreaterThan(1);
    await waitUntil(() => readFileSync(file!, "utf8").includes("I wait."));
    expect(
      await world.json<Output>(["output", "waiter", "--block", "--timeout", "150"]),
    ).toMatchObject({ agent_id: id, state: "running", timed_out: true, content: "I wait." });
    const waiting = world.call(["output", id!, "--block", "--json"]);
    world.project.write("go", "");
    const { stdout: answer, code: success } = await waiting;
    expect(success).toBe(0);
    expect(JSON.parse(answer)).toMatchObject({
      agent_id: id,
      state: "completed",
      content: "All done.",
      output_file: file,
      permission_denials: [],
      metrics: { tool_uses: 1 },
    });
    expect(readFileSync(file!, "utf8")).toMatch(
      new RegExp(
        `^I wait\\.\\n\\[tool\\] Bash ok.*\\nAll done\\.\\n\\[retinue\\] state=completed agent=${id}\\n$`,
      ),
    );
    expect(statSync(file!).mode & 0o777).toBe(0o600);
    expect(await world.json<Status[]>(["ps"])).toEqual([]);
    expect(await world.json<Status[]>(["ps", "--all"])).toMatchObject([
      { agent_id: id, state: "completed", host_pid: null, metrics: { turns: 2, tool_uses: 1 } },
    ]);
  });

  test("denies what nobody approved, lists it, and can be resumed afterwards", async () => {
    world = await backgroundWorld([
      { tools: [{ name: "Write", input: { file_path: "made.txt", content: "x" } }] },
      "I was not allowed to.",
      "Now I know.",
    ]);
    const { agent_id } = await world.start();
    const output = await world.json<Output>(["output", agent_id, "--block"]);
    expect(output).toMatchObject({ state: "completed", content: "I was not allowed to." });
    expect(output.permission_denials.map((denial) => denial.tool_name)).toEqual(["Write"]);
    const again = await world.call(["resume", agent_id, "and now?"]);
    expect(again).toMatchObject({ code: 0, stdout: "Now I know.\n" });
    expect(JSON.stringify(world.provider.requests.at(-1)!.body)).toContain("I was not allowed to.");
  });

  test("says what keeps it from starting, as if it had run here", async () => {
    world = await backgroundWorld([]);
    const unknown = await world.call([
      "run",
      "--background",
      "--model",
      "sonnet",
      "--agent",
      "Explor",
      "x",
    ]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('there is no agent "Explor"; did you mean "Explore"?');
    const keyless = await world.call(["run", "--background", "x"], { env: {} });
    expect(keyless.code).toBe(2);
    expect(keyless.stderr).toContain("ANTHROPIC_API_KEY");
    expect(await world.json<Status[]>(["ps", "--all"])).toEqual([]);
  });

  test("passes keys to the host through a pipe: neither its arguments nor its environment hold them", async () => {
    world = await backgroundWorld([bash("sleep 30")]);
    await world.start();
    const [status] = await world.json<Status[]>(["ps"]);
    const seen =
      readFileSync(`/proc/${status!.host_pid}/environ`, "latin1") +
      readFileSync(`/proc/${status!.host_pid}/cmdline`, "latin1");
    expect(seen).not.toContain(world.env["ANTHROPIC_API_KEY"]);
    expect(seen).not.toContain("do it");
  });

  test("runs in the foreground and says so where background tasks are switched off", async () => {
    world = await backgroundWorld(["Here I am."]);
    const { code, stdout } = await world.call(
      ["run", "--background", "--model", "sonnet", "--output-format", "json", "x"],
      { env: { ...world.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" } },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      type: "result",
      result: "Here I am.",
      notices: [expect.stringContaining("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS")],
    });
  });
});

describe("stopping", () => {
  test("retinue stop ends the run and every process of it within two seconds; a second stop changes nothing", async () => {
    world = await backgroundWorld([bash(stubbornCommand(rare())), "never"]);
    const { agent_id, output_file } = await world.start();
    await waitUntil(() => sleepers(word).length === 5);
    const { host_pid } = (await world.json<Status[]>(["ps"]))[0]!;
    const stopped = await world.call(["stop", agent_id]);
    expect(stopped).toMatchObject({ code: 0, stdout: `${agent_id} stopped (cancelled)\n` });
    expect(sleepers(word)).toEqual([]);
    await waitUntil(() => !isAlive(host_pid!), { withinMs: 2_000, what: "the end of the host" });
    expect(readFileSync(output_file, "utf8")).toMatch(
      new RegExp(`\\[retinue\\] state=stopped reason=cancelled agent=${agent_id}\\n$`),
    );
    const again = await world.call(["stop", agent_id]);
    expect(again).toMatchObject({
      code: 0,
      stdout: `${agent_id} is over already, nothing was changed: stopped (cancelled)\n`,
    });
  });

  test("with one unknown id nothing is stopped", async () => {
    world = await backgroundWorld([bash("sleep 30")]);
    const { agent_id } = await world.start();
    const refused = await world.call(["stop", agent_id, "a00000000000000ff"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("unknown task_id: a00000000000000ff");
    expect(await world.json<Status[]>(["ps"])).toMatchObject([{ agent_id, state: "running" }]);
    expect((await world.call(["output", "nobody"])).stderr).toContain("unknown task_id: nobody");
  });

  test("stops a run that another terminal shows in the foreground", async () => {
    world = await backgroundWorld([bash("sleep 30")]);
    const finished = world.call([
      "run",
      "--model",
      "sonnet",
      "--allowedTools=Bash",
      "--output-format",
      "json",
      "--name",
      "shown",
      "x",
    ]);
    await waitUntil(async () => (await world.json<Status[]>(["ps"]))[0]?.metrics.turns === 1);
    expect((await world.call(["stop", "shown"])).code).toBe(0);
    expect(JSON.parse((await finished).stdout)).toMatchObject({ subtype: "error_stopped" });
  });

  test("ends a host that does not react, and with it what it started", async () => {
    world = await backgroundWorld([bash(stubbornCommand(rare()))]);
    const { agent_id } = await world.start();
    await waitUntil(() => sleepers(word).length === 5);
    const { host_pid } = (await world.json<Status[]>(["ps"]))[0]!;
    process.kill(host_pid!, "SIGSTOP");
    const stopped = await world.call(["stop", agent_id]);
    expect(stopped.stdout).toContain("did not react; its host was ended");
    await waitUntil(() => sleepers(word).length === 0, {
      withinMs: 2_000,
      what: "the end of all processes",
    });
    expect(isAlive(host_pid!)).toBe(false);
  });
});

describe("a host that dies", () => {
  test.each(["SIGKILL", "SIGTERM"] as const)(
    "%s: no process is left, the run does not show as running, and resume goes on with it",
    async (signal) => {
      world = await backgroundWorld([bash(stubbornCommand(rare()), "Working."), "I went on."]);
      const { agent_id } = await world.start();
      await waitUntil(() => sleepers(word).length === 5);
      process.kill((await world.json<Status[]>(["ps"]))[0]!.host_pid!, signal);
      await waitUntil(() => sleepers(word).length === 0, {
        withinMs: 2_000,
        what: "the end of all processes",
      });
      const [status] = await world.json<Status[]>(["ps", "--all"]);
      expect(status).toMatchObject({
        agent_id,
        host_pid: null,
        ...(signal === "SIGKILL"
          ? { state: "failed", reason: "lost" }
          : { state: "stopped", reason: "cancelled" }),
      });
      if (signal === "SIGKILL") {
        expect((await world.call(["ps"])).stdout).toContain("failed (lost)");
        expect(await world.call(["output", agent_id])).toMatchObject({
          code: 1,
          stdout: "Working.\n",
        });
      }
      const again = await world.call([
        "resume",
        agent_id,
        "--background",
        "--output-format",
        "json",
        "go on",
      ]);
      expect(JSON.parse(again.stdout)).toMatchObject({ agent_id });
      expect(await world.json<Output>(["output", agent_id, "--block"])).toMatchObject({
        state: "completed",
        content: "I went on.",
      });
      expect(JSON.stringify(world.provider.requests.at(-1)!.body)).toContain(
        signal === "SIGKILL" ? "interrupted: it may or may not have run" : "Working.",
      );
    },
  );
});

describe("signals to a command in the foreground", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s: every process is gone, the transcript is closed, the exit code is 130",
    async (signal) => {
      world = await backgroundWorld([bash(stubbornCommand(rare()))]);
      const finished = world.call(["run", "--model", "sonnet", "--allowedTools=Bash", "x"], {
        onStart: (child) =>
          void waitUntil(() => sleepers(word).length === 5).then(() => child.kill(signal)),
      });
      expect((await finished).code).toBe(130);
      expect(sleepers(word)).toEqual([]);
      expect(await world.json<Status[]>(["ps", "--all"])).toMatchObject([
        { state: "stopped", reason: "cancelled", host_pid: null },
      ]);
    },
  );
});

describe("the output file", () => {
  test("a reader sees whole lines only, whenever it looks", async () => {
    const line = `${"word ".repeat(300)}END`;
    let turn = 0;
    world = await backgroundWorld(() => (++turn <= 15 ? bash("true", `${line}\n${line}`) : "done"));
    const { output_file, agent_id } = await world.start();
    let looks = 0;
    const over = (): boolean => readFileSync(output_file, "utf8").includes(`agent=${agent_id}`);
    while (!over()) {
      const text = readFileSync(output_file, "utf8");
      expect(text === "" || text.endsWith("\n")).toBe(true);
      for (const row of text.split("\n").filter((part) => part.startsWith("word")))
        expect(row).toBe(line);
      looks += 1;
      await sleep(1);
    }
    expect(looks).toBeGreaterThan(5);
  });
});

let word = "";
const rare = (): string => (word = rareWord());

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}
