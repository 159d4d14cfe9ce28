// Reads one definition from a text or an object: the definition, or the reasons why there is none.
// Never throws. A file without a name is documentation.
import { basename } from "node:path";
import { readFrontmatter } from "../../base/data/frontmatter.ts";
import { isObject } from "../../base/data/json.ts";
import type { YamlEntry } from "../../base/data/read-yaml.ts";
import { oneLine, printable } from "../../base/text/printable.ts";
import { decisiveKeys, definitionKeys, sourcePriority } from "../agent-definition.ts";
import type {
  AgentDefinition,
  AgentFields,
  DefinitionOrigin,
  DefinitionProblem,
  NameCheck,
} from "../agent-definition.ts";
import {
  conventionalName,
  isConventionalName,
  isSafeAgentName,
  refusedName,
} from "../agent-name.ts";
import { createFieldReader } from "./field-reader.ts";
import type { FieldReader } from "./field-reader.ts";
import {
  readWholeNumber,
  readHooksField,
  readLooseWord,
  readSwitch,
  readText,
  readWords,
} from "./read-fields.ts";
import { readMcpServers } from "./read-mcp-servers.ts";
import { readMode } from "./read-mode.ts";
import { readEffort, readModel } from "./read-model.ts";
import { readOutputSchema } from "./read-output-schema.ts";
import { readDisallowedTools, readTools } from "./read-tools.ts";
import { adoptKeyVariants, readUnknownKeys } from "./read-unknown-keys.ts";

export type DefinitionReading = { definition?: AgentDefinition; problems: DefinitionProblem[] };

/** The Markdown form: frontmatter and prompt. */
export function readDefinition(text: string, origin: DefinitionOrigin): DefinitionReading {
  const frontmatter = readFrontmatter(text, definitionKeys, decisiveKeys);
  const problems = frontmatter.issues.map((issue): DefinitionProblem => ({
    path: origin.path,
    ...issue,
  }));
  if (frontmatter.kind === "none" || frontmatter.kind === "refused") return { problems };
  const data = adoptKeyVariants(frontmatter.data, frontmatter.entries);
  if ((data["name"] ?? null) === null) {
    if (origin.plugin === undefined || typeof data["description"] !== "string")
      return { problems: namelessAgent(data, frontmatter.entries, origin) };
    data["name"] = basename(origin.path).replace(/(?:\.agent)?\.md$/i, "");
  }
  const body = frontmatter.body.replace(/\r\n?/g, "\n").trim();
  const reading = readObject(
    { ...data, prompt: body === "" && typeof data["prompt"] === "string" ? data["prompt"] : body },
    frontmatter.entries,
    origin,
  );
  const blocked = frontmatter.issues.some((issue) => issue.severity === "error");
  return {
    ...(reading.definition &&
      !blocked && { definition: { ...reading.definition, filePath: origin.path } }),
    problems: [...problems, ...reading.problems],
  };
}

/**
 * Most files without a name are documentation. A file with the keys of an agent, or with an empty
 * `name`, was meant as an agent.
 */
function namelessAgent(
  data: Record<string, unknown>,
  entries: ReadonlyMap<string, YamlEntry>,
  { path }: DefinitionOrigin,
): DefinitionProblem[] {
  const meant =
    Object.hasOwn(data, "name") ||
    (typeof data["description"] === "string" &&
      ["tools", "disallowedTools", "permissionMode"].some((key) => Object.hasOwn(data, key)));
  if (!meant) return [];
  const suggestion = conventionalName(basename(path).replace(/\.md$/i, ""));
  return [
    {
      path,
      line: entries.get("name")?.line ?? entries.get("description")?.line ?? 1,
      severity: "warning",
      code: "missing-name",
      message: "`name` is missing, so this is no agent",
      ...(suggestion !== "" && { suggestion: `name: ${suggestion}` }),
    },
  ];
}

/** The object form of `--agents` and of the library. */
export function readDefinitionObject(
  data: Record<string, unknown>,
  origin: DefinitionOrigin,
): DefinitionReading {
  return readObject(data, new Map(), origin);
}

function readObject(
  data: Record<string, unknown>,
  entries: ReadonlyMap<string, YamlEntry>,
  origin: DefinitionOrigin,
): DefinitionReading {
  const reader = createFieldReader(data, entries, origin.path);
  const name = readName(reader);
  const description = readDescription(reader, origin);
  const fields = readOptionalFields(reader, origin);
  if (name !== undefined) refuseUnsafeFolder(reader, name, fields);
  const unknownKeys = readUnknownKeys(reader);
  if (name === undefined || description === undefined || reader.refused)
    return { problems: reader.problems };
  const prompt = reader.text("prompt")?.trim() ?? "";
  if (prompt === "")
    reader.warn("prompt", {
      code: "no-prompt",
      message: `the agent "${name}" has no prompt: the text below the frontmatter is empty`,
    });
  const definition: AgentDefinition = {
    name: origin.plugin === undefined ? name : `${origin.plugin}:${name}`,
    description,
    prompt,
    ...fields,
    source: origin.source,
    priority: origin.priority ?? sourcePriority[origin.source],
    ...(Object.keys(unknownKeys).length > 0 && { unknownKeys }),
  };
  return {
    definition: origin.plugin === undefined ? definition : asPluginAgent(definition, reader),
    problems: reader.problems,
  };
}

/** Memory and worktrees have a folder of the agent's name. */
function refuseUnsafeFolder(
  reader: FieldReader,
  name: string,
  { memory, isolation }: Pick<AgentFields, "memory" | "isolation">,
): void {
  if ((!memory && !isolation) || isSafeAgentName(name)) return;
  const need = memory ? "memory" : "isolation";
  reader.refuse("name", {
    code: "unsafe-name",
    message: `the name "${name.slice(0, 80)}" cannot be a folder's name, which \`${need}\` needs`,
    suggestion: conventionalName(name),
  });
}

