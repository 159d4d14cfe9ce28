// Reads the small fields of a definition: words from a list, numbers in a range, switches, lists of
// words, hooks. If a value that restricts or guards cannot be understood, the definition is
// refused; a cosmetic one is dropped with a warning.
import { isObject } from "../../base/data/json.ts";
import { suggest } from "../../base/text/suggest.ts";
import type { HookCommand, HookRule, ScopedHooks } from "../agent-definition.ts";
import type { FieldReader } from "./field-reader.ts";

/** Exactly one of `words`; anything else refuses the definition. */
export function readEnumField<Word extends string>(
  reader: FieldReader,
  key: string,
  words: readonly Word[],
): Word | undefined {
  if (!reader.has(key)) return undefined;
  const text = reader.text(key)?.trim();
  const found = words.find((word) => word === text);
  return found ?? refuseWord(reader, key, { text, words });
}

/** Like `readEnumField`, for a key that widens nothing: another case is accepted with a warning. */
export function readLooseWord<Word extends string>(
  reader: FieldReader,
  key: string,
  words: readonly Word[],
): Word | undefined {
  const text = reader.text(key)?.trim();
  const cased = words.find((word) => word !== text && word.toLowerCase() === text?.toLowerCase());
  if (cased === undefined) return readEnumField(reader, key, words);
  reader.warn(key, {
    code: "word-case",
    message: `\`${key}: ${text}\` is written in lowercase; \`${cased}\` is used`,
    suggestion: `${key}: ${cased}`,
  });
  return cased;
}

function refuseWord(
  reader: FieldReader,
  key: string,
  { text, words }: { text: string | undefined; words: readonly string[] },
): undefined {
  const near = text === undefined ? undefined : suggest(text, words);
  reader.refuse(key, {
    code: `invalid-${key}`,
    message: `\`${key}: ${(text ?? "…").slice(0, 60)}\` is not one of ${words.join(", ")}`,
    ...(near && { suggestion: `${key}: ${near}` }),
  });
  return undefined;
}

/** A whole number in the range; a text with such a number is accepted with a warning. */
export function readWholeNumber(
  reader: FieldReader,
  key: string,
  most: number,
): number | undefined {
  if (!reader.has(key)) return undefined;
  const value = reader.data[key];
  const number =
    typeof value === "string" && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number) || number < 1 || number > most) {
    reader.refuse(key, {
      code: `invalid-${key}`,
      message: `\`${key}: ${(reader.text(key) ?? "…").slice(0, 40)}\` is not a whole number from 1 to ${most}`,
    });
    return undefined;
  }
  if (typeof value === "string")
    reader.warn(key, {
      code: "number-as-text",
      message: `\`${key}\` is a number; write it without quotes`,
      suggestion: `${key}: ${number}`,
    });
  return number;
}

export function readSwitch(reader: FieldReader, key: string): boolean | undefined {
  if (!reader.has(key)) return undefined;
  const text = reader.text(key)?.trim().toLowerCase();
  if (text === "true" || text === "yes" || text === "on") return true;
  if (text === "false" || text === "no" || text === "off") return false;
  reader.warn(key, {
    code: `invalid-${key}`,
    message: `\`${key}\` is true or false; it is left out`,
    suggestion: `${key}: true`,
  });
  return undefined;
}

export function readText(reader: FieldReader, key: string): string | undefined {
  const text = reader.text(key);
  if (text === undefined && reader.has(key))
    reader.warn(key, {
      code: `invalid-${key}`,
      message: `\`${key}\` must be a text; it is left out`,
    });
  return text;
}

/** A list of words, or one text with commas. */
export function readWords(reader: FieldReader, key: string): string[] | undefined {
  if (!reader.has(key)) return undefined;
  const value = reader.data[key];
  const items: unknown[] = Array.isArray(value) ? value : (reader.text(key) ?? "").split(",");
  const words = items
    .filter((item) => typeof item === "string" || typeof item === "number")
    .map((item) => String(item).trim())
    .filter((item) => item !== "");
  if (words.length < items.length && Array.isArray(value))
    reader.warn(key, {
      code: `invalid-${key}`,
      message: `\`${key}\` must be a list of names; other entries are left out`,
    });
  return words;
}

const scopedEvents = ["PreToolUse", "PostToolUse", "Stop"] as const;
const noEffect = `have no effect in a definition (only ${scopedEvents.join(", ")})`;

/**
 * Hooks may be guards, so a broken hook refuses the definition. Events without effect are reported
 * and left out.
 */
