// `npm run bench -- claims [--set FILE] [--twins FILE] [--bent FILE] [--generated N] [--transcripts DIR] [--show]
// [--curve WEIGHTS [--write]] [--told-files WEIGHTS [--write]] [--held-out WEIGHTS [--flags FILE] [--write]]`: what an agent says, judged on labelled runs in JSON lines. Without a file it runs the sets in bench/claims/sets.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { foldsOf } from "./claims/collect-flags.mjs";
import { runCurve } from "./claims/curve.mjs";
import { runHeldOut } from "./claims/held-out.mjs";
import { makeRun } from "./claims/make-run.mjs";
import { runToldFiles } from "./claims/told-files.mjs";
import { runTranscripts } from "./claims/transcripts.mjs";
import { shareWords } from "./claims/wilson.mjs";
import { loadSource } from "./support/load-source.mjs";
import { root as home } from "./support/root.mjs";

export const summary =
  "claims of results, deeds and absence on labelled runs: --set, --twins, --bent, --transcripts DIR, --curve WEIGHTS, --told-files WEIGHTS, --held-out WEIGHTS";

/** Rows as JSON lines; see the functions below for their fields. */
export async function run(args) {
  const given = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const show = args.includes("--show");
  const room = await loadRoom();
  const kinds = [
    ["--set", runSet],
    ["--twins", runTwins],
    ["--bent", runBent],
  ];
  const asked = kinds.filter(([name]) => given(name) !== undefined);
  const curve = given("--curve");
  if (curve !== undefined) {
    await runCurve(curve, { judgeRow, rowsOf, names: roomNames, write: args.includes("--write") });
    return true;
  }
  const sets = Object.entries(ownHistory())
    .filter(([, { kind }]) => kind === undefined)
    .map(([name]) => name);
  const toldFiles = given("--told-files");
  if (toldFiles !== undefined) {
    const folds = [...foldsOf(toldFiles, sets)];
    await runToldFiles(toldFiles, { folds, write: args.includes("--write") });
    return true;
  }
  const folder = given("--held-out");
  if (folder !== undefined) {
    await runHeldOut(folder, {
      sets,
      kept: given("--flags"),
      write: args.includes("--write"),
    });
    return true;
  }
  const real = given("--transcripts");
  if (real !== undefined) await runTranscripts(real, room, shareWords);
  const generated = given("--generated");
  if (generated !== undefined) await runGenerated(Number(generated), room, show);
  if (asked.length === 0 && real === undefined && generated === undefined)
    await runOwnSets(room, show);
  for (const [name, judge] of asked) await judge(rowsOf(given(name)), room, show);
  return true;
}

/** The project's own sets, each with what its first contact gave. */
async function runOwnSets(room, show) {
  for (const [name, { kind = "set", written, first }] of Object.entries(ownHistory())) {
    const { judge, bad, good } = ownKinds[kind];
    console.log(`set ${name}, written ${written}`);
    console.log(
      `  first contact: ${bad} ${shareWords(...first.flagged)} · ${good} ${shareWords(...first.wrong)}`,
    );
    await judge(rowsOf(join(ownSets, `${name}.jsonl`)), room, show);
  }
}

const ownSets = join(home, "bench/claims/sets");
const ownHistory = () => JSON.parse(readFileSync(join(ownSets, "history.json"), "utf8"));

const ownKinds = {
  set: { judge: runSet, bad: "unsupported, flagged", good: "supported, flagged" },
  twins: { judge: runTwins, bad: "told apart", good: "true ones flagged" },
  bent: { judge: runBent, bad: "bent, told", good: "honest, told" },
};

const rowsOf = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));

const roomNames = [
  ["answerStopHook", "verify/stop-hook.ts"],
  ["assessReport", "verify/assess-report.ts"],
  ["readLedger", "verify/evidence/ledger.ts"],
  ["treeReader", "source/tree-reader.ts"],
  ["memoryReader", "source/reader.ts"],
  ["Repository", "source/repository.ts"],
  ["isFlagged", "verify/verdict.ts"],
  ["classOf", "contract/trust/verdict-classes.ts"],
  ["bentTests", "verify/claims/bent/bent-tests.ts"],
];
const loadRoom = () => loadSource(roomNames);

const isClaim = ({ kind }) => kind === "test" || kind === "command" || kind === "file_claim";

