// What users of the package import. Everything here is kept stable; everything else may change. The
// type of a part is written by its place: `AgentResult["metrics"]`.

// Agents
export { RetinueError, type ErrorCode } from "../base/errors.ts";
export { createManager, type AgentManager } from "./create-manager.ts";
export type { ManagerOptions, PermissionOptions } from "./manager-options.ts";
export type { PermissionMode } from "../permissions/mode.ts";
export type { SpawnInput } from "../manager/agents/spawn-input.ts";
export type { AgentRun, AgentStatus, StopResult } from "../manager/agents/agent-run.ts";
export type { AgentOutput, AgentResult, RunVerification } from "../manager/session/agent-result.ts";
export type { AgentInfo } from "../manager/agents/agent-register.ts";
export type { OutputSchema } from "../manager/run/tools/owed-data.ts";
export type { RunEvent } from "../events/event.ts";
export type { PermissionDenial, RunOutcome, RunState, StateReason } from "../events/outcome.ts";
export type {
  Answerer,
  Asker,
  PermissionAnswer,
  PermissionQuestion,
  UserQuestion,
} from "../manager/session/asker.ts";
export { runMain, type MainRequest, type MainResult } from "./main/run-main.ts";

// Runs of any process, and the permission rules alone
export { readOutput } from "./runs/read-output.ts";
export type { RunOutput } from "./runs/run-output.ts";
export { readTranscript } from "./runs/read-output.ts";
export type { LoadedTranscript } from "../transcripts/reading/load-transcript.ts";
export {
  checkPermission,
  type PermissionCase,
  type PermissionVerdict,
} from "./project/check-permission.ts";

// Tools, hooks, models, executors
export { defineTool, type ToolPlan } from "./define-tool.ts";
export type { Tool, ToolContext, ToolResult } from "../tool/tool.ts";
export { functionHook, type Hook, type HookOutput } from "../hooks/hook.ts";
export type { HookEvent, HookInput } from "../hooks/hook-event.ts";
export { aiSdkModel, type AiSdkModel } from "../model/ai-sdk/ai-sdk-model.ts";
export type {
  Model,
  ModelFailure,
  ModelRequest,
  ModelResult,
  Reply,
  ReplyDelta,
  Usage,
} from "../model/model.ts";
export type { Message } from "../model/message.ts";
export { createDurableExecutor, createLocalExecutor } from "../executors/local.ts";
export type { Catalog } from "../executors/catalog.ts";
export type { Executor } from "../executors/executor.ts";
export type { StepJournal } from "../executors/step-journal.ts";
export type { RunSpec } from "../events/run-spec.ts";

// Definitions
export { loadDefinitions, type LoadedDefinitions } from "../definitions/load-definitions.ts";
export type { AgentDefinition, AgentPlan, McpServerPlan } from "../definitions/agent-definition.ts";
export type { Problem } from "../base/problem.ts";

// Flows
export { startFlow, resumeFlow, type FlowOptions } from "./flows/start-flow.ts";
export type { FlowRequest } from "./flows/begin-flow.ts";
export { listFlows, type FlowStatus } from "./flows/list-flows.ts";
export type { FlowOutcome } from "../flows/run-flow.ts";
export { sequence, type SequencePlan } from "../patterns/sequence.ts";
export { parallel, type ParallelPlan, type ParallelResult } from "../patterns/parallel.ts";
export { branch, type BranchPlan } from "../patterns/branch.ts";
export {
  usualPolicy,
  type Delegate,
  type Delivery,
  type FlowPolicy,
  type FlowPorts,
  type FlowResult,
  type FlowTask,
  type Phase,
  type PhaseRecord,
} from "../patterns/flow.ts";

// Reports and handoffs
export type { Decision, Outcome, Severity, Trust } from "../contract/axes.ts";
export { parseReport } from "../contract/report/parse-report.ts";
export { renderReport } from "../contract/report/render-report.ts";
export { lintReport, type Violation } from "../contract/lint/lint-report.ts";
export type { Finding, Report } from "../contract/report/report.ts";
export { reportInputJsonSchema, type ReportInput } from "../contract/report-tool/report-input.ts";
export { checkRequest, checkResponse } from "../contract/handoff/check-response.ts";
export {
  handoffJsonSchemas,
  type HandoffRequest,
  type HandoffResponse,
} from "../contract/handoff/handoff.ts";
export {
  aggregateReports,
  type Aggregate,
  type AggregatePolicy,
} from "../contract/aggregate/aggregate-reports.ts";
export type { VerifiedFinding, VerifiedReport } from "../contract/aggregate/verified-report.ts";

// Verification
export { assessReport, type AssessOptions } from "../verify/assess-report.ts";
export type { AssessedCheck, Assessment } from "../verify/assessment.ts";
export { finalText } from "../verify/trust/final-text.ts";
export type { Verdict } from "../verify/verdict.ts";
export { reportHeader } from "../verify/report/report-header.ts";
export { judgeRepair, repairPrompt, type Repair } from "../verify/repair.ts";
export { checkReportInput } from "../verify/report-tool/submit-report.ts";
export { toVerifiedReport } from "../verify/report/to-verified-report.ts";
export { treeReader } from "../source/tree-reader.ts";
export { commitReader } from "../source/commit-reader.ts";
export { memoryReader, type RepositoryReader } from "../source/reader.ts";
export { readLedger, type Ledger } from "../verify/evidence/ledger.ts";
export { takeSnapshot, type Snapshot } from "../verify/evidence/snapshot.ts";
