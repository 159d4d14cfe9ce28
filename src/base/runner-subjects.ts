// What a command of a project can show, where its owner says so: the setting `retinue.verify.runners`.
export const runnerSubjects = [
  "tests",
  "types",
  "lint",
  "format",
  "build",
  "security",
  "checks",
] as const;

export type RunnerSubject = (typeof runnerSubjects)[number];

/** The name of the setting, for those who are told to use it. */
export const runnersSetting = "retinue.verify.runners";
