// `node bench/verify/collect-flags.mjs DOCUMENTS.jsonl TABLE.jsonl`: every flag that the engine raises before its
// second look, with its features and the grade that a person gave it. A line of DOCUMENTS is
// `{repository, commit, document, tree, file, labels: [[span, verdict, right]], use}`; `use` is "fresh" for documents of
// the last first contacts, "told" where only what the second look let pass was graded, "measure" for others by which the
// engine was not changed, else "train". Only graded flags that the document does not disclaim itself come into the table.
import { build } from "esbuild";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const flagged = new Set(["relocated", "altered", "missing", "out_of_range", "wrong_symbol"]);
const [documents, table, root = process.cwd()] = process.argv.slice(2);
const room = await loadRoom();
const lines = readFileSync(documents, "utf8").trim().split("\n");
let [repo, tree] = [undefined, undefined];
const rows = lines.flatMap((line) => {
  const job = JSON.parse(line);
  if (job.tree !== tree) repo = new room.Repository(room.treeReader(job.tree));
  tree = job.tree;
  return flagsOf(job, repo);
});
writeFileSync(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
console.log(`${rows.length} graded flags of ${lines.length} documents`);

function flagsOf({ repository, commit, document, file, labels, use }, repo) {
  const report = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const folder = document.includes("/") ? document.slice(0, document.lastIndexOf("/")) : ".";
  const { claims } = room.readClaims(report, { repo, place: { document, folder } });
  const all = claims.map((claim) => ({ claim, judged: room.judgeClaim(claim, repo) }));
  const judged = room.judgedDocument(all, { report, repo });
  return all.flatMap((one) => {
    const { start, end } = one.claim;
    const { verdict: said } = one.judged;
    const right = flagged.has(said) ? gradeOf(labels, { start, end, said }) : undefined;
    if (right === undefined || room.disclaimed(one, judged)) return [];
    const features = compact(room.flagFeatures(one, judged));
    const place = { repository, commit, document, span: [start, end], said };
    return [{ ...place, kind: room.flagKind(one), right, use, features }];
  });
}

/** The grade of the same verdict at the same span, else of the only one at a span that overlaps. */
function gradeOf(labels, { start, end, said }) {
  const hits = labels.filter(
    ([[from, to], verdict]) => from < end && to > start && verdict === said,
  );
  const exact = hits.filter(([[from, to]]) => from === start && to === end);
  const grades = new Set((exact.length > 0 ? exact : hits).map(([, , right]) => right));
  const [grade] = grades;
  return grades.size === 1 && typeof grade === "boolean" ? grade : undefined;
}

function compact(features) {
  const told = Object.entries(features).filter(([, value]) => value !== 0);
  return Object.fromEntries(told.map(([name, value]) => [name, Math.round(value * 1e4) / 1e4]));
}

/** The room as it is now, bundled into a temporary file: Node 20 runs no TypeScript. */
async function loadRoom() {
  const outfile = join(tmpdir(), `retinue-collect-${process.pid}.mjs`);
  const contents = [
    `export { judgeClaim } from "./src/verify/judging/judge-claim.ts";`,
    `export { disclaimed, flagFeatures, judgedDocument, flagKind } from "./src/verify/second-look/flag-features.ts";`,
    `export { readClaims } from "./src/verify/reading/read-claims.ts";`,
    `export { Repository } from "./src/source/repository.ts";`,
    `export { treeReader } from "./src/source/tree-reader.ts";`,
  ].join("\n");
  const stdin = { contents, resolveDir: root, loader: "ts" };
  const target = { format: "esm", platform: "node", target: "node20.19" };
  await build({ stdin, bundle: true, ...target, outfile, logLevel: "warning" });
  const room = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  return room;
}