export function readHooksField(reader: FieldReader): ScopedHooks | undefined {
  if (!reader.has("hooks")) return undefined;
  const value = reader.data["hooks"];
  if (!isObject(value)) {
    reader.refuse("hooks", {
      code: "invalid-hooks",
      message: "`hooks` must be a mapping of events to lists",
      suggestion:
        "hooks: {PreToolUse: [{matcher: Bash, hooks: [{type: command, command: ./check.sh}]}]}",
    });
    return undefined;
  }
  const hooks: ScopedHooks = {};
  const idle: string[] = [];
  for (const [event, rules] of Object.entries(value)) {
    const scoped = scopedEvents.find((name) => name === event);
    if (!scoped) {
      const near = suggest(event, scopedEvents);
      if (near)
        reader.refuse("hooks", {
          code: "unscoped-hook",
          message: `hooks of \`${event.slice(0, 60)}\` ${noEffect}: did you mean ${near}?`,
          suggestion: near,
        });
      else idle.push(`\`${event.slice(0, 60)}\``);
      continue;
    }
    const read = Array.isArray(rules)
      ? (rules as unknown[])
          .map((rule) =>
            hookRule(scoped === "PreToolUse" ? rule : withoutForeignTypes(rule, reader), reader),
          )
          .filter((rule) => rule !== "empty")
      : [undefined];
    if (read.every((rule) => rule !== undefined)) hooks[scoped] = read;
    else
      reader.refuse("hooks", {
        code: "invalid-hooks",
        message: `the hooks of \`${event}\` must be a list of \`{matcher, hooks: [{type: command, command}]}\``,
      });
  }
  if (idle.length > 0)
    reader.warn("hooks", {
      code: "unscoped-hook",
      message: `hooks of ${idle.slice(0, 8).join(", ")} ${noEffect}`,
    });
  return hooks;
}

/**
 * Before a tool runs, every hook may be a guard. Elsewhere a hook of an unknown type is only left
 * out.
 */
function withoutForeignTypes(rule: unknown, reader: FieldReader): unknown {
  if (!isObject(rule) || !Array.isArray(rule["hooks"])) return rule;
  const hooks = (rule["hooks"] as unknown[]).filter(
    (hook) =>
      !isObject(hook) ||
      typeof hook["type"] !== "string" ||
      (hook["type"] === "command" && !isForeignShell(hook)),
  );
  if (hooks.length === rule["hooks"].length) return rule;
  reader.warn("hooks", {
    code: "hook-type",
    message: "hooks of other types than `command`, and for other shells than bash, do not run here",
  });
  return hooks.length === 0 ? "empty" : { ...rule, hooks };
}

const isForeignShell = ({ shell, args }: Record<string, unknown>): boolean =>
  shell !== undefined && shell !== "bash" && args === undefined;

const hookKeys = new Set(["type", "command", "args", "shell", "timeout", "if", "statusMessage"]);

/** Claude Code has keys that change when and how often a hook runs; here they change nothing. */
function tellIdleKeys(hook: Record<string, unknown>, reader: FieldReader): void {
  const idle = Object.keys(hook).filter((key) => !hookKeys.has(key));
  if (idle.length > 0)
    reader.warn("hooks", {
      code: "hook-key",
      message: `\`${idle.slice(0, 8).join("`, `").slice(0, 200)}\` has no effect on a hook here`,
    });
}

function hookRule(rule: unknown, reader: FieldReader): HookRule | "empty" | undefined {
  if (rule === "empty") return rule;
  if (!isObject(rule) || !Array.isArray(rule["hooks"])) return undefined;
  const matcher = rule["matcher"];
  const hooks = (rule["hooks"] as unknown[]).map((hook) => hookCommand(hook, reader));
  if (
    (matcher !== undefined && matcher !== null && typeof matcher !== "string") ||
    hooks.length === 0 ||
    !hooks.every((hook) => hook !== undefined)
  )
    return undefined;
  return { ...(typeof matcher === "string" && { matcher }), hooks };
}

function hookCommand(hook: unknown, reader: FieldReader): HookCommand | undefined {
  if (
    !isObject(hook) ||
    hook["type"] !== "command" ||
    isForeignShell(hook) ||
    typeof hook["command"] !== "string" ||
    hook["command"].trim() === ""
  )
    return undefined;
  const { timeout, args, if: condition } = hook;
  if (!isAbsentOr(args, isTextList) || !isAbsentOr(timeout, isPositive)) return undefined;
  if (!isAbsentOr(condition, isText)) return undefined;
  tellIdleKeys(hook, reader);
  return {
    type: "command",
    command: hook["command"],
    ...(args !== undefined && { args }),
    ...(timeout !== undefined && { timeout }),
    ...(condition !== undefined && { if: condition }),
  };
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");
const isText = (value: unknown): value is string => typeof value === "string";
const isPositive = (value: unknown): value is number => typeof value === "number" && value > 0;

function isAbsentOr<T>(value: unknown, is: (value: unknown) => value is T): value is T | undefined {
  return value === undefined || is(value);
}
