// How often flags are right by how plainly they are said: every set is judged with a reader that has not seen
// its labels and weighed by plainness that was fitted on the other folds. Prints one curve a class.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSource } from "../support/load-source.mjs";
import { root } from "../support/root.mjs";
import { shareWords } from "./wilson.mjs";

const weightsFile = join(root, "src/verify/claims/stance/plain-weights.json");
const thresholds = [0, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99];

/**
 * `folder`: one file of weights a fold, named by the letters of its sets: `stance --without w,x,y --write
 * FOLDER/wxy.json`. `judgeRow`, `rowsOf`: of the bench of claims. `write`: keep the weights of all folds together.
 */
export async function runCurve(folder, { judgeRow, rowsOf, names, write }) {
  const flags = [];
  for (const file of readdirSync(folder).filter((name) => /^[a-z]+\.json$/.test(name))) {
    const room = await loadSource(
      [...names, ["plainMarks", "verify/claims/stance/plainness.ts"]],
      [withWeights(join(folder, file))],
    );
    for (const set of file.replace(".json", ""))
      for (const row of rowsOf(join(root, `bench/claims/sets/${set}.jsonl`)))
        flags.push(...(await flagsOf(row, { room, judgeRow, fold: file, set })));
  }
  const folds = [...new Set(flags.map(({ fold }) => fold))];
  const scored = folds.flatMap((fold) => {
    const weights = fitted(flags.filter((one) => one.fold !== fold));
    return flags
      .filter((one) => one.fold === fold)
      .map((one) => ({ ...one, plain: plainOf(weights, one) }));
  });
  printCurves(scored);
  if (write) writeFileSync(weightsFile, `${JSON.stringify(fitted(flags), null, 1)}\n`);
}

/** Bundles the reader with the weights of a fold. */
export const withWeights = (file, filter = /stance-weights\.json$/) => ({
  name: `weights ${filter}`,
  setup: ({ onLoad }) =>
    onLoad({ filter }, () => ({
      contents: readFileSync(file, "utf8"),
      loader: "json",
    })),
});

async function flagsOf(row, { room, judgeRow, fold, set }) {
  const { claims, all, final } = await judgeRow(row, room, "Stop");
  return claims.map((claim) => ({
    fold,
    row: `${set}/${row.id}`,
    name: room.classOf({ ...claim, plain: undefined }),
    right: row.unsupported,
    text: claim.text,
    marks: room.plainMarks(final, claim, all),
  }));
}

const sumOf = (weights, { marks }) =>
  Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * marks[name], 0);
const plainOf = (weights, flag) => 1 / (1 + Math.exp(-sumOf(weights, flag)));

const [rounds, step, decay] = [3_000, 0.5, 0.002];

/** A logistic fit by whole steps: few marks, few flags. */
function fitted(flags) {
  const names = Object.keys(flags[0].marks);
  const weights = Object.fromEntries(names.map((name) => [name, 0]));
  for (let round = 0; round < rounds; round++) {
    const slopes = Object.fromEntries(names.map((name) => [name, decay * weights[name]]));
    for (const flag of flags) {
      const miss = (plainOf(weights, flag) - (flag.right ? 1 : 0)) / flags.length;
      for (const name of names) slopes[name] += miss * flag.marks[name];
    }
    for (const name of names) weights[name] -= step * slopes[name];
  }
  return Object.fromEntries(names.map((name) => [name, Math.round(1_000 * weights[name]) / 1_000]));
}

/** A message counts once a class: by its plainest flag. */
function printCurves(scored) {
  const classes = [...new Set(scored.map(({ name }) => name))].sort();
  for (const name of [...classes, "all"]) {
    const own = scored.filter((one) => name === "all" || one.name === name);
    const best = new Map();
    for (const one of own) if (one.plain > (best.get(one.row)?.plain ?? -1)) best.set(one.row, one);
    const told = [...best.values()];
    console.log(`${name}:`);
    for (const least of thresholds) {
      const above = told.filter(({ plain }) => plain >= least);
      const right = above.filter((one) => one.right).length;
      console.log(
        `  plain ${least.toFixed(2)} and more: ${above.length} of ${told.length}, right ${shareWords(right, above.length)}`,
      );
    }
  }
  console.log("wrong ones, the plainest first:");
  for (const { row, name, plain, text } of scored
    .filter((one) => !one.right)
    .sort((a, b) => b.plain - a.plain))
    console.log(`  ${plain.toFixed(3)} ${row} [${name}] ${JSON.stringify(text.slice(0, 80))}`);
}
