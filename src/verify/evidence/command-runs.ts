// Which commands really ran and how they ended, as the record has it. What a command proves is decided
// elsewhere, with the project at hand.
import { readTestOutput } from "../claims/runs/read-test-output.ts";
import type { TestCounts } from "../claims/runs/tables/summary-lines.ts";
import { programsOf, type Program } from "../claims/runs/programs-of.ts";
import type { ToolCall } from "./tool-calls.ts";

export type CommandRun = {
  order: number;
  /** `Bash`, or the tool of another server that ran something. */
  tool: string;
  command: string;
  /** The folder that it began in; null where the record does not say. */
  cwd: string | null;
  /** Null: stopped, timed out, or left running in the background. */
  exitCode: number | null;
  /** The beginning and the end of what it printed. */
  output: string;
  /** Numbers of a test runner in what it printed; whether it ran tests is another question. */
  tests: TestCounts | null;
};

const keptCharacters = 4_000;

/** Null for a command that never ran: denied, or not started. */
export function commandRun({
  order,
  tool,
  input,
  output,
  isError,
  facts,
  cwd,
}: ToolCall): CommandRun | null {
  if (tool !== "Bash")
    return tool.startsWith("mcp__") ? toolRun({ order, tool, output, isError, cwd }) : null;
  const command = typeof facts["command"] === "string" ? facts["command"] : input["command"];
  if (typeof command !== "string") return null;
  const exitCode = exitCodeOf({ output, isError, facts });
  if (exitCode === undefined) return null;
  return { order, tool, command: command.slice(0, 20_000), cwd, exitCode, ...printed(output) };
}

const toolRun = ({
  order,
  tool,
  output,
  isError,
  cwd,
}: Pick<ToolCall, "order" | "tool" | "output" | "isError" | "cwd">): CommandRun => ({
  order,
  tool,
  command: tool,
  cwd,
  exitCode: isError ? 1 : 0,
  ...printed(output),
});

/** What a run printed, kept short; its numbers are read from all of it. */
export const printed = (output: string): Pick<CommandRun, "output" | "tests"> => ({
  output:
    output.length <= 2 * keptCharacters
      ? output
      : `${output.slice(0, keptCharacters)}\n…\n${output.slice(-keptCharacters)}`,
  tests: readTestOutput(output),
});

/** Undefined: it never ran. */
function exitCodeOf({
  output,
  isError,
  facts,
}: Pick<ToolCall, "output" | "isError" | "facts">): number | null | undefined {
  if (typeof facts["exitCode"] === "number") return facts["exitCode"];
  if (
    "exitCode" in facts ||
    facts["background"] === true ||
    typeof facts["backgroundTaskId"] === "string" ||
    facts["interrupted"] === true ||
    backgroundId(output) !== undefined ||
    unfinished.test(`${output.slice(0, 400)}\n${output.slice(-400)}`)
  )
    return null;
  const told = /^(?:Error: )?(?:Command failed with )?[Ee]xit code:? (\d{1,3})\b/.exec(
    output.slice(0, 60),
  );
  if (told) return Number(told[1]);
  return isError ? undefined : 0;
}

const cutOff = String.raw`(?:Command|The command)?\s*(?:timed out|was (?:interrupted|aborted|killed))`;
const unfinished = new RegExp(
  `^(?:Error: )?(?:<error>)?${cutOff}|Command timed out after|` +
    String.raw`\[Request interrupted by user|Command was aborted`,
  "m",
);

/** The name under which a command goes on in the background. */
const backgroundId = (output: string): string | undefined =>
  /(?:(?:running|started) in|moved to) (?:the )?background[^\n]*?\bID:?\s+([\w-]+)/i.exec(
    output.slice(0, 600),
  )?.[1];

/** How a background command stands, as a later look at it tells: undefined where it does not say. */
function backgroundEnd(output: string): number | null | undefined {
  if (/<status>\s*(?:running|pending)|\bstatus:\s*running\b/i.test(output)) return null;
  const code = /<exit_code>\s*(\d{1,3})|\bexit code:?\s*(\d{1,3})/i.exec(output);
  if (code) return Number(code[1] ?? code[2]);
  return /<status>\s*(?:killed|failed)/i.test(output) ? 1 : undefined;
}

/** A command that went to the background ends where a later look at it says so. */
export function followBackground(
  call: ToolCall,
  run: CommandRun | null,
  background: Map<string, CommandRun>,
): void {
  const { tool, input, output } = call;
  const file = tool === "Read" ? input["file_path"] : undefined;
  if (tool === "Write" || tool === "Edit") forget(String(input["file_path"]), background);
  const id = run ? leftRunning(run, output) : undefined;
  if (run && id !== undefined) background.set(id, run);
  else if (run && !onlyReads.test(run.command)) forget(run.command, background);
  else if (run?.exitCode === 0) readBack(run.command, output, background);
  else if (typeof file === "string") readBack(file, output.replace(/^\s*\d+→/gm, ""), background);
  if (tool === "BashOutput" || tool === "TaskOutput") takeEnd(call, background);
}

