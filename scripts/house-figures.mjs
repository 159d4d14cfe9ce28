// Prints the figures of the house as a table: this tree, and with `--base REV` an earlier commit beside it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Visitor } from "oxc-parser";
import { readHouse } from "./check-house.mjs";
import { checkComplexity, functionNodes, importersOf, ownExports } from "./house-caps.mjs";

const lineCount = (text) => text.split("\n").length - 1;
const at = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** The figures of the source below `root`, tests left out. */
export function houseFigures(root) {
  const files = readHouse(root).filter((file) => !file.isTest);
  const sizes = files.map((file) => lineCount(file.text)).sort((a, b) => a - b);
  const lines = sizes.reduce((sum, size) => sum + size, 0);
  const bytes = files.reduce((sum, file) => sum + Buffer.byteLength(file.text), 0);
  const wide = files.flatMap((file) => file.text.split("\n")).filter((line) => line.length > 120);
  const complexities = checkComplexity(root).map(({ text }) =>
    Number(/complexity of (\d+)/.exec(text)?.[1]),
  );
  const importers = importersOf(files);
  const small = files.filter((file) => lineCount(file.text) < 25);
  const once = files.filter((file) => importers.get(file.name)?.size === 1);
  return {
    "lines of source": lines,
    "bytes a line": (bytes / lines).toFixed(1),
    "lines over 120 columns": wide.length,
    "file lines: median / p90 / max": `${at(sizes, 0.5)} / ${at(sizes, 0.9)} / ${sizes.at(-1)}`,
    "longest function": Math.max(...files.map(longestFunction)),
    "functions with complexity over 15 (max)": `${complexities.length} (${Math.max(0, ...complexities)})`,
    "regular expressions": files.reduce((sum, file) => sum + countExpressions(file), 0),
    "exported names declared more than once": namesTwice(files),
    "files under 25 lines / imported once": `${small.length} / ${once.length}`,
    "names exported by the package root": rootExports(files),
  };
}

function rootExports(files) {
  const root = files.find(({ name }) => name === "src/app/index.ts");
  return root.program.body
    .filter(({ type }) => type === "ExportNamedDeclaration")
    .reduce((count, { specifiers }) => count + specifiers.length, 0);
}

function longestFunction(file) {
  let longest = 0;
  const visit = (node) => {
    longest = Math.max(longest, file.text.slice(node.start, node.end).split("\n").length);
  };
  new Visitor(Object.fromEntries(functionNodes.map((type) => [type, visit]))).visit(file.program);
  return longest;
}

function countExpressions(file) {
  let count = 0;
  new Visitor({ Literal: (node) => void (count += node.regex ? 1 : 0) }).visit(file.program);
  return count;
}

function namesTwice(files) {
  const seen = new Map();
  for (const file of files)
    for (const name of new Set(ownExports(file))) seen.set(name, (seen.get(name) ?? 0) + 1);
  return [...seen].filter(([name, count]) => count > 1 && name !== "build").length;
}

/** The source of an earlier commit in a temporary folder, while `read` looks at it. */
function atCommit(revision, read) {
  const folder = mkdtempSync(join(tmpdir(), "house-"));
  try {
    const archive = execFileSync("git", ["archive", revision, "src"], { maxBuffer: 1 << 28 });
    execFileSync("tar", ["x", "-C", folder], { input: archive });
    return read(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const flag = process.argv.indexOf("--base");
  const now = houseFigures(process.cwd());
  const base = flag > 0 ? process.argv[flag + 1] : undefined;
  const before = base ? atCommit(base, houseFigures) : undefined;
  console.log(before ? `| | ${base} | this tree |\n|---|---|---|` : "| | this tree |\n|---|---|");
  for (const [name, value] of Object.entries(now))
    console.log(before ? `| ${name} | ${before[name]} | ${value} |` : `| ${name} | ${value} |`);
}
