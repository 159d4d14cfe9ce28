// Runs one agent as the main thread of a session: the definition becomes a spec, the executor runs it.
import { RetinueError } from "../base/errors.ts";
import { newAgentId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { suggest } from "../base/suggest.ts";
import type { AgentDefinition } from "../definitions/agent-definition.ts";
import type { Listener } from "../events/event.ts";
import type { RunOutcome } from "../events/outcome.ts";
import { createLocalExecutor } from "../executors/local.ts";
import type { RunSpec } from "../executors/run-spec.ts";
import { openOutputFile } from "../manager/output-file.ts";
import type { LimitSource } from "../manager/resolve-limits.ts";
import { prepareRun, wantedServers } from "../manager/prepare-run.ts";
import { mainPolicy } from "../manager/resolve-policy.ts";
import { createRunCatalog } from "../manager/run-catalog.ts";
import { transcriptPath } from "../manager/run-store.ts";
import { defaultModelName } from "../model/providers.ts";
import { gitState } from "./git-state.ts";
import type { OpenedSession } from "./open-session.ts";

export type MainInput = {
  prompt: string;
  agent?: string | undefined;
  model?: string | undefined;
  mode?: string | undefined;
  name?: string | undefined;
  limits: LimitSource;
  /** Continues an earlier main thread: its agent id. */
  agentId?: string | undefined;
  /** Nobody is there: what is not allowed is denied, no MCP servers, an output file. */
  background?: boolean | undefined;
};

export type MainRun = { agentId: string; agentType: string; transcript: string; outcome: RunOutcome; outputFile?: string };

export async function runMain(opened: OpenedSession, input: MainInput, watch: { signal: AbortSignal; onEvent?: Listener }): Promise<MainRun> {
  return continueMain(opened, await settleMain(opened, input), watch);
}

/** Everything about the run that is decided before it starts. Throws for a person's mistake. */
export async function settleMain(opened: OpenedSession, input: MainInput): Promise<RunSpec> {
  const { session } = opened;
  checkPrompt(input.prompt);
  const definition = findDefinition(opened, input.agent ?? opened.settings.agent ?? "general-purpose");
  const model = session.model(modelName(opened, definition, input.model));
  const background = input.background ?? false;
  const policy = { ...mainPolicy(session, definition, { mode: input.mode, cwd: session.cwd }), background };
  const agentId = input.agentId ?? newAgentId();
  const git = await gitState(session.root);
  const { spec, warnings } = prepareRun(session, definition, { agentId, prompt: input.prompt, name: input.name, model, limits: input.limits, isMain: true, cwd: session.cwd, policy, mcpServers: wantedServers(session, definition, background), background, ...(git ? { git } : {}) });
  opened.warnings.push(...warnings);
  return spec;
}

/** Runs a settled spec: a new main thread's, or that of one that was moved here from another process. */
export async function continueMain({ session }: OpenedSession, spec: RunSpec, watch: { signal: AbortSignal; onEvent?: Listener }): Promise<MainRun> {
  const output = spec.background ? openOutputFile(session.paths.output(spec.agentId)) : undefined;
  const onEvent: Listener = (event) => {
    output?.onEvent(event);
    watch.onEvent?.(event);
  };
  const outcome = await createLocalExecutor(createRunCatalog(session)).execute(spec, { signal: watch.signal, onEvent });
  if (outcome.reason === "moved") output?.close();
  else output?.end(outcome, spec.agentId);
  return { agentId: spec.agentId, agentType: spec.agentType, transcript: transcriptPath(session, spec), outcome, ...(output ? { outputFile: output.path } : {}) };
}

function checkPrompt(prompt: string): void {
  if (prompt.trim() === "") throw new RetinueError("usage", 'the prompt is empty. Give it as an argument, or "-" to read it from standard input.');
  const bytes = Buffer.byteLength(prompt);
  if (bytes > limits.prompt.bytes) throw new RetinueError("usage", `the prompt has ${(bytes / 1024 / 1024).toFixed(1)} MB, at most ${limits.prompt.bytes / 1024 / 1024} MB are taken. Put the material into a file and name the file in the prompt.`);
}

function findDefinition({ session }: OpenedSession, name: string): AgentDefinition {
  const definitions = session.definitions();
  const found = definitions.get(name);
  if (found) return found;
  const near = suggest(name, definitions.keys());
  throw new RetinueError("unknown_agent", `there is no agent "${name}"${near ? `; did you mean "${near}"?` : "."} \`retinue agents list\` shows them all.`);
}

/** The flag, the settings, the environment, the first provider with a key; a definition's own model for a named agent. */
function modelName({ session, settings }: OpenedSession, definition: AgentDefinition, flag: string | undefined): string {
  const own = definition.model === "inherit" || definition.source === "built-in" ? undefined : definition.model;
  const name = flag ?? own ?? settings.model ?? defaultModelName(session.env);
  if (name) return name;
  throw new RetinueError("missing_key", "no model can be reached: no key is set. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, name a local model with --model ollama:NAME, describe a provider under retinue.providers in the settings, or use --model offline, which needs no key.");
}
