// `node bench/verify/collect-flags.mjs DOCUMENTS.jsonl TABLE.jsonl`: all that the engine could accuse documents of
// before its second look, with its features (or whether a rule tells it) and the grade that a person gave it. A line of DOCUMENTS is
// `{set, repository, commit, document, tree, git, file, labels: [[span, verdict, right, use, of]]}`; `use` is "fresh" for grades
// by the present rules, "drawn" for those of suspicions drawn at random, of which each stands for `of`, else "earlier".
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
  if (job.tree !== tree) repo = repositoryOf(job);
  tree = job.tree;
  return flagsOf(job, repo);
});
writeFileSync(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
console.log(`${rows.length} graded flags of ${lines.length} documents`);

/** The tree, with the history in `git` where that is somewhere else. */
function repositoryOf({ tree, git }) {
  const reader = room.treeReader(tree);
  return new room.Repository(
    git ? { ...reader, at: (commit) => room.commitAt(git, commit) } : reader,
  );
}

function flagsOf({ set, repository, commit, document, file, labels }, repo) {
  const report = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const folder = document.includes("/") ? document.slice(0, document.lastIndexOf("/")) : ".";
  const { claims } = room.readClaims(report, { repo, place: { document, folder } });
  const all = claims.map((claim) => ({ claim, judged: room.judgeClaim(claim, repo) }));
  const judged = room.judgedDocument(all, { report, repo });
  const excuses = room.excusesOf(report, repo);
  return all.flatMap(({ claim, judged: first }) => {
    const { start, end } = claim;
    const accused = room.accusationOf(first);
    const said = accused?.verdict;
    const grade = flagged.has(said) ? gradeOf(labels, { start, end, said }) : undefined;
    if (!grade) return [];
    const one = { claim, judged: accused };
    if (room.disclaimed(one, judged) !== undefined || excuses?.(claim) !== undefined) return [];
    const kind = room.flagKind(one);
    if (!kind) return [];
    const place = { set, repository, commit, document, span: [start, end], said, kind };
    const head = room.headOf(one);
    const told = room.doubtOf(one, judged) === undefined;
    const features = head && compact(room.flagFeatures(one, judged));
    return [{ ...place, ...grade, ...(head ? { head, features } : { told }) }];
  });
}

/**
 * The grade of the same verdict at the same span, else of one that overlaps and was not drawn, else of another verdict at the same span:
 * where a reference is wrong, it is so for whatever reason.
 */
function gradeOf(labels, { start, end, said }) {
  const over = labels.filter(
    ([[from, to], verdict]) => from < end && to > start && flagged.has(verdict),
  );
  const exact = over.filter(([[from, to]]) => from === start && to === end);
  const isSame = ([, verdict]) => verdict === said;
  const isWide = ([, , , use]) => use !== "drawn";
  const hits = [exact.filter(isSame), over.filter(isSame).filter(isWide), exact].find(
    ({ length }) => length > 0,
  );
  if (!hits || new Set(hits.map(([, , right]) => right)).size > 1) return undefined;
  const [, , right, use, of] = hits.at(-1);
  return typeof right === "boolean" ? { right, use, ...(of ? { of } : {}) } : undefined;
}

function compact(features) {
  const told = Object.entries(features).filter(([, value]) => value !== 0);
  return Object.fromEntries(told.map(([name, value]) => [name, Math.round(value * 1e3) / 1e3]));
}

/** The room as it is now, bundled into a temporary file: Node 20 runs no TypeScript. */
async function loadRoom() {
  const outfile = join(tmpdir(), `retinue-collect-${process.pid}.mjs`);
  const contents = [
    `export { judgeClaim } from "./src/verify/judging/judge-claim.ts";`,
    `export { flagFeatures, flagKind } from "./src/verify/second-look/flag-features.ts";`,
    `export { judgedDocument } from "./src/verify/second-look/judged-document.ts";`,
    `export { accusationOf, disclaimed, doubtOf, headOf } from "./src/verify/second-look/second-look.ts";`,
    `export { readClaims } from "./src/verify/reading/read-claims.ts";`,
    `export { Repository } from "./src/source/repository.ts";`,
    `export { treeReader } from "./src/source/tree-reader.ts";`,
    `export { commitAt } from "./src/source/commit-reader.ts";`,
    `export { excusesOf } from "./src/verify/second-look/stated-commit.ts";`,
  ].join("\n");
  const stdin = { contents, resolveDir: root, loader: "ts" };
  const target = { format: "esm", platform: "node", target: "node20.19" };
  await build({ stdin, bundle: true, ...target, outfile, logLevel: "warning" });
  const room = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  return room;
}