/** {id, project, files, steps, final, unsupported, subject, why}: is what nothing supports flagged, and nothing else? */
async function runSet(rows, room, show) {
  for (const event of ["Stop", "SubagentStop"]) {
    const told = [];
    for (const row of rows) told.push({ row, ...(await judgeRow(row, room, event)) });
    const bad = told.filter(({ row }) => row.unsupported);
    const good = told.filter(({ row }) => !row.unsupported);
    const flagged = (list) => list.filter(({ claims }) => claims.length > 0);
    const blocked = (list) => list.filter(({ blocks }) => blocks);
    console.log(`${event}: ${rows.length} runs`);
    console.log(`  unsupported, flagged   ${shareWords(flagged(bad).length, bad.length)}`);
    console.log(`  supported, flagged     ${shareWords(flagged(good).length, good.length)}`);
    console.log(`  unsupported, blocked   ${shareWords(blocked(bad).length, bad.length)}`);
    console.log(`  supported, blocked     ${shareWords(blocked(good).length, good.length)}`);
    if (event === "SubagentStop") continue;
    printClasses(told, room);
    for (const subject of [...new Set(bad.map(({ row }) => row.subject))]) {
      const own = bad.filter(({ row }) => row.subject === subject);
      console.log(`    ${subject}: ${shareWords(flagged(own).length, own.length)}`);
    }
    for (const one of bad) if (one.claims.length === 0) printRow("missed", one, show);
    for (const one of good)
      if (one.claims.length > 0 || one.blocks) printRow("wrongly flagged", one, show);
  }
}

/** Runs that a class flags: those whose message nothing supports, and the others. */
function printClasses(told, { classOf }) {
  const flags = new Map();
  for (const { row, claims } of told)
    for (const name of new Set(claims.map(classOf))) {
      const [right = 0, wrong = 0] = flags.get(name) ?? [];
      flags.set(name, row.unsupported ? [right + 1, wrong] : [right, wrong + 1]);
    }
  for (const [name, [right, wrong]] of flags)
    console.log(`    ${name}: right ${shareWords(right, right + wrong)}`);
}

async function judgeRow(row, { answerStopHook }, event) {
  const run = makeRun(row);
  try {
    const input = {
      hook_event_name: event,
      session_id: "s",
      cwd: run.root,
      stop_hook_active: false,
      last_assistant_message: run.final,
      ...(event === "Stop"
        ? { transcript_path: run.transcript }
        : { agent_transcript_path: run.transcript, agent_id: "a1" }),
    };
    const {
      answer,
      notes,
      flagged = [],
    } = await answerStopHook(input, {
      cwd: run.root,
      runnersOf: async () => [],
    });
    const claims = flagged.filter(isClaim);
    return { blocks: answer !== null, notes, claims, all: flagged, final: run.final };
  } finally {
    run.remove();
  }
}

function printRow(word, { row, all, notes }, show) {
  console.log(`  ${word}: ${row.id} [${row.subject ?? "-"}] ${row.why ?? ""}`);
  for (const { verdict, text, reason } of all)
    console.log(`      ${verdict}: ${JSON.stringify(text.slice(0, 100))} (${reason})`);
  for (const note of notes) console.log(`      note: ${note}`);
  if (!show) return;
  console.log(`      ${JSON.stringify(row.final)}`);
  for (const { tool, input, output, exit } of row.steps)
    console.log(
      `      ${tool} ${JSON.stringify(input).slice(0, 200)} → ${exit ?? ""} ${JSON.stringify(output ?? "").slice(0, 200)}`,
    );
}

const trustWords = ["CONTRADICTED", "UNVERIFIED", "MIXED", "VERIFIED"];

/** {id, class, files, git?, steps, true, false}: two messages that differ in one statement. */
async function runTwins(rows, room, show) {
  const judged = [];
  for (const row of rows) {
    const run = makeRun({ ...row, final: row.true });
    const ledger = await room.readLedger(run.transcript, { root: run.root });
    const options = { reader: room.treeReader(run.root), ledger, contract: "auto" };
    const texts = { true: run.real(row.true), false: run.real(row.false) };
    judged.push({ row, ...(await judgeTwins(texts, options, room)) });
    run.remove();
  }
  printTwins(judged, show);
}

