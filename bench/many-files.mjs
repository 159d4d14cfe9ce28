// `npm run bench -- many-files [FILES]`: `retinue verify` on a real folder of 200,000 files, without git and with it: time beside that of listing and reading them all, peak memory, verdicts.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measured, seconds, words } from "./support/measured.mjs";
import { root } from "./support/root.mjs";

export const summary =
  "the verifier on a folder of 200,000 real files: time, peak memory ([FILES], 200000)";

const goalMb = 300;
const filesAFolder = 100;

export async function run(args = []) {
  const count = Number(args[0] ?? 200_000);
  spawnSync(process.execPath, ["scripts/build.mjs", "--cli"], { cwd: root, stdio: "inherit" });
  const base = mkdtempSync(join(tmpdir(), "retinue-many-"));
  const folder = join(base, "repository");
  try {
    const started = performance.now();
    makeFiles(folder, count);
    console.log(`${count} files made in ${seconds(performance.now() - started)}`);
    const read = await measured(["-e", readAll, folder], "");
    console.log(`listed and read once: ${words(read)}`);
    const reports = {
      "true ones": claimsOf(count, ["true", "name alone"]),
      "all kinds": claimsOf(count, Object.keys(claims)),
    };
    const results = [];
    for (const where of ["no repository", "untracked in git"]) {
      if (where === "untracked in git") spawnSync("git", ["init", "-q", folder]);
      for (const [name, entries] of Object.entries(reports))
        results.push(await verify({ folder, where, name, entries, read }));
    }
    return results.every(Boolean);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function verify({ folder, where, name, entries, read }) {
  const report = `## Findings\n\n${entries.map(({ line }) => line).join("\n")}\n`;
  const found = await measured(
    [join(root, "dist/cli/retinue.js"), "verify", "-", "--root", folder, "--format", "json"],
    report,
  );
  const { checks } = JSON.parse(found.stdout);
  const wrong = checks.filter(
    ({ verdict, suggestion }, at) =>
      verdict !== entries[at]?.verdict ||
      (entries[at].place !== undefined &&
        `${suggestion?.path}:${suggestion?.line}` !== entries[at].place),
  );
  const isLean = found.rssMb <= goalMb;
  console.log(
    `${where}, ${name}: ${words(found)}, ${(found.cpuMs / read.cpuMs).toFixed(2)} x reading, ${checks.length} references, ${wrong.length} unexpected${isLean ? "" : `; over ${goalMb} MB`}`,
  );
  for (const { text, verdict, reason } of wrong.slice(0, 5))
    console.log(`  ${text}: ${verdict} ${reason ?? ""}`);
  return isLean && wrong.length === 0 && checks.length === entries.length;
}

const pathOf = (index) =>
  `packages/p${index % 40}/src/f${Math.floor(index / filesAFolder)}/module-${index}.ts`;
const nameOf = (index) => `makeThing${index}`;

function makeFiles(folder, count) {
  for (let index = 0; index < count; index++) {
    const path = join(folder, pathOf(index));
    if (index % filesAFolder < 40) mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(
      path,
      `// Makes things of kind ${index}.\nimport { base${index % 977} } from "../base.ts";\n\nexport function ${nameOf(index)}(size: number): number {\n  const limit${index % 5_000} = base${index % 977}(size);\n  return limit${index % 5_000} * ${index};\n}\n\nexport const label${index} = "thing ${index}";\n`,
    );
  }
}

/** A line of a report, the verdict that it deserves and, where it can be put right, the place. */
const claims = {
  true: (index) => ({
    line: `- \`${nameOf(index)}\` stands in \`${pathOf(index)}:4\`.`,
    verdict: "verified",
  }),
  "wrong line": (index) => ({
    line: `- \`${nameOf(index)}\` stands in \`${pathOf(index)}:90\`.`,
    verdict: "out_of_range",
    place: `${pathOf(index)}:4`,
  }),
  "wrong file": (index, other) => ({
    line: `- \`${nameOf(index)}\` stands in \`${pathOf(other)}:4\`.`,
    verdict: "wrong_symbol",
    place: `${pathOf(index)}:4`,
  }),
  "wrong folder": (index) => ({
    line: `- It is in \`${pathOf(index).replace("/src/", "/lib/")}:4\`.`,
    verdict: "missing",
    place: `${pathOf(index)}:4`,
  }),
  "invented path": (index) => ({
    line: `- It is in \`packages/nowhere/thing-${index}.ts:4\`.`,
    verdict: "missing",
  }),
  "name alone": (index) => ({ line: `- See \`module-${index}.ts\`.`, verdict: "exists_only" }),
};

const claimsOf = (count, kinds) =>
  Array.from({ length: 600 }, (_, at) =>
    claims[kinds[at % kinds.length]]((at * 7_919) % count, (at * 104_729 + 1) % count),
  );

const readAll = `const { readdirSync, readFileSync } = require("node:fs"); const { join } = require("node:path"); let bytes = 0;
const walk = (folder) => { for (const entry of readdirSync(folder, { withFileTypes: true })) { const path = join(folder, entry.name); if (entry.isDirectory()) walk(path); else bytes += readFileSync(path, "utf8").length; } };
walk(process.argv[1]);`;
