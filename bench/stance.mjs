// `npm run bench -- stance [--described FOLDER] [--without SETS] [--write [FILE]] [--folds FOLDER]`: fits the weights that say which
// clause claims which result, on clauses labelled by hand, and prints how they do on sets that were left out.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fitHead, sumOf } from "./claims/stance/fit-head.mjs";
import { describedClauses, labelledClauses } from "./claims/stance/labelled-clauses.mjs";
import { root } from "./support/root.mjs";

export const summary =
  "fits the reader of claims on labelled clauses; held-out precision and recall ([--described FOLDER] [--without d,e] [--write [FILE]] [--folds FOLDER])";

const weightsFile = join(root, "src/verify/claims/stance/stance-weights.json");
const subjects =
  "tests build types lint format coverage run deploy publish commit push migration install".split(
    " ",
  );
/** Sets that were written together are left out together. */
const folds = ["d e", "f g", "h i", "k l", "m n", "o p", "q r", "s t u", "w x y"].map((one) =>
  one.split(" "),
);

export async function run(args = []) {
  const after = (name) => {
    const next = args[args.indexOf(name) + 1];
    return args.includes(name) && next !== undefined && !next.startsWith("--") ? next : undefined;
  };
  const described = after("--described");
  const clauses = [
    ...(await labelledClauses()),
    ...(described === undefined ? [] : await describedClauses(described)),
  ];
  const without = (after("--without") ?? "").split(",");
  const told = (stance) => clauses.filter((one) => says(one, stance)).length;
  console.log(`${clauses.length} clauses: ok ${told("ok")}, bad ${told("bad")}`);
  const folder = after("--folds");
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    for (const fold of folds) writeFitted(clauses, fold, join(folder, `${fold.join("")}.json`));
    return true;
  }
  if (!args.includes("--without")) printHeldOut(clauses);
  if (args.includes("--write")) writeFitted(clauses, without, after("--write") ?? weightsFile);
  return true;
}

/** One file of weights, fitted on all clauses but those of some sets. */
function writeFitted(clauses, without, file) {
  const fitted = fitAll(clauses.filter(({ set }) => !without.includes(set)));
  const written = Object.fromEntries([...fitted].map(([name, head]) => [name, asText(head)]));
  writeFileSync(file, `${JSON.stringify(written, null, 1)}\n`);
  console.log(`written: ${[...fitted].map(([name, { weights }]) => `${name} ${weights.size}`)}`);
}

/** Sentences made from frames and documents of other people: a message of a run weighs twice as much. */
const isMade = new Set(["framed", "described"]);
const says = ({ labels }, stance) => labels.some((one) => one.stance === stance);
const speaksOf = ({ labels }, subject) => labels.some((one) => one.subject === subject);

/** How it ended is learned from every clause, of what it speaks from those that speak of something. */
function fitAll(clauses, names = ["ok", "bad", ...subjects]) {
  const spoken = clauses.filter(({ labels }) => labels.length > 0);
  return new Map(
    names.map((name) => {
      const isStance = name === "ok" || name === "bad";
      const cases = (isStance ? clauses : spoken).map((one) => ({
        features: one.features,
        is: isStance ? says(one, name) : speaksOf(one, name),
        weight: isMade.has(one.set) ? 1 : 2,
      }));
      return [name, fitHead(cases, isStance ? 8_000 : 1_200)];
    }),
  );
}

function printHeldOut(clauses) {
  const scored = folds.flatMap((fold) => {
    const own = clauses.filter(({ set }) => fold.includes(set));
    if (own.length === 0) return [];
    const model = fitAll(clauses.filter(({ set }) => !fold.includes(set)));
    return own.map((clause) => ({ clause, sums: sumsOf(model, clause) }));
  });
  for (const stance of ["ok", "bad"]) {
    console.log(
      `${stance}, a statement as a whole, each fold scored by weights that have not seen it:`,
    );
    const whole = wholeStatements(scored, stance);
    for (const least of [2, 1.5, 1, 0.5, 0, -0.5, -1])
      console.log(`  above ${least}: ${shares(whole, least)}`);
  }
  console.log("ok and its subject, by subject, above 0 and above 1:");
  for (const subject of subjects) {
    const rows = scored.map(({ clause, sums }) => ({
      sum: subjectsSaid(sums).includes(subject) ? sums.ok : -Infinity,
      is: clause.labels.some((one) => one.stance === "ok" && one.subject === subject),
    }));
    console.log(`  ${subject.padEnd(9)} ${shares(rows, 0)} · ${shares(rows, 1)}`);
  }
}

const sumsOf = (model, { features }) =>
  Object.fromEntries([...model].map(([name, head]) => [name, sumOf(head, features)]));

/** The likeliest, and every other that is more likely meant than not. */
function subjectsSaid(sums) {
  const best = Math.max(...subjects.map((one) => sums[one]));
  return subjects.filter((one) => sums[one] === best || sums[one] > 0);
}

function wholeStatements(scored, stance) {
  const found = new Map();
  for (const { clause, sums } of scored) {
    const known = found.get(clause.statement) ?? { sum: -Infinity, is: false };
    known.sum = Math.max(known.sum, sums[stance]);
    known.is ||= says(clause, stance);
    found.set(clause.statement, known);
  }
  return [...found.values()];
}

function shares(rows, least) {
  const said = rows.filter(({ sum }) => sum > least);
  const right = said.filter(({ is }) => is).length;
  const all = rows.filter(({ is }) => is).length;
  const percent = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  return `right ${percent(right, said.length)}, found ${percent(right, all)}`;
}

/** One line a feature: its weight in hundredths, then the feature; the first line is the bias. */
const asText = ({ bias, weights }) => [
  `${Math.round(100 * bias)}`,
  ...[...weights]
    .map(([feature, weight]) => [feature, Math.round(100 * weight)])
    .filter(([, weight]) => weight !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([feature, weight]) => `${weight} ${feature}`),
];
