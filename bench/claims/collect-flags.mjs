// Every flag that may be held against the messages of the labelled sets, with what it is weighed by: each set
// is read by a reader that has not seen its labels.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { loadSource } from "../support/load-source.mjs";
import { root } from "../support/root.mjs";
import { withWeights } from "./curve.mjs";
import { makeRun } from "./make-run.mjs";

const names = [
  ["claimCandidates", "verify/claims/claim-checks.ts"],
  ["fromSilence", "verify/claims/flags/from-record.ts"],
  ["weighFlags", "verify/claims/flags/hold-flags.ts"],
  ["isCertain", "verify/claims/flags/doubts-of.ts"],
  ["fileEvidence", "verify/collect-checks.ts"],
  ["readLedger", "verify/evidence/ledger.ts"],
  ["treeReader", "source/tree-reader.ts"],
  ["Repository", "source/repository.ts"],
];

/** `folder`: of `stance --folds` and `claims --told-files`. Gives {fold, row, unsupported, flags: [{judge, doubts, text, reason, marks}]}. */
export async function collectFlags(folder, sets, each = () => {}) {
  for (const [fold, own] of foldsOf(folder, sets)) {
    const files = [
      [join(folder, `${fold}.json`), /stance-weights\.json$/],
      [join(folder, `told/${fold}.json`), /told-weights\.json$/],
    ].filter(([file]) => existsSync(file));
    const room = await loadSource(
      names,
      files.map(([file, filter]) => withWeights(file, filter)),
    );
    for (const set of own)
      for (const line of readFileSync(join(root, `bench/claims/sets/${set}.jsonl`), "utf8").split(
        "\n",
      ))
        if (line.trim() !== "") each({ fold, set, ...(await flagsOf(JSON.parse(line), room)) });
  }
}

/** A set without labels was seen by no reader: it is a fold of its own. */
export function foldsOf(folder, sets) {
  const folds = readdirSync(folder)
    .filter((name) => /^[a-z]+\.json$/.test(name))
    .map((name) => name.replace(".json", ""));
  const found = new Map();
  for (const set of sets) {
    const fold = folds.find((one) => set.length === 1 && one.includes(set)) ?? set;
    found.set(fold, [...(found.get(fold) ?? []), set]);
  }
  return found;
}

async function flagsOf(row, room) {
  const run = makeRun(row);
  try {
    const ledger = await room.readLedger(run.transcript, { root: run.root });
    const repo = room.Repository.over(room.treeReader(run.root));
    const evidence = room.fileEvidence({ ledger }, repo);
    const given = { ledger, repo, evidence, rerun: undefined, base: undefined, runners: [] };
    const { checks, setting } = await room.claimCandidates(run.final, given);
    const silent = room.fromSilence(run.final, setting);
    const flags = [checks, silent]
      .flatMap((list) => [...room.weighFlags(run.final, list, setting).values()])
      .filter(({ doubts }) => !doubts.some(room.isCertain));
    return {
      row: row.id,
      unsupported: row.unsupported,
      flags: flags.map(({ flag, doubts, marks, plain }) => ({
        judge: flag.judge,
        kind: flag.kind,
        verdict: flag.verdict,
        cause: flag.cause,
        doubts: doubts.map(({ doubt }) => doubt),
        text: flag.text.slice(0, 120),
        reason: flag.reason.slice(0, 160),
        marks,
        plain,
      })),
    };
  } finally {
    run.remove();
  }
}
