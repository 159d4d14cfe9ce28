// `retinue permissions check` answers cases for CI; `retinue permissions explain` says which layer
// decided and why.
import type { AgentDefinition } from "../../../definitions/agent-definition.ts";
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { callerOf, checkDefaults } from "../../../app/project/check-permission.ts";
import { unknownAgent } from "../../../app/session/find-definition.ts";
import { openSession } from "../../../app/session/open-session.ts";
import { errorText, RetinueError } from "../../../base/errors.ts";
import { isObject } from "../../../base/data/json.ts";
import { toJsonLine } from "../../../base/data/jsonl.ts";
import { limits } from "../../../base/limits.ts";
import { factsNear, pathFacts } from "../../../base/files/path-facts.ts";
import { oneLine } from "../../../base/text/printable.ts";
import { readLines, type StreamLine } from "../../../base/files/read-lines.ts";
import { suggest } from "../../../base/text/suggest.ts";
import { builtInTools, foreignTools, isKnownTool } from "../../../base/tool-names.ts";
import { guardedCall } from "../../../manager/run/tools/guarded-call.ts";
import { answerCase, readCase, type CheckDefaults } from "../../../permissions/read-case.ts";
import { decide } from "../../../permissions/decide.ts";
import type { CallDecision } from "../../../permissions/decision.ts";
import { explainDecision } from "../../../permissions/explain.ts";
import { isWider, type PermissionMode } from "../../../permissions/mode.ts";
import {
  guardCall,
  noHistory,
  withGuard,
} from "../../../permissions/orchestrator/orchestrator-rules.ts";
import { joinRules } from "../../../permissions/profile.ts";
import { compileRules } from "../../../permissions/rules.ts";
import { createCommand, type CommandModule, type ExitCode } from "../../command.ts";
import type { Io } from "../../io.ts";
import {
  addSessionFlags,
  sessionOptionsFromFlags,
  type SessionFlags,
} from "../../session-flags.ts";

const maxLineCharacters = limits.permissions.caseCharacters;

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("permissions", io).description(
    "test permission rules, and see why a call is allowed, asked about or denied",
  );
  command
    .command("check")
    .description(
      "read cases as JSON lines {id, tool, input, profile?, mode?, rules?, cwd?, home?, " +
        "agent?, parent?, background?} and print for each {id, decision, reason, rule, layer}",
    )
    .argument("[file]", "a file with cases; without it, or with -, standard input")
    .addHelpText(
      "after",
      '\nExample:\n  echo \'{"id":1,"tool":"Bash","input":{"command":"git ' +
        'push"},"rules":{"deny":["Bash(git push:*)"]}}\' | retinue permissions check',
    )
    .action(async (file: string | undefined) => finish(await check(file, io)));
  const asked = addSessionFlags(command.command("explain"), [
    "cwd",
    "agents",
    "settings",
    "pluginDir",
    "addDir",
    "trust",
  ]);
  asked
    .description("show step by step why a call of an agent is allowed, asked about or denied")
    .argument("<agent>", "an agent's name")
    .argument("<tool>", "a tool's name, or the whole call: 'Bash(git log)'")
    .argument("[input]", "the tool's input: a JSON object, or just the command, path or address")
    .option("--mode <mode>", "use this permission mode instead of the agent's")
    .option("--profile <name>", "use this profile instead of the agent's")
    .option("--allow <rules...>", "add allow rules")
    .option("--ask <rules...>", "add ask rules")
    .option("--deny <rules...>", "add deny rules")
    .option("--sub-agent", "the agent runs as a sub-agent")
    .option("--background", "the agent runs in the background")
    .option("--json", "print the decision as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  retinue permissions explain Explore Write src/a.ts\n  retinue " +
        "permissions explain general-purpose Bash 'git log | head' --allow 'Bash(git log:*)'",
    )
    .action((agent: string, tool: string, input: string | undefined) =>
      finish(explain({ agent, tool, input, options: asked.opts<ExplainOptions>() }, io)),
    );
  return command;
};

