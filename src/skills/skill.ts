// One skill: a SKILL.md with its frontmatter read and its folder known.
import { basename, dirname } from "node:path";
import { readFrontmatter } from "../base/data/frontmatter.ts";
import { limits } from "../base/limits.ts";
import { escaped, oneLine } from "../base/text/printable.ts";
import { splitRuleList } from "../base/rule-grammar.ts";
import { suggest } from "../base/text/suggest.ts";

export type SkillSource = "managed" | "user" | "project" | "plugin";

export type Skill = {
  /** `plugin:name` for a plugin's. */
  name: string;
  description: string;
  /** The Markdown below the frontmatter. */
  content: string;
  /** Where the files it speaks of lie. */
  dir: string;
  path: string;
  source: SkillSource;
  /** Rules that hold while it is in use. They count only where the source is trusted. */
  allowedTools?: string[];
  model?: string;
  userInvocable: boolean;
  /** False with `disable-model-invocation`: only a person may start it. */
  modelInvocable: boolean;
  /**
   * Of a command, which is one file: what else it is called. A skill is also called after its
   * folder.
   */
  aliases?: readonly string[];
};

export type SkillProblem = {
  path: string;
  line: number;
  severity: "error" | "warning";
  message: string;
  suggestion?: string;
};
/** `command` is the name of a command, which its file gives it. */
export type SkillOrigin = { path: string; source: SkillSource; plugin?: string; command?: string };

const honouredKeys = [
  "name",
  "description",
  "allowed-tools",
  "model",
  "user-invocable",
  "disable-model-invocation",
];
/** Known to the Agent Skills format or to Claude Code; without effect here. */
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

/** No skill when it cannot be used; then a problem of severity `error` says why. */
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
  const folder = origin.command ?? basename(dirname(path));
  const given =
    typeof data["name"] === "string" && origin.command === undefined ? data["name"].trim() : folder;
  // The file of a command may carry the prefix that others get from a folder.
  const refusal =
    origin.command === undefined
      ? refusedName(given)
      : given
          .split(":")
          .map(refusedName)
          .find((why) => why !== undefined);
  const name = refusal === undefined ? given : folder;
  const hostile = given.includes("..") || escaped(given) !== given;
  if (refusal !== undefined && (hostile || refusedName(folder) !== undefined))
    return {
      problems: [...problems, { path, line: lineOf("name"), severity: "error", message: refusal }],
    };
  if (refusal !== undefined)
    complain("name", `${refusal}; it is called "${folder}" after its folder`, folder);
  warnOfKeys(data, complain);
  if (data["hooks"] !== undefined)
    complain(
      "hooks",
      "the hooks of a skill are not run here; put them into settings or into an agent",
    );
  if (data["context"] === "fork")
    complain(
      "context",
      "`context: fork` has no effect: the skill is loaded into the conversation that asks for it",
    );
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
    // A switch that cannot be read is taken as thrown: it exists to hold a model back.
    // A command that does not say what it is for is a person's shortcut, as in Claude Code.
    modelInvocable:
      !readFlag(
        data,
        {
          key: "disable-model-invocation",
          fallback: data["disable-model-invocation"] !== undefined,
        },
        complain,
      ) &&
      (origin.command === undefined || typeof data["description"] === "string"),
    ...(allowedTools === undefined ? {} : { allowedTools }),
    ...(typeof data["model"] === "string" ? { model: data["model"] } : {}),
  };
  return { skill, problems };
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
