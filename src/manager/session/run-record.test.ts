import { expect, test } from "vitest";
import type { RecordedFact } from "../../events/event.ts";
import { RunRecord } from "./run-record.ts";

const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const said = (content: string): RecordedFact =>
  ({
    type: "message",
    message: { role: "user", content },
    origin: "user",
    toolFacts: { t1: { shown: content } },
  }) as unknown as RecordedFact;
const spec = { place: { cwd: "/repo" }, agentId: "a1", isMain: true } as never;

test("what a record hands out has no secrets", () => {
  const record = new RunRecord();
  record.add(said(`The token is ${token}.`));
  const text = JSON.stringify(record.lines(spec, []));
  expect(text).not.toContain(token);
  expect(text).toContain("[masked");
});

test("a message that was searched when it was written is handed out as it is", () => {
  const record = new RunRecord();
  const fact = said("Nothing to hide.");
  record.add(fact, true);
  record.add(said("the next one"));
  const [first, second] = record.lines(spec, ["the next one"]);
  expect(first!["message"]).toBe((fact as { message?: unknown }).message);
  expect(first!["toolFacts"]).toEqual({ t1: { shown: "Nothing to hide." } });
  expect(JSON.stringify(second)).not.toContain("the next one");
});
