// `retinue/restate`: runs on several machines.
export { cleanStore } from "./store/clean-store.ts";
export { fetchLines, fetchTranscript } from "./store/fetch-transcript.ts";
export type { ObjectStore, StoredObject } from "./store/object-store.ts";
export { storeBelow, StoreFailure } from "./store/object-store.ts";
export { checkStore, openStore } from "./store/open-store.ts";
export { sharedTranscripts, type SharedOptions } from "./store/shared-transcripts.ts";
export { stepSpill, type StepSpill, type ValueSeal } from "./store/step-spill.ts";
export { followRun, type FollowedRun, type FollowRunParts } from "./workspace/follow-run.ts";
export { gitWorkspaces, type GitWorkspaceOptions } from "./workspace/git-workspaces.ts";
export type {
  RunTree,
  TreeMerge,
  TreeOrder,
  TreeOwner,
  Workspaces,
} from "./workspace/workspaces.ts";
export { TreeOvertaken } from "./workspace/workspaces.ts";
export { restate, type RestateOptions } from "./client/restate.ts";
