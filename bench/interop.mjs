// Claude Code itself against the mock provider: a sub-agent reports a wrong line, `retinue verify --transcript` names the wrong line and the right one in the transcript
// that Claude Code wrote, and with `retinue hook subagent-stop` in its settings the sub-agent is sent back once and puts it right.
// Another one writes its report as JSON with a plain Write and is held by `retinue report check`.
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./support/root.mjs";

export const summary =
  "Claude Code from the registry against the mock provider: its transcript audited, its sub-agent held by our hook ([VERSION], --keep)";

const source = [
  "import { find } from './store';",
  "",
  "// Finds a user by name.",
  "export function lookup(name) {",
  "  return find(name);",
  "}",
  "",
].join("\n");
const agent =
  "---\nname: locator\ndescription: Says where a function is defined\ntools: Read, Grep, Write\n---\nLOCATOR-AGENT: say where functions are defined, with file and line.\n";
const wrong = "`lookup` is defined at `src/users.js:2`.";
const right = "`lookup` is defined at `src/users.js:4`.";

export async function run(args = []) {
  const version = args.find((arg) => /^\d+\.\d+\.\d+$/.test(arg)) ?? "latest";
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retinue-interop-")));
  try {
    const claude = install(folder, version);
    if (!claude) return false;
    const retinue = await builtCommand(folder);
    const { startMockProvider } = await bundle(folder);
    const audited = await session({ folder, name: "plain", claude, startMockProvider });
    const checks = audited.transcript ? audit(retinue, audited) : [];
    const named = checks.some(
      ({ verdict, lines, suggestion }) =>
        verdict === "wrong_symbol" && lines[0] === 2 && suggestion?.line === 4,
    );
    const held = await session({
      folder,
      name: "held",
      claude,
      startMockProvider,
      hook: `${process.execPath} ${retinue} hook subagent-stop`,
    });
    const written = await session({
      folder,
      name: "written",
      claude,
      startMockProvider,
      hook: `${process.execPath} ${retinue} report check report.json --hook`,
      agentAnswer: writtenAnswer,
    });
    const checked = spawnSync(process.execPath, [retinue, "report", "check", "report.json"], {
      encoding: "utf8",
      cwd: written.project,
    });
    console.log(checked.stdout.trim());
    say("the sub-agent's transcript was found", audited.transcript !== undefined);
    say("verify --transcript names line 2 as wrong and line 4 as right", named);
    say(
      "without the hook the wrong line reaches the main thread",
      audited.told.includes("users.js:2"),
    );
    say("with the hook the sub-agent is sent back exactly once", held.sentBack === 1);
    say(
      "and the main thread gets the right line",
      held.told.includes("users.js:4") && !held.told.includes("users.js:2"),
    );
    say("a report that was written as JSON is sent back exactly once", written.sentBack === 1);
    say("and what it says then holds", checked.status === 0);
    return (
      written.sentBack === 1 &&
      checked.status === 0 &&
      audited.transcript !== undefined &&
      named &&
      held.sentBack === 1 &&
      held.told.includes("users.js:4")
    );
  } finally {
    if (args.includes("--keep")) console.log(`kept ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

const say = (what, ok) => console.log(`${ok ? "✓" : "✗"} ${what}`);

function install(folder, version) {
  const place = join(folder, "client");
  mkdirSync(place);
  const { status, stderr } = spawnSync(
    "npm",
    [
      "install",
      "--no-audit",
      "--no-fund",
      "--prefix",
      place,
      `@anthropic-ai/claude-code@${version}`,
    ],
    { encoding: "utf8" },
  );
  const claude = join(place, "node_modules", ".bin", "claude");
  const shown = existsSync(claude)
    ? spawnSync(claude, ["--version"], { encoding: "utf8", timeout: 60_000 }).stdout?.trim()
    : "";
  if (!shown)
    console.log(
      `Claude Code could not be installed or started here: ${(stderr ?? "").split("\n").find(Boolean) ?? `exit code ${status}`}`,
    );
  else console.log(shown);
  return shown ? claude : undefined;
}

async function builtCommand(folder) {
  const outdir = join(folder, "retinue");
  await build({
    entryPoints: [join(root, "src/cli/retinue.ts")],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    outdir,
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
    packages: "bundle",
    define: { RETINUE_VERSION: JSON.stringify("0.0.0") },
    banner: {
      js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);',
    },
    external: ["@anthropic-ai/sandbox-runtime", "@vscode/ripgrep"],
  });
  return join(outdir, "retinue.mjs");
}

async function bundle(folder) {
  const outfile = join(folder, "testing.mjs");
  await build({
    entryPoints: [join(root, "src/testing/index.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
  });
  return import(pathToFileURL(outfile).href);
}

/** One run of the client in a project and a home of its own. */
async function session({
  folder,
  name,
  claude,
  startMockProvider,
  hook,
  agentAnswer = spokenAnswer,
}) {
  const [project, home] = [join(folder, name, "project"), join(folder, name, "home")];
  for (const dir of [join(project, "src"), join(project, ".claude/agents"), join(home, ".claude")])
    mkdirSync(dir, { recursive: true });
  writeFileSync(join(project, "src/users.js"), source);
  writeFileSync(join(project, ".claude/agents/locator.md"), agent);
  if (hook)
    writeFileSync(
      join(home, ".claude/settings.json"),
      JSON.stringify({
        hooks: { SubagentStop: [{ hooks: [{ type: "command", command: hook }] }] },
      }),
    );
  const state = { sentBack: 0, told: "" };
  const server = await startMockProvider({
    reply: ({ body }) => answer(body, { project, state, agentAnswer }),
  });
  try {
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "sk-ant-mock",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    };
    const finished = await call(
      claude,
      ["-p", "Where is lookup defined?", "--allowedTools", "Read,Grep,Write,Agent,Task"],
      { cwd: project, env },
    );
    if (finished.code !== 0)
      console.log(
        `the client ended with ${finished.code}: ${(finished.stderr || finished.stdout).slice(0, 500)}`,
      );
  } finally {
    await server.close();
  }
  return { project, transcript: findTranscript(join(home, ".claude/projects")), ...state };
}

function call(command, args, { cwd, env }) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  return new Promise((done) => {
    child.on("error", (error) => done({ code: null, stdout, stderr: String(error) }));
    child.on("close", (code) => done({ code, stdout, stderr }));
  });
}

/** The agent reads, errs, and corrects itself when it is told to. */
function spokenAnswer(messages, { project, state }) {
  if (messages.includes("Your report was checked")) {
    state.sentBack++;
    return right;
  }
  return messages.includes('"tool_result"')
    ? wrong
    : { tools: [{ name: "Read", input: { file_path: join(project, "src/users.js") } }] };
}

/** The same with a report in a file: first with a line that is not there, then as it stands. */
function writtenAnswer(messages, { project, state }) {
  const results = messages.split('"tool_result"').length - 1;
  const write = (quote) => ({
    tools: [
      {
        name: "Write",
        input: { file_path: join(project, "report.json"), content: writtenReport(quote) },
      },
    ],
  });
  if (results === 0)
    return { tools: [{ name: "Read", input: { file_path: join(project, "src/users.js") } }] };
  if (results === 1) return write("export async function lookup(id) {");
  if (results > 2 || !messages.includes("Not accepted yet")) return "The report is in report.json.";
  state.sentBack++;
  return write("export function lookup(name) {");
}

const writtenReport = (quote) =>
  JSON.stringify({
    status: "SUCCESS",
    summary: "Found the lookup.",
    findings: [
      {
        title: "lookup",
        kind: "present",
        statement: "Finds a user by name.",
        path: "src/users.js",
        quote,
      },
    ],
    confidence: { verified: 80, inferred: 70, justification: "Read the file" },
  });

/** The main thread delegates and passes on what it is told. */
function answer(body, { project, state, agentAnswer }) {
  const isAgent = JSON.stringify(body.system ?? "").includes("LOCATOR-AGENT");
  const messages = JSON.stringify(body.messages ?? []);
  const tools = (body.tools ?? []).map(({ name }) => name);
  if (isAgent) return agentAnswer(messages, { project, state });
  const delegate = tools.find((name) => name === "Agent" || name === "Task");
  if (!delegate) return "ok";
  if (!messages.includes('"tool_result"'))
    return {
      tools: [
        {
          name: delegate,
          input: {
            description: "locate",
            prompt: "Where is lookup defined?",
            subagent_type: "locator",
          },
        },
      ],
    };
  // The answer comes with the tool's result, or later as a notification where the client runs agents in the background.
  state.told = messages;
  return "The agent has told me.";
}

function findTranscript(folder) {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder, { recursive: true }).map(String);
  const found =
    files.find((file) => /subagents\/agent-[^/]*\.jsonl$/.test(file)) ??
    files.find((file) => /agent-[^/]*\.jsonl$/.test(file));
  return found && join(folder, found);
}

function audit(retinue, { project, transcript }) {
  const { stdout, status } = spawnSync(
    process.execPath,
    [retinue, "verify", "--transcript", transcript, "--json"],
    { encoding: "utf8", cwd: project },
  );
  console.log(
    spawnSync(process.execPath, [retinue, "verify", "--transcript", transcript], {
      encoding: "utf8",
      cwd: project,
    }).stdout.trim(),
  );
  return status === 1 ? JSON.parse(stdout).checks : [];
}
