// `npm run bench -- audit [SESSIONS] [--folder DIR]`: `retinue audit` over many sessions of one project whose
// truth is known, or over the transcripts of a folder: are its figures right, are they those of `retinue
// verify` one by one, what does it take.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { measured, words } from "./support/measured.mjs";
import { root } from "./support/root.mjs";

export const summary =
  "the audit of many sessions of one project: figures, time, memory ([SESSIONS], 1000; --folder DIR)";

const goalMb = 400;
const sampled = 20;
const command = join(root, "dist/cli/retinue.js");

export async function run(args = []) {
  spawnSync(process.execPath, ["scripts/build.mjs", "--cli"], { cwd: root, stdio: "inherit" });
  const given = args.indexOf("--folder");
  return given < 0 ? runKnown(Number(args[0] ?? 1_000)) : runFolder(args[given + 1]);
}

/** Real transcripts: what is counted, and whether `retinue verify` flags the same alone. */
async function runFolder(folder) {
  const env = { ...process.env, NO_COLOR: "1" };
  const args = ["audit", "--folder", folder, "--since", "all", "--json"];
  const found = await measured([command, ...args], "", env);
  const audit = JSON.parse(found.stdout);
  console.log(`${audit.reports.length} transcripts: ${words(found)}`);
  for (const [name, count] of Object.entries(audit.totals))
    console.log(`  ${name.padEnd(20)} ${count}`);
  return (await compareOneByOne(audit, env)) && found.rssMb <= goalMb;
}

async function runKnown(count) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "retinue-audit-")));
  try {
    const project = join(base, "project");
    makeProject(project);
    const folder = join(base, "home", ".claude", "projects", "-project");
    mkdirSync(folder, { recursive: true });
    const expected = makeSessions(count, { folder, project });
    const env = { ...process.env, HOME: join(base, "home"), NO_COLOR: "1" };
    const found = await measured([command, "audit", "--since", "all", "--json"], "", env);
    const audit = JSON.parse(found.stdout);
    console.log(`${audit.reports.length} sessions: ${words(found)}`);
    const areTotals = compareTotals(audit.totals, expected);
    const areSame = await compareOneByOne(audit, env);
    const isLean = found.rssMb <= goalMb;
    if (!isLean) console.log(`over ${goalMb} MB`);
    return areTotals && areSame && isLean && audit.reports.length === count;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const files = 400;
const pathOf = (index) => `src/part-${index % 20}/thing-${index}.ts`;

function makeProject(folder) {
  for (let index = 0; index < files; index++) {
    mkdirSync(join(folder, pathOf(index), ".."), { recursive: true });
    writeFileSync(
      join(folder, pathOf(index)),
      `import { helper${index % 10} } from "../helper.ts";\n\nexport function makeThing${index}(size: number): number {\n  return helper${index % 10}(size) * ${index};\n}\n`,
    );
  }
  const helpers = Array.from(
    { length: 10 },
    (_, index) => `export const helper${index} = (size: number) => size + ${index};\n`,
  );
  writeFileSync(join(folder, "src/helper.ts"), helpers.join(""));
  writeFileSync(
    join(folder, "package.json"),
    '{"name":"things","scripts":{"test":"vitest run"}}\n',
  );
}

const edit = (index) => ({
  name: "Edit",
  input: { file_path: pathOf(index), old_string: "* 0", new_string: "* 1" },
  output: "ok",
});
const tests = {
  name: "Bash",
  input: { command: "npm test" },
  output: "      Tests  9 passed (9)\n",
};
const place = (index) => `\`makeThing${index}\` is defined in \`${pathOf(index)}:3\`.`;

/** What a session did and said, and what an audit has to count for it. */
const kinds = [
  (at) => ({ steps: [], said: place(at), counts: { places: 1 } }),
  (at) => ({
    steps: [],
    said: `\`makeNothing${at}\` is defined in \`src/nowhere/none-${at}.ts:3\`.`,
    counts: { places: 1, places_wrong: 1 },
  }),
  (at) => ({
    steps: [edit(at), tests],
    said: "I changed the factor. All tests pass.",
    counts: { results: 1 },
  }),
  (at) => ({
    steps: [edit(at)],
    said: "I changed the factor. All tests pass.",
    counts: { results: 1, results_without_run: 1 },
  }),
  (at) => ({
    steps: [tests, edit(at)],
    said: "I changed the factor. All tests pass.",
    counts: { results: 1, results_stale: 1 },
  }),
  (at) => ({
    steps: [],
    said: `I looked around: \`helper${at % 10}\` has no callers in this project.`,
    counts: { countered: 1 },
  }),
  () => ({
    steps: [],
    said: "The parts are alike, and I would leave them as they are.",
    counts: {},
  }),
];

function makeSessions(count, { folder, project }) {
  const expected = {};
  for (let at = 0; at < count; at++) {
    const { steps, said, counts } = kinds[at % kinds.length]((at * 37) % files);
    for (const [name, number] of Object.entries(counts))
      expected[name] = (expected[name] ?? 0) + number;
    const lines = linesOf(steps, { said, cwd: project, at });
    writeFileSync(
      join(folder, `s${at}.jsonl`),
      `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`,
    );
  }
  return expected;
}

function linesOf(steps, { said, cwd, at }) {
  const envelope = {
    cwd,
    sessionId: `s${at}`,
    isSidechain: false,
    timestamp: new Date().toISOString(),
  };
  const reply = (id, content) => ({
    type: "assistant",
    ...envelope,
    message: { id, role: "assistant", model: "claude-test", content },
  });
  const calls = steps.flatMap(({ name, input, output }, step) => [
    reply(`m${step}`, [{ type: "tool_use", id: `toolu_${step}`, name, input }]),
    {
      type: "user",
      ...envelope,
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `toolu_${step}`, content: output }],
      },
    },
  ]);
  return [...calls, reply("last", [{ type: "text", text: said }])];
}

function compareTotals(totals, expected) {
  const names = "places places_wrong results results_without_run results_stale countered".split(
    " ",
  );
  let isEqual = true;
  for (const name of names) {
    const same = totals[name] === (expected[name] ?? 0);
    isEqual &&= same;
    console.log(
      `  ${name.padEnd(20)} ${totals[name]}${same ? "" : `, expected ${expected[name] ?? 0}`}`,
    );
  }
  return isEqual;
}

/** Every so often one is checked alone by `retinue verify`: what that flags is what the audit told. */
async function compareOneByOne({ reports }, env) {
  const flaggedWords = new Set(["missing", "relocated", "altered", "wrong_symbol", "out_of_range"]);
  for (const word of ["unsupported", "stale", "countered"]) flaggedWords.add(word);
  const step = Math.max(1, Math.floor(reports.length / sampled));
  const chosen = reports.filter((_, at) => at % step === 0).slice(0, sampled);
  let different = 0;
  for (const { transcript, project, flags } of chosen) {
    const args = ["verify", "--transcript", transcript, "--root", project, "--format", "json"];
    const { stdout } = await measured([command, ...args], "", env);
    const alone = JSON.parse(stdout)
      .checks.map(({ verdict }) => verdict)
      .filter((verdict) => flaggedWords.has(verdict));
    if (
      alone.sort().join() !==
      flags
        .map(({ verdict }) => verdict)
        .sort()
        .join()
    ) {
      different++;
      console.log(`  differs: ${readFileSync(transcript, "utf8").slice(-200)}`);
    }
  }
  console.log(`  one by one: ${chosen.length - different} of ${chosen.length} the same`);
  return different === 0;
}
