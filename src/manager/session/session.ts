// What all runs of one session share. Put together by `app`; the manager only reads it.
import type { RunSpec } from "../../events/run-spec.ts";
import type { Catalog, RunStore } from "../../executors/catalog.ts";
import type { Executor } from "../../executors/executor.ts";
import type { LeftRun } from "../../executors/file-journal.ts";
import type { NamedRunner } from "../../verify/claims/runs/tools-for.ts";
import type { Ledger } from "../../verify/evidence/ledger.ts";
import type { RunHandle } from "../run/run-handle.ts";
import type { AgentDefinition } from "../../definitions/agent-definition.ts";
import type { LoadedDefinition } from "../../definitions/load-definitions.ts";
import type { HookRegistry } from "../../hooks/hook-registry.ts";
import type { ServerPool } from "../../mcp/server-pool.ts";
import type { Model } from "../../model/model.ts";
import type { PermissionMode } from "../../permissions/mode.ts";
import type { Profile } from "../../permissions/profile.ts";
import type { RuleLists } from "../../permissions/rules.ts";
import type { LoadedSkills } from "../../skills/load-skills.ts";
import type { Tool } from "../../tool/tool.ts";
import type { SessionPaths } from "../../transcripts/paths.ts";
import type { TranscriptFs } from "../../transcripts/transcript-file.ts";
import type { Answerer, Approvals, Asker } from "./asker.ts";
import type { RunWorkspace } from "./run-workspace.ts";
import type { LimitSource } from "../run/settle/resolve-limits.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type Session = Readonly<{
  id: string;
  /** Real path. */
  cwd: string;
  /** The project's root: where settings and `/` rules start. */
  root: string;
  home: string;
  env: Environment;
  /** Variables that trusted settings add to commands and hooks. */
  settingsEnv: Record<string, string>;
  /** Values of all these variables that nobody may read in a transcript or an output. */
  secrets: readonly string[];
  /** The user's `.claude`. */
  configDir: string;
  version: string;
  paths: SessionPaths;
  transcripts: TranscriptStore;
  workspace: RunWorkspace;
  /** Transcripts, output files and meta files are written; without them nothing can be resumed. */
  persist: boolean;
  fsync: "turn" | "end" | "never";
  /** The disk under the transcripts, where it is not the real one. */
  transcriptFs?: TranscriptFs;
  model(name: string): Model;
  definitions(): ReadonlyMap<string, AgentDefinition>;
  /** All that were found, the hidden ones too. */
  listing(): readonly LoadedDefinition[];
  /** Reads the definitions on disk anew. */
  reload(): void;
  /** What the agent's file asks for and does not get, because nobody has trusted it. */
  withheldOf(name: string): string[];
  /** The project's folder is trusted. */
  isTrusted: boolean;
  /** Its folder is trusted, or it is the user's own. */
  mayWiden(definition: AgentDefinition): boolean;
  /** Whoever asks for bypassPermissions does not get it. */
  isBypassDisabled: boolean;
  profiles: readonly Profile[];
  rules: RuleLists;
  mode: PermissionMode;
  /** Shell commands that only read run without a rule. */
  readOnlyCommands: boolean;
  /** Where transcripts and outputs are: never written by a tool. */
  storeDirectory: string;
  additionalDirectories: string[];
  hooks: HookRegistry;
  /** Whether commands run in the sandbox, and what they reach there. */
  sandbox: { enabled: boolean; allowHosts: readonly string[]; denyRead: readonly string[] };
  /** Tools of the library's user. */
  tools: readonly Tool[];
  ask?: Asker;
  /** Answers questions of agents; absent where nobody is there. */
  answer?: Answerer;
  approvals: Approvals;
  /** What runs in the background do with questions and servers, and which runs go there. */
  background: {
    ask: "deny" | "upfront" | "wait";
    mcp: boolean;
    default: boolean;
    /** How long a question waits. */ waitMs: number;
  };
  /** Whether CLAUDE_CODE_SUBAGENT_MODEL is a default or stands before all other names. */
  subagentModel: "default" | "override";
  limits: LimitSource;
  compactionPercent: number;
  /** What binds a sub-agent whose definition names no contract. */
  contract: "report" | "handoff" | "none";
  /** Whether final answers are checked against files and record. */
  verify: boolean;
  /** Commands of the project whose owner says what they show. */
  runners: readonly NamedRunner[];
  /**
   * `durable`: every step is kept, and a run whose process died goes on from there. A function makes
   * another one.
   */
  executor: "local" | "durable" | ((catalog: Catalog) => Executor);
  gitBranch?: string;
  skills(): LoadedSkills;
  /** Names of the session's own MCP servers. */
  mcpServers: readonly string[];
  /** The servers' pool; loaded when a run first wants one. */
  mcp(): Promise<ServerPool>;
}>;

/**
 * Where the transcripts of a session's runs are kept: files of this machine here, a store that
 * several machines share where runs are driven on other ones.
 */
export type TranscriptStore = {
  /** Opens a run's transcript for writing, with what its earlier lives left there. */
  open(session: Session, run: RunHandle): Promise<RunStore>;
  /** What the run has seen and done so far, for the check of its answer. */
  ledger(session: Session, spec: RunSpec): Promise<Ledger>;
  /** The life in an agent's journal that has no end on record. */
  left(session: Session, agent: Pick<RunSpec, "isMain" | "agentId">): LeftRun | undefined;
};
