// Permission decisions over the rows of test/data: the time of each, or (`rows`) the wrong ones, or
// (`commands FILE`) how many
// commands of real agents are asked about under usual rules.
import { readFileSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

export const summary =
  "time of one permission decision ([ROUNDS]), wrong answers (rows [FILE…]), commands asked about (commands [FILE])";

const root = new URL("..", import.meta.url).pathname;
const rowFiles = [
  "attacks.jsonl",
  "more-attacks.jsonl",
  "attacks-2.jsonl",
  "attacks-3.jsonl",
  "attacks-4.jsonl",
  "attacks-5.jsonl",
  "attacks-6.jsonl",
  "attacks-7.jsonl",
  "attacks-8.jsonl",
  "attacks-9.jsonl",
  "attacks-10.jsonl",
  "attacks-11.jsonl",
  "attacks-12.jsonl",
  "attacks-13.jsonl",
  "attacks-14.jsonl",
  "attacks-15.jsonl",
  "attacks-16.jsonl",
  "attacks-17.jsonl",
];
const layers = new Set(["rules", "path", "profile", "net", "path+sandbox", "sandbox"]);

export async function run(args = []) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retinue-bench-")));
  const room = await bundle(folder);
  const closed = [];
  try {
    if (args[0] === "rows") printRows(room, closed, args.slice(1));
    else if (args[0] === "commands") printCommands(room, closed, args[1]);
    else printTimes(room, closed, Number(args.find((arg) => /^\d+$/.test(arg)) ?? 20));
  } finally {
    for (const place of closed) place.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundle(folder) {
  const outfile = join(folder, "permissions.mjs");
  const contents = `export { readCase, answerCase } from "./src/permissions/read-case.ts";
    export { factsNear } from "./src/base/files/path-facts.ts"; export * from "./test/attack-rows.ts";
    export { hostileTexts } from "./test/hostile-texts.ts";`;
  await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
    define: { "import.meta.url": JSON.stringify(pathToFileURL(join(root, "test/x.ts")).href) },
  });
  return import(pathToFileURL(outfile).href);
}

const agents = "general-purpose worker writer researcher reviewer evil ro Explore Explorer".split(
  " ",
);

/** The row's case in a place of its own; rows with the same files share one. */
function caseOf(room, closed, given) {
  const key =
    given.id === "PATH-SPEC-006"
      ? given.id
      : JSON.stringify([given.setup ?? [], given.context?.prepare]);
  let place = closed.find((item) => item.key === key);
  if (!place) {
    place = { ...room.createPlace(), key };
    closed.push(place);
    room.setUp(room.fillRow(given, place), place);
  }
  const row = room.fillRow(given, place);
  const { mcp_config_hash_changed: config, tool_schema_hash_changed: schema } = row.context ?? {};
  const read = room.readCase(
    {
      ...row,
      cwd: place.ws,
      home: place.home,
      agents,
      mcp: { changed: config === true || schema === true },
    },
    { protectedPaths: [], cwd: "/", home: "/" },
  );
  const facts = (path, folder) => room.factsNear(path, { cwd: place.ws, home: place.home, folder });
  return { row, read, answer: () => room.answerCase(read, facts) };
}

/** Of the rows in test/data, or of files of the same form. */
function printRows(room, closed, files) {
  for (const file of files.length > 0 ? files.map((name) => resolve(name)) : rowFiles) {
    const elsewhere = Object.values(room.elsewhere);
    const rows = room
      .readRows(file)
      .filter(
        (row) =>
          layers.has(row.layer) &&
          !elsewhere.some((form) => form.test(row.id)) &&
          room.closedElsewhere[row.id] === undefined,
      );
    const sum = { attacks: 0, allowed: 0, legit: 0, held: 0 };
    for (const given of rows) {
      const { row, read, answer } = caseOf(room, closed, given);
      if (!read.ok) {
        console.log(`NOT READ ${row.id}: ${read.problem ?? JSON.stringify(read)}`);
        continue;
      }
      const { decision, layer, reason } = answer();
      sum[row.legit ? "legit" : "attacks"] += 1;
      const wrong = row.legit
        ? decision !== "allow"
        : decision === "allow" && !room.accepted(row).includes("allow");
      if (!wrong) continue;
      sum[row.legit ? "held" : "allowed"] += 1;
      const call = JSON.stringify(row.input).slice(0, 300);
      console.log(
        `${row.legit ? "HELD" : "ALLOWED"} ${row.id} ${row.class} ${row.tool} ${call} [${row.rules.allow.join(", ")}] ${row.mode} -> ${layer}: ${reason.slice(0, 200)}`,
      );
    }
    console.log(`${file}: ${JSON.stringify(sum)}`);
  }
}

/** What people who work with such agents usually allow. */
const usualRules = `
  npm npx pnpm yarn node git gh pytest python python3 pip uv go cargo make ls cat head tail grep rg
  find wc echo mkdir touch cp mv tsc eslint prettier vitest jest ruff mypy black docker cd pwd which
  sed jq sort`
  .trim()
  .split(/\s+/)
  .map((name) => `Bash(${name} *)`);

