// What users of the package import. Everything here is kept stable; everything else may change.

// Agents
export { RetinueError, type ErrorCode } from "../base/errors.ts";
export { createManager, type AgentManager } from "./create-manager.ts";
export { runMain, type MainRequest, type MainResult, type MainWatch } from "./main/run-main.ts";
export type { ManagerOptions, PermissionOptions } from "./manager-options.ts";

export type { AgentInfo } from "../manager/agents/agent-register.ts";
export type {
  AgentMetrics,
  AgentOutput,
  AgentResult,
  RunningOutput,
  RunVerification,
} from "../manager/session/agent-result.ts";
export type {
  Answerer,
  Asker,
  PermissionAnswer,
  PermissionQuestion,
  UserQuestion,
} from "../manager/session/asker.ts";
export type { AgentRun, AgentStatus, StopResult } from "../manager/agents/agent-run.ts";
export type { OutputSchema } from "../manager/run/tools/owed-data.ts";
export type { SpawnInput } from "../manager/agents/spawn-input.ts";
export type { RunEvent } from "../events/event.ts";
export type { PermissionDenial, RunState, StateReason } from "../events/outcome.ts";

export {
  checkPermission,
  type PermissionCase,
  type PermissionVerdict,
} from "./project/check-permission.ts";
export { readOutput, type ReadOutputOptions } from "./runs/read-output.ts";
export type { RunOutput } from "./runs/run-output.ts";
export { readTranscript } from "./runs/read-transcript.ts";

// Tools, hooks, models, executors
export {
  defineTool,
  type JsonObjectSchema,
  type ToolInput,
  type ToolPlan,
  type ZodObjectSchema,
} from "./define-tool.ts";
export { errorResult, type Tool, type ToolContext, type ToolResult } from "../tool/tool.ts";
export { functionHook, type HookFunction, type HookOutput } from "../hooks/hook.ts";
export type { HookEvent, HookInput } from "../hooks/hook-event.ts";
export { aiSdkModel } from "../model/ai-sdk/ai-sdk-model.ts";
export type { Model, ModelRequest, ModelResult, Reply, Usage } from "../model/model.ts";
export type { Message } from "../model/message.ts";
export type { Catalog } from "../executors/catalog.ts";
export type { Executor } from "../executors/executor.ts";
export { createLocalExecutor } from "../executors/local.ts";
export { durable, type Once } from "../executors/durable.ts";
export type { RunSpec } from "../events/run-spec.ts";

// Definitions
export {
  loadDefinitions,
  type LoadedDefinitions,
  type LoadOptions,
} from "../definitions/load-definitions.ts";
export type {
  AgentDefinition,
  AgentFields,
  AgentPlan,
  McpServerConfig,
  McpServerPlan,
} from "../definitions/agent-definition.ts";

// Flows
export { startFlow, resumeFlow, type FlowOptions } from "./flows/library-flow.ts";
export type { FlowRequest, FlowWatch } from "./flows/start-flow.ts";
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

// Handoffs, reports and their verification
export {
  aggregateReports,
  type Aggregate,
  type AggregatePolicy,
} from "../contract/aggregate/aggregate-reports.ts";
export {
  checkRequest,
  checkResponse,
  type CheckedRequest,
  type CheckedResponse,
} from "../contract/handoff/check-handoff.ts";
export {
  handoffJsonSchemas,
  handoffRequestSchema,
  handoffResponseSchema,
  type HandoffRequest,
  type HandoffResponse,
} from "../contract/handoff/handoff.ts";
export { lintReport, type Violation } from "../contract/report/lint-report.ts";
export { parseReport } from "../contract/report/parse-report.ts";
export { renderReport } from "../contract/report/render-report.ts";
export type { Report } from "../contract/report/report.ts";
export {
  reportInputJsonSchema,
  reportInputSchema,
  type ReportInput,
  type ReportProblem,
} from "../contract/report-tool/report-input.ts";
export { assessReport, type AssessOptions } from "../verify/assess-report.ts";
export type { Assessment } from "../verify/assessment.ts";
export { finalText } from "../verify/trust/final-text.ts";
export { commitReader } from "../verify/commit-reader.ts";
export { readLedger, type Ledger } from "../verify/evidence/ledger.ts";
export { diffSnapshots, takeSnapshot, type Snapshot } from "../verify/evidence/snapshot.ts";
export { judgeRepair, repairPrompt, type Repair } from "../verify/repair.ts";
export { reportHeader, type HeaderFacts } from "../verify/report-header.ts";
export {
  checkReportInput,
  type AcceptedReport,
  type ReportPlace,
  type ReportWorld,
  type SubmittedReport,
} from "../verify/report-tool/submit-report.ts";
export { toVerifiedReport, type ReportIdentity } from "../verify/to-verified-report.ts";
export { treeReader } from "../verify/tree-reader.ts";
export { verifyReport, type Verification, type VerifyOptions } from "../verify/verify-report.ts";
export {
  memoryReader,
  type ReadResult,
  type RepositoryReader,
  type Unreadable,
} from "../verify/reader.ts";

