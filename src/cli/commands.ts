// The table of commands. Only the called command is loaded, so `--version` costs nothing.
import type { CommandEntry } from "./command.ts";

export const commands: CommandEntry[] = [
  {
    name: "run",
    summary: "run one agent on a task and watch it work",
    load: () => import("./commands/run.ts"),
  },
  {
    name: "ps",
    summary: "list the running agents of all terminals",
    load: () => import("./commands/runs/ps.ts"),
  },
  {
    name: "top",
    summary: "watch all sessions of this folder as a tree, and steer them",
    load: () => import("./commands/runs/top.ts"),
  },
  {
    name: "output",
    summary: "show an agent's result, or its text so far",
    load: () => import("./commands/runs/output.ts"),
  },
  {
    name: "asks",
    summary: "list the open questions of all agents",
    load: () => import("./commands/runs/asks.ts"),
  },
  {
    name: "answer",
    summary: "answer an agent's question from any terminal",
    load: () => import("./commands/runs/answer.ts"),
  },
  {
    name: "send",
    summary: "send a message to an agent, running or finished",
    load: () => import("./commands/runs/send.ts"),
  },
  {
    name: "stop",
    summary: "stop agents, wherever they run",
    load: () => import("./commands/runs/stop.ts"),
  },
  {
    name: "resume",
    summary: "continue an agent that has ended or was lost",
    load: () => import("./commands/runs/resume.ts"),
  },
  {
    name: "clean",
    summary: "remove old transcripts",
    load: () => import("./commands/project/clean.ts"),
  },
  {
    name: "flow",
    summary: "run several agents as one piece of work",
    load: () => import("./commands/flow.ts"),
  },
  {
    name: "agents",
    summary: "list agents, show which file is used and why, check definitions",
    load: () => import("./commands/project/agents.ts"),
  },
  {
    name: "logs",
    summary: "show what an agent did",
    load: () => import("./commands/runs/logs.ts"),
  },
  {
    name: "demo",
    summary:
      "show a tour, without a key: agents repair a small project, and a made-up reference is found",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "worker",
    summary: "run agents for other machines, as part of a cluster",
    load: () => import("./commands/cluster/worker.ts"),
  },
  {
    name: "gateway",
    summary: "take runs from clients and hand them to the workers of a cluster",
    load: () => import("./commands/cluster/gateway.ts"),
  },
  {
    name: "doctor",
    summary: "check this machine and this project, and say what to fix",
    load: () => import("./commands/project/doctor.ts"),
  },
  {
    name: "completion",
    summary: "print a completion script for your shell",
    load: () => import("./commands/project/completion.ts"),
  },
  {
    name: "permissions",
    summary: "test permission rules, and see why a call is allowed or denied",
    load: () => import("./commands/project/permissions.ts"),
  },
  {
    name: "init",
    summary: "write agents, templates and profiles into a project, to start with",
    load: () => import("./commands/project/init.ts"),
  },
  {
    name: "trust",
    summary: "let a folder's hooks, servers and rules take effect",
    load: () => import("./commands/project/trust.ts"),
  },
  {
    name: "verify",
    summary: "check every reference of a report against the files",
    load: () => import("./commands/reports/verify.ts"),
  },
  {
    name: "report",
    summary: "check a report that an agent wrote as JSON, and write it as Markdown",
    load: () => import("./commands/reports/report.ts"),
  },
  {
    name: "audit",
    summary: "check the last answers of your agents, in all transcripts on this machine",
    load: () => import("./commands/reports/audit.ts"),
  },
  {
    name: "aggregate",
    summary: "merge several reports into one",
    load: () => import("./commands/reports/aggregate.ts"),
  },
  {
    name: "handoff",
    summary: "check a handoff between agents",
    load: () => import("./commands/reports/handoff.ts"),
  },
  {
    name: "hook",
    summary: "check the final messages of Claude Code's agents, as a hook",
    load: () => import("./commands/reports/hook.ts"),
  },
];

/** The process of background runs; retinue starts it itself. */
export const hostCommand: CommandEntry = {
  name: "host",
  summary: "run agents in the background",
  load: () => import("./commands/runs/host.ts"),
};
