// `node bench/verify/fit-flags.mjs [--write]`: fits the second look at the flags of documents anew from the graded flags in
// real/flag-features.jsonl, prints what it gives on repositories that were held out, and with --write writes
// src/verify/second-look/flag-weights.ts. Everything is computed in a fixed order: two runs give the same numbers.
import { readFileSync, writeFileSync } from "node:fs";
import { fitLogistic, scoreOf } from "./fit-logistic.mjs";

const table = new URL("real/flag-features.jsonl", import.meta.url);
const target = new URL("../../src/verify/second-look/flag-weights.ts", import.meta.url);

/** What each head weighs. `l2` keeps the weights small. */
const heads = {
  content: {
    features: words(
      "below binding document_failed file_failed alone fits_there rivals strength weight plan",
    ),
    l2: 0.02,
  },
  lines: { features: words("binding file_failed weak"), l2: 0.05 },
};
/** The least share of right flags that each kind must reach on repositories that were held out. */
const goal = 0.92;
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

/** All that is told from: the fit of each head, and the least score of each kind. */
function trained(own) {
  const scores = new Map(own.map((row) => [row, 0]));
  const models = {};
  for (const [name, head] of Object.entries(heads)) {
    const weighed = own.filter((row) => row.head === name);
    for (let round = 0; round < rounds; round++) holdOut(weighed, { head, round, scores });
    models[name] = fit(weighed, head);
  }
  const least = ["name", "quote", "range"].map((kind) => [kind, leastOf(kind, scores)]);
  const leastScore = Object.fromEntries(least.filter(([, score]) => score !== undefined));
  return { scores, models, leastScore };
}

/** Scores every flag by a fit on the other repositories; averaged over several divisions. */
function holdOut(own, { head, round, scores }) {
  const names = [...new Set(own.map(({ repository }) => repository))].sort(byHash(round));
  const fold = new Map(names.map((name, index) => [name, index % folds]));
  for (let part = 0; part < folds; part++) {
    const others = own.filter(({ repository }) => fold.get(repository) !== part);
    const model = fit(others, head);
    for (const row of own)
      if (fold.get(row.repository) === part)
        scores.set(row, scores.get(row) + scoreOf(row, model) / rounds);
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
const shareIn = (row) => 1 / Math.sqrt(counts.get(documentOf(row)));

function fit(own, { l2, features }) {
  const raw = own.map((row) => {
    const drawn = row.use === "drawn" ? Math.max(1, Math.min(4, 0.15 * row.of)) : weightOf[row.use];
    return drawn * shareIn(row);
  });
  const total = raw.reduce((sum, value) => sum + value, 0);
  return fitLogistic(own, { l1: 0, l2, features, share: raw.map((value) => value / total) });
}

function words(text) {
  return text.split(" ");
}

/**
 * For each kind the lowest score above which enough of the held-out flags are right: with what the drawn ones stand for,
 * without the earlier grades, and with the many of one document counted as fewer. So are the last few that are told.
 */
function leastOf(kind, scores) {
  const scoreOf = (row) => scores.get(row);
  const own = [...scores.keys()]
    .filter((row) => row.kind === kind && row.head)
    .sort((a, b) => scoreOf(b) - scoreOf(a));
  const isOwn = ({ use }) => (use === "earlier" ? 0 : 1);
  const counts = [countOf, isOwn, (row) => isOwn(row) * shareIn(row)];
  const sums = counts.map(() => [0, 0]);
  let found;
  for (const [index, row] of own.entries()) {
    for (const [at, count] of counts.entries()) {
      sums[at][0] += row.right ? count(row) : 0;
      sums[at][1] += count(row);
    }
    const isLast = index + 1 === own.length || scoreOf(own[index + 1]) !== scoreOf(row);
    const isGood =
      sums.every(([right, all]) => right >= goal * all) &&
      shareOf(own.slice(Math.max(0, index + 1 - lastFew), index + 1)) >= leastAtEnd;
    if (isLast && index + 1 >= fewest && isGood) found = scoreOf(row);
  }
  return found === undefined ? undefined : Math.floor(found * 100) / 100;
}

function shareOf(own) {
  const sum = (list) => list.reduce((total, { use }) => total + weightOf[use], 0);
  return sum(own.filter((row) => row.right)) / sum(own);
}

const isTold = (row, score, { leastScore }) =>
  row.head ? score >= (leastScore[row.kind] ?? Infinity) : row.told;

/** By repositories that were held out, and by whole sets that were: what the next set may give. */
function printTables(model) {
  const all = rows.map((row) => [row, isTold(row, model.scores.get(row), model)]);
  console.log(`${rows.length} graded flags, held out by repository`);
  for (const kind of ["name", "quote", "range", "path"])
    for (const isWeighed of [true, false])
      printLine(
        isWeighed ? kind : `${kind}, by a rule`,
        all.filter(([row]) => row.kind === kind && (row.head !== undefined) === isWeighed),
      );
  printLine("all", all);
  console.log("Each of the last sets by a fit on all others");
  const sets = lastSets.map((set) => [set, leftOut(set)]);
  for (const [set, told] of sets) printLine(`set ${set}`, told);
  printLine(
    "all of them",
    sets.flatMap(([, told]) => told),
  );
}

const lastSets = [9, 10, 11, 12, 13, 14];

/** A set of which neither a flag nor a repository is in the fit. */
function leftOut(set) {
  const own = rows.filter((row) => row.set === set && row.use === "fresh");
  const repositories = new Set(own.map(({ repository }) => repository));
  const model = trained(rows.filter((row) => row.set !== set && !repositories.has(row.repository)));
  return own.map((row) => {
    const score = row.head ? scoreOf(row, model.models[row.head]) : 0;
    return [row, isTold(row, score, model)];
  });
}

function printLine(title, all) {
  if (all.length === 0) return;
  const told = all.filter(([, isTold]) => isTold).map(([row]) => row);
  const rightOf = (list) => list.filter(({ right }) => right).length;
  const right = rightOf(told);
  const whole = rightOf(all.map(([row]) => row));
  const least = wilson(right, told.length);
  const per = (value) => `${(100 * value).toFixed(1)} %`;
  console.log(
    `  ${title.padEnd(24)} ${whole} of ${all.length} right · told ${right} of ${told.length}` +
      (told.length === 0
        ? ""
        : `, ${per(right / told.length)} (at least ${per(least)}), ${per(right / Math.max(1, whole))} of the right ones`),
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

function writeWeights({ models, leastScore }) {
  const round = (value) => Number(value.toFixed(3));
  const lines = Object.entries(models).flatMap(([name, { bias, weights }]) => {
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
    "/** What is weighed by the same numbers: what is said of a place; lines that a file has not. */",
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
    "export const leastScore: Partial<Record<FlagKind, number>> = {",
    ...Object.entries(leastScore).map(([kind, value]) => `  ${kind}: ${value},`),
    "};",
    "",
  ];
  writeFileSync(target, text.join("\n"));
}

const model = trained(rows);
printTables(model);
if (process.argv.includes("--write")) writeWeights(model);