function readName(reader: FieldReader): string | undefined {
  const name = reader.text("name")?.trim();
  const reason = name === undefined ? "`name` must be a text" : refusedName(name);
  if (reason !== undefined) {
    const suggestion = conventionalName(name ?? "");
    reader.refuse("name", {
      code: "invalid-name",
      message: reason,
      ...(suggestion !== "" && { suggestion: `name: ${suggestion}` }),
    });
    return undefined;
  }
  if (!isConventionalName(name!))
    reader.warn("name", {
      code: "name-convention",
      message: `the name "${name}" leaves the convention: lowercase letters, digits and hyphens`,
      suggestion: `name: ${conventionalName(name!)}`,
    });
  return name;
}

function readDescription(reader: FieldReader, { plugin }: DefinitionOrigin): string | undefined {
  const value = reader.data["description"];
  const text =
    reader.text("description") ??
    (typeof value === "object" && value !== null ? flattened(value) : undefined);
  if (text === undefined || text.trim() === "") {
    const [place, nested] =
      Object.entries(reader.data).find(
        ([, item]) => isObject(item) && typeof item["description"] === "string",
      ) ?? [];
    const elsewhere = place === undefined ? "" : ` (the one below \`${place}\` is not read)`;
    const meant = isObject(nested)
      ? oneLine(String(nested["description"]), 120)
      : "Use this agent to …";
    const complaint = {
      code: "missing-description",
      message: `\`description\` is missing: it says when to use the agent${elsewhere}`,
      suggestion: `description: ${meant}`,
    };
    if (plugin === undefined) reader.refuse("description", complaint);
    else reader.warn("description", complaint);
    return plugin === undefined ? undefined : `An agent of the plugin ${plugin}`;
  }
  const unescaped = reader.isPlain("description")
    ? text
        .replace(/\\(?:r\\)?n/g, "\n")
        .replace(/\\t/g, "\t")
        .replace(/\\"/g, '"')
    : text;
  const clean = printable(unescaped).trim();
  if (clean.length < unescaped.replace(/\r\n?/g, "\n").trim().length)
    reader.warn("description", {
      code: "control-characters",
      message: "control or invisible characters were removed from `description`",
    });
  return clean;
}

/**
 * Joins a list or a mapping where a text was meant (`description:` with `When: …` on the next
 * line).
 */
function flattened(value: object): string {
  const lines = Array.isArray(value)
    ? value.map(String)
    : Object.entries(value).map(
        ([key, item]) =>
          `${key}: ${typeof item === "object" ? JSON.stringify(item) : String(item)}`,
      );
  return lines.join("\n").slice(0, 20_000);
}

function readOptionalFields(
  reader: FieldReader,
  { tools: own = [], known = {} }: DefinitionOrigin,
): Omit<AgentFields, "name" | "description" | "prompt"> {
  const fields = {
    tools: readTools(reader, own),
    disallowedTools: readDisallowedTools(reader, own),
    model: readModel(reader, known.model),
    permissionMode: readMode(reader),
    mcpServers: readMcpServers(reader),
    criticalSystemReminder_EXPERIMENTAL: readText(reader, "criticalSystemReminder_EXPERIMENTAL"),
    skills: readSkills(reader, known.skill),
    maxTurns: readWholeNumber(reader, "maxTurns", 10_000),
    memory: readLooseWord(reader, "memory", ["user", "project", "local"] as const),
    hooks: readHooksField(reader),
    background: readSwitch(reader, "background"),
    isolation: readIsolation(reader),
    effort: readEffort(reader),
    color: readText(reader, "color"),
    initialPrompt: readText(reader, "initialPrompt"),
    omitClaudeMd: readSwitch(reader, "omitClaudeMd"),
    profile: readText(reader, "profile"),
    outputSchema: readOutputSchema(reader),
    contract: readLooseWord(reader, "contract", ["report", "handoff", "none"] as const),
    timeoutMs: readWholeNumber(reader, "timeoutMs", 7 * 24 * 3_600_000),
    maxTokens: readWholeNumber(reader, "maxTokens", 1_000_000_000),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Another machine is out of reach; a folder of its own is what is left of the wish. */
function readIsolation(reader: FieldReader): AgentFields["isolation"] {
  if (reader.text("isolation")?.trim().toLowerCase() !== "remote")
    return readLooseWord(reader, "isolation", ["worktree"] as const);
  reader.warn("isolation", {
    code: "absent-isolation",
    message:
      "`isolation: remote` of Claude Code does not exist here; `worktree` is used, a folder of its own",
    suggestion: "isolation: worktree",
  });
  return "worktree";
}

function readSkills(reader: FieldReader, check: NameCheck | undefined): string[] | undefined {
  const names = readWords(reader, "skills");
  for (const complaint of (names ?? []).map((name) => check?.(name))) {
    if (complaint) reader.warn("skills", { code: "unknown-skill", ...complaint });
  }
  return names;
}

/** An agent of a plugin cannot have hooks, servers or a mode. */
function asPluginAgent(definition: AgentDefinition, reader: FieldReader): AgentDefinition {
  const { hooks, mcpServers, permissionMode, ...rest } = definition;
  for (const [key, value] of Object.entries({ hooks, mcpServers, permissionMode })) {
    if (value !== undefined)
      reader.warn(key, {
        code: "plugin-field",
        message: `\`${key}\` is ignored in the agent of a plugin`,
      });
  }
  return rest;
}