function printCommands(room, closed, file) {
  if (file === undefined) {
    console.log("permissions commands FILE: JSON lines {command}, as agents really ran them");
    return;
  }
  const place = room.createPlace();
  closed.push(place);
  const facts = (path, folder) => room.factsNear(path, { cwd: place.ws, home: place.home, folder });
  const commands = readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).command);
  for (const readOnlyCommands of [false, true]) {
    const asked = commands.filter((command) => {
      const read = room.readCase(
        {
          tool: "Bash",
          input: { command },
          rules: { allow: [...usualRules, "Read"], ask: [], deny: [] },
          readOnlyCommands,
          cwd: place.ws,
          home: place.home,
        },
        { protectedPaths: [], cwd: "/", home: "/" },
      );
      const { decision, reason } = room.answerCase(read, facts);
      if (decision !== "allow" && readOnlyCommands)
        console.log(
          `${decision}: ${JSON.stringify(command.slice(0, 160))}: ${reason.slice(0, 160)}`,
        );
      return decision !== "allow";
    });
    const share = ((asked.length / commands.length) * 100).toFixed(1);
    console.log(
      `${asked.length} of ${commands.length} (${share} %) are asked about under usual rules, ${readOnlyCommands ? "with" : "without"} the read-only table`,
    );
  }
}

function printTimes(room, closed, rounds) {
  const cases = room
    .readRows("attacks.jsonl")
    .filter((row) => layers.has(row.layer))
    .map((row) => caseOf(room, closed, row))
    .filter(({ read }) => read.ok);
  const times = cases.map(() => []);
  for (let round = -5; round < rounds; round++)
    for (const [index, { answer }] of cases.entries()) {
      const started = performance.now();
      answer();
      if (round >= 0) times[index].push(performance.now() - started);
    }
  report(times, rounds);
  printLengths(room, closed);
}

const textRules = {
  allow: ["Bash(ls:*)", "Bash(cat:*)", "Bash(git * status)", "Bash(*a*b*c*)"],
  ask: ["Bash(git push:*)"],
  deny: ["Read(.env)", "Read(**/secret/**)", "Edit(src/**)", "Bash(rm -rf:*)", "Bash(*evil*)"],
};

/** How the time grows with the length of a text that is unkind to its reader. */
function printLengths(room, closed) {
  const place = room.createPlace();
  closed.push(place);
  const facts = (path, folder) => room.factsNear(path, { cwd: place.ws, home: place.home, folder });
  const timeOf = (text) => {
    // Each time another text: what was read before is not read again.
    const once = (_, tries) => {
      const command = `${text}${"\n".repeat(tries)}`;
      const given = { tool: "Bash", input: { command }, rules: textRules };
      const read = room.readCase(
        { ...given, cwd: place.ws, home: place.home },
        { protectedPaths: [], cwd: "/", home: "/" },
      );
      // Processor time: what other programs take is not the decision's.
      const before = process.cpuUsage();
      room.answerCase(read, facts);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    return Math.min(...Array.from({ length: 9 }, once));
  };
  const forms = Object.entries(room.hostileTexts).map(([name, make]) => {
    const [short, long] = [timeOf(make(1_000)), timeOf(make(10_000))];
    return { name, short, long, ratio: long / Math.max(short, 0.5) };
  });
  for (const { name, short, long, ratio } of forms)
    console.log(
      `${name.padEnd(32)} 1,000 characters ${short.toFixed(2)} ms, 10,000 ${long.toFixed(2)} ms, ratio ${ratio.toFixed(1)}`,
    );
  const most = (key) => forms.toSorted((a, b) => b[key] - a[key])[0];
  console.log(
    `slowest of ${forms.length} forms at 10,000 characters: ${most("long").long.toFixed(1)} ms (${most("long").name}), goal 50`,
  );
  console.log(`steepest ratio: ${most("ratio").ratio.toFixed(1)} (${most("ratio").name})`);
  console.log(
    `one path of 49,000 characters: ${timeOf(room.hostileTexts["one path"](49_000)).toFixed(1)} ms`,
  );
}

const ascending = (values) => values.toSorted((a, b) => a - b);
const percentile = (values, share) =>
  ascending(values)[Math.min(values.length - 1, Math.floor(values.length * share))];

/**
 * The median of a row's rounds is its time: what other programs take from the processor is not the
 * decision's. All samples are shown beside it.
 */
function report(times, rounds) {
  const line = (name, values) =>
    `${name}: p50 ${percentile(values, 0.5).toFixed(3)} ms, p99 ${percentile(values, 0.99).toFixed(3)} ms, max ${percentile(values, 1).toFixed(3)} ms`;
  const medians = times.map((samples) => percentile(samples, 0.5));
  console.log(`${times.length} decisions, ${rounds} rounds each`);
  console.log(line("median of each decision", medians));
  console.log(line("all samples            ", times.flat()));
  if (percentile(medians, 0.99) >= 5) {
    console.error("p99 is over 5 ms");
    process.exitCode = 1;
  }
}
