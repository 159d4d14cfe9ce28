// What `init` puts into a project, as relative paths and texts: agents, templates and profiles from
// the built-in ones, so that there is one version of each, and the rest from assets.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { stringify } from "yaml";
import type { AgentFields } from "../../definitions/agent-definition.ts";
import { builtInDefinitions } from "../../definitions/built-in-definitions.ts";
import { builtInProfiles, type Profile } from "../../permissions/profile.ts";

/** `defines` is the agent or profile that the file brings. */
export type InitFile = {
  path: string;
  text: string;
  defines?: { kind: "agent" | "profile"; name: string };
};

const templates = ["researcher", "writer", "validator", "parallel-executor"];
const sections = ["Role", "Profile", "Input", "Output", "Behavior"];

/** `assets` is the folder that holds `agents`, `sub-agents`, `skills`. */
export function initFiles(assets: string): InitFile[] {
  // The built-in agents that a project may want to change; general-purpose and the like have no
  // profile and stay built in.
  const people = builtInDefinitions.filter((agent) => agent.profile !== undefined);
  return [
    ...people.map(agentFile),
    ...assetAgents(assets),
    ...people.filter(({ name }) => templates.includes(name)).map(templateFile),
    ...builtInProfiles.map(profileFile),
    ...plainFiles(assets),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The paragraph for CLAUDE.md. */
export const claudeMdParagraph = (assets: string): string =>
  readFileSync(join(assets, "claude-md.md"), "utf8");

/** Claude Code knows no profiles, so the tools stand in the file as well. */
function agentFile({ name, description, model, profile, contract, prompt }: AgentFields): InitFile {
  const fields = {
    name,
    description,
    tools: profileOf(profile).tools.join(", "),
    model: model ?? "inherit",
    profile,
    contract,
  };
  return {
    path: `.claude/agents/${name}.md`,
    text: `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${prompt}\n`,
    defines: { kind: "agent", name },
  };
}

function assetAgents(assets: string): InitFile[] {
  return readdirSync(join(assets, "agents")).map((file) => ({
    path: `.claude/agents/${file}`,
    text: readFileSync(join(assets, "agents", file), "utf8"),
    defines: { kind: "agent", name: basename(file, ".md") },
  }));
}

function plainFiles(assets: string): InitFile[] {
  return [
    "sub-agents/README.md",
    "sub-agents/protocols/handoff.md",
    "sub-agents/protocols/orchestration.md",
    "skills/subagent-contract/SKILL.md",
  ].map((path) => ({ path: `.claude/${path}`, text: readFileSync(join(assets, path), "utf8") }));
}

/** The prompt's own parts under headings, with the profile spelled out. */
function templateFile({ name, prompt, profile }: AgentFields): InitFile {
  const parts = new Map(
    prompt
      .split(/^(?=(?:Role|Input|Behavior|Output)$)/m)
      .map((part) => [
        part.slice(0, part.indexOf("\n")),
        part.slice(part.indexOf("\n") + 1).trim(),
      ]),
  );
  parts.set("Profile", `${profile} (${profileOf(profile).tools.join(", ")})`);
  const title = name
    .split("-")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(" ");
  return {
    path: `.claude/sub-agents/templates/${name}.md`,
    text:
      "# Sub-Agent: " +
      `${title}\n\n${sections.map((section) => `## ${section}\n\n${parts.get(section)}\n`).join("\n")}`,
  };
}

function profileFile({ name, description, tools, use_cases }: Profile): InitFile {
  const text =
    `---\n${stringify({ name, description, tools, use_cases }, { lineWidth: 0 })}---\n\nThe ` +
    `most that an agent with \`profile: ${name}\` can have; its own \`tools\` and the rules ` +
    `in force only narrow it.${profileNotes[name] ?? ""}\n`;
  return {
    path: `.claude/sub-agents/profiles/${name}.md`,
    text,
    defines: { kind: "profile", name },
  };
}

const guardedNote =
  " Whatever is listed here, files that hold credentials are not read and tools of servers " +
  "that write are not admitted.";
const profileNotes: Readonly<Record<string, string>> = {
  "read-only": guardedNote,
  research: guardedNote,
  validator: " It is read-only with Bash, for the project's own checks.",
};

const profileOf = (name: string | undefined): Profile =>
  builtInProfiles.find((profile) => profile.name === name)!;
