// What came out, or what was done with it: the subjects that claims and runs share.

export type ResultSubject =
  | "tests"
  | "build"
  | "types"
  | "lint"
  | "format"
  | "checks"
  | "security"
  | "coverage"
  | "behaviour"
  | "deploy"
  | "publish"
  | "commit"
  | "push"
  | "merge"
  | "migration"
  | "measured";
