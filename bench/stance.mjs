// `npm run bench -- stance [--write]`: fits the weights that say how plainly a clause claims a result, on
// clauses labelled by hand, and prints how they do on sets that were left out. `--write` keeps them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fitHead, sumOf } from "./claims/stance/fit-head.mjs";
import { loadSource } from "./support/load-source.mjs";
import { root } from "./support/root.mjs";

export const summary =
  "fits the weights of stance on labelled clauses; held-out precision and recall ([--write])";

const folder = join(root, "bench/claims/stance");
const weightsFile = join(root, "src/verify/claims/stance/stance-weights.json");
const heads = ["ok", "bad"];
/** Sets that were written together are left out together. */
const folds = ["d e", "f g", "h i", "k l", "m n", "o p"].map((one) => one.split(" "));

export async function run(args = []) {
  const clauses = await labelledClauses();
  const count = (head) => clauses.filter((one) => one[head]).length;
  console.log(`${clauses.length} clauses: ok ${count("ok")}, bad ${count("bad")}`);
  for (const head of heads) printHeldOut(clauses, head);
  if (!args.includes("--write")) return true;
  const fitted = heads.map((head) => [head, rounded(fitHead(clauses, head))]);
  writeFileSync(weightsFile, `${JSON.stringify(Object.fromEntries(fitted), null, 1)}\n`);
  console.log(
    `written: ${fitted.map(([head, { weights }]) => `${head} ${Object.keys(weights).length} features`)}`,
  );
  return true;
}

function printHeldOut(clauses, head) {
  const scored = folds.flatMap((fold) => {
    const model = fitHead(
      clauses.filter(({ set }) => !fold.includes(set)),
      head,
    );
    return clauses
      .filter(({ set }) => fold.includes(set))
      .map((one) => ({
        sum: sumOf(model, one.features),
        is: one[head],
        claimed: one.claimed,
        fold,
      }));
  });
  console.log(`${head}, each fold scored by weights that have not seen it:`);
  for (const least of [2, 1, 0, -1, -2])
    console.log(`  above ${least}: ${shares(scored, (one) => one.sum > least)}`);
  if (head === "ok")
    console.log(`  the lists of words alone: ${shares(scored, (one) => one.claimed)}`);
}

function shares(scored, isSaid) {
  const said = scored.filter(isSaid);
  const right = said.filter(({ is }) => is).length;
  const all = scored.filter(({ is }) => is).length;
  const percent = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  return `right ${percent(right, said.length)}, found ${percent(right, all)}`;
}

const rounded = ({ bias, weights }) => ({
  bias: Number(bias.toFixed(2)),
  weights: Object.fromEntries(
    [...weights]
      .map(([feature, weight]) => [feature, Number(weight.toFixed(2))])
      .filter(([, weight]) => weight !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
});

/** {set, features, ok, bad, claimed} of every clause of the labelled messages. */
async function labelledClauses() {
  const { statementsOf, stanceFeatures } = await loadSource([
    ["statementsOf", "verify/claims/words/statements.ts"],
    ["stanceFeatures", "verify/claims/stance/stance-features.ts"],
  ]);
  return messages().flatMap(({ set, text, labels }) =>
    statementsOf(text).flatMap((statement) =>
      statement.kind === "fence"
        ? []
        : statement.clauses.map((clause) => {
            const features = stanceFeatures(text, statement, clause);
            const own = labels.filter(({ words }) => speaks(text, statement, clause, words));
            const is = (head) => own.some(({ stance }) => stance === head);
            return {
              set,
              features,
              ok: is("ok"),
              bad: is("bad"),
              claimed: features.includes("L:claimed"),
            };
          }),
    ),
  );
}

/** The labelled words overlap the clause by more than their edge. */
function speaks(text, statement, clause, words) {
  const at = text.indexOf(words, statement.span[0]);
  if (at < 0 || at >= statement.span[1]) return false;
  const shared = Math.min(at + words.length, clause.span[1]) - Math.max(at, clause.span[0]);
  const least = Math.min(words.length, clause.span[1] - clause.span[0]);
  return shared >= Math.min(4, words.length) && shared >= 0.3 * least;
}

const linesOf = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");

function messages() {
  const labels = new Map();
  for (const line of linesOf(join(folder, "labels.tsv"))) {
    const [row, , stance, words] = line.split("\t");
    labels.set(row, [...(labels.get(row) ?? []), { stance, words }]);
  }
  const own = folds.flat().flatMap((set) =>
    linesOf(join(root, `bench/claims/sets/${set}.jsonl`)).map((line) => {
      const { id, final } = JSON.parse(line);
      return { set, text: final, labels: labels.get(`${set}/${id}`) ?? [] };
    }),
  );
  const written = linesOf(join(folder, "messages.jsonl")).map((line) => ({
    set: "extra",
    ...JSON.parse(line),
  }));
  return [...own, ...written];
}
