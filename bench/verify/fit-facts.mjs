// `node bench/verify/fit-facts.mjs [--write]`: fits anew how surely a name or path of a message is said of the code, from
// real/fact-features.jsonl; prints what it gives on each set of messages when it is fitted on the others, and with --write
// writes src/verify/message/fact-weights.ts. Everything is computed in a fixed order.
import { readFileSync, writeFileSync } from "node:fs";
import { fitLogistic, scoreOf } from "./fit-logistic.mjs";

const table = new URL("real/fact-features.jsonl", import.meta.url);
const target = new URL("../../src/verify/message/fact-weights.ts", import.meta.url);
const rows = readFileSync(table, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const features = [...new Set(rows.flatMap((row) => Object.keys(row.features)))].sort();
const sets = [...new Set(rows.map(({ set }) => set))].sort();
const spec = { features, l1: 0.01, l2: 0.02 };
const fit = (own) => fitLogistic(own, { ...spec, share: own.map(() => 1 / own.length) });

for (const set of sets) {
  const model = fit(rows.filter((row) => row.set !== set));
  for (const row of rows) if (row.set === set) row.score = scoreOf(row, model);
}
for (const kind of ["name", "path"])
  for (const least of [0.5, 1, 1.5, 2, 2.5]) {
    const counts = [undefined, ...sets].map((set) => {
      const own = rows.filter((row) => row.kind === kind && (!set || row.set === set));
      const told = own.filter(({ score }) => score >= least);
      const right = (list) => list.filter((row) => row.right).length;
      return `${right(told)} of ${told.length} right, ${right(own)} facts`;
    });
    console.log(`${kind} from ${least}: ${counts.join(" · ")}`);
  }
if (process.argv.includes("--write")) writeWeights(fit(rows));

function writeWeights({ bias, weights }) {
  const round = (value) => Number(value.toFixed(3));
  const lines = weights
    .filter(([, weight]) => Math.abs(weight) >= 0.0005)
    .map(([name, weight, usual]) => `    ${name}: [${round(weight)}, ${round(usual)}],`);
  const text = [
    "// How much each number tells of whether a name or a path is said of the code, as `node bench/verify/fit-facts.mjs",
    "// --write` fits it from messages whose wrong references are known.",
    "",
    "/** Each number with its weight and its usual value. */",
    "export const factWeights: { bias: number; weights: Record<string, [number, number]> } = {",
    `  bias: ${round(bias)},`,
    "  weights: {",
    ...lines,
    "  },",
    "};",
    "",
  ];
  writeFileSync(target, text.join("\n"));
}
