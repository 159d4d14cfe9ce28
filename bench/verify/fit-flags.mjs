// `node bench/verify/fit-flags.mjs [--write]`: fits the second look at the flags of documents anew from the graded flags in
// real/flag-features.jsonl, prints what it gives on repositories that were held out, and with --write writes
// src/verify/second-look/flag-weights.ts. Everything is computed in a fixed order: two runs give the same numbers.
import { readFileSync, writeFileSync } from "node:fs";
import { fitLogistic, scoreOf } from "./fit-logistic.mjs";

const table = new URL("real/flag-features.jsonl", import.meta.url);
const target = new URL("../../src/verify/second-look/flag-weights.ts", import.meta.url);

/**
 * Which numbers a head weighs; a doubtful reading that stands alone has none and is not told. `l1` takes weights back to
 * zero, `l2` keeps them small.
 */
const lineFeatures =
  "plan review binding rivals failing failing_plan file_failed weak elsewhere rough several row";
const heads = {
  content: { l1: 0.004, l2: 0.02, without: ["failing_plan"] },
  doubtful: { features: words("below blank fits_not fits_there inside"), l1: 0.004, l2: 0.05 },
  lines: { features: words(lineFeatures), l1: 0.004, l2: 0.05 },
  path: { l1: 0.004, l2: 0.02, without: ["binding"] },
  path_moved: { features: words("plan namesake"), l1: 0.004, l2: 0.05 },
};
/** The least share of right flags that each head must reach on repositories that were held out. */
const goal = 0.91;
/**
 * A quotation that differs in a token is never held against a document: it is an abridged one too often; nor is a name that
 * or a quotation that the file has not: they are too often said of another.
 */
const untold = ["altered", "name_away", "name_nowhere", "quote_away"];
/** With fewer flags above the threshold nothing is proven, and the kind abstains. */
const fewest = 15;
const lastFew = 8;
const leastAtEnd = 0.65;
const folds = 10;
const rounds = 3;
/**
 * Earlier grades count less: the engine was changed by many of them. One that was drawn at random stands for `of`, up to
 * a limit. A place that a plan names, and that its own execution moved, is outdated: such a flag is right.
 */
const weightOf = { earlier: 0.6, fresh: 1, drawn: 1 };
const mostOf = 8;
const countOf = ({ use, of = 1 }) => weightOf[use] * Math.min(of, mostOf);

