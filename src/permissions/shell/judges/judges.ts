// The judges that table entries name.
import type { JudgeContext } from "../judge-context.ts";
import type { ReadWords } from "../read-options.ts";
import type { JudgeName } from "../tables/command-spec.ts";
import { judgeAwk } from "./awk.ts";
import { judgeDd, judgeTar, judgeTest, judgeUnzip } from "./file-judges.ts";
import { judgeFd, judgeFind } from "./find.ts";
import { judgeGit, judgeGitConfig } from "./git.ts";
import { judgeCurl, judgeGh, judgeRemote, judgeUrls } from "./network-judges.ts";
import { judgeInterpreter, judgeMake, judgePs, judgeShell, judgeSource } from "./runner-judges.ts";
import { judgeSed } from "./sed.ts";
import { judgeJq, judgeLess } from "./text-judges.ts";

export const judges: Record<JudgeName, (context: JudgeContext, read: ReadWords) => void> = {
  awk: judgeAwk,
  curl: judgeCurl,
  dd: judgeDd,
  fd: judgeFd,
  find: judgeFind,
  gh: judgeGh,
  git: judgeGit,
  "git-config": judgeGitConfig,
  interpreter: judgeInterpreter,
  jq: judgeJq,
  less: judgeLess,
  make: judgeMake,
  ps: judgePs,
  remote: judgeRemote,
  sed: judgeSed,
  shell: judgeShell,
  source: judgeSource,
  tar: judgeTar,
  test: judgeTest,
  unzip: judgeUnzip,
  "url-operands": judgeUrls,
};
