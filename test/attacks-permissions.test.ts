// Every attack row that rules, paths, profiles and static network checks must stop, one named test each; nothing is left out silently.
import { afterAll, describe, expect, test } from "vitest";
import { pathFacts } from "../src/base/path-facts.ts";
import { answerCase, readCase, type CheckAnswer } from "../src/permissions/check-case.ts";
import { accepted, attackRows, createPlace, fillRow, setUp, type AttackRow, type Place } from "./attack-rows.ts";

const layers = new Set(["rules", "path", "profile", "net", "path+sandbox"]);

/** Rows whose answer lies in running the call, not in the decision, and where that is tested. */
const elsewhere: Record<string, RegExp[]> = {
  "tools: the call is made against real files, links and a loopback server": [/^PATH-TOCT-/, /^WEBF-REDI-0(?!10)/, /^WEBF-LIMI-00[123]$/],
  "manager: limits, budgets and who may approve": [/^TASK-LIMI-00[12]$/, /^TASK-CONF-009$/],
};
const placeOf = (row: AttackRow): string | undefined => Object.entries(elsewhere).find(([, patterns]) => patterns.some((pattern) => pattern.test(row.id)))?.[0];

const rows = attackRows.filter((row) => layers.has(row.layer));
const judged = rows.filter((row) => placeOf(row) === undefined);
const places: Place[] = [];
afterAll(() => places.forEach((place) => place.remove()));

function arrange(row: AttackRow): { filled: AttackRow; place: Place } {
  const place = createPlace();
  places.push(place);
  const filled = fillRow(row, place);
  setUp(filled, place);
  return { filled, place };
}

function judge(row: AttackRow): CheckAnswer {
  const { filled, place } = arrange(row);
  const agents = ["general-purpose", "Explore", ...attackRows.flatMap((item) => (item.tool === "Task" && item.class !== "task/rules" ? [item.input["subagent_type"]] : [])), "worker", "writer", "Explorer", "researcher"];
  const mcp = { changed: row.context?.["mcp_config_hash_changed"] === true || row.context?.["tool_schema_hash_changed"] === true };
  const read = readCase({ ...filled, cwd: place.ws, home: place.home, agents: agents.filter((item) => typeof item === "string"), mcp }, { cwd: "/", home: "/" });
  if (!read.ok) throw new Error(read.problem);
  return answerCase(read, (path) => pathFacts(path, place.ws, place.home));
}

describe("attack rows", () => {
  test.each(judged.map((row) => [row.id, row.class, row] as const))("%s %s", (_id, _class, row) => {
    const answer = judge(row);
    expect(accepted(row), `${row.tool} ${JSON.stringify(row.input).slice(0, 300)}: ${answer.decision} (${answer.layer}: ${answer.reason})`).toContain(answer.decision);
  });
});
