// `node bench/verify/fit-flags.mjs [--write]`: fits the second look at the flags of documents anew from the graded flags in
// real/flag-features.jsonl, prints what it gives on repositories that were held out, and with --write writes
// src/verify/second-look/flag-weights.ts. Everything is computed in a fixed order: two runs give the same numbers.
import { readFileSync, writeFileSync } from "node:fs";
import { fitLogistic, scoreOf } from "./fit-logistic.mjs";

const table = new URL("real/flag-features.jsonl", import.meta.url);
const target = new URL("../../src/verify/second-look/flag-weights.ts", import.meta.url);

/**
 * Which numbers speak of which flags; `l1` takes weights back to zero, `l2` keeps them small. Kinds that are right too
 * seldom to be told are in no head: they would only blur the others.
 */
const heads = {
  content: {
    kinds: ["name", "quote"],
    features: "binding below fits_there fits_not blank inside failing",
    l1: 0.008,
    l2: 0.02,
  },
  range: {
    kinds: ["range"],
    features: "longer located file_failed slight far several",
    l1: 0.005,
    l2: 0.03,
  },
};

/** The least share of right flags that a kind must reach on repositories that were held out. */
const goal = 0.95;
/** With fewer flags above the threshold nothing is proven, and the kind abstains. */
const fewest = 20;
const folds = 10;
const rounds = 3;
/**
 * Flags of documents by which the engine was changed until few were wrong count less, and so do those that were graded
 * before it was settled that a plan which has been carried out speaks of what was before. Of documents that are "told"
 * only those flags were graded that an earlier fit let pass: they say nothing of a threshold below its own.
 */
const weightOf = { train: 0.3, measure: 0.3, fresh: 1, told: 1 };

const rows = readFileSync(table, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const measured = rows.filter(({ use }) => use !== "train");
const fresh = rows.filter(({ use }) => use === "fresh" || use === "told");
/** Scores every flag by a fit on the other repositories; averaged over several divisions. */
function holdOut(own, spec, round) {
  const names = [...new Set(own.map(({ repository }) => repository))].sort(byHash(round));
  const fold = new Map(names.map((name, index) => [name, index % folds]));
  for (let part = 0; part < folds; part++) {
    const model = fit(
      own.filter(({ repository }) => fold.get(repository) !== part),
      spec,
    );
    for (const row of own)
      if (fold.get(row.repository) === part) row.score += scoreOf(row, model) / rounds;
  }
}

function byHash(round) {
  const hash = (text) => {
    let value = 2_166_136_261 + round;
    for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0), 16_777_619);
    return (value ^ (value >>> 15)) >>> 0;
  };
  return (a, b) => hash(a) - hash(b) || (a < b ? -1 : 1);
}

/** Of a document with many flags each counts less. */
function fit(own, spec) {
  const counts = new Map();
  for (const row of own) counts.set(documentOf(row), (counts.get(documentOf(row)) ?? 0) + 1);
  const raw = own.map((row) => weightOf[row.use] / Math.sqrt(counts.get(documentOf(row))));
  const total = raw.reduce((sum, value) => sum + value, 0);
  return fitLogistic(own, { ...spec, share: raw.map((value) => value / total) });
}

const documentOf = ({ repository, document }) => `${repository} ${document}`;

/** For each kind the lowest score above which enough of the held-out flags are right, with and without the told ones. */
function chooseThresholds() {
  const kinds = Object.values(heads).flatMap((head) => head.kinds);
  return Object.fromEntries(
    kinds.map((kind) => {
      const own = measured.filter((row) => row.kind === kind).sort((a, b) => b.score - a.score);
      const [whole, open] = [
        [0, 0],
        [0, 0],
      ];
      let found;
      for (const [index, row] of own.entries()) {
        for (const sum of row.use === "told" ? [whole] : [whole, open]) {
          sum[0] += row.right ? weightOf[row.use] : 0;
          sum[1] += weightOf[row.use];
        }
        const isLast = own[index + 1]?.score !== row.score;
        const isGood = [whole, open].every(([right, all]) => right >= goal * all);
        if (isLast && index + 1 >= fewest && isGood) found = row.score;
      }
      return [kind, found === undefined ? undefined : Math.floor(found * 100) / 100];
    }),
  );
}

const isKept = (row, margin = 0) =>
  thresholds[row.kind] !== undefined && row.score >= thresholds[row.kind] + margin;

function printTables() {
  const kinds = Object.keys(thresholds);
  console.log(
    `${rows.length} graded flags, ${measured.length} of them measured, held out by repository`,
  );
  for (const kind of kinds)
    printLine(
      kind,
      measured.filter((row) => row.kind === kind),
    );
  for (const margin of [-0.5, -0.25, 0, 0.25, 0.5])
    printLine(`all, thresholds ${margin < 0 ? "" : "+"}${margin}`, measured, margin);
  printLine("the last first contacts", fresh);
}

function printLine(title, own, margin = 0) {
  const kept = own.filter((row) => isKept(row, margin));
  const right = kept.filter((row) => row.right).length;
  const all = own.filter((row) => row.right).length;
  const least = wilson(right, kept.length);
  const per = (value) => `${(100 * value).toFixed(1)} %`;
  console.log(
    `  ${title.padEnd(24)} all ${all} of ${own.length} right · kept ${right} of ${kept.length}` +
      (kept.length === 0
        ? ""
        : `, ${per(right / kept.length)} (at least ${per(least)}), ${per(right / Math.max(1, all))} of the right ones`),
  );
}

/** The lower end of what the share may be, 19 times of 20. */
function wilson(right, all) {
  if (all === 0) return 0;
  const [share, z] = [right / all, 1.96];
  const middle = share + (z * z) / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  return (middle - spread) / (1 + (z * z) / all);
}

function writeWeights() {
  const round = (value) => Number(value.toFixed(3));
  const lines = Object.entries(fitted).flatMap(([name, { bias, weights }]) => [
    `  ${name}: {`,
    `    bias: ${round(bias)},`,
    `    weights: {`,
    ...weights
      .filter(([, weight]) => Math.abs(weight) >= 0.0005)
      .map(([feature, weight, usual]) => `      ${feature}: [${round(weight)}, ${round(usual)}],`),
    "    },",
    "  },",
  ]);
  const least = Object.entries(thresholds)
    .filter(([, value]) => value !== undefined)
    .map(([kind, value]) => `  ${kind}: ${value},`);
  const text = [
    "// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.",
    'import type { FlagKind } from "./flag-features.ts";',
    "",
    "/** Each number with its weight and its usual value. */",
    "type Weights = { bias: number; weights: Record<string, [number, number]> };",
    "",
    'export const flagWeights: Record<"content" | "range", Weights> = {',
    ...lines,
    "};",
    "",
    "/** The least score of a flag of each kind that is told; a kind without one is not told of documents. */",
    "export const leastScore: Partial<Record<FlagKind, number>> = {",
    ...least,
    "};",
    "",
  ];
  writeFileSync(target, text.join("\n"));
}

const fitted = {};
for (const [name, head] of Object.entries(heads)) {
  const own = rows.filter(({ kind }) => head.kinds.includes(kind));
  const spec = { ...head, features: head.features.split(" ") };
  for (const row of own) row.score = 0;
  for (let round = 0; round < rounds; round++) holdOut(own, spec, round);
  fitted[name] = fit(own, spec);
}
const thresholds = chooseThresholds();
printTables();
if (process.argv.includes("--write")) writeWeights();