/** Under which name it goes on while the agent does other things. */
function leftRunning({ tool, command, order }: CommandRun, output: string): string | undefined {
  const id = tool === "Bash" ? backgroundId(output) : undefined;
  return id ?? (detached.test(command) ? `&${order}` : undefined);
}

function takeEnd({ input, output }: ToolCall, background: Map<string, CommandRun>): void {
  const asked = [input["bash_id"], input["task_id"], input["shell_id"]].find(
    (value) => typeof value === "string",
  );
  const known = background.get(asked ?? "");
  const end = known ? backgroundEnd(output) : undefined;
  if (!known || end === undefined) return;
  const { output: text, tests } = printed(`${known.output}\n${output}`);
  Object.assign(known, { exitCode: end, output: text, tests: tests ?? known.tests });
}

/** `npm test > log 2>&1 &`: the shell goes on without it. */
const detached = /(?<![&>])&\s*(?:\n|$|disown\b|echo\b)/;

/** `sleep 8; tail -20 log`: whatever else names the file may have put words into it, or say them itself. */
const onlyReads = /^(?:(?:sleep|wait|cat|tail|head|grep)\b[^;&|>$`(]*(?:;|&&|\n|$)\s*)+$/;

const namesLog = (text: string, { command, output }: CommandRun): boolean =>
  (`${command} ${output}`.match(/(?<=>\s*|written to:? )[\w./~-]+/g) ?? []).some(
    (file) => file.length > 4 && text.includes(file),
  );

/** A log that somebody else touched shows no longer how the run ended. */
function forget(text: string, background: Map<string, CommandRun>): void {
  for (const [id, known] of background) if (namesLog(text, known)) background.delete(id);
}

/** The file that a command in the background writes to was read, and its last words tell how it ended. */
function readBack(reader: string, output: string, background: Map<string, CommandRun>): void {
  for (const [id, known] of background) {
    if (known.exitCode !== null && !id.startsWith("&")) continue;
    if (!namesLog(reader, known)) continue;
    const { output: text, tests } = printed(`${known.output}\n${output}`);
    if (!tests && !tellsEnd.test(output)) continue;
    const isFailed = (tests?.failed ?? 0) > 0 || hasFailed.test(output);
    Object.assign(known, { exitCode: isFailed ? 1 : 0, output: text, tests });
  }
}

const tellsEnd = new RegExp(
  "\\b(?:BUILD (?:SUCCESS\\w*|FAIL\\w*)|built in|compiled|passed|failed|passing|failing|succeeded|finished|" +
    "done in|completed?)\\b",
  "i",
);
const hasFailed =
  /\bBUILD FAIL|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|^npm ERR!|\bERROR\b/m;

/**
 * Tells whether a run is one of `command`, alone or inside a longer text; null where it is not. `loosely`: other
 * words may stand between its own.
 */
export function commandFinder(
  command: string,
  loosely = false,
): (run: CommandRun) => { proven: boolean } | null {
  const wanted = programsOf(command, "/").map(spelled);
  return (run) => {
    if (normal(run.command) === normal(command)) return { proven: true };
    if (wanted.length === 0) return null;
    const links = programsOf(run.command, "/");
    const found = wanted.map(
      (text) =>
        links.find((link) => spelled(link) === text) ??
        links.find((link) => spelled(link).startsWith(`${text} `)) ??
        links.find((link) => loosely && holdsWords(spelled(link), text)),
    );
    return found.includes(undefined)
      ? null
      : {
          proven: found.every(
            (link, index) => link!.proof === "own" && spelled(link!) === wanted[index],
          ),
        };
  };
}

/** `terraform -chdir=infra plan -out=p` is a `terraform plan`: the words in their order, others between them. */
function holdsWords(text: string, wanted: string): boolean {
  const words = wanted.split(" ");
  if (words.length < 2 || !text.startsWith(`${words[0]} `)) return false;
  let at = 0;
  for (const word of text.split(" ")) if (word === words[at]) at++;
  return at === words.length;
}

/** `npm run test` is `npm test`, `npx tsc` is `tsc`. */
const spelled = ({ argv }: Program): string =>
  normal(argv.map((word) => word ?? "*").join(" "))
    .replace(/^(npm|pnpm|yarn|bun) run (test|start)(?= |$)/, "$1 $2")
    .replace(/^(npm|pnpm|yarn) t(?= |$)/, "$1 test")
    .replace(
      /^(?:npx(?: --yes| -y)?|pnpm exec|yarn exec|bunx|bundle exec|(?:uv|poetry) run)\s+/,
      "",
    )
    .replace(/^(?:python[\d.]*|php|ruby|node) (?=[\w./-]+\.(?:py|php|rb|js)\b|artisan\b)/, "");

const normal = (command: string): string => command.replace(/\s+/g, " ").trim();