// Types that the signatures above name
export type { Json, JsonObject } from "../base/data/json.ts";
export type { PermissionModeName } from "../base/permission-modes.ts";
export type { Problem } from "../base/problem.ts";
export type {
  AgentMcpServer,
  AgentSource,
  DefinitionProblem,
  HookCommand,
  HookRule,
  KnownNames,
  NameCheck,
  ScopedHooks,
} from "../definitions/agent-definition.ts";
export type { DefinitionPlace, LoadedDefinition } from "../definitions/load-definitions.ts";
export type {
  Fact,
  Listener,
  MessageFact,
  MessageOrigin,
  RecordedFact,
  Signal,
  Stamp,
} from "../events/event.ts";
export type { RunMetrics, RunOutcome } from "../events/outcome.ts";
export type { RunHooks, RunLog, RunStore, ToolSet } from "../executors/catalog.ts";
export type { Watch } from "../executors/executor.ts";
export type { RunLimits } from "../events/run-spec.ts";
export type {
  AfterTool,
  Gate,
  GateDecision,
  LoopHooks,
  RequestedCall as ToolCall,
} from "../loop/ports.ts";
export type { CommandHook, FunctionHook, Hook, UnsupportedHook } from "../hooks/hook.ts";
export type { LimitSource } from "../manager/run/settle/resolve-limits.ts";
export type { Environment } from "../manager/session/session.ts";
export type { AiSdkModel, AiSdkOptions } from "../model/ai-sdk/ai-sdk-model.ts";
export type { Clock } from "../model/clock.ts";
export type {
  AssistantBlock,
  AssistantMessage,
  DocumentBlock,
  ImageBlock,
  MediaSource,
  ProviderBlock,
  RedactedThinkingBlock,
  ResultContent,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserBlock,
  UserMessage,
} from "../model/message.ts";
export type {
  Effort,
  FailureKind,
  ModelCall,
  ModelFailure,
  Price,
  ReplyDelta,
  StopReason,
  ToolSchema,
} from "../model/model.ts";
export type { Behavior, Layer } from "../permissions/decision.ts";
export type { PermissionMode } from "../permissions/mode.ts";
export type { ParsedInput } from "../tool/tool.ts";
export type { LoadedRun, LoadedTranscript } from "../transcripts/reading/load-transcript.ts";
export type { LoadProblem } from "../transcripts/reading/scan-transcript.ts";
export type { ContextReport, ContextRow } from "../flows/context-report.ts";
export type { FlowPattern } from "../flows/journal.ts";
export type { Measure } from "../flows/measure-rules.ts";
export type { Complexity } from "../patterns/branch.ts";
export type { LookResult, PhaseOutput } from "../patterns/flow.ts";
export type { MergedFinding, Trigger } from "../contract/aggregate/aggregate-reports.ts";
export type { Conflict } from "../contract/aggregate/find-conflicts.ts";
export type { FoldedChecks, FoldRule } from "../contract/aggregate/fold-checks.ts";
export type { ConfidencePolicy, Expertise } from "../contract/aggregate/pool-confidence.ts";
export type { PossibleDuplicate } from "../contract/aggregate/same-finding.ts";
export type {
  Assertion,
  Member,
  VerifiedFinding,
  VerifiedReport,
} from "../contract/aggregate/verified-report.ts";
export type { Decision, Outcome, Severity, Trust } from "../contract/axes.ts";
export type { Blocker, ErrorDetails, Failure } from "../contract/failure.ts";
export type { CheckTeller } from "../contract/handoff/read-checks.ts";
export type { Settled } from "../contract/trust/settle-decision.ts";
export type { HandoffProblem, ResponseFacts } from "../contract/handoff/check-handoff.ts";
export type { PlacedFinding } from "../contract/report/find-findings.ts";
export type { ComputedConfidence, Grade, Standing } from "../contract/grades.ts";
export type { Level, RunFacts } from "../contract/report/lint-report.ts";
export type { Table } from "../contract/report/markdown-table.ts";
export type {
  Confidence,
  FileClaim,
  Finding,
  Issue,
  KeyReference,
  Tick,
} from "../contract/report/report.ts";
export type { SectionName } from "../contract/report/section-names.ts";
export type { Block, Fence, Prose, Section } from "../contract/report/section-tree.ts";
export type {
  AssessedCheck,
  AssessedFinding,
  ComputedTick,
  RepairRow,
  RepairTable,
  Withdrawn,
} from "../verify/assessment.ts";
export type { CheckOptions } from "../verify/collect-checks.ts";
export type { CommandRun } from "../verify/evidence/command-runs.ts";
export type { FinalReply } from "../verify/evidence/final-reply.ts";
export type { Rerun } from "../verify/claims/runs/rerun.ts";
export type { FileClaimWord, Undeclared } from "../verify/evidence/judge-files.ts";
export type { Edit, RanCommand } from "../verify/evidence/ledger.ts";
export type { SnapshotDiff } from "../verify/evidence/snapshot.ts";
export type { TestCounts } from "../verify/claims/runs/tables/summary-lines.ts";
export type { Check, ClaimKind, Place, Verdict } from "../verify/verdict.ts";
export type { EvidenceLookup } from "../verify/verify-report.ts";