async function check(file: string | undefined, io: Io): Promise<ExitCode> {
  const defaults = checkDefaults(io.cwd, io.env);
  let bad = 0;
  for await (const line of readLines(source(file, io), { maxCharacters: maxLineCharacters })) {
    if (io.signal.aborted) return 130;
    if ("text" in line && line.text.trim() === "") continue;
    const answer = answerLine(line, defaults);
    if ("error" in answer) bad++;
    io.out(toJsonLine(answer));
  }
  if (bad > 0)
    io.err(`${bad} ${bad === 1 ? "line is" : "lines are"} no case; see the objects with "error"`);
  return bad > 0 ? 2 : 0;
}

function source(file: string | undefined, io: Io): AsyncIterable<string | Uint8Array> {
  return file === undefined || file === "-" ? io.stdin : readable(resolve(io.cwd, file));
}

async function* readable(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new RetinueError("usage", `the file of cases cannot be read: ${errorText(error)}`);
  }
}

function answerLine(line: StreamLine, defaults: CheckDefaults): object {
  const wrong = (error: string, id?: unknown): object => ({
    line: line.number,
    ...(id === undefined || id === null ? {} : { id }),
    error,
  });
  if (!("text" in line)) return wrong(`the line is longer than ${maxLineCharacters} characters`);
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    return wrong(`not JSON: ${errorText(error)}`);
  }
  const read = readCase(value, defaults);
  if (!read.ok) return wrong(read.problem, read.id);
  const { cwd, home } = read.policy.workspace;
  return answerCase(read, (path, folder) => factsNear(path, { cwd, home, folder }));
}

type ExplainOptions = SessionFlags & {
  mode?: string;
  profile?: string;
  allow?: string[];
  ask?: string[];
  deny?: string[];
  subAgent?: boolean;
  background?: boolean;
  json?: boolean;
};

function explain(
  {
    agent,
    options,
    ...words
  }: { agent: string; tool: string; input: string | undefined; options: ExplainOptions },
  io: Io,
): ExitCode {
  const { tool, input } = spokenCall(words.tool, words.input);
  // As for a run with the same flags.
  const { session, settings, loaded } = openSession(sessionOptionsFromFlags(options, io));
  const { cwd, isTrusted } = session;
  const definition = loaded.definitions.get(agent);
  if (!definition)
    throw unknownAgent(agent, { names: loaded.definitions.keys(), problems: loaded.problems });
  refuseUnusableRules(options);
  const read = readCase(
    {
      tool,
      input: inputOf(tool, input),
      mode: options.mode ?? startMode(definition, settings.permissions.defaultMode, isTrusted),
      profile: options.profile ?? definition.profile,
      rules: joinRules(session.rules, options),
      additionalDirectories: session.additionalDirectories,
      readOnlyCommands: session.readOnlyCommands,
      cwd,
      agent: callerOf(definition),
      parent: options.subAgent ? { depth: 1 } : undefined,
      background: options.background === true,
    },
    {
      ...checkDefaults(io.cwd, io.env),
      profiles: settings.profiles,
      agentTypes: () => [...loaded.definitions.keys()],
    },
  );
  if (!read.ok) throw new RetinueError("usage", read.problem);
  const policy = { ...read.policy, workspace: { ...read.policy.workspace, root: session.root } };
  const facts = (path: string): ReturnType<typeof pathFacts> =>
    pathFacts(path, cwd, policy.workspace.home);
  const decided = decide(read.call, policy, facts);
  // As for a first call: an orchestrator that has read nothing yet and has asked no agent.
  const decision =
    policy.mode === "delegate"
      ? withGuard(
          decided,
          guardCall(guardedCall(read.call, { facts, workspace: policy.workspace }), {
            ...noHistory,
            agents: [...loaded.definitions.keys()],
          }),
        )
      : decided;
  io.out(options.json ? JSON.stringify(decision, null, 2) : explainDecision(decision).join("\n"));
  if (!options.json && !isTrusted)
    for (const line of rulesWithoutEffect(options, io, (rules) =>
      decide(read.call, { ...policy, rules: joinRules(policy.rules, { allow: rules }) }, facts),
    ))
      io.out(line);
  return 0;
}

