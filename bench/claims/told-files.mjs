// Fits how plainly a message tells that it changed a file. Nobody labels anything: in honest messages the record says
// which of the named files were written, and the words around a name are learned from that.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSource } from "../support/load-source.mjs";
import { root } from "../support/root.mjs";
import { makeRun } from "./make-run.mjs";
import { fitHead, sumOf } from "./stance/fit-head.mjs";

const weightsFile = join(root, "src/verify/claims/deeds/told-weights.json");
const mostFeatures = 2_500;
const deeds = "verify/claims/deeds";
const names = [
  ["resultSetting", "verify/claims/claim-checks.ts"],
  ["readLedger", "verify/evidence/ledger.ts"],
  ["treeReader", "source/tree-reader.ts"],
  ["Repository", "source/repository.ts"],
  ["fatesOf", `${deeds}/fates-of.ts`],
  ["mentionsOf", `${deeds}/mentions-of.ts`],
  ["mentionFeatures", `${deeds}/mentions-of.ts`],
  ["besidesOf", `${deeds}/told-changed.ts`],
];

/** Writes to `folder` one file of weights a fold, and with `write` those that the code reads. `folds`: [name, sets]. */
export async function runToldFiles(folder, { folds, write }) {
  const cases = [];
  const room = await loadSource(names);
  for (const set of folds.flatMap(([, sets]) => sets))
    for (const line of readFileSync(join(root, `bench/claims/sets/${set}.jsonl`), "utf8").split(
      "\n",
    ))
      if (line.trim() !== "")
        cases.push(...(await casesOf(JSON.parse(line), room)).map((one) => ({ ...one, set })));
  mkdirSync(join(folder, "told"), { recursive: true });
  const scored = folds.flatMap(([name, sets]) => {
    const head = fitHead(
      cases.filter(({ set }) => !sets.includes(set)),
      mostFeatures,
    );
    writeFileSync(join(folder, `told/${name}.json`), textOf(head));
    return cases
      .filter(({ set }) => sets.includes(set))
      .map(({ is, features }) => ({ is, told: sumOf(head, features) }));
  });
  printCurve(scored);
  if (write) writeFileSync(weightsFile, textOf(fitHead(cases, mostFeatures)));
}

/** Of one message: {is, features, weight} a mention; those that nobody can tell are left out. */
async function casesOf(row, room) {
  const run = makeRun(row);
  try {
    const ledger = await room.readLedger(run.transcript, { root: run.root });
    const repo = room.Repository.over(room.treeReader(run.root));
    const fates = room.fatesOf(room.resultSetting(run.final, ledger, { repo, runners: [] }));
    const mentions = room.mentionsOf(run.final);
    return mentions.flatMap((mention) => {
      const fate = fates.of(mention.path);
      const is = fate === "written";
      // Of a message that is false somewhere only what the record shows is taken.
      if (fate === "open" || (!is && row.unsupported)) return [];
      const features = room.mentionFeatures(mention, room.besidesOf(mention, mentions, fates));
      return [{ is, features, weight: 1 }];
    });
  } finally {
    run.remove();
  }
}

function printCurve(scored) {
  const count = (test) => scored.filter(test).length;
  console.log(
    `${scored.length} named files, ${count(({ is }) => is)} of them written; each set held out`,
  );
  for (const least of [0, 1, 2, 2.5, 3, 3.5, 4, 5])
    console.log(
      `  told ${least} and more: ${count(({ is, told }) => is && told >= least)} written, ` +
        `${count(({ is, told }) => !is && told >= least)} not`,
    );
}

const textOf = ({ bias, weights }) =>
  `${JSON.stringify(
    [
      String(Math.round(100 * bias)),
      ...[...weights]
        .map(([feature, weight]) => [feature, Math.round(100 * weight)])
        .filter(([, weight]) => weight !== 0)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([feature, weight]) => `${weight} ${feature}`),
    ],
    null,
    1,
  )}\n`;
