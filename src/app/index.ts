// What users of the package import. Everything here is kept stable; everything else may change.

// Agents
export { RetinueError, type ErrorCode } from "../base/errors.ts";
export { createManager, type AgentManager } from "./create-manager.ts";
export type { ManagerOptions, PermissionOptions } from "./manager-options.ts";

export type { AgentInfo } from "../manager/agent-register.ts";
export type { AgentMetrics, AgentOutput, AgentResult, RunningOutput, RunVerification } from "../manager/agent-result.ts";
export type { Answerer, Asker, PermissionAnswer, PermissionQuestion, UserQuestion } from "../manager/asker.ts";
export type { AgentRun, AgentStatus, StopResult } from "../manager/manager.ts";
export type { SpawnInput } from "../manager/spawn-input.ts";
export type { RunEvent } from "../events/event.ts";
export type { PermissionDenial, RunState, StateReason } from "../events/outcome.ts";

// Tools, hooks, models, executors
export { defineTool, type ToolPlan } from "../tool/define-tool.ts";
export { errorResult, type Tool, type ToolContext, type ToolResult } from "../tool/tool.ts";
export { functionHook, type HookFunction, type HookOutput } from "../hooks/hook.ts";
export type { HookEvent, HookInput } from "../hooks/hook-event.ts";
export { aiSdkModel } from "../model/ai-sdk-model.ts";
export type { Model, ModelRequest, ModelResult, Reply, Usage } from "../model/model.ts";
export type { Message } from "../model/message.ts";
export type { Catalog } from "../executors/catalog.ts";
export type { Executor } from "../executors/executor.ts";
export { createLocalExecutor } from "../executors/local.ts";
export { durable, type Once } from "../executors/durable.ts";
export type { RunSpec } from "../executors/run-spec.ts";

// Definitions
export { loadDefinitions, type LoadedDefinitions, type LoadOptions } from "../definitions/load-definitions.ts";
export type { AgentDefinition, AgentFields } from "../definitions/agent-definition.ts";

// Flows
export { startFlow, resumeFlow, type FlowRequest, type FlowWatch } from "./start-flow.ts";
export { listFlows, type FlowStatus } from "./list-flows.ts";
export type { SessionOptions } from "./open-session.ts";
export type { FlowOutcome } from "../flows/run-flow.ts";
export { sequence, type SequencePlan } from "../patterns/sequence.ts";
export { parallel, type ParallelPlan, type ParallelResult } from "../patterns/parallel.ts";
export { branch, type BranchPlan } from "../patterns/branch.ts";
export { usualPolicy, type Delegate, type Delivery, type FlowPolicy, type FlowPorts, type FlowResult, type FlowTask, type Phase, type PhaseRecord } from "../patterns/flow.ts";

// Handoffs, reports and their verification
export { aggregateReports, type Aggregate, type AggregatePolicy } from "../contract/aggregate/aggregate-reports.ts";
export { checkRequest, checkResponse, type CheckedRequest, type CheckedResponse } from "../contract/check-handoff.ts";
export { handoffJsonSchemas, handoffRequestSchema, handoffResponseSchema, type HandoffRequest, type HandoffResponse } from "../contract/handoff.ts";
export { lintReport, type Violation } from "../contract/lint-report.ts";
export { parseReport } from "../contract/parse-report.ts";
export { renderReport } from "../contract/render-report.ts";
export type { Report } from "../contract/report.ts";
export { assessReport, type AssessOptions } from "../verify/assess-report.ts";
export { finalText, type Assessment } from "../verify/assessment.ts";
export { commitReader } from "../verify/commit-reader.ts";
export { readLedger, type Ledger } from "../verify/evidence/ledger.ts";
export { diffSnapshots, takeSnapshot, type Snapshot } from "../verify/evidence/snapshot.ts";
export { judgeRepair, repairPrompt, type Repair } from "../verify/repair.ts";
export { reportHeader, type HeaderFacts } from "../verify/report-header.ts";
export { toVerifiedReport, type ReportIdentity } from "../verify/to-verified-report.ts";
export { treeReader } from "../verify/tree-reader.ts";
export { verifyReport, type Verification, type VerifyOptions } from "../verify/verify-report.ts";
