// A share of `npm run bench -- report-tool`: the same generator and the same goals, on files of this
// project and of the packages that it is built on.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryReader } from "../../source/reader.ts";
import { Repository } from "../../source/repository.ts";
import { checkReportInput } from "./submit-report.ts";

type Count = Record<"made" | "found" | "right" | "asked" | "refused" | "broken", number>;
type Facts = { path: string; telling: number[] };
type Bench = {
  kinds: Record<string, (facts: Facts, r: unknown) => object | undefined>;
  fileFacts: (path: string, text: string) => Facts;
  random: (seed: number) => { pick<T>(list: T[]): T };
  scoreQuotations: (made: object[], world: object) => Promise<object[]>;
};

const bench = new URL("../../../bench/", import.meta.url);
const load = async (): Promise<Bench> =>
  Object.assign(
    {},
    ...(await Promise.all(
      ["report-tool/quotations", "report-tool/score", "verify/random"].map(
        (name) => import(new URL(`${name}.mjs`, bench).href),
      ),
    )),
  ) as Bench;

function someFiles(): Record<string, string> {
  const folders = [
    "src/verify",
    "src/loop",
    "node_modules/undici/lib/dispatcher",
    "node_modules/yaml/dist/compose",
  ];
  return Object.fromEntries(
    folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /(?<!\.test)\.(?:ts|js)$/.test(name))
        .map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]),
    ),
  );
}

test("of 5,000 quotations no accepted one fails to hold, and none with a changed token is accepted", async () => {
  const { kinds, fileFacts, random, scoreQuotations } = await load();
  const files = someFiles();
  const facts = Object.entries(files)
    .map(([path, text]) => fileFacts(path, text))
    .filter(({ telling }) => telling.length > 5);
  const r = random(7);
  const names = Object.keys(kinds);
  const made: object[] = [];
  for (let tries = 0; made.length < 5_000 && tries < 200_000; tries++) {
    const kind = names[tries % names.length]!;
    const file = r.pick(facts);
    const item = kinds[kind]!(file, r);
    if (item) made.push({ kind, facts: file, ...item });
  }
  const counts: Record<string, Count> = {};
  const world = { reader: new Repository(memoryReader(files)), agent: "reader" };
  await scoreQuotations(made, { checkReportInput, world, counts });
  expect(made).toHaveLength(5_000);
  for (const { broken } of Object.values(counts)) expect(broken).toBe(0);
  expect(counts["one token changed"]).toMatchObject({ found: 0 });
  expect(counts["repeated, nothing decides"]).toMatchObject({ found: 0 });
  const near = counts["repeated, near decides"]!;
  expect(near.right / near.made).toBeGreaterThanOrEqual(0.99);
  for (const kind of ["unique", "changed white space", "elided middle"])
    expect(counts[kind]!.right / counts[kind]!.made).toBeGreaterThanOrEqual(0.99);
}, 180_000);