/** The allow rules that wait for trust, and what they would change. */
function rulesWithoutEffect(
  options: ExplainOptions,
  io: Io,
  decideWith: (rules: string[]) => CallDecision,
): string[] {
  const flags = sessionOptionsFromFlags(options, io);
  const inEffect = openSession(flags).session.rules.allow;
  const waiting = openSession({ ...flags, trust: true }).session.rules.allow.filter(
    (rule) => !inEffect.includes(rule),
  );
  const { behavior, rule } = decideWith(waiting);
  if (waiting.length === 0) return [];
  return [
    "\nwithout effect, because this folder is not trusted (`retinue trust` shows and changes that):",
    ...waiting.map((text) => `  allow  ${oneLine(text, 200)}`),
    `with them the answer would be: ${behavior}${rule === undefined ? "" : ` (${oneLine(rule, 200)})`}`,
  ];
}

function refuseUnusableRules({ allow = [], ask = [], deny = [] }: ExplainOptions): void {
  const unusable = compileRules({ allow, ask, deny }).problems[0];
  if (unusable) throw new RetinueError("usage", `--${unusable.list}: ${unusable.message}`);
}

/** The definition's mode, unless it is wider than the settings' in an untrusted folder. */
function startMode(
  { permissionMode, source }: AgentDefinition,
  defaultMode: PermissionMode = "default",
  isTrusted: boolean,
): PermissionMode {
  const isKept =
    permissionMode !== undefined &&
    !(isWider(permissionMode, defaultMode) && source === "project" && !isTrusted);
  return isKept ? permissionMode : defaultMode;
}

/** A tool's name, or a call written like a rule, `Bash(git log)`; a pattern is not a call. */
function spokenCall(
  given: string,
  input: string | undefined,
): { tool: string; input: string | undefined } {
  const [, tool = given.trim(), text = input] = /^\s*([^()]+?)\s*\(([^]*)\)\s*$/.exec(given) ?? [];
  const shown = JSON.stringify(text?.replace(/:?\s*\*+$/, "") ?? "…");
  const example = `retinue permissions explain AGENT ${tool} ${shown}`;
  if (text !== input && input !== undefined)
    throw new RetinueError(
      "usage",
      `the input is given twice, as ${oneLine(given, 80)} and as ${oneLine(input, 80)}. Write: ${example}`,
    );
  if (text !== input && /:\*|\*\s*$|^domain:/.test(text!))
    throw new RetinueError(
      "usage",
      `${oneLine(given, 80)} is a rule, which stands for many calls; explain takes one call. Write: ${example}`,
    );
  if (isKnownTool(tool) || foreignTools.includes(tool)) return { tool, input: text };
  const near = suggest(tool, builtInTools);
  const hint = near
    ? `: did you mean ${near}?`
    : ` (there are ${builtInTools.join(", ")} and mcp__SERVER__TOOL)`;
  const name = JSON.stringify(oneLine(tool, 60));
  throw new RetinueError("usage", `there is no tool named ${name}${hint}`);
}

const mainField: Record<string, string> = {
  Bash: "command",
  Read: "file_path",
  Write: "file_path",
  Edit: "file_path",
  Grep: "pattern",
  Glob: "pattern",
  WebFetch: "url",
  Agent: "subagent_type",
  Task: "subagent_type",
  Skill: "skill",
};

/** A JSON object, or the tool's most important text. */
function inputOf(tool: string, text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  if (text.trimStart().startsWith("{")) {
    try {
      const value: unknown = JSON.parse(text);
      if (isObject(value)) return value;
    } catch {
      // A command may begin with a brace too.
    }
  }
  return { [mainField[tool] ?? "input"]: text };
}
