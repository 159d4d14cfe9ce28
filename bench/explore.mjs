// Asks the offline model where symbols of real packages are defined, and checks file, line and every reference.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseSync } from "oxc-parser";

export const summary =
  "the offline model on real packages: the right file and line among its first three references";

const packages = ["commander@14.0.3", "express@5.1.0", "yaml@2.9.1"];
const questions = 50;
const entry = join(import.meta.dirname, "..", "dist", "cli", "retinue.js");

export async function run() {
  execFileSync("node", ["scripts/build.mjs"], { stdio: "inherit" });
  const folder = mkdtempSync(join(tmpdir(), "retinue-explore-"));
  try {
    const asked = packages
      .flatMap((name) => symbolsOf(unpack(name, folder)))
      .sort((a, b) => (hash(a.symbol) < hash(b.symbol) ? -1 : 1))
      .slice(0, questions);
    const rows = asked.map((question) => ({ ...question, ...ask(question, folder) }));
    for (const row of rows.filter(({ found }) => !found))
      console.log(
        `missed ${row.root.split("/").at(-2)}: ${row.symbol} is at ${row.path}:${row.line}, answered ${row.references.join(" ") || "nothing"}`,
      );
    const found = rows.filter((row) => row.found).length;
    const references = rows.reduce((sum, row) => sum + row.checks, 0);
    const flagged = rows.reduce((sum, row) => sum + row.flagged, 0);
    console.log(
      `${found} of ${rows.length} right among the first three references (${((100 * found) / rows.length).toFixed(0)} %, wanted 80 %); ${flagged} of ${references} references flagged by the verifier`,
    );
    if (found / rows.length < 0.8 || flagged > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unpack(name, folder) {
  const target = join(folder, name.replace(/\W/g, "-"));
  execFileSync("sh", [
    "-c",
    `mkdir -p ${target} && cd ${target} && npm pack ${name} --silent >/dev/null 2>&1 && tar xzf *.tgz`,
  ]);
  return join(target, "package");
}

/** Functions and classes whose name is declared once in the package: only then is there one right answer. */
function symbolsOf(root) {
  const all = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(
      (item) =>
        item.isFile() && /\.[cm]?js$/.test(item.name) && !item.parentPath.includes("browser"),
    )
    .flatMap((item) => declarations(join(item.parentPath, item.name), root));
  const count = Map.groupBy ? Map.groupBy(all, ({ symbol }) => symbol) : group(all);
  return all.filter(
    ({ symbol }) =>
      count.get(symbol).length === 1 && /[a-z][A-Z]|_/.test(symbol) && symbol.length > 5,
  );
}

function group(items) {
  const groups = new Map();
  for (const item of items) groups.set(item.symbol, [...(groups.get(item.symbol) ?? []), item]);
  return groups;
}

function declarations(path, root) {
  const text = readFileSync(path, "utf8");
  const { program } = parseSync(path, text);
  const lineOf = (offset) => text.slice(0, offset).split("\n").length;
  return program.body.flatMap((node) => {
    const declared = node.declaration ?? node;
    if (
      (declared.type !== "FunctionDeclaration" && declared.type !== "ClassDeclaration") ||
      !declared.id
    )
      return [];
    return [
      { root, symbol: declared.id.name, path: relative(root, path), line: lineOf(declared.start) },
    ];
  });
}

function ask({ root, symbol, path, line }, folder) {
  const env = { PATH: process.env.PATH, HOME: join(folder, "home") };
  const { stdout } = spawnSync(
    "node",
    [entry, "run", "--agent", "Explore", "--model", "offline", `where is ${symbol} defined?`],
    { cwd: root, encoding: "utf8", env },
  );
  const table = stdout.slice(stdout.indexOf("### Key References"));
  const references = [...table.matchAll(/\| `([^`]+:\d+)` \|/g)]
    .map((match) => match[1])
    .slice(0, 3);
  const verified = spawnSync("node", [entry, "verify", "-", "--format", "json"], {
    cwd: root,
    encoding: "utf8",
    env,
    input: stdout,
  });
  const { checks = [], counts } = JSON.parse(verified.stdout || "{}");
  return {
    references,
    found: references.includes(`${path}:${line}`),
    checks: checks.length,
    flagged: counts?.flagged ?? 0,
  };
}

const hash = (text) =>
  [...text]
    .reduce((value, character) => (value * 31 + character.charCodeAt(0)) >>> 0, 7)
    .toString(16)
    .padStart(8, "0");
