import { expect, test } from "vitest";
import { fileURLToPath } from "node:url";
import { Repository } from "../source/repository.ts";
import { treeReader } from "../source/tree-reader.ts";
import { verifyReport } from "./verify-report.ts";

type Figures = {
  references: number;
  true: number;
  wrong: number;
  falseAlarm: number;
  falseAssurance: number;
  recall: number;
  relocation: number;
  decisive: number;
};
type Bench = {
  readPackage: (name: string, root: string) => unknown;
  random: (seed: number) => unknown;
  developmentShapes: unknown[];
  heldOutShapes: unknown[];
  makeCases: (
    pack: unknown,
    shapes: unknown[],
    options: { r: unknown; perShape: number; perMutation: number },
  ) => unknown[];
  judgeCases: (
    cases: unknown[],
    options: { verifyReport: typeof verifyReport; repository: Repository },
  ) => unknown;
  figures: (cases: unknown[]) => Figures;
};

const bench = new URL("../../bench/verify/", import.meta.url);
const load = async (): Promise<Bench> =>
  Object.assign(
    {},
    ...(await Promise.all(
      ["facts", "random", "shapes", "cases", "score"].map(
        (name) => import(new URL(`${name}.mjs`, bench).href),
      ),
    )),
  ) as Bench;

// The same generator as `npm run bench -- verify`, on a small project in nine languages.
test("keeps its figures on the sample project", async () => {
  const { readPackage, random, developmentShapes, heldOutShapes, makeCases, judgeCases, figures } =
    await load();
  const root = fileURLToPath(new URL("sample", bench));
  const cases = makeCases(readPackage("sample", root), [...developmentShapes, ...heldOutShapes], {
    r: random(7),
    perShape: 10,
    perMutation: 2,
  });
  judgeCases(cases, { verifyReport, repository: new Repository(treeReader(root)) });
  const found = figures(cases);
  expect(found.references).toBeGreaterThan(3000);
  expect(found.falseAlarm).toBeLessThanOrEqual(0.001);
  expect(found.falseAssurance).toBeLessThanOrEqual(0.003);
  expect(found.recall).toBeGreaterThanOrEqual(0.9);
  expect(found.relocation).toBeGreaterThanOrEqual(0.8);
  expect(found.decisive).toBeGreaterThanOrEqual(0.9);
});