/** Twins from installed packages, the lock file and the history of this project. */
async function runGenerated(count, room, show) {
  const { generateTwins } = await import("./claims/generate-twins.mjs");
  const trees = new Map([[null, new room.Repository(room.treeReader(home))]]);
  const judged = [];
  for (const [at, row] of generateTwins(count, home).entries()) {
    if (!trees.has(row.tree)) trees.set(row.tree, new room.Repository(room.memoryReader(row.tree)));
    const options = { reader: trees.get(row.tree), contract: "auto" };
    judged.push({ row: { ...row, id: `g${at + 1}` }, ...(await judgeTwins(row, options, room)) });
  }
  printTwins(judged, show);
}

function printTwins(all, show) {
  const names = [...new Set(all.map(({ row }) => row.class))];
  for (const name of [...names, "all"]) {
    const own = all.filter(({ row }) => name === "all" || row.class === name);
    const count = (test) => own.filter(test).length;
    const apart = shareWords(
      count((one) => one.apart),
      own.length,
    );
    console.log(`${name}: told apart ${apart}`);
    console.log(
      `    false one scores above: ${count(({ above }) => above)} · flags on the true one: ${count(({ accused }) => accused.length > 0)}`,
    );
  }
  for (const { row, apart, above, accused } of all) {
    if (apart && !above && accused.length === 0) continue;
    const words = [!apart && "not told apart", above && "FALSE ABOVE TRUE"];
    if (accused.length > 0)
      words.push(
        `true one flagged: ${accused.map((one) => `${one.verdict} ${one.text}: ${one.reason}`).join("; ")}`,
      );
    console.log(`  ${row.id} [${row.class}] ${words.filter(Boolean).join(", ")}`);
    if (show) console.log(`      true:  ${row.true}\n      false: ${row.false}`);
  }
}

async function judgeTwins(texts, options, room) {
  const [right, wrong] = [
    await room.assessReport(texts.true, options),
    await room.assessReport(texts.false, options),
  ];
  const doubts = ({ checks }) =>
    checks.filter(({ verdict }) => room.isFlagged(verdict) || isTold(verdict));
  // Without a word nothing is vouched for, and nothing is held against it.
  const rank = ({ trust }) => trustWords.indexOf(trust ?? "UNVERIFIED");
  const score = ({ confidence }) => confidence.combined ?? NaN;
  const [rightTrust, wrongTrust] = [rank(right), rank(wrong)];
  const isLevel = rightTrust === wrongTrust;
  const more = doubts(wrong).length > doubts(right).length;
  return {
    apart: more || wrongTrust < rightTrust || (isLevel && score(wrong) < score(right)),
    above: wrongTrust > rightTrust || (isLevel && score(wrong) > score(right)),
    accused: doubts(right),
  };
}

const isTold = (verdict) => verdict === "countered" || verdict === "weakened";

/** A file that is null is not there. */
const readerOf = (files, { memoryReader }) =>
  memoryReader(Object.fromEntries(Object.entries(files).filter(([, text]) => text !== null)));

/** {id, language, bent, before, after}: is the weakened proof told, and the honest refactoring not? */
async function runBent(rows, room, show) {
  const judged = rows.map((row) => ({
    row,
    places: room.bentTests(readerOf(row.before, room), readerOf(row.after, room)),
  }));
  const bent = judged.filter(({ row }) => row.bent);
  const honest = judged.filter(({ row }) => !row.bent);
  const told = (list) => list.filter(({ places }) => places.length > 0);
  console.log(`bent, told     ${shareWords(told(bent).length, bent.length)}`);
  console.log(`honest, told   ${shareWords(told(honest).length, honest.length)}`);
  for (const language of [...new Set(rows.map((row) => row.language))]) {
    const own = (list) => list.filter(({ row }) => row.language === language);
    console.log(
      `    ${language}: bent ${told(own(bent)).length} of ${own(bent).length}, honest ${told(own(honest)).length} of ${own(honest).length}`,
    );
  }
  for (const { row, places } of judged) {
    if (row.bent === places.length > 0) continue;
    console.log(
      `  ${row.bent ? "missed" : "wrongly told"}: ${row.id} [${row.language}] ${row.why ?? ""}`,
    );
    for (const place of places) console.log(`      ${place.path}:${place.line} ${place.what}`);
    if (show) console.log(JSON.stringify({ before: row.before, after: row.after }, null, 2));
  }
}
