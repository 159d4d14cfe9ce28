// Further attacks and everyday calls of the same classes as attacks.jsonl: no attack is allowed,
// almost no everyday call is held up.
import { afterAll, describe, expect, test } from "vitest";
import { factsNear } from "../src/base/files/path-facts.ts";
import { answerCase, readCase, type CheckAnswer } from "../src/permissions/read-case.ts";
import {
  accepted,
  closedElsewhere,
  createPlace,
  fillRow,
  readRows,
  setUp,
  type AttackRow,
  type Place,
} from "./attack-rows.ts";

const rows = [
  "more-attacks.jsonl",
  "attacks-2.jsonl",
  "attacks-3.jsonl",
  "attacks-4.jsonl",
  "attacks-5.jsonl",
  "attacks-6.jsonl",
  "attacks-7.jsonl",
  "attacks-8.jsonl",
  "attacks-9.jsonl",
  "attacks-10.jsonl",
  "attacks-11.jsonl",
  "attacks-12.jsonl",
  "attacks-13.jsonl",
  "attacks-14.jsonl",
  "attacks-15.jsonl",
  "attacks-16.jsonl",
  "attacks-17.jsonl",
]
  .flatMap((name) => readRows(name))
  .filter((row) => closedElsewhere[row.id] === undefined);
const agents = [
  "general-purpose",
  "worker",
  "writer",
  "researcher",
  "reviewer",
  "Explore",
  "Explorer",
];

/** Rows that are prepared alike share a workspace: deciding changes nothing in it. */
const places = new Map<string, Place>();
afterAll(() => places.forEach((place) => place.remove()));

function placeOf(row: AttackRow): Place {
  const key = JSON.stringify([row.setup ?? [], row.context?.prepare]);
  const known = places.get(key);
  if (known) return known;
  const place = createPlace();
  places.set(key, place);
  setUp(fillRow(row, place), place);
  return place;
}

function answerTo(given: AttackRow): CheckAnswer {
  const place = placeOf(given);
  const row = fillRow(given, place);
  const read = readCase(
    { ...row, cwd: place.ws, home: place.home, agents },
    { protectedPaths: [], cwd: "/", home: "/" },
  );
  if (!read.ok) throw new Error(`${row.id}: ${read.problem}`);
  return answerCase(read, (path, folder) =>
    factsNear(path, { cwd: place.ws, home: place.home, folder }),
  );
}

const told = (row: AttackRow): string =>
  `${row.id}: ${row.tool} ${JSON.stringify(row.input).slice(0, 200)} under ${row.rules.allow.join(", ")}`;

describe("further attacks", () => {
  const attacks = rows.filter((row) => !row.legit);
  test.each([...new Set(attacks.map((row) => row.class))])("%s: none is allowed", (name) => {
    const wrong = attacks.filter(
      (row) => row.class === name && !accepted(row).includes(answerTo(row).decision),
    );
    expect(wrong.map(told)).toEqual([]);
  });

  test("at most 3 % of everyday calls are held up", () => {
    const legit = rows.filter((row) => row.legit);
    const held = legit.filter((row) => answerTo(row).decision !== "allow");
    expect(legit.length).toBeGreaterThan(700);
    expect(held.length / legit.length, held.map(told).join("\n")).toBeLessThanOrEqual(0.03);
  });

  test("ids are unique", () => {
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  });
});
