// One tool call as a person has to see it before they allow it: an edit as a diff, a command with
// its parts, every other input in full. Control characters are shown, never sent.
import { limits } from "../../base/limits.ts";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { structuredPatch } from "diff";
import { escaped } from "../../base/text/printable.ts";
import type { PermissionQuestion } from "../../manager/session/asker.ts";
import type { Io } from "../io.ts";

type Painter = Pick<Io, "paintErr">;

const contextLines = 3;

/** `cwd` is where relative paths of the call start. */
export function describeCall(question: PermissionQuestion, io: Painter, cwd = "/"): string {
  const { agentType, tool, reason, rule, leadsTo } = question;
  const label = (text: string): string => io.paintErr("dim", `${text}:`);
  return [
    `${io.paintErr("yellow", "?")} ${io.paintErr("bold", escaped(agentType))} wants to ` +
      `use ${io.paintErr("bold", escaped(tool))}`,
    ...body(question, io, cwd),
    ...(leadsTo === undefined ? [] : [`  ${label("leads to")} ${escaped(leadsTo)}`]),
    `  ${label("asked because")} ` +
      `${escaped(reason)}${rule === undefined ? "" : ` (rule ${escaped(rule)})`}`,
  ].join("\n");
}

function body(question: PermissionQuestion, io: Painter, cwd: string): string[] {
  const { tool, input } = question;
  const diff = tool === "Edit" || tool === "Write" ? diffLines(question, io, cwd) : undefined;
  if (diff) return diff;
  if (tool !== "Bash" || typeof input["command"] !== "string") return rows(input, io);
  const { command, ...rest } = input;
  return [...rows({ command }, io), ...partLines(question, io), ...rows(rest, io)];
}

/** Every input in full: what is shown is what will happen. */
function rows(input: Record<string, unknown>, io: Painter): string[] {
  return Object.entries(input).map(
    ([key, value]) =>
      `  ${io.paintErr("dim", `${escaped(key)}:`)} ` +
      escaped(typeof value === "string" ? value : JSON.stringify(value)),
  );
}

const verbs = { allow: "allowed", ask: "asked", deny: "denied" } as const;
const colours = { allow: "green", ask: "yellow", deny: "red" } as const;

/** Of a command with several parts: each with what the rules say. */
function partLines({ parts }: PermissionQuestion, io: Painter): string[] {
  if (parts.length < 2) return [];
  return parts.map(
    ({ part, behavior, reason }) =>
      `    ${io.paintErr(colours[behavior], verbs[behavior].padEnd(7))} ${escaped(part)}` +
      (behavior === "allow" ? "" : io.paintErr("dim", ` · ${escaped(reason)}`)),
  );
}

/** Undefined where the file cannot be shown: then the inputs are. */
function diffLines(
  { tool, input, leadsTo }: PermissionQuestion,
  io: Painter,
  cwd: string,
): string[] | undefined {
  const path = input["file_path"];
  if (typeof path !== "string") return undefined;
  const before = textAt(leadsTo ?? resolve(cwd, path));
  const after = tool === "Write" ? input["content"] : edited(before, input);
  if (typeof after !== "string" || (tool === "Edit" && before === undefined)) return undefined;
  const { hunks } = structuredPatch("", "", before ?? "", after, "", "", {
    context: contextLines,
  });
  const title = `  ${io.paintErr("dim", before === undefined ? "new file:" : "file:")} ${escaped(path)}`;
  if (hunks.length === 0) return [title, `  ${io.paintErr("dim", "(no change)")}`];
  return [title, ...hunks.flatMap((hunk) => hunkLines(hunk, io))];
}

function textAt(path: string): string | undefined {
  try {
    return statSync(path).size > limits.ask.diffFileBytes ? undefined : readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** The file as it will be; undefined where the edit does not fit it. */
function edited(before: string | undefined, input: Record<string, unknown>): string | undefined {
  const { old_string: old, new_string: now, replace_all: all } = input;
  if (before === undefined || typeof old !== "string" || typeof now !== "string") return undefined;
  if (old === "" || !before.includes(old)) return undefined;
  return all === true ? before.replaceAll(old, () => now) : before.replace(old, () => now);
}

type Hunk = { oldStart: number; oldLines: number; newStart: number; lines: string[] };

/** Line numbers are those of the side on which the line stands. */
function hunkLines({ oldStart, newStart, lines }: Hunk, io: Painter): string[] {
  let [before, after] = [oldStart, newStart];
  const width = String(Math.max(before, after) + lines.length).length;
  return lines.map((line) => {
    const [sign, text] = [line[0], visible(line.slice(1))];
    const number = (at: number): string => io.paintErr("dim", String(at).padStart(width));
    if (sign === "-") return `  ${number(before++)} ${io.paintErr("red", `- ${text}`)}`;
    if (sign === "+") return `  ${number(after++)} ${io.paintErr("green", `+ ${text}`)}`;
    if (sign === "\\") return io.paintErr("dim", `  ${" ".repeat(width)}   ${line.slice(2)}`);
    before++;
    return `  ${number(after++)}   ${text}`;
  });
}

/** A line of a file: characters that cannot be seen stand there by name, a tab as an arrow. */
const visible = (text: string): string =>
  escaped(text.replaceAll("\t", "→   ")).replaceAll("\\\\", "\\");
