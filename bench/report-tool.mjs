// `npm run bench -- report-tool [--count N] [--seed N]`: quotations of real packages given to the Report tool's check.
// No reference of an accepted report may fail to hold, no changed token may be accepted, and `near` must pick the right one of several.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { fileFacts, kinds } from "./report-tool/quotations.mjs";
import { scoreQuotations } from "./report-tool/score.mjs";
import { tokenFigures } from "./report-tool/tokens.mjs";
import { root } from "./support/root.mjs";
import { fetchPackage, packages } from "./verify/packages.mjs";
import { random } from "./verify/random.mjs";

export const summary =
  "a million quotations of real packages given to the Report tool: places that hold, changed tokens, several places; and its tokens";

const maxFileBytes = 300_000;

export async function run(args = []) {
  const option = (name, fallback) =>
    args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback;
  const wanted = option("--count", 1_000_000);
  const r = random(option("--seed", 15_000));
  const room = await loadRoom();
  const sources = [...packages.development, ...packages.heldOut].flatMap((spec) =>
    sourcesOf(spec, room),
  );
  const counts = {};
  const wrong = [];
  const began = performance.now();
  for (let made = 0, round = 0; made < wanted; round++) {
    const source = sources[round % sources.length];
    const batch = quotationsOf(source, r, Math.min(500, wanted - made));
    made += batch.length;
    wrong.push(...(await scoreQuotations(batch, { ...room, world: source.world, counts })));
    if (round % 100 === 99) console.error(`${made} of ${wanted}`);
  }
  const seconds = (performance.now() - began) / 1_000;
  const isGood = print(counts, { seconds, packages: sources.length, wrong });
  console.log(await tokenFigures(room));
  return isGood;
}

/** Files of one version; where there is an older one, what an agent read there is on record. */
function sourcesOf(spec, { treeReader, Repository, ledgerBuilder }) {
  const folder = fetchPackage(spec, spec.version);
  if (!folder) return [];
  const older = spec.older === undefined ? undefined : fetchPackage(spec, spec.older);
  const files = readFiles(folder);
  const then = older === undefined ? new Map() : readFiles(older);
  const facts = [...files]
    .map(([path, text]) => fileFacts(path, text))
    .filter(({ telling }) => telling.length > 5);
  const changed = [...then]
    .filter(([path, text]) => files.has(path) && files.get(path) !== text)
    .map(([path, text]) => ({ now: fileFacts(path, files.get(path)), then: fileFacts(path, text) }))
    .filter((pair) => pair.then.telling.length > 5);
  const twins = sharedLines(facts);
  const world = { reader: new Repository(treeReader(folder)), agent: "reader" };
  const ledger = changed.length > 0 ? ledgerOf(changed, folder, ledgerBuilder) : undefined;
  return facts.length === 0
    ? []
    : [{ facts, changed, twins, world: { ...world, ...(ledger ? { ledger } : {}) } }];
}

function readFiles(folder) {
  const files = new Map();
  const walk = (place) => {
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const path = join(place, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && statSync(path).size < maxFileBytes && files.size < 400) {
        const text = readFileSync(path, "utf8");
        if (!text.includes("\0") && !text.includes("\ufffd"))
          files.set(relative(folder, path), text);
      }
    }
  };
  walk(folder);
  return files;
}

/** Lines that stand once in a file and in other files too: only the path tells them apart. */
function sharedLines(facts) {
  const holders = new Map();
  for (const [index, { byText }] of facts.entries())
    for (const [key, lines] of byText)
      if (key.length >= 16 && lines.length === 1) {
        if (holders.has(key)) holders.get(key).push(index);
        else holders.set(key, [index]);
      }
  return [...holders].filter(([, files]) => files.length > 1);
}

function ledgerOf(changed, folder, ledgerBuilder) {
  const builder = ledgerBuilder({ root: folder });
  for (const [index, { then }] of changed.entries()) {
    const id = `t${index}`;
    const call = {
      type: "tool_use",
      id,
      name: "Read",
      input: { file_path: join(folder, then.path) },
    };
    const shown = then.lines.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join("\n");
    builder.add({
      type: "assistant",
      cwd: folder,
      message: { role: "assistant", content: [call] },
    });
    builder.add({
      type: "user",
      cwd: folder,
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: shown }],
      },
    });
  }
  return builder.ledger();
}

