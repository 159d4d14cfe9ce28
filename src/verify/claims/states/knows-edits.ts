// Whether a record names every file of the sources that was changed: no other agent, no other server, no
// command that may have written a file unseen.
import type { ResultSetting } from "../gap-of.ts";

/** `sources`: a program of the project may write those; `built`: so may a build; `prose`: few write that. */
export const knowsEdits = (
  { ledger, record }: ResultSetting,
  of: "sources" | "built" | "prose" = "sources",
): boolean =>
  ledger.delegations === 0 &&
  !ledger.truncated &&
  !ledger.isContinued &&
  ledger.toolRuns.length === 0 &&
  ledger.earlierCalls === 0 &&
  ledger.edits.length > 0 &&
  record.recognitions.every(({ run, recognition }) =>
    of === "built"
      ? !recognition.mayWrite
      : !recognition.mayEdit || (of === "prose" && !writesProse.test(run.command)),
  );

const writesProse =
  /readme|change|docs?|gen|release|version|bump|\bsed\b|perl|patch|tee|xargs|>|\s-[ce]\s|<<|\.sh\b/i;

/** Files that builds, installers and generators write. */
export const isBuilt = (path: string): boolean =>
  /(?:^|\/)(?:dist|build|out|target|coverage|generated|gen|vendor|node_modules|public|bin|obj)\//i.test(
    path,
  ) ||
  /\.lock$|lock\.(?:json|ya?ml)$|\.(?:snap|min\.js|map|sum|resolved)$|_pb2?\.|\.g(?:en(?:erated)?)?\.\w+$/i.test(
    path,
  ) ||
  /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum|CHANGELOG[^/]*)$/i.test(path);
