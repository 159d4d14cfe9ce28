// `npm run bench -- cold-verify [FILES] [ROUNDS]`: `retinue verify` of one document with three names that are nowhere, in a new process, beside `git grep` of one of them; and how the time of a document grows with its size.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childrenMs, measureName } from "./support/children-ms.mjs";
import { root } from "./support/root.mjs";

export const summary =
  "retinue verify of a document in a new process: beside git grep, and as documents grow ([FILES], 50000, [ROUNDS], 7)";

const goals = { grep: 2.5, growth: 6, megabytes: 300 };
const retinue = join(root, "dist", "cli", "retinue.js");
const missing = ["parseWidgetTree", "flushLedgerQueue", "retryBudgetFor"];

export async function run([files = 50_000, rounds = 7] = []) {
  const built = spawnSync(process.execPath, ["scripts/build.mjs", "--cli"], {
    cwd: root,
    stdio: "inherit",
  });
  if (built.status !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "retinue-cold-"));
  try {
    console.log(`Node ${process.versions.node}; ${measureName}, medians, interleaved`);
    const isQuick = besideGrep(join(folder, "large"), Number(files), Number(rounds));
    return growth(join(folder, "small")) && isQuick;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function besideGrep(folder, files, rounds) {
  makeFiles(folder, files);
  const document = join(folder, "NOTES.md");
  const lines = missing.map(
    (name, at) => `- \`${name}\` stands in \`${pathOf(at * 101)}:4\` and does the rest.`,
  );
  writeFileSync(document, `# Notes\n\n${lines.join("\n")}\n`);
  const commands = {
    "git grep": ["git", ["-C", folder, "grep", "-l", "-F", "-w", missing[0]]],
    "retinue verify": [process.execPath, [retinue, "verify", document, "--root", folder]],
  };
  const times = { "git grep": [], "retinue verify": [] };
  let peak = 0;
  for (let round = 0; round <= rounds; round++)
    for (const [name, [command, args]] of Object.entries(commands)) {
      const { ms, megabytes, status } = measured(command, args);
      if (status !== 1) throw new Error(`${name} ended with ${status}`);
      if (round > 0) times[name].push(ms);
      peak = Math.max(peak, megabytes);
    }
  const [grep, verify] = ["git grep", "retinue verify"].map((name) => median(times[name]));
  const isMet = verify <= goals.grep * grep && peak <= goals.megabytes;
  console.log(
    `  ${files} files, three names that are nowhere: git grep of one ${grep} ms, retinue verify ${verify} ms: ${(verify / grep).toFixed(2)} × (goal ${goals.grep}), ${peak} MB (goal ${goals.megabytes})${isMet ? "" : "  MISSED"}`,
  );
  return isMet;
}

const shapes = {
  table: (bytes) => {
    const row = "| `lookUp` | src/part.ts:2 | it adds a number to what it is given |\n";
    return `| name | place | what |\n|---|---|---|\n${row.repeat(bytes / row.length)}`;
  },
  "fences, nested 1,000 deep": (bytes) => {
    const depth = 1_000;
    const open = Array.from({ length: depth }, (_, at) => `${"> ".repeat(at % 50)}\`\`\`ts`);
    const block = `${open.join("\n")}\nexport const part = 1;\n`;
    return block.repeat(Math.max(1, Math.round(bytes / block.length)));
  },
  "one line": (bytes) =>
    "The value is read in src/part.ts:2 and `lookUp` adds to it, ".repeat(bytes / 60),
};

/** One megabyte beside five. */
function growth(folder) {
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src", "part.ts"), "// One part.\nexport const lookUp = 1;\n");
  let isMet = true;
  for (const [name, text] of Object.entries(shapes)) {
    const [small, large] = [1, 5].map((megabytes) => {
      const document = join(folder, `${megabytes}.md`);
      writeFileSync(document, text(megabytes * 1_000_000));
      const args = [retinue, "verify", document, "--root", folder, "--format", "json"];
      return measured(process.execPath, args);
    });
    const isLinear = large.ms <= goals.growth * small.ms;
    isMet &&= isLinear;
    console.log(
      `  ${name}: 1 MB ${small.ms} ms, 5 MB ${large.ms} ms: ${(large.ms / small.ms).toFixed(1)} × (goal ${goals.growth}), ${large.megabytes} MB${isLinear ? "" : "  MISSED"}`,
    );
  }
  return isMet;
}

const telling = `data:text/javascript,${encodeURIComponent('import { writeSync } from "node:fs"; process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));')}`;

/** Processor time of a command with all that it starts; of Node its peak memory too. */
function measured(command, args) {
  const isNode = command === process.execPath;
  const before = childrenMs();
  const { status, output } = spawnSync(command, isNode ? ["--import", telling, ...args] : args, {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  const megabytes = isNode ? Math.round(Number(output[3]) / 1024) : 0;
  return { ms: childrenMs() - before, megabytes, status };
}

const pathOf = (index) =>
  `packages/p${index % 40}/src/f${Math.floor(index / 100)}/part-${index}.ts`;

function makeFiles(folder, count) {
  for (let index = 0; index < count; index++) {
    const path = join(folder, pathOf(index));
    if (index % 100 < 40) mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(
      path,
      `// Makes things of kind ${index}.\nimport { base${index % 977} } from "../base.ts";\n\nexport function makeThing${index}(size: number): number {\n  const limit${index % 5_000} = base${index % 977}(size);\n  return limit${index % 5_000} * ${index};\n}\n`,
    );
  }
  const git = (...args) => spawnSync("git", ["-C", folder, ...args], { stdio: "ignore" });
  git("init", "-q");
  // Nothing goes on in the background that takes time, or is in the way at the end.
  git("config", "gc.auto", "0");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "all");
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
