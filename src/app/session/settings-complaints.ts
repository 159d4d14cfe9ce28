// What is wrong in settings files and can only be seen by those who use it: rules that never match
// and hooks that cannot be read, each with its file and place.
import { basename } from "node:path";
import { managedDir } from "../../base/files/project-folders.ts";
import { RetinueError } from "../../base/errors.ts";
import type { Problem } from "../../base/problem.ts";
import { readHooks, type HookProblem } from "../../hooks/read-hooks.ts";
import { compileRules, type RuleLists } from "../../permissions/rules.ts";
import type { SettingsLayer } from "../../settings/load-settings.ts";

/**
 * What of the files takes effect: `rules` are those in force, `hooks` says whose hooks are, `tools`
 * names tools that are not built in.
 */
type InForce = {
  rules: RuleLists;
  hooks: (layer: SettingsLayer) => boolean;
  tools: readonly string[];
};

export function settingsComplaints(
  layers: readonly SettingsLayer[],
  { rules, hooks, tools }: InForce,
): string[] {
  return layers.flatMap((layer) => [
    ...badRules(layer, rules, tools).map(
      ({ place, list, message }) =>
        `${layer.path}: ${place}: ${message}${list === "allow" ? "" : "; every call is denied until it is repaired"}`,
    ),
    ...onceEach(hooks(layer) ? readHooks(layer.values.hooks, layer.path, tools).problems : []),
  ]);
}

/** What is wrong in the same way in many places is said once, with the first of them. */
function onceEach(problems: readonly HookProblem[]): string[] {
  const places = new Map<string, string[]>();
  for (const { where, message, suggestion } of problems) {
    const isNew = suggestion !== undefined && !message.includes(suggestion);
    const text = isNew ? `${message}; did you mean ${suggestion}?` : message;
    places.set(text, [...(places.get(text) ?? []), where]);
  }
  return [...places].map(
    ([text, [first, ...more]]) =>
      `${first}${more.length > 0 ? ` and ${more.length} more` : ""}: ${text}`,
  );
}

/**
 * What is given for this session must be right: going on without one of its rules is not what was
 * meant.
 */
export function refuseBadRules(layers: readonly SettingsLayer[], tools: readonly string[]): void {
  for (const layer of layers.filter(({ level }) => level === "cli")) {
    const [bad] = badRules(layer, layer.values.permissions, tools);
    if (bad)
      throw new RetinueError(
        "config",
        `settings: ${layer.path === "--settings" ? "" : `${layer.path}: `}${bad.place}: ${bad.message}`,
        { option: "settings" },
      );
  }
}

/**
 * A settings file that cannot be read at all may hold denials: nothing runs without them. Files
 * that only offer something are named, and the rest counts.
 */
export function refuseBrokenPolicy(problems: readonly Problem[], managed = managedDir()): void {
  const mayForbid = (path: string): boolean =>
    path.startsWith(`${managed}/`) || /^settings(?:\.local)?\.json$/.test(basename(path));
  const broken = problems.find(
    ({ path, code }) => mayForbid(path) && (code === "invalid-json" || code === "unreadable-file"),
  );
  if (!broken) return;
  const whose = broken.path.startsWith(`${managed}/`)
    ? "It is the administrator's and may forbid things"
    : "It may forbid things";
  throw new RetinueError(
    "config",
    `${broken.path}:${broken.line}: ${broken.message}. ${whose}, so nothing runs before it can be read.`,
  );
}

type BadRule = { place: string; list: keyof RuleLists; message: string };

function badRules(
  { values }: SettingsLayer,
  inForce: RuleLists,
  tools: readonly string[],
): BadRule[] {
  return (["allow", "ask", "deny"] as const).flatMap((list) =>
    values.permissions[list].flatMap((rule, index) => {
      const bad = inForce[list].includes(rule)
        ? compileRules({ allow: [], ask: [], deny: [], [list]: [rule] }, tools).problems[0]
        : undefined;
      return bad ? [{ place: `permissions.${list}[${index}]`, list, message: bad.message }] : [];
    }),
  );
}
