// Which commands really ran and how they ended, and what the end of a chain proves about each of its links.
import { parse, type AndOr, type CommandNode, type PipelineNode } from "unbash";
import { isTestCommand, readTestOutput, type TestCounts } from "./test-output.ts";
import type { ToolCall } from "./tool-calls.ts";

export type CommandRun = {
  order: number;
  command: string;
  /** Null: stopped, timed out, or left running in the background. */
  exitCode: number | null;
  /** The beginning and the end of what it printed. */
  output: string;
  /** The numbers of a test runner in what it printed; never where the command could only print what it was told to. */
  tests: TestCounts | null;
  /** Null: it ran no tests. `proven`: its exit code is theirs. */
  testing: { proven: boolean } | null;
};

const keptCharacters = 2_000;

const programs =
  /^(?:[A-Z_]+=\S+\s+)*(?:npm|npx|pnpm|yarn|bun|node|deno|tsc|eslint|oxlint|biome|prettier|vitest|jest|mocha|pytest|python3?|pip3?|ruff|mypy|go|cargo|rustc|make|cmake|gradle|\.\/gradlew|mvn|dotnet|git|docker|bash|sh|ruby|bundle|rake|rspec|php|composer|phpunit|mix|swift|tox|nox|curl|terraform|kubectl|ctest|retinue)(?:\s|$)/;
const lookers = /^(?:wc|ls|grep|rg|find|du|diff|cat|head|tail|sed|awk|jq|time|hyperfine)\s/;

/** Words that only a shell would be given. `isProgram`: those that do more than look at files, which other tools do as well. */
export const isProgram = (text: string): boolean => programs.test(text);
export const isCommand = (text: string): boolean => isProgram(text) || lookers.test(text);

/** Null for a command that never ran: denied, or not started. `isElsewhere`: a folder that has nothing to do with the project; what is tested there proves nothing about it. */
export function commandRun(
  { order, tool, input, output, isError, facts }: ToolCall,
  isElsewhere: (folder: string) => boolean = () => false,
): CommandRun | null {
  const command = typeof facts["command"] === "string" ? facts["command"] : input["command"];
  if (tool !== "Bash" || typeof command !== "string") return null;
  const code = exitCode({ output, isError, facts });
  if (code === undefined) return null;
  const kept =
    output.length <= 2 * keptCharacters
      ? output
      : `${output.slice(0, keptCharacters)}\n…\n${output.slice(-keptCharacters)}`;
  const testing = testingIn(command);
  if (
    testing &&
    linksOf(command).some(({ text }) =>
      isElsewhere(/^(?:cd|pushd) (["']?)([^"'\s$`]+)\1$/.exec(text)?.[2] ?? "."),
    )
  )
    return {
      order,
      command: command.slice(0, 20_000),
      exitCode: code,
      output: kept,
      tests: null,
      testing: { proven: false },
    };
  const tests = testing || !isOwnWords(command) ? readTestOutput(output) : null;
  return {
    order,
    command: command.slice(0, 20_000),
    exitCode: code,
    output: kept,
    tests,
    testing: testing ?? (tests ? { proven: true } : null),
  };
}

/** Programs that print what they are given, or handle files: their output is a file's text or the model's own words, no run of anything. */
export const printers =
  /^(?:echo|printf|cat|head|tail|sed|awk|grep|rg|tee|less|more|sort|uniq|wc|cut|tr|nl|tac|column|jq|diff|cd|pushd|popd|ls|find|stat|file|true|false|:|sleep|export|set|unset|pwd|date|exit|rm|rmdir|mv|cp|ln|mkdir|touch|chmod|git)(?:\s|$)/;
const printsAbout =
  /\s(?:--help|-h|--version|-V|--list(?:Tests)?|--collect-only|--co|--dry-run|--no-run|--showConfig)(?:\s|=|$)/;

function isOwnWords(command: string): boolean {
  return (
    linksOf(command).every(({ text }) => printers.test(text)) ||
    readTestOutput(command.replaceAll("\\n", "\n").replace(/["'`]/g, "\n")) !== null
  );
}

function testingIn(command: string): CommandRun["testing"] {
  if (readTestOutput(command.replaceAll("\\n", "\n").replace(/["'`]/g, "\n")) !== null) return null;
  const links = linksOf(command).filter(
    ({ text }) => !printers.test(text) && !printsAbout.test(text) && isTestCommand(text),
  );
  return links.length === 0 ? null : { proven: links.every(({ proven }) => proven) };
}

function exitCode({
  output,
  isError,
  facts,
}: Pick<ToolCall, "output" | "isError" | "facts">): number | null | undefined {
  if (typeof facts["exitCode"] === "number") return facts["exitCode"];
  if (
    "exitCode" in facts ||
    facts["background"] === true ||
    typeof facts["backgroundTaskId"] === "string" ||
    facts["interrupted"] === true
  )
    return null;
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
  return node.commands.map((one, index) => ({
    text: textOf(one, source),
    proven: proven && plain && index === node.commands.length - 1,
  }));
}

/** Without its redirections: `npm test 2>&1` is `npm test`. */
function textOf(node: CommandNode, source: string): string {
  const text = source.slice(node.pos, node.end);
  if (node.type !== "Command") return normal(text);
  const cut = [...node.redirects]
    .sort((a, b) => b.pos - a.pos)
    .reduce(
      (rest, { pos, end }) => rest.slice(0, pos - node.pos) + rest.slice(end - node.pos),
      text,
    );
  return normal(cut);
}

/** Tells whether a run is one of `command`, alone or inside a longer text; null where it is not. With further arguments it is another run, which proves nothing. */
export function commandFinder(command: string): (run: CommandRun) => { proven: boolean } | null {
  const wanted = linksOf(command).map(({ text }) => spelled(text));
  return (run) => {
    if (normal(run.command) === normal(command)) return { proven: true };
    const links = spelledLinks(run);
    const found = wanted.map(
      (text) =>
        links.find((link) => link.text === text) ??
        links.find((link) => link.text.startsWith(`${text} `)),
    );
    return found.includes(undefined)
      ? null
      : { proven: found.every((link, index) => link!.proven && link!.text === wanted[index]) };
  };
}

const linksOfRuns = new WeakMap<CommandRun, Link[]>();

function spelledLinks(run: CommandRun): Link[] {
  const known =
    linksOfRuns.get(run) ??
    linksOf(run.command).map(({ text, proven }) => ({ text: spelled(text), proven }));
  linksOfRuns.set(run, known);
  return known;
}

/** `npm run test` is `npm test`, `npx tsc` is `tsc`. */
const spelled = (text: string): string =>
  text
    .replace(/^(npm|pnpm|yarn|bun) run (test|start)(?= |$)/, "$1 $2")
    .replace(/^(npm|pnpm|yarn) t(?= |$)/, "$1 test")
    .replace(/^(?:npx|pnpm exec|yarn exec|bunx|\.?\/?node_modules\/\.bin\/)\s*/, "");

const normal = (command: string): string => command.replace(/\s+/g, " ").trim();
