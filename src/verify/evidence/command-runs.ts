// Which commands really ran and how they ended, and what the end of a chain proves about each of its links.
import { parse, type AndOr, type CommandNode, type PipelineNode } from "unbash";
import { readTestOutput, type TestCounts } from "./test-output.ts";
import type { ToolCall } from "./tool-calls.ts";

export type CommandRun = {
  order: number;
  command: string;
  /** Null: stopped, timed out, or left running in the background. */
  exitCode: number | null;
  /** The beginning and the end of what it printed. */
  output: string;
  tests: TestCounts | null;
};

const keptCharacters = 2_000;

/** Null for a command that never ran: denied, or not started. */
export function commandRun({ order, tool, input, output, isError, facts }: ToolCall): CommandRun | null {
  const command = typeof facts["command"] === "string" ? facts["command"] : input["command"];
  if (tool !== "Bash" || typeof command !== "string") return null;
  const code = exitCode({ output, isError, facts });
  if (code === undefined) return null;
  const kept = output.length <= 2 * keptCharacters ? output : `${output.slice(0, keptCharacters)}\n…\n${output.slice(-keptCharacters)}`;
  return { order, command: command.slice(0, 20_000), exitCode: code, output: kept, tests: readTestOutput(output) };
}

function exitCode({ output, isError, facts }: Pick<ToolCall, "output" | "isError" | "facts">): number | null | undefined {
  if (typeof facts["exitCode"] === "number") return facts["exitCode"];
  if ("exitCode" in facts || facts["background"] === true || typeof facts["backgroundTaskId"] === "string" || facts["interrupted"] === true) return null;
  const told = /^(?:Error: )?Exit code (\d{1,3})\b/.exec(output.slice(0, 40));
  if (told) return Number(told[1]);
  return isError ? undefined : 0;
}

/** `proven`: the exit code of the whole text is the exit code of this command. */
export type Link = { text: string; proven: boolean };

/** The commands of a text; the end of `a && b` proves both, the end of `a; b`, `a | b` and `a || b` does not prove `a`. */
export function linksOf(command: string): Link[] {
  const whole = [{ text: normal(command), proven: true }];
  if (command.length > 10_000 || !/[;&|\n<>]/.test(command)) return whole;
  try {
    const script = parse(command);
    if (script.errors?.length) return whole;
    return script.commands.flatMap((statement, index) => {
      const last = index === script.commands.length - 1 && !statement.background;
      return chain(statement.command, last, command);
    });
  } catch {
    return whole;
  }
}

function chain(node: PipelineNode | AndOr, proven: boolean, source: string): Link[] {
  if (node.type === "AndOr") {
    const certain = node.operators.every((operator) => operator === "&&");
    return node.commands.flatMap((one) => chain(one, proven && certain, source));
  }
  if (node.type !== "Pipeline") return [{ text: textOf(node, source), proven }];
  const plain = node.prefixes.every((prefix) => prefix.type === "Time");
  return node.commands.map((one, index) => ({ text: textOf(one, source), proven: proven && plain && index === node.commands.length - 1 }));
}

/** Without its redirections: `npm test 2>&1` is `npm test`. */
function textOf(node: CommandNode, source: string): string {
  const text = source.slice(node.pos, node.end);
  if (node.type !== "Command") return normal(text);
  const cut = [...node.redirects].sort((a, b) => b.pos - a.pos).reduce((rest, { pos, end }) => rest.slice(0, pos - node.pos) + rest.slice(end - node.pos), text);
  return normal(cut);
}

export const normal = (command: string): string => command.replace(/\s+/g, " ").trim();
