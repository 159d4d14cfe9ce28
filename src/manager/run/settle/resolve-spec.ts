// Settles one run as data: definition, input and parent become a spec, and nothing about the run is
// decided after it.
import type { Requirement } from "../../../contract/trust/requirement.ts";
import { newUuid } from "../../../base/ids.ts";
import { limits } from "../../../base/limits.ts";
import type { AgentDefinition } from "../../../definitions/agent-definition.ts";
import { specVersion, type RunPlace, type RunSpec } from "../../../events/run-spec.ts";
import { efforts } from "../../../base/efforts.ts";
import type { Policy } from "../../../permissions/policy.ts";
import { resolveLimits, type LimitSource } from "./resolve-limits.ts";
import type { Session } from "../../session/session.ts";

export type SpecInput = {
  agentId: string;
  prompt: string;
  name?: string | undefined;
  /** Resolved: `provider:id` or an alias. */
  model: string;
  limits: LimitSource;
  isMain: boolean;
  place: RunPlace;
  policy: Policy;
  tools: readonly string[];
  system: string;
  mcpServers: RunSpec["mcpServers"];
  memoryDir?: string | undefined;
  contract: RunSpec["contract"];
  outputSchema?: RunSpec["outputSchema"] | undefined;
  require?: Requirement | null | undefined;
  background: boolean;
  toolUseId?: string | undefined;
  description?: string | undefined;
};

export function resolveSpec(
  session: Session,
  definition: AgentDefinition,
  input: SpecInput,
): RunSpec {
  const effort = efforts.find((word) => word === definition.effort);
  const own = { ...definition, maxTurns: definition.maxTurns ?? usualTurns(input) };
  return {
    version: specVersion,
    runId: newUuid(),
    startedAt: Date.now(),
    agentId: input.agentId,
    session: { id: session.id },
    agentType: definition.name,
    ...(input.name === undefined ? {} : { name: input.name }),
    isMain: input.isMain,
    place: input.place,
    model: session.model(input.model).name,
    ...(effort ? { effort } : {}),
    webSearch: input.tools.includes("WebSearch"),
    system: input.system,
    prompt: input.prompt,
    tools: input.tools.filter((tool) => tool !== "WebSearch"),
    policy: input.policy,
    limits: resolveLimits(input.limits, own, session.limits),
    compactionPercent: session.compactionPercent,
    mcpServers: input.mcpServers,
    ...(input.memoryDir === undefined ? {} : { memoryDir: input.memoryDir }),
    contract: input.contract,
    ...(input.outputSchema === undefined ? {} : { outputSchema: input.outputSchema }),
    require: input.require ?? null,
    background: input.background,
    ...(input.toolUseId === undefined ? {} : { toolUseId: input.toolUseId }),
    ...(input.description === undefined ? {} : { description: input.description }),
  };
}

/**
 * For a definition that names no number. What a person says about a main thread takes its place;
 * what a model says of a sub-agent can only lower it.
 */
function usualTurns({ isMain, limits: given }: SpecInput): number | undefined {
  if (!isMain) return limits.run.maxTurns;
  return given.maxTurns === undefined ? limits.run.mainMaxTurns : undefined;
}
