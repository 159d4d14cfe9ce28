// The judges that table entries name.
import type { JudgeContext } from "../judge-context.ts";
import type { ReadWords } from "../read-options.ts";
import type { JudgeName } from "../tables/command-spec.ts";
import { judgeAwk } from "./awk.ts";
import {
  judgeDd,
  judgeInstall,
  judgeSplit,
  judgeTar,
  judgeTest,
  judgeUnpack,
  judgeUnzip,
} from "./file-judges.ts";
import { judgeFd, judgeFind } from "./find.ts";
import { judgeGit, judgeGitApply, judgeGitClone, judgeGitConfig, judgeGitPaths } from "./git.ts";
import { judgeCurl, judgeGh, judgeRemote, judgeSsh, judgeUrls } from "./network-judges.ts";
import {
  judgeCmake,
  judgeCompiler,
  judgeFed,
  judgeInterpreter,
  judgeMake,
  judgeMsbuild,
  judgeShell,
  judgeSource,
} from "./runner-judges.ts";
import { judgeSed } from "./sed.ts";
import { judgeSqlite } from "./sqlite.ts";
import {
  judgeConvert,
  judgeDate,
  judgeHostname,
  judgeJq,
  judgeLess,
  judgeMan,
  judgePs,
  judgeYq,
} from "./text-judges.ts";

export const judges: Record<JudgeName, (context: JudgeContext, read: ReadWords) => void> = {
  awk: judgeAwk,
  cmake: judgeCmake,
  compiler: judgeCompiler,
  convert: judgeConvert,
  curl: judgeCurl,
  date: judgeDate,
  dd: judgeDd,
  fd: judgeFd,
  fed: judgeFed,
  find: judgeFind,
  gh: judgeGh,
  git: judgeGit,
  "git-apply": judgeGitApply,
  "git-clone": judgeGitClone,
  "git-config": judgeGitConfig,
  "git-paths": judgeGitPaths,
  hostname: judgeHostname,
  "install-folders": judgeInstall,
  interpreter: judgeInterpreter,
  jq: judgeJq,
  less: judgeLess,
  make: judgeMake,
  man: judgeMan,
  msbuild: judgeMsbuild,
  ps: judgePs,
  remote: judgeRemote,
  sed: judgeSed,
  shell: judgeShell,
  source: judgeSource,
  split: judgeSplit,
  sqlite: judgeSqlite,
  ssh: judgeSsh,
  tar: judgeTar,
  test: judgeTest,
  unpack: judgeUnpack,
  unzip: judgeUnzip,
  "url-operands": judgeUrls,
  yq: judgeYq,
};
