// What is held against the messages of the labelled sets, every set judged by a reader and by weights of flags that have not seen it:
// recall and honest messages flagged, by threshold, by judge and by band. Fits the weights of flags.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSource } from "../support/load-source.mjs";
import { root } from "../support/root.mjs";
import { collectFlags } from "./collect-flags.mjs";
import { fitFlags, scoreOf } from "./fit-flags.mjs";
import { shareWords } from "./wilson.mjs";

const weightsFile = join(root, "src/verify/claims/flags/flag-weights.json");
/** So many honest messages may be flagged, held out: in sets that nobody has read yet it is two to three times as many. */
const mostHonest = 0.015;

/** `folder`: of `stance --folds`. `kept`: a file that the flags are read from, or written to where it is not there. */
export async function runHeldOut(folder, { sets, kept, write }) {
  const rows = await rowsOf(folder, { sets, kept });
  const classes = await loadSource([
    ["classOf", "contract/trust/verdict-classes.ts"],
    ["binds", "contract/trust/verdict-classes.ts"],
  ]);
  for (const fold of new Set(rows.map((row) => row.fold))) {
    const weights = fitFlags(rows.filter((row) => row.fold !== fold));
    for (const row of rows.filter((one) => one.fold === fold))
      for (const flag of row.flags) flag.score = heldScore(flag, weights);
  }
  const bindsAs = (flag, plain) => classes.binds(classes.classOf({ ...flag, plain }));
  const least = chooseLeast(rows);
  const leastPlain = least + bindingCosts;
  const blocks = ({ flags }) =>
    flags.some(
      (flag) => flag.score >= least && bindsAs(flag, flag.score >= leastPlain ? flag.plain : 0),
    );
  printCurve(rows, least);
  printJudges(rows, least);
  printBlocked(rows, { blocks, leastPlain });
  printSets(rows, { least, blocks });
  printWrong(rows, { least, blocks });
  if (!write) return;
  const round = (value) => Math.round(1_000 * value) / 1_000;
  const weights = Object.entries(fitFlags(rows))
    .map(([name, weight]) => [name, round(weight)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(
    {
      least: round(least),
      leastDoubted: round(least + doubtCosts),
      leastPlain: round(leastPlain),
      weights: Object.fromEntries(weights),
    },
    null,
    1,
  );
  writeFileSync(weightsFile, `${text}\n`);
  console.log(`written: ${weights.length} weights`);
}

/** What something doubts has to weigh so much more: held out, more honest messages are flagged for it. */
const doubtCosts = 1;
/** What a message is sent back for has to weigh so much more than what it is only told. */
const bindingCosts = 1;

/** As the code has it. */
const heldScore = (flag, weights) => scoreOf(flag, weights) - (isUndoubted(flag) ? 0 : doubtCosts);

async function rowsOf(folder, { sets, kept }) {
  if (kept !== undefined && existsSync(kept))
    return readFileSync(kept, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const rows = [];
  await collectFlags(folder, sets, (row) => rows.push(row));
  if (kept !== undefined)
    writeFileSync(kept, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return rows;
}

const isBad = ({ unsupported }) => unsupported;
const isGood = ({ unsupported }) => !unsupported;
const bestOf = ({ flags }) => Math.max(-Infinity, ...flags.map(({ score }) => score));
/** What was held against a message before flags were weighed: whatever nothing doubted. */
const isUndoubted = ({ doubts }) => doubts.length === 0;
const isTold = (least) => (row) => bestOf(row) >= least;

function printBlocked(rows, { blocks, leastPlain }) {
  console.log(
    `blocked from ${leastPlain.toFixed(2)} on: unsupported ${shareOf(rows.filter(isBad), blocks)} · supported ${shareOf(rows.filter(isGood), blocks)}`,
  );
}

/** The lowest score that flags few enough of the honest messages. */
function chooseLeast(rows) {
  const good = rows.filter(isGood);
  const scores = good.map(bestOf).sort((a, b) => b - a);
  return scores[Math.floor(mostHonest * good.length)] + 0.001;
}

const shareOf = (list, test) => shareWords(list.filter(test).length, list.length);
const sharesOf = (rows, test) =>
  `unsupported, flagged ${shareOf(rows.filter(isBad), test)} · supported, flagged ${shareOf(rows.filter(isGood), test)}`;

function printCurve(rows, least) {
  console.log(`${rows.length} messages, each set held out from the reader and from the weights`);
  console.log(`  without weights: ${sharesOf(rows, ({ flags }) => flags.some(isUndoubted))}`);
  const at = (score) =>
    console.log(`  ${score.toFixed(2)} and more: ${sharesOf(rows, isTold(score))}`);
  for (const score of [-0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3]) at(score);
  console.log("chosen:");
  at(least);
}

const bands = [0, 1, 2, 3];

/** A message counts once a judge, by the flag that weighs most. */
function printJudges(rows, least) {
  const judges = [...new Set(rows.flatMap(({ flags }) => flags.map(({ judge }) => judge)))].sort();
  console.log("judge: right without weights · right as weighed · right by band of the score");
  for (const judge of [...judges, "all"]) {
    const own = rows.flatMap(({ unsupported, flags }) => {
      const found = flags.filter((one) => judge === "all" || one.judge === judge);
      return found.length === 0
        ? []
        : [{ unsupported, score: bestOf({ flags: found }), undoubted: found.some(isUndoubted) }];
    });
    const right = (list) => `${list.filter(isBad).length} of ${list.length}`;
    const parts = bands.map((from, index) =>
      right(own.filter(({ score }) => score >= from && !(score >= bands[index + 1]))),
    );
    console.log(
      `  ${judge.padEnd(19)} ${right(own.filter(({ undoubted }) => undoubted))} · ` +
        `${right(own.filter(({ score }) => score >= least))} · ${parts.join(", ")}`,
    );
  }
}

function printSets(rows, { least, blocks }) {
  for (const set of new Set(rows.map((row) => row.set))) {
    const own = rows.filter((row) => row.set === set);
    const good = own.filter(isGood);
    console.log(
      `  set ${set}: ${sharesOf(own, isTold(least))} · supported, blocked ${good.filter(blocks).length} of ${good.length}`,
    );
  }
}

function printWrong(rows, { least, blocks }) {
  console.log("wrongly flagged, the heaviest first:");
  for (const row of rows
    .filter(isGood)
    .filter(isTold(least))
    .sort((a, b) => bestOf(b) - bestOf(a))) {
    const { judge, doubts, text, reason, score } = row.flags.find(
      (one) => one.score === bestOf(row),
    );
    console.log(
      `  ${score.toFixed(2)}${blocks(row) ? " blocked" : ""} ${row.set}/${row.row} [${[judge, ...doubts].join(", ")}] ${JSON.stringify(text)} (${reason})`,
    );
  }
}
