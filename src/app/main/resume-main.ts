// Finds an earlier main thread and what it ran with, so that going on means the same agent, model,
// folder and no more permissions.
import { requirements } from "../../contract/trust/requirement.ts";
import { basename } from "node:path";
import { RetinueError } from "../../base/errors.ts";
import { isObject, type JsonObject } from "../../base/data/json.ts";
import { oneLine } from "../../base/text/printable.ts";
import { readRunSpec } from "../../events/read-run-spec.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { LimitSource } from "../../manager/run/settle/resolve-limits.ts";
import type { Environment } from "../../manager/session/session.ts";
import { isPermissionMode, isWider } from "../../permissions/mode.ts";
import { compileRules } from "../../permissions/rules.ts";
import type { RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import { loadTranscript } from "../../transcripts/reading/load-transcript.ts";
import { projectName } from "../../transcripts/paths.ts";
import { refuseOtherFormat } from "../../transcripts/reading/refuse-other-format.ts";
import { listRuns } from "../../transcripts/reading/list-runs.ts";
import { realPath } from "../../base/files/project-folders.ts";
import { findRun, projectOf, projectsDir, refuseRunningAgent } from "../runs/find-run.ts";
import type { OpenedSession } from "../session/open-session.ts";

/**
 * Without `begun` the process died before it had said what it runs: the same session starts now,
 * with what this call gives.
 */
export type EarlierMain = {
  sessionId: string;
  agentId: string;
  cwd: string;
  begun?: {
    agent: string;
    model: string;
    mode: string;
    /** Its deny and ask rules: those of another call do not take their place. */ deny: string[];
    ask: string[];
    /** What it was allowed then, for display only: anybody may have changed the file. */
    allowed: string[];
    limits: LimitSource;
    contract: RunSpec["contract"] | undefined;
    require: RunSpec["require"];
  };
};

/**
 * What it was, and the mode that it goes on in. Throws for an unknown id, a running one, a
 * sub-agent, and a wider mode.
 */
export async function resumedMain(
  id: string,
  asked: string | undefined,
  env: Environment,
): Promise<{ earlier: EarlierMain; mode: string | undefined }> {
  const earlier = await earlierMain(id, env);
  return { earlier, mode: resumedMode(earlier.begun?.mode, asked) };
}

/** The newest session of this folder. Throws `unknown_task` where there is none. */
export function newestSession(cwd: string, env: Environment): string {
  const project = projectName(realPath(cwd));
  const newest = listRuns(projectsDir(env), { project }).find(({ isMain }) => isMain);
  if (newest) return newest.agentId;
  throw new RetinueError(
    "unknown_task",
    `there is no session of this folder to continue (${cwd}). \`retinue run "…"\` begins one; ` +
      "`retinue ps --all` lists those of other folders.",
  );
}

async function earlierMain(id: string, env: Environment): Promise<EarlierMain> {
  const run = findRun(id, env);
  refuseRunningAgent(run);
  if (!run.isMain)
    throw new RetinueError(
      "usage",
      `${id} is a sub-agent; \`retinue resume ${id} PROMPT\` continues it.`,
    );
  refuseOtherFormat(run);
  const { spec: written, messages } = await loadTranscript(run.transcript);
  const spec = written === undefined ? undefined : usableSpec(run, written);
  const { sessionId, agentId, header } = run;
  if (spec === undefined && messages.length === 0 && typeof header["cwd"] === "string")
    return { sessionId, agentId, cwd: header["cwd"] };
  const { agentType, model, cwd } = startOf(id, { run, spec });
  return { sessionId, agentId, cwd, begun: begunOf({ agentType, model, spec }) };
}

type SpecOnDisk = { run: RunOnDisk; spec: JsonObject | undefined };
type Start = { agentType: string; model: string; cwd: string };

/** What the run began with. Refuses a transcript that does not say it, or that names another folder. */
function startOf(id: string, { run, spec }: SpecOnDisk): Start {
  const { agentType, model, place } = (spec ?? {}) as {
    agentType?: unknown;
    model?: unknown;
    place?: { cwd?: unknown };
  };
  const cwd = place?.cwd;
  if (typeof agentType !== "string" || typeof model !== "string" || typeof cwd !== "string")
    throw new RetinueError(
      "usage",
      `${id} cannot be continued: its transcript does not say what it ran with (${run.transcript}).`,
    );
  // The file lies in the folder of the place where it ran: one that was changed to name another
  // place does not move the run there.
  if (projectName(cwd) !== basename(projectOf(run)))
    throw new RetinueError(
      "denied",
      `${id} cannot be continued: its transcript says that it ran in ${oneLine(cwd, 200)}, ` +
        `and lies with those of another folder (${run.transcript}).`,
    );
  return { agentType, model, cwd };
}

function begunOf({
  agentType,
  model,
  spec,
}: Omit<Start, "cwd"> & Pick<SpecOnDisk, "spec">): NonNullable<EarlierMain["begun"]> {
  const { policy } = (spec ?? {}) as {
    policy?: { mode?: unknown; rules?: { allow?: unknown; deny?: unknown; ask?: unknown } };
  };
  return {
    agent: agentType,
    model,
    mode: isPermissionMode(policy?.mode) ? policy.mode : "default",
    deny: usableRules(policy?.rules?.deny),
    ask: usableRules(policy?.rules?.ask),
    allowed: usableRules(policy?.rules?.allow),
    limits: keptLimits(spec?.["limits"]),
    contract: contracts.find((word) => word === spec?.["contract"]),
    require: requirements.find((word) => word === spec?.["require"]) ?? null,
  };
}

/** One of an older version is read as one of today's; a newer one is refused. */
function usableSpec({ agentId }: RunOnDisk, written: JsonObject): JsonObject {
  const read = readRunSpec(written);
  if (read.ok) return read.spec;
  throw new RetinueError("usage", `${agentId} cannot be continued: ${read.problem}.`);
}

const contracts = ["report", "handoff", "none"] as const;

/** A transcript is a file that anybody may have changed: what is no limit is none. */
function keptLimits(given: unknown): LimitSource {
  const number = (name: string): number | undefined =>
    isObject(given) && typeof given[name] === "number" && given[name] > 0 ? given[name] : undefined;
  return {
    maxTurns: number("maxTurns"),
    timeoutMs: number("timeoutMs"),
    maxTokens: number("maxTokens"),
    maxUsd: number("maxUsd"),
  };
}

/**
 * Rules that can never match are left out: they were reported at the start, and must not stop a
 * resume.
 */
function usableRules(rules: unknown): string[] {
  const texts = Array.isArray(rules)
    ? rules.filter((rule): rule is string => typeof rule === "string")
    : [];
  return texts.filter(
    (rule) => compileRules({ allow: [], ask: [], deny: [rule] }).problems.length === 0,
  );
}

/** What to say of rules that only the earlier command line had. */
export function lostAllowances({ begun }: EarlierMain, { session }: OpenedSession): string[] {
  const lost = (begun?.allowed ?? []).filter((rule) => !session.rules.allow.includes(rule));
  return lost.length === 0
    ? []
    : [
        "it was also allowed " +
          `${lost.slice(0, 10).join(", ")}${lost.length > 10 ? ` and ${lost.length - 10} more` : ""} ` +
          "when it began; a resume keeps no such rule: give it again with --allowedTools " +
          "where it is to hold",
      ];
}

/** The earlier mode, or a narrower one; a resume never widens. */
export function resumedMode(
  earlier: string | undefined,
  asked: string | undefined,
): string | undefined {
  if (asked === undefined || earlier === undefined) return earlier ?? asked;
  if (isPermissionMode(asked) && isPermissionMode(earlier) && isWider(asked, earlier))
    throw new RetinueError(
      "denied",
      `what is resumed keeps its permissions: ${asked} is wider than ${earlier}. Start anew for that.`,
    );
  return asked;
}
