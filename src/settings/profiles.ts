// Profile files as plain data: `.claude/sub-agents/profiles/*.md|yaml` of the project's folders and
// of the user. What a profile means is decided by permissions.
import { limits } from "../base/limits.ts";
import { join } from "node:path";
import { readFrontmatter } from "../base/data/frontmatter.ts";
import { isObject } from "../base/data/json.ts";
import type { Problem } from "../base/problem.ts";
import { readTextFile } from "../base/files/read-text-file.ts";
import { readYaml } from "../base/data/read-yaml.ts";
import { splitRuleList } from "../base/parse-rule.ts";
import { scanFolder } from "../base/files/scan-folder.ts";
import { projectRoot } from "../base/files/project-folders.ts";
import { suggest } from "../base/text/suggest.ts";

export type RawProfile = {
  name: string;
  description: string;
  tools: string[];
  use_cases?: string[];
  extends?: string;
  deny?: string[];
  rules?: { allow?: string[]; ask?: string[]; deny?: string[] };
  source: "project" | "user";
  filePath: string;
};

const profileKeys = new Set([
  "name",
  "description",
  "tools",
  "use_cases",
  "extends",
  "deny",
  "rules",
]);
const maxFileBytes = limits.settings.profileBytes;

/** `folders` nearest first; of two with the same name the nearer one is used. */
export function loadProfiles(
  folders: readonly string[],
  configDir: string,
): { profiles: RawProfile[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const profiles = new Map<string, RawProfile>();
  const places = [
    ...folders.map((folder) => ({ base: join(folder, ".claude"), source: "project" as const })),
    { base: configDir, source: "user" as const },
  ];
  for (const { base, source } of places) {
    const fence =
      source === "project" && folders[0] !== undefined ? { fence: projectRoot(folders[0]) } : {};
    const scan = scanFolder(join(base, "sub-agents", "profiles"), {
      wanted: /\.(?:md|ya?ml)$/i,
      ...fence,
    });
    for (const { path, reason } of scan.skipped)
      problems.push({
        path,
        line: 1,
        severity: "error",
        code: "skipped-file",
        message: `not read: ${reason}`,
      });
    for (const path of scan.files) {
      const profile = readProfileFile(path, source, problems);
      if (profile && !profiles.has(profile.name)) profiles.set(profile.name, profile);
    }
  }
  return { profiles: [...profiles.values()], problems };
}

function readProfileFile(
  path: string,
  source: RawProfile["source"],
  problems: Problem[],
): RawProfile | undefined {
  const file = readTextFile(path, maxFileBytes);
  if (!file.ok) {
    problems.push({
      path,
      line: 1,
      severity: "error",
      code: "unreadable-file",
      message: `not read: ${file.reason}`,
    });
    return undefined;
  }
  const { data, found } = profileData(file.text, path);
  problems.push(...found);
  if (!data || found.some((problem) => problem.severity === "error")) return undefined;
  const reading = checkProfile(data, path);
  problems.push(...reading.problems);
  return reading.profile && { ...reading.profile, source, filePath: path };
}

/**
 * Frontmatter, else the first yaml fence, else (in a yaml file) the whole text. Markdown without
 * either is documentation.
 */
function profileData(
  text: string,
  path: string,
): { data?: Record<string, unknown>; found: Problem[] } {
  const isMarkdown = /\.md$/i.test(path);
  const frontmatter = isMarkdown ? readFrontmatter(text, profileKeys) : undefined;
  if (frontmatter && frontmatter.kind !== "none")
    return {
      ...(frontmatter.kind !== "refused" && { data: frontmatter.data }),
      found: frontmatter.issues.map((issue) => ({ path, ...issue })),
    };
  const fence = isMarkdown ? /^```ya?ml[^\n]*\r?\n([\s\S]*?)^```/m.exec(text) : undefined;
  if (isMarkdown && !fence) return { found: [] };
  const firstLine = fence ? text.slice(0, fence.index).split("\n").length : 0;
  const reading = readYaml(fence ? fence[1]! : text.replace(/^\uFEFF/, ""));
  if (reading.ok && reading.duplicates.length === 0) return { data: reading.data, found: [] };
  const [line, message] = reading.ok
    ? [reading.duplicates[0]!.line, `\`${reading.duplicates[0]!.key}\` stands twice`]
    : [reading.line, `not readable as YAML: ${reading.message}`];
  return {
    found: [{ path, line: firstLine + line, severity: "error", code: "invalid-profile", message }],
  };
}

type Complain = (severity: Problem["severity"], message: string, suggestion?: string) => void;

function checkProfile(
  data: Record<string, unknown>,
  path: string,
): { profile?: Omit<RawProfile, "source" | "filePath">; problems: Problem[] } {
  const problems: Problem[] = [];
  if (data["name"] === undefined) return { problems };
  const complain: Complain = (severity, message, suggestion) =>
    void problems.push({
      path,
      line: 1,
      severity,
      code: "invalid-profile",
      message,
      ...(suggestion !== undefined && { suggestion }),
    });
  const name = typeof data["name"] === "string" ? data["name"].trim() : "";
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
    complain("error", "a profile's name has lowercase letters, digits and hyphens");
  warnOfNearKeys(data, complain);
  const tools = textList("tools", data["tools"], complain);
  if (!tools && data["extends"] === undefined)
    complain("error", "a profile has `tools`, or `extends` another one");
  const rules = readRuleLists(data["rules"], complain);
  const deny = textList("deny", data["deny"], complain);
  if (problems.some((problem) => problem.severity === "error")) return { problems };
  const { use_cases: useCases } = data;
  const profile = {
    name,
    description: typeof data["description"] === "string" ? data["description"] : "",
    tools: (tools ?? []).map((tool) => (/^all tools$/i.test(tool) ? "*" : tool)),
    ...(useCases !== undefined && {
      use_cases: (Array.isArray(useCases) ? useCases : [useCases]).map(String),
    }),
    ...(typeof data["extends"] === "string" && { extends: data["extends"] }),
    ...(deny && { deny }),
    ...(Object.keys(rules).length > 0 && { rules }),
  };
  return { profile, problems };
}

/** A misspelt key that restricts is an error, because the restriction would be lost. */
function warnOfNearKeys(data: Record<string, unknown>, complain: Complain): void {
  for (const key of Object.keys(data).filter((one) => !profileKeys.has(one))) {
    const near = suggest(key, profileKeys);
    if (near === undefined) continue;
    const severity = ["deny", "tools", "rules"].includes(near) ? "error" : "warning";
    complain(severity, `\`${key}\`: did you mean \`${near}\`?`, near);
  }
}

function readRuleLists(value: unknown, complain: Complain): NonNullable<RawProfile["rules"]> {
  const rules = isObject(value) ? value : {};
  if (value !== undefined && !isObject(value))
    complain("error", "`rules` must hold lists named allow, ask and deny");
  return Object.fromEntries(
    ["allow", "ask", "deny"]
      .filter((key) => rules[key] !== undefined)
      .map((key) => [key, textList(`rules.${key}`, rules[key], complain) ?? []]),
  );
}

function textList(key: string, value: unknown, complain: Complain): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items: unknown[] = Array.isArray(value)
    ? value
    : typeof value === "string"
      ? splitRuleList(value)
      : [value];
  if (!items.every((item) => typeof item === "string"))
    complain("error", `\`${key}\` must be a list of texts`);
  return items.filter((item) => typeof item === "string");
}
