// `node bench/verify/collect-facts.mjs TABLE.jsonl SET.jsonl...`: every name and path of agents' messages that stands
// nowhere in the tree, with its features and whether it was said of the code. A line of SET is `{id, tree, final, wrong:
// [{text}]}`: the message, and what in it is wrong; what is nowhere and not wrong was a wish, an example or another's.
import { build } from "esbuild";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const [table, ...sets] = process.argv.slice(2);
const room = await loadRoom();
const rows = sets.flatMap((set) =>
  readFileSync(set, "utf8")
    .trim()
    .split("\n")
    .flatMap((line) => rowsOf(JSON.parse(line), basename(set, ".jsonl"))),
);
writeFileSync(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
console.log(`${rows.length} names and paths, ${rows.filter(({ right }) => right).length} facts`);

function rowsOf({ id, tree, final, wrong }, set) {
  const text = final.replaceAll("{{ROOT}}", tree);
  const repo = new room.Repository(room.treeReader(tree));
  const place = { document: undefined, folder: undefined };
  const { claims, units } = room.readClaims(text, { repo, place });
  const spans = wrong.map((one) => {
    const part = one.text.replaceAll("{{ROOT}}", tree);
    return { start: text.indexOf(part), end: text.indexOf(part) + part.length };
  });
  const isWrong = (block, { start, end }) =>
    spans.some((one) => one.start <= block.start + end && one.end >= block.start + start);
  const toRow = (kind, { block }, span, features) => ({
    set,
    id,
    kind,
    right: isWrong(block, span),
    features: compact(features),
  });
  const byBlock = new Map(units.map((unit) => [unit.block, unit]));
  const frame = room.frameOf(units);
  const seen = new Set();
  const paths = claims.flatMap((claim) => {
    const one = { claim, judged: room.judgeClaim(claim, repo) };
    const features = room.pathNowhere(one, { byBlock, repo, frame });
    if (!features || typeof features === "string" || seen.has(claim.mention)) return [];
    seen.add(claim.mention);
    return [toRow("path", claim, claim.mention, features)];
  });
  const files = room.namedFiles(units, repo);
  const setting = { units, repo, files };
  const featuresOf = (unit, item) => room.nameFeatures(unit, item, frame);
  const isAsked = ({ unit, item }) => featuresOf(unit, item) !== undefined;
  const names = room
    .namesNowhere(setting, isAsked)
    .map(({ unit, item }) => toRow("name", unit, item, featuresOf(unit, item)));
  return [...paths, ...names];
}

/** Without the zeros. */
function compact(features) {
  const told = Object.entries(features).filter(([, value]) => value !== 0);
  return Object.fromEntries(told.map(([name, value]) => [name, Math.round(value * 1e4) / 1e4]));
}

async function loadRoom() {
  const outfile = join(tmpdir(), `retinue-facts-${process.pid}.mjs`);
  const parts = [
    ["readClaims", "verify/reading/read-claims"],
    ["judgeClaim", "verify/judging/judge-claim"],
    ["namedFiles", "verify/message/named-files"],
    ["frameOf", "verify/message/fact-features"],
    ["nameFeatures", "verify/message/fact-score"],
    ["namesNowhere", "verify/message/strange-names"],
    ["pathNowhere", "verify/message/strange-paths"],
    ["Repository", "source/repository"],
    ["treeReader", "source/tree-reader"],
  ];
  const contents = parts.map(([name, path]) => `export { ${name} } from "./src/${path}.ts";`);
  await build({
    stdin: { contents: contents.join("\n"), resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
  });
  const room = await import(pathToFileURL(outfile));
  rmSync(outfile);
  return room;
}
