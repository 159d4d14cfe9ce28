// What the name of a script or of a tool says that it does, where nobody knows what it runs.
import type { ResultSubject } from "../../result-subject.ts";

/** Words of a script's own name, where nobody knows what it runs. */
export const scriptNames: readonly [RegExp, ResultSubject][] = [
  [
    /(?:^|[:._/-])(?:tests?|specs?|e2e|unit|integration|vitest|jest|pytest|cypress)(?=$|[:._/-])/i,
    "tests",
  ],
  [/(?:^|[:._/-])(?:type-?check|typecheck|types|tsc|check-types|mypy)(?=$|[:._/-])/i, "types"],
  [/(?:^|[:._/-])(?:lint|eslint|clippy|vet|style)(?=$|[:._/-])/i, "lint"],
  [/(?:^|[:._/-])(?:fmt|format|prettier)(?=$|[:._/-])/i, "format"],
  [/(?:^|[:._/-])(?:build|compile|bundle|dist)(?=$|[:._/-])/i, "build"],
  [/(?:^|[:._/-])(?:deploy|rollout|ship)(?=$|[:._/-])/i, "deploy"],
  [/(?:^|[:._/-])(?:publish|release)(?=$|[:._/-])/i, "publish"],
  [/(?:^|[:._/-])(?:migrate|migrations?)(?=$|[:._/-])/i, "migration"],
];

/** Names that say no more than that everything is looked at. */
export const checkAllNames = new RegExp(
  "^(?:check|ci|verify|validate|validation|all|qa|precommit|pre-commit|prepush|quality|" +
    "default|preflight)(?=$|[:._/-])",
  "i",
);

/** Tools of other runtimes that run something, by a word of their name. */
export const toolNames: readonly [RegExp, ResultSubject][] = [
  [/(?:^|[_-])(?:run_?tests?|tests?|execute_?tests?|pytest|vitest|jest)(?=$|[_-])/i, "tests"],
  [/(?:^|[_-])(?:build|compile)(?=$|[_-])/i, "build"],
  [/(?:^|[_-])(?:get_?diagnostics|diagnostics|typecheck|type_check)(?=$|[_-])/i, "types"],
  [/(?:^|[_-])(?:lint)(?=$|[_-])/i, "lint"],
  [/(?:^|[_-])(?:deploy\w*)(?=$|[_-])/i, "deploy"],
  [/(?:^|[_-])(?:publish\w*)(?=$|[_-])/i, "publish"],
  [/(?:^|[_-])(?:push_files|create_or_update_file|git_commit|commit)(?=$|[_-])/i, "commit"],
  [/(?:^|[_-])(?:push_files|git_push|push)(?=$|[_-])/i, "push"],
  [/(?:^|[_-])(?:create_pull_request|merge_pull_request|create_merge_request)(?=$|[_-])/i, "merge"],
  [/(?:^|[_-])(?:apply_migration|migrate)(?=$|[_-])/i, "migration"],
];