const rows = readFileSync(table, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const documentOf = ({ repository, document }) => `${repository} ${document}`;
const counts = new Map();
for (const row of rows) counts.set(documentOf(row), (counts.get(documentOf(row)) ?? 0) + 1);
const rowsOf = (head) => rows.filter((row) => row.head === head);

/** Scores every flag by a fit on the other repositories; averaged over several divisions. */
function holdOut(own, head, round) {
  const names = [...new Set(own.map(({ repository }) => repository))].sort(byHash(round));
  const fold = new Map(names.map((name, index) => [name, index % folds]));
  for (let part = 0; part < folds; part++) {
    const others = own.filter(({ repository }) => fold.get(repository) !== part);
    const model = fit(others, head);
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
function fit(own, { l1, l2, without = [], features = featuresOf(own, without) }) {
  const raw = own.map((row) => {
    const drawn = row.use === "drawn" ? Math.max(1, Math.min(4, 0.15 * row.of)) : weightOf[row.use];
    return drawn / Math.sqrt(counts.get(documentOf(row)));
  });
  const total = raw.reduce((sum, value) => sum + value, 0);
  return fitLogistic(own, { l1, l2, features, share: raw.map((value) => value / total) });
}

/** All that some flag of a head has. */
function featuresOf(own, without) {
  const names = [...new Set(own.flatMap((row) => Object.keys(row.features)))].sort();
  return names.filter((name) => !without.includes(name));
}

function words(text) {
  return text.split(" ");
}

/** For each kind of a head; of doubtful readings, and of the kinds of quotations, there are too few for each. */
function leastScores(head) {
  const kinds = [...new Set(rowsOf(head).map(({ kind }) => kind))].sort();
  const told = kinds.filter((kind) => !untold.includes(kind));
  const quotes = told.filter((kind) => kind.startsWith("quote"));
  const withThose = (kind) =>
    head === "doubtful" ? told : quotes.includes(kind) ? quotes : [kind];
  const found = told.map((kind) => [kind, leastOf(withThose(kind), head)]);
  return Object.fromEntries(found.filter(([, least]) => least !== undefined));
}

/**
 * For each kind the lowest score above which enough of the held-out flags are right: with and without what the drawn ones
 * stand for, without the earlier grades, and of the last few that are told.
 */
function leastOf(kinds, head) {
  const own = rowsOf(head)
    .filter(({ kind }) => kinds.includes(kind))
    .sort((a, b) => b.score - a.score);
  const counts = [countOf, ({ use }) => weightOf[use], ({ use }) => (use === "earlier" ? 0 : 1)];
  const sums = counts.map(() => [0, 0]);
  let found;
  for (const [index, row] of own.entries()) {
    for (const [at, count] of counts.entries()) {
      sums[at][0] += row.right ? count(row) : 0;
      sums[at][1] += count(row);
    }
    const isLast = own[index + 1]?.score !== row.score;
    const isGood =
      sums.every(([right, all]) => right >= goal * all) &&
      shareOf(own.slice(Math.max(0, index + 1 - lastFew), index + 1)) >= leastAtEnd;
    if (isLast && index + 1 >= fewest && isGood) found = row.score;
  }
  return found === undefined ? undefined : Math.floor(found * 100) / 100;
}

function shareOf(own) {
  const sum = (list) => list.reduce((total, { use }) => total + weightOf[use], 0);
  return sum(own.filter((row) => row.right)) / sum(own);
}

const isKept = (row, margin = 0) =>
  row.score >= (leastScore[row.head]?.[row.kind] ?? Infinity) + margin;

function printTables() {
  console.log(`${rows.length} graded flags, held out by repository`);
  for (const head of [...Object.keys(heads), "lone"]) printLine(head, rowsOf(head));
  for (const kind of [...new Set(rows.map((row) => row.kind))].sort())
    printLine(
      `  all of ${kind}`,
      rows.filter((row) => row.kind === kind),
    );
  for (const isPlan of [0, 1])
    printLine(
      isPlan ? "plans" : "other documents",
      rows.filter(({ features }) => (features.plan ?? 0) === isPlan),
    );
  for (const margin of [-0.5, -0.25, 0, 0.25, 0.5])
    printLine(`all, thresholds ${margin < 0 ? "" : "+"}${margin}`, rows, margin);
  printLine(
    "by the present rules",
    rows.filter(({ use }) => use !== "earlier"),
  );
  const drawn = rows.filter((row) => row.use !== "earlier" && isKept(row));
  const sum = (own) => own.reduce((total, { of = 1 }) => total + of, 0);
  const [right, all] = [sum(drawn.filter((row) => row.right)), sum(drawn)];
  console.log(
    `  with what the drawn ones stand for: ${right} of ${all}, ${((100 * right) / all).toFixed(1)} %`,
  );
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
  const lines = Object.entries(heads).flatMap(([name, head]) => {
    const { bias, weights } = fit(rowsOf(name), head);
    return [
      `  ${name}: {`,
      `    bias: ${round(bias)},`,
      "    weights: {",
      ...weights
        .filter(([, weight]) => Math.abs(weight) >= 0.0005)
        .map(([name, weight, usual]) => `      ${name}: [${round(weight)}, ${round(usual)}],`),
      "    },",
      "  },",
    ];
  });
  const text = [
    "// The weights of the second look, as `node bench/verify/fit-flags.mjs --write` fits them from graded flags.",
    'import type { FlagKind } from "./flag-features.ts";',
    "",
    "/**",
    " * What is weighed by the same numbers: what is said of a place, by a sure reading or a doubtful one; lines that a",
    " * file has not; a path that is not here; one whose content stands elsewhere.",
    " */",
    `export type FlagHead = ${Object.keys(heads)
      .map((head) => `"${head}"`)
      .join(" | ")};`,
    "",
    "/** Each number with its weight and its usual value. */",
    "type Weights = { bias: number; weights: Record<string, [number, number]> };",
    "",
    "export const flagWeights: Record<FlagHead, Weights> = {",
    ...lines,
    "};",
    "",
    "/** The least score of a flag that is told; a kind without one is not told of documents. */",
    "export const leastScore: Record<FlagHead, Partial<Record<FlagKind, number>>> = {",
    ...Object.entries(leastScore).map(([head, kinds]) => {
      const told = Object.entries(kinds).map(([kind, value]) => `${kind}: ${value}`);
      return `  ${head}: { ${told.join(", ")} },`;
    }),
    "};",
    "",
  ];
  writeFileSync(target, text.join("\n"));
}

for (const row of rows) row.score = 0;
for (const [name, head] of Object.entries(heads))
  for (let round = 0; round < rounds; round++) holdOut(rowsOf(name), head, round);
const leastScore = Object.fromEntries(Object.keys(heads).map((head) => [head, leastScores(head)]));
printTables();
if (process.argv.includes("--write")) writeWeights();
