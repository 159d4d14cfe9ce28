import { expect, test } from "vitest";
import { limits } from "../src/base/limits.ts";
import { expectGenerated } from "./generated-doc.ts";

/** What each group bounds; a new group without a sentence fails the test. */
const groups: Record<keyof typeof limits, string> = {
  ask: "Questions to a person: how long one waits for an answer (`retinue.background.waitMs`), and the largest file whose change is shown with it.",
  run: "One run of an agent. `maxConcurrent`, `maxTurns`, `timeoutMs` and `idleTimeoutMs` can be set under `retinue.limits`; of call, definition and settings the smallest counts. A main thread has `mainMaxTurns`. `cutReplies`: how often a reply that was cut at the output limit may be continued. `keptEvents` and `waitingEvents`: events kept for late and for slow readers.",
  read: "The Read tool: lines and characters shown at once, the largest file, the largest image or PDF.",
  write: "The Write tool.",
  bash: "The Bash tool: time, output shown to the model, output kept in a file, the pause between asking and killing, and what a command may write and use.",
  sandbox:
    "The sandbox of Bash: processes of one run together, and folders of a workspace that are looked through before each command.",
  grep: "The Grep tool; `fallbackFileBytes` where ripgrep is not there.",
  glob: "The Glob tool.",
  webFetch:
    "The WebFetch tool: download, time, redirects on the same host, text shown to the model.",
  mcp: "MCP servers: result size, silence and total time of a call, start-up, size of messages, descriptions and schemas, and the pauses before a server is started again.",
  hook: "Hooks: time by default and at most, output, texts for the model, the length of commands and matchers, and how often a Stop hook may send an agent on.",
  model:
    "Model providers: tries, the time they may take together, connect and reply deadlines, the longest Retry-After that is honoured. A provider that has answered before and cannot be reached is tried again for all of that time.",
  report:
    "Reports and the summaries that are passed on. `keptChecks` and `keptFindings`: how many stand in a result.",
  transcript:
    "Transcripts: longer lines spill to a side file; loading is bounded by the rest. `cleanupDays` is Claude Code's `cleanupPeriodDays`.",
  output: "Output files of background runs, and the text of a result.",
  task: "Agents as tasks: how long TaskOutput waits by default and at most, how long a stop may take, how long a host has to answer and to end, how long a lost run is listed, and how long a tool of the library's user may run.",
  orchestrator:
    "An agent in `delegate` mode: files read between two delegations, key references of one report that may be read all the same, file names that a search gives, and what one phase of a flow may add to the orchestrator's context.",
  flow: "Flows: how often a lost agent is tried again, a failed validation goes back to the writer, questions are put to a person; and how many findings a second agent looks at (`retinue.flows.secondLooks`).",
  restate:
    "Runs on several machines: after how many turns and bytes of journal a run goes on in a new one, requests to a gateway and their size, how long events of a run that has ended are shown, the engine's time-outs, how long it keeps a journal, and its pauses before it tries a run again.",
  memory: "What is shown of an agent's MEMORY.md.",
  instructions: "CLAUDE.md and AGENTS.md in a system prompt, and what they import.",
  skill: "Skills.",
  definition:
    "Agent definitions and plugin manifests: the file, its frontmatter, the keys in it and how deep they nest.",
  scan: "Folders that are searched for agents, skills, commands and rules.",
  settings:
    "Settings and profiles; what trust looks at: texts that are searched for scripts, scripts, bytes in all, and the store of trusted folders.",
  top: "`retinue top`: the newest runs that it lists, the lines of a log, and how often it looks.",
  lock: "Files that several processes change: how long one waits, and when a left-over lock is removed.",
  compaction:
    "What the summary of a conversation is made from, and the share of the window that stays word for word.",
  shell: "Commands that are analysed; longer ones are asked about.",
  permissions: "Permission rules and cases.",
  verify: "The verifier: files, reports and repositories beyond these are named, not read.",
  compactionPercent:
    "A conversation is summarised at this share of the model's window (`CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`).",
  prompt:
    "The prompt of a run, the list of agents in it, and how long `git status` may take for it.",
  checks:
    "The project's own checks that the validator runs: time, output, errors kept; and the search for secrets.",
  worktree: "Git worktrees of isolated runs.",
  workspace:
    "Workspaces that follow a run from machine to machine: the time of a git command, of a transfer and of the set-up command, how much of that command's output a failure shows, how often a push is tried against a machine that others took for dead, and how long a call waits for a remote that is down.",
  store:
    "Stores that several machines share: larger steps of a run leave the engine's journal for the store (`stepBytes`), a transcript is sent in chunks, nothing larger than `objectBytes` is read; the time of one request, how often it is tried again, and the pauses between.",
  offline: "Answers without a model.",
};

function humane(name: string, value: number): string {
  if (name.endsWith("Ms"))
    return value % 60_000 === 0 ? `${value / 60_000} min` : `${value / 1_000} s`;
  if (!name.toLowerCase().endsWith("bytes")) return value.toLocaleString("en");
  const [size, unit] =
    value % 1024 ** 3 === 0
      ? [value / 1024 ** 3, "GB"]
      : value % 1024 ** 2 === 0
        ? [value / 1024 ** 2, "MB"]
        : [value / 1024, "KB"];
  return `${size} ${unit}`;
}

function section([name, value]: [string, number | Record<string, number>]): string {
  const rows =
    typeof value === "number"
      ? [[name, value] as const]
      : Object.entries(value).map(([key, number]) => [`${name}.${key}`, number] as const);
  return [
    `## ${name}`,
    "",
    groups[name as keyof typeof limits],
    "",
    "| limit | default |",
    "|---|---|",
    ...rows.map(([key, number]) => `| \`${key}\` | ${humane(key, number)} |`),
  ].join("\n");
}

test("docs/limits.md lists every default number with what it bounds", () => {
  const sections = Object.entries(limits as Record<string, number | Record<string, number>>).map(
    section,
  );
  for (const text of sections) expect(text).not.toContain("undefined");
  expectGenerated(
    "docs/limits.md",
    `# Limits\n\nEvery default number of the system. They stand in \`src/base/limits.ts\`, and this page is made from it.\n\n${sections.join("\n\n")}\n`,
  );
});
