// Reads one skill: a SKILL.md with its frontmatter and its folder.
import { basename, dirname } from "node:path";
import { readFrontmatter } from "../base/data/frontmatter.ts";
import { limits } from "../base/limits.ts";
import { escaped, oneLine } from "../base/text/printable.ts";
import { splitRuleList } from "../base/parse-rule.ts";
import { suggest } from "../base/text/suggest.ts";

export type SkillSource = "managed" | "user" | "project" | "plugin";

export type Skill = {
  /** `plugin:name` for a plugin's skill. */
  name: string;
  description: string;
  /** The Markdown below the frontmatter. */
  content: string;
  /** The folder of the files that the skill refers to. */
  dir: string;
  path: string;
  source: SkillSource;
  /** Rules that hold while the skill is in use; only from trusted sources. */
  allowedTools?: string[];
  model?: string;
  userInvocable: boolean;
  /** False with `disable-model-invocation`: only a person may start it. */
  modelInvocable: boolean;
  /** Other names of a command, which is one file. A skill also has its folder's name. */
  aliases?: readonly string[];
};

export type SkillProblem = {
  path: string;
  line: number;
  severity: "error" | "warning";
  message: string;
  suggestion?: string;
};
/** `command` is the name of a command, given by its file. */
export type SkillOrigin = { path: string; source: SkillSource; plugin?: string; command?: string };

const honouredKeys = [
  "name",
  "description",
  "allowed-tools",
  "model",
  "user-invocable",
  "disable-model-invocation",
];
/** Keys of the Agent Skills format or of Claude Code that have no effect here. */
const silentKeys = [
  "license",
  "metadata",
  "compatibility",
  "version",
  "argument-hint",
  "context",
  "agent",
  "hooks",
  "when_to_use",
  "mode",
];
const knownKeys: ReadonlySet<string> = new Set([...honouredKeys, ...silentKeys]);

type Complain = (key: string, message: string, suggestion?: string) => void;

/** Without a skill, a problem of severity `error` says why. */
export function readSkill(
  text: string,
  origin: SkillOrigin,
): { skill?: Skill; problems: SkillProblem[] } {
  const { kind, data, body, issues, entries } = readFrontmatter(text, knownKeys);
  const { path } = origin;
  const problems = issues.map(({ code: _code, ...issue }): SkillProblem => ({ path, ...issue }));
  if (kind === "refused") return { problems };
  const lineOf = (key: string): number => entries.get(key)?.line ?? 1;
  const complain: Complain = (key, message, suggestion) =>
    void problems.push({
      path,
      line: lineOf(key),
      severity: "warning",
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  const named = readSkillName(data["name"], origin);
  if (named.refused !== undefined)
    return {
      problems: [
        ...problems,
        { path, line: lineOf("name"), severity: "error", message: named.refused },
      ],
    };
  const { name } = named;
  if (named.complaint !== undefined)
    complain("name", `${named.complaint}; it is called "${name}" after its folder`, name);
  warnOfKeys(data, complain);
  for (const [key, value, message] of ineffective)
    if (value === undefined ? data[key] !== undefined : data[key] === value) complain(key, message);
  const allowedTools = toolsOf(data["allowed-tools"]);
  const skill: Skill = {
    name: origin.plugin === undefined ? name : `${origin.plugin}:${name}`,
    description: oneLine(
      typeof data["description"] === "string" ? data["description"] : firstParagraph(body),
      limits.skill.descriptionCharacters,
    ),
    content: body.trim(),
    dir: dirname(path),
    path,
    source: origin.source,
    userInvocable: readFlag(data, { key: "user-invocable", fallback: true }, complain),
    modelInvocable: isModelInvocable(data, origin, complain),
    ...(allowedTools === undefined ? {} : { allowedTools }),
    ...(typeof data["model"] === "string" ? { model: data["model"] } : {}),
  };
  return { skill, problems };
}

/** Keys, with their value if only that one counts, that do nothing here. */
const ineffective: readonly (readonly [key: string, value: string | undefined, message: string])[] =
  [
    [
      "hooks",
      undefined,
      "the hooks of a skill are not run here; put them into settings or into an agent",
    ],
    [
      "context",
      "fork",
      "`context: fork` has no effect: the skill is loaded into the conversation that asks for it",
    ],
  ];

type SkillName =
  | { refused: string }
  | { refused?: undefined; name: string; complaint?: string | undefined };

/** The name in the frontmatter, or the folder's if that name cannot be used. */
function readSkillName(value: unknown, { command, path }: SkillOrigin): SkillName {
  const folder = command ?? basename(dirname(path));
  const given = typeof value === "string" && command === undefined ? value.trim() : folder;
  // The file of a command may have the prefix that others get from their folder.
  const parts = command === undefined ? [given] : given.split(":");
  const complaint = parts.map(refusedName).find((why) => why !== undefined);
  if (complaint === undefined) return { name: given };
  const hostile = given.includes("..") || escaped(given) !== given;
  return hostile || refusedName(folder) !== undefined
    ? { refused: complaint }
    : { name: folder, complaint };
}

/**
 * An unreadable `disable-model-invocation` counts as true: the key exists to hold a model back. A
 * command without a description is a person's shortcut, as in Claude Code.
 */
function isModelInvocable(
  data: Record<string, unknown>,
  { command }: SkillOrigin,
  complain: Complain,
): boolean {
  const key = "disable-model-invocation";
  const isDisabled = readFlag(data, { key, fallback: data[key] !== undefined }, complain);
  return !isDisabled && (command === undefined || typeof data["description"] === "string");
}

function refusedName(name: string): string | undefined {
  const shown = escaped(name.slice(0, 80));
  if (name === "" || name.length > 64)
    return `the skill name "${shown}" must have 1 to 64 characters`;
  return /^[\p{L}\p{N}_][\p{L}\p{N}._ -]*$/u.test(name)
    ? undefined
    : `the skill name "${shown}" may have letters, digits, \`-\`, \`_\` and \`.\` only`;
}

function warnOfKeys(data: Record<string, unknown>, complain: Complain): void {
  for (const key of Object.keys(data)) {
    const near = knownKeys.has(key) ? undefined : suggest(key, honouredKeys);
    if (near !== undefined) complain(key, `\`${oneLine(key, 60)}\` means nothing here`, near);
  }
}

function readFlag(
  data: Record<string, unknown>,
  { key, fallback }: { key: string; fallback: boolean },
  complain: Complain,
): boolean {
  const value = data[key];
  if (typeof value === "boolean") return value;
  if (value !== undefined)
    complain(key, `\`${key}\` must be true or false; ${fallback} is assumed`);
  return fallback;
}

function toolsOf(value: unknown): string[] | undefined {
  if (typeof value === "string") return splitRuleList(value);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}

const firstParagraph = (body: string): string =>
  body.split("\n").find((line) => line.trim() !== "" && !line.startsWith("#")) ?? "";
