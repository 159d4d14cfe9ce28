// Adds allow rules to a project's `.claude/settings.local.json`, keeping what else stands there. A
// folder that was trusted before stays trusted: the person who is asked has written these rules.
import module from "node:module";
import { join } from "node:path";
import type * as JsoncParser from "jsonc-parser";
import { isObject } from "../base/data/json.ts";
import { RetinueError } from "../base/errors.ts";
import { updateFile } from "../base/files/update-file.ts";
import { trustFingerprint, trustFolder, trustState } from "./trust.ts";

// Loaded when a rule is saved: hardly any start saves one.
const load = module.createRequire(import.meta.url);

const formattingOptions = { insertSpaces: true, tabSize: 2 };

/** `root` is the project's root, `cwd` the folder whose trust counts. */
export function saveLocalRules(
  rules: readonly string[],
  { root, cwd, configDir }: { root: string; cwd: string; configDir: string },
): void {
  const path = join(root, ".claude", "settings.local.json");
  const { applyEdits, modify, parse } = load("jsonc-parser") as typeof JsoncParser;
  const wasTrusted = trustState(cwd, { configDir }).state === "trusted";
  updateFile(path, (text = "{}\n") => {
    const value: unknown = parse(text);
    if (!isObject(value))
      throw new RetinueError("config", `${path} is no JSON object; mend it, then answer again`);
    const permissions = isObject(value["permissions"]) ? value["permissions"] : {};
    const allow = Array.isArray(permissions["allow"]) ? (permissions["allow"] as unknown[]) : [];
    const added = [...allow, ...rules.filter((rule) => !allow.includes(rule))];
    const edits = modify(text, ["permissions", "allow"], added, { formattingOptions });
    return applyEdits(text, edits);
  });
  if (wasTrusted) trustFolder(cwd, { configDir, seen: trustFingerprint(cwd, { configDir }) });
}
