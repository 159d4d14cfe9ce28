// Makes one recorded run real: its project on disk, the edits that did not fail applied, and a transcript as Claude Code writes it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/**
 * `run.root` holds the project after the run; `run.transcript` lies beside it. `{{COMMIT:1}}` in steps and
 * messages is the short id of the second commit of `git`.
 */
export function makeRun({ files = {}, git = [], steps = [], final = "" }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "retinue-claims-")));
  const root = join(base, "project");
  mkdirSync(root);
  const ids = [];
  const real = (value) =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll("{{ROOT}}", root)
        .replace(/\{\{COMMIT:(\d+)\}\}/g, (written, at) => ids[Number(at)] ?? written),
    );
  for (const { message, files: changed } of git) {
    if (!existsSync(join(root, ".git"))) runGit(root, ["init", "-q", "-b", "main"]);
    writeAll(root, real(changed));
    runGit(root, ["add", "-A"]);
    runGit(root, ["commit", "-q", "--allow-empty", "-m", message]);
    ids.push(runGit(root, ["rev-parse", "--short=7", "HEAD"]).trim());
  }
  writeAll(root, real(files));
  if (git.length === 0) {
    runGit(root, ["init", "-q", "-b", "main"]);
    runGit(root, ["add", "-A"]);
    runGit(root, ["commit", "-q", "--allow-empty", "-m", "start"]);
  }
  const before = readAll(root, Object.keys(files));
  const known = real(steps);
  for (const step of known) applyStep(root, step);
  const transcript = join(base, "transcript.jsonl");
  writeFileSync(transcript, transcriptOf(known, { root, final: real(final) }));
  return {
    root,
    transcript,
    before,
    final: real(final),
    real,
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

function runGit(root, args) {
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
  return spawnSync("git", ["-C", root, ...identity, "-c", "commit.gpgsign=false", ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  }).stdout;
}

function writeAll(root, files) {
  for (const [path, text] of Object.entries(files ?? {})) {
    const full = isAbsolute(path) ? path : join(root, path);
    if (!full.startsWith(`${root}/`)) continue;
    if (text === null) rmSync(full, { force: true });
    else {
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
    }
  }
}

const readAll = (root, paths) =>
  Object.fromEntries(
    paths.flatMap((path) =>
      existsSync(join(root, path)) ? [[path, readFileSync(join(root, path), "utf8")]] : [],
    ),
  );

/** Write, Edit, MultiEdit and plain file commands change the tree; a step that failed does not. */
function applyStep(root, { tool, input = {}, error, exit }) {
  if (error || (exit ?? 0) !== 0) return;
  if (tool === "Bash") return applyFileCommands(root, input.command ?? "");
  const path = input.file_path;
  if (typeof path !== "string") return;
  const full = isAbsolute(path) ? path : join(root, path);
  if (!full.startsWith(`${root}/`)) return;
  if (tool === "Write") writeAll(root, { [full]: input.content ?? "" });
  const edits = tool === "Edit" ? [input] : tool === "MultiEdit" ? (input.edits ?? []) : [];
  if (edits.length === 0 || !existsSync(full)) return;
  const changed = edits.reduce(
    (text, { old_string: from = "", new_string: to = "", replace_all: all }) =>
      all ? text.replaceAll(from, () => to) : text.replace(from, () => to),
    readFileSync(full, "utf8"),
  );
  writeFileSync(full, changed);
}

const fileCommand = /^(?:mv|cp|rm|mkdir|rmdir|touch|git mv|git rm|sed -i)\s/;
const leavesRoot = /(?:^|[\s'"=])(?:\/|~|\.\.)|[$`<>|*?{}]/;

/** Of a chain its parts that only move, copy, delete or replace, below the root; no other command is run. */
function applyFileCommands(root, command) {
  for (const part of command.replaceAll(`${root}/`, "").split(/\s*(?:&&|;|\n)\s*/)) {
    const words = part.replace(/'[^']*'/g, "");
    if (fileCommand.test(part) && !leavesRoot.test(part.startsWith("sed") ? words : part))
      spawnSync("bash", ["-c", part], { cwd: root, stdio: "ignore", timeout: 5_000 });
  }
}

function transcriptOf(steps, { root, final }) {
  const envelope = {
    isSidechain: false,
    cwd: root,
    sessionId: "00000000-0000-4000-8000-000000000000",
    version: "2.1.0",
  };
  const reply = (index, content) => ({
    type: "assistant",
    ...envelope,
    uuid: `a${index}`,
    message: { id: `msg_${index}`, role: "assistant", model: "claude-test", content },
  });
  const lines = [
    { type: "user", ...envelope, uuid: "u0", message: { role: "user", content: "Do the task." } },
    ...steps.flatMap((step, index) => stepLines(step, { index, envelope, reply })),
    reply(steps.length, [{ type: "text", text: final }]),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function stepLines({ tool, input = {}, output = "", exit, error }, { index, envelope, reply }) {
  const id = `toolu_${index}`;
  const failed = Boolean(error) || (typeof exit === "number" && exit !== 0);
  const text =
    tool === "Bash" && typeof exit === "number" && exit !== 0
      ? `Exit code ${exit}\n${output}`
      : output || (typeof error === "string" ? error : "");
  const result = {
    type: "tool_result",
    tool_use_id: id,
    content: text,
    ...(failed ? { is_error: true } : {}),
  };
  return [
    reply(index, [{ type: "tool_use", id, name: tool, input }]),
    {
      type: "user",
      ...envelope,
      uuid: `r${index}`,
      message: { role: "user", content: [result] },
    },
  ];
}
