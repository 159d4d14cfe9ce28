// `retinue flow list`: every flow of the user with its state, what it has done, and the way on.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { journalPaths, listFlows, type FlowStatus } from "../src/app/flows/list-flows.ts";
import { lockTranscript } from "../src/transcripts/lock/lock.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";
import { answer, flowStory, writes, type FlowStory } from "./support/flow-story.ts";

const story = (research: string): Promise<FlowStory> =>
  flowStory({
    script: (root) => ({
      research: [research],
      write: [writes(root, "done.txt"), answer({ findings: { files_changed: ["done.txt"] } })],
      "task-1": [answer()],
      "task-2": [answer({ decision: "STOP", issues: ["broken"] })],
    }),
  });
const flows = ({ project }: FlowStory): FlowStatus[] => listFlows({ HOME: project.home });
const pathOf = ({ project }: FlowStory): string => journalPaths({ HOME: project.home })[0]!;

describe("the list of flows", () => {
  test("one that could not start for lack of a key is none, and audit does not read journals", async () => {
    using project = tempProject();
    const started = await retinue(["flow", "sequence", "add a list"], { project });
    expect(started).toMatchObject({ code: 2, stderr: expect.stringContaining("no key is set") });
    expect(listFlows({ HOME: project.home })).toEqual([]);
    await using one = await story(answer());
    await one.start("sequence");
    const audit = await retinue(["audit", "--json"], { project: one.project });
    expect(JSON.parse(audit.stdout)).toMatchObject({ unjudged: [] });
  });

  test("one that came to its end has nothing to go on with", async () => {
    await using one = await story(answer());
    const { flow_id: flowId } = await one.start("sequence");
    expect(flows(one)).toEqual([
      {
        flow_id: flowId,
        state: "ended",
        decision: "PROCEED",
        pattern: "sequence",
        feature: "make the test pass",
        cwd: one.project.root,
        phases_done: ["research", "write", "validate"],
        phases_left: [],
        questions: [],
        started_at: expect.stringMatching(/^\d{4}-/),
        changed_at: expect.stringMatching(/^\d{4}-/),
        host_pid: null,
        next: null,
      },
    ]);
  });

  test("one that was cut short names what is done, what is left and the command; while a process has it, it runs", async () => {
    await using one = await story(answer());
    const { flow_id: flowId } = await one.start("sequence");
    writeFileSync(
      pathOf(one),
      readFileSync(pathOf(one), "utf8").split("\n").slice(0, 3).join("\n") + '\n{"seq":3,"pha',
    );
    expect(flows(one)).toMatchObject([
      {
        state: "interrupted",
        decision: null,
        phases_done: ["research", "write"],
        phases_left: ["validate"],
        next: `retinue flow resume ${flowId}`,
      },
    ]);
    const lock = lockTranscript(pathOf(one));
    expect(flows(one)).toMatchObject([
      { state: "running", decision: null, host_pid: process.pid, next: null },
    ]);
    lock.release();
    await one.resume(flowId);
    expect(flows(one)).toMatchObject([{ state: "ended", decision: "PROCEED", phases_left: [] }]);
  });

  test("text and JSON: questions and what failed, the newest first; a broken journal is named and hides no other", async () => {
    await using one = await story(
      answer({ status: "blocked", decision: "CLARIFY", questions: ["Which \u001b[31mprovider?"] }),
    );
    const broken = await one.start("sequence");
    writeFileSync(pathOf(one), "not a journal\n");
    const stopped = await one.start("parallel", {
      tasks: [
        ["type-checker", "a"],
        ["type-checker", "b"],
      ],
    });
    const asked = await one.start("sequence");
    const names = await retinue(["completion", "words", "flows"], { project: one.project });
    expect(names.stdout.trim().split("\n")).toEqual(flows(one).map(({ flow_id }) => flow_id));
    const { stdout, code } = await retinue(["flow", "list"], { project: one.project });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^${asked.flow_id}  ended CLARIFY  sequence  0 of 3 .* make the test pass\\n  \\? Which .*provider\\?\\n  → retinue flow resume ${asked.flow_id} --answer "QUESTION=ANSWER"$`,
        "m",
      ),
    );
    expect(stdout).toMatch(
      new RegExp(
        `^${stopped.flow_id}  ended STOP     parallel  task-1 \\(1 of 2\\) .*\\n  → retinue flow resume ${stopped.flow_id}$`,
        "m",
      ),
    );
    expect(stdout).toMatch(
      new RegExp(`^${broken.flow_id}  damaged .*\\n  .*its first line is torn or damaged`, "m"),
    );
    expect(stdout).not.toContain("\u001b");
    const listed = JSON.parse(
      (await retinue(["flow", "list", "--json"], { project: one.project })).stdout,
    ) as FlowStatus[];
    expect(listed.map(({ flow_id }) => flow_id).sort()).toEqual(
      [asked, stopped, broken].map(({ flow_id: flowId }) => flowId).sort(),
    );
    expect(listed[0]).toMatchObject({
      flow_id: asked.flow_id,
      questions: [expect.stringContaining("provider?")],
    });
  });

  test("nobody has started one yet", async () => {
    await using one = await story(answer());
    expect(await retinue(["flow", "list"], { project: one.project })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("no flow has run yet"),
    });
    expect(await retinue(["flow", "list", "--json"], { project: one.project })).toMatchObject({
      code: 0,
      stdout: "[]\n",
    });
  });
});
