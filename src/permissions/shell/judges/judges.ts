// The judges that table entries name.
import type { JudgeContext } from "../judge-context.ts";
import type { ReadWords } from "../read-options.ts";
import type { JudgeName } from "../tables/command-spec.ts";
import { databaseJudges } from "./database-judges.ts";
import { judgeAwk } from "./awk.ts";
import { builderJudges } from "./builder-judges.ts";
import { fileJudges } from "./file-judges.ts";
import { judgeFd, judgeFind } from "./find.ts";
import { judgeGit, judgeGitApply, judgeGitClone, judgeGitConfig, judgeGitPaths } from "./git.ts";
import { judgeFed, judgeInterpreter } from "./interpreter.ts";
import { networkJudges } from "./network-judges.ts";
import { judgeSed } from "./sed.ts";
import { judgeShell, judgeSource } from "./shell.ts";
import { textJudges } from "./text-judges.ts";

export const judges: Record<JudgeName, (context: JudgeContext, read: ReadWords) => void> = {
  ...builderJudges,
  ...databaseJudges,
  ...fileJudges,
  ...networkJudges,
  ...textJudges,
  awk: judgeAwk,
  fd: judgeFd,
  fed: judgeFed,
  find: judgeFind,
  git: judgeGit,
  "git-apply": judgeGitApply,
  "git-clone": judgeGitClone,
  "git-config": judgeGitConfig,
  "git-paths": judgeGitPaths,
  interpreter: judgeInterpreter,
  sed: judgeSed,
  shell: judgeShell,
  source: judgeSource,
};
