// A transcript of another version of Retinue: the first version of specs is read, a newer one is
// refused in words.
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { benchesOfTest, task } from "./support/manager-bench.ts";

const benches = benchesOfTest();

type Spec = Record<string, unknown>;

/** Writes the spec of the first life as another version would have. */
function rewrite(transcript: string, change: (spec: Spec) => Spec): void {
  const lines = readFileSync(transcript, "utf8").split("\n");
  const spawn = JSON.parse(lines[1]!) as { spec: Spec };
  const changed = JSON.stringify({ ...spawn, spec: change(spawn.spec) });
  writeFileSync(transcript, [lines[0], changed, ...lines.slice(2)].join("\n"));
}

test("an agent of the first version goes on, in its folder", async () => {
  const { manager, project } = benches.open(() => "done");
  const { agent_id, transcript } = await manager.spawn(task("work")).done;
  rewrite(transcript, ({ place, session, startedAt: _none, ...rest }) => {
    expect(place).toEqual({ cwd: project.root });
    const { id } = session as { id: string };
    return { ...rest, version: 1, sessionId: id, cwd: project.root };
  });
  expect(await manager.resume(agent_id, "go on").done).toMatchObject({ state: "completed" });
});

test.each([
  [{ version: 3 }, "version 3, and this Retinue reads 1 and 2"],
  [{ version: undefined }, "no known version"],
])("an agent with a spec of %o is refused in words", async (other, words) => {
  const { manager } = benches.open(() => "done");
  const { agent_id, transcript } = await manager.spawn(task("work")).done;
  rewrite(transcript, (spec) => ({ ...spec, ...other }));
  expect(() => manager.resume(agent_id, "go on")).toThrow(words);
});
