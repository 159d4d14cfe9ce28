// What is wrong in settings files and can only be seen by those who use it: rules that never match and hooks that cannot be read, each with its file and place.
import { readHooks } from "../hooks/read-hooks.ts";
import { compileRules, type RuleLists } from "../permissions/rules.ts";
import type { SettingsLayer } from "../settings/load-settings.ts";

/** What of the files takes effect: `rules` are those in force, `hooks` says whose hooks are, `tools` names tools that are not built in. */
type InForce = { rules: RuleLists; hooks: (layer: SettingsLayer) => boolean; tools: readonly string[] };

export function settingsComplaints(layers: readonly SettingsLayer[], { rules, hooks, tools }: InForce): string[] {
  return layers.flatMap((layer) => [...ruleComplaints(layer, rules, tools), ...(hooks(layer) ? readHooks(layer.values.hooks, layer.path).problems.map(({ where, message, suggestion }) => `${where}: ${message}${suggestion === undefined ? "" : `; did you mean ${suggestion}?`}`) : [])]);
}

function ruleComplaints({ path, values }: SettingsLayer, inForce: RuleLists, tools: readonly string[]): string[] {
  return (["allow", "ask", "deny"] as const).flatMap((list) =>
    values.permissions[list].flatMap((rule, index) => {
      const bad = inForce[list].includes(rule) ? compileRules({ allow: [], ask: [], deny: [], [list]: [rule] }, tools).problems[0] : undefined;
      return bad ? [`${path}: permissions.${list}[${index}]: ${bad.message}${list === "allow" ? "" : "; every call is denied until it is repaired"}`] : [];
    }),
  );
}
