// How fast definitions load: `npm run bench -- definitions [files] [rounds]`. Files of every kind found in the wild, on the real disk.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const prompt =
  "You look at code and say what is wrong with it.\n\n## How to work\n\n- Read first.\n- Then judge.\n".repeat(
    30,
  );

const kinds = {
  strict: (name) =>
    `---\nname: ${name}\ndescription: Reviews code and says what matters\ntools: Read, Grep, Glob\nmodel: sonnet\n---\n${prompt}`,
  list: (name) =>
    `---\nname: ${name}\ndescription: >-\n  Reviews code\n  and says what matters\ntools:\n  - Read\n  - Bash(git log:*)\nmaxTurns: 20\n---\n${prompt}`,
  colon: (name) =>
    `---\nname: ${name}\ndescription: Use this agent: it reviews code. Examples: many\ntools: Read, MultiEdit\n---\n${prompt}`,
  escaped: (name) =>
    `---\nname: ${name}\ndescription: Use it.\\n\\nExamples:\\n<example>\\nContext: a bug\\nuser: "fix it"\\nassistant: "on it"\\n</example>\nmodel: inherit\ncolor: blue\n---\n${prompt}`,
  example: (name) =>
    `---\nname: ${name}\ndescription: Use it so\n<example>\nContext: a bug\nuser: fix: it\nassistant: on it\n</example>\ntools: Read\n---\n${prompt}`,
  crlf: (name) =>
    `---\r\nname: ${name}\r\ndescription: Reviews code\r\ntools: Read\r\n---\r\n${prompt.replaceAll("\n", "\r\n")}`,
};

export const summary = "how fast definitions of every kind load ([FILES] [ROUNDS])";

export async function run([count = "2000", rounds = "5"]) {
  const folder = mkdtempSync(join(tmpdir(), "retinue-bench-"));
  try {
    const outfile = join(folder, "load.mjs");
    const banner = {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    };
    await build({
      entryPoints: ["src/definitions/load-definitions.ts"],
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      banner,
      outfile,
      logLevel: "error",
    });
    const { loadDefinitions } = await import(pathToFileURL(outfile).href);
    writeFiles(join(folder, "repo"), Number(count));
    const options = {
      cwd: join(folder, "repo"),
      configDir: join(folder, "home"),
      managedDir: join(folder, "managed"),
    };
    const times = [];
    for (let round = 0; round < Number(rounds); round += 1) {
      const started = performance.now();
      const { definitions, problems, files } = loadDefinitions(options);
      times.push(performance.now() - started);
      const loaded = [...definitions.values()].filter(
        (definition) => definition.source === "project",
      ).length;
      const errors = problems.filter((problem) => problem.severity === "error").length;
      console.error(
        `round ${round + 1}: ${files.length} files, ${loaded} loaded, ${errors} errors, ${problems.length - errors} warnings, ${times.at(-1).toFixed(0)} ms`,
      );
      if (loaded !== Number(count)) process.exitCode = 1;
    }
    const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    console.log(
      JSON.stringify({
        files: Number(count),
        medianMs: Math.round(median),
        filesPerSecond: Math.round((Number(count) / median) * 1000),
        coldMs: Math.round(Math.max(...times)),
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeFiles(root, count) {
  mkdirSync(join(root, ".git"), { recursive: true });
  const makers = Object.entries(kinds);
  for (let index = 0; index < count; index += 1) {
    const [kind, make] = makers[index % makers.length];
    const folder = join(root, ".claude", "agents", kind);
    if (index < makers.length) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `agent-${index}.md`), make(`agent-${index}`));
  }
}