const names = [...Object.keys(kinds), "repeated across files", "file changed since it was read"];

function quotationsOf({ facts, changed, twins }, r, count) {
  const made = [];
  for (let tries = 0; made.length < count && tries < count * 20; tries++) {
    const kind = names[tries % names.length];
    const item =
      kind === "repeated across files"
        ? acrossFiles(facts, twins, r)
        : kind === "file changed since it was read"
          ? sinceRead(changed, r)
          : ofFile(r.pick(facts), kind, r);
    if (item) made.push({ kind, ...item });
  }
  return made;
}

function ofFile(facts, kind, r) {
  const made = kinds[kind](facts, r);
  return made && { facts, ...made };
}

function acrossFiles(facts, twins, r) {
  if (twins.length === 0) return undefined;
  const [key, holders] = r.pick(twins);
  const file = facts[r.pick(holders)];
  const line = file.byText.get(key)[0];
  const isOnce = file.all.indexOf(key) === file.all.lastIndexOf(key);
  return /\w{3}/.test(key) && isOnce
    ? { facts: file, quote: file.lines[line - 1], expect: [line, line] }
    : undefined;
}

/** A line of the older version: found where it stands now, refused where it is gone. */
function sinceRead(changed, r) {
  if (changed.length === 0) return undefined;
  const { now, then } = r.pick(changed);
  const made = kinds.unique(then, r);
  if (!made) return undefined;
  const key = made.quote.replace(/\s+/g, "");
  if (!now.all.includes(key)) return { facts: now, quote: made.quote, expect: "refused" };
  return now.all.indexOf(key) === now.all.lastIndexOf(key)
    ? { facts: now, quote: made.quote, expect: "moved" }
    : undefined;
}

function print(counts, { seconds, packages: count, wrong }) {
  const all = Object.values(counts);
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  const share = (part, whole) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(3)} %`);
  console.log(`${sum("made")} quotations of ${count} packages in ${seconds.toFixed(0)} s\n`);
  console.log("| kind | made | found | at the right place | asked back | refused | do not hold |");
  console.log("|---|---|---|---|---|---|---|");
  for (const [kind, one] of Object.entries(counts))
    console.log(
      `| ${kind} | ${one.made} | ${share(one.found, one.made)} | ${share(one.right, one.found)} | ${share(one.asked, one.made)} | ${share(one.refused, one.made)} | ${one.broken} |`,
    );
  const near = counts["repeated, near decides"];
  const several = counts["repeated, nothing decides"];
  const changed = counts["one token changed"];
  const checks = [
    ["references of accepted reports that do not hold", sum("broken"), sum("broken") === 0],
    ["changed tokens that were accepted", changed.found, changed.found === 0],
    [
      "right picks where near decides",
      share(near.right, near.made),
      near.right >= 0.99 * near.made,
    ],
    ["of those with nothing to decide, picked all the same", several.found, several.found === 0],
  ];
  console.log("");
  for (const [what, value, ok] of checks) console.log(`${ok ? "✓" : "✗"} ${what}: ${value}`);
  for (const { facts, kind, quote, near: said, place, expect } of wrong
    .filter(({ expect: e }) => e !== "moved")
    .slice(0, 8))
    console.log(JSON.stringify({ kind, path: facts, quote, near: said, expect, place }));
  return checks.every(([, , ok]) => ok);
}

/** The room as it is now, bundled into a temporary file: Node 20 runs no TypeScript. */
async function loadRoom() {
  const folder = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  const outfile = join(folder, "report-tool.mjs");
  const from = {
    checkReportInput: "src/verify/report-tool/submit-report.ts",
    Repository: "src/source/repository.ts",
    treeReader: "src/source/tree-reader.ts",
    ledgerBuilder: "src/verify/evidence/ledger.ts",
    countTokens: "src/base/text/tokens.ts",
    contractInBrief: "src/manager/run/settle/contract-in-brief.ts",
    createReportTool: "src/manager/run/tools/report-tool.ts",
    repairPrompt: "src/verify/repair.ts",
    assessReport: "src/verify/assess-report.ts",
  };
  await build({
    stdin: {
      contents: Object.entries(from)
        .map(([name, path]) => `export { ${name} } from "./${path}";`)
        .join("\n"),
      resolveDir: root,
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    outfile,
    logLevel: "warning",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  const room = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true, force: true });
  return room;
}
