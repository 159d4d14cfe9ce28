export { collectEvents, type EventCollector } from "./event-collector.ts";
export {
  startMockProvider,
  type MockAnswer,
  type MockLine,
  type MockProvider,
  type MockProviderOptions,
  type MockRequest,
} from "./mock-provider.ts";
export type { MockFault, Protocol } from "./mock-fault.ts";
export type { MockReply, MockToolCall } from "./mock-reply.ts";
export {
  scriptedModel,
  type ScriptLine,
  type ScriptedModel,
  type ScriptedReply,
} from "./scripted-model.ts";
export { tempProject, type TempProject } from "./temp-project.ts";
