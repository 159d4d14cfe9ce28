// git: its global options, and the options of subcommands that run programs or write files.
import type { CommandSpec } from "../command-spec.ts";
import { gitPlumbing } from "./git-plumbing.ts";
import { nameOptions, patchOptions } from "../../options/git-options.ts";

const revisions: CommandSpec = {
  operands: "unknown",
  reads: "-O",
  valued: `
      -n -L -S -G -l --format --since --until --after --before --author --committer --grep
      --max-count --skip --date --diff-filter --decorate-refs`,
  edits: "--output",
  writes: "--output",
  runs: "--ext-diff",
  judge: "git",
};
const logs: CommandSpec = { ...revisions, recorded: { by: patchOptions } };
const diffs: CommandSpec = { ...revisions, recorded: { by: patchOptions, but: nameOptions } };
const stashes: CommandSpec = { ...revisions, recorded: { by: patchOptions, isStash: true } };
const stashPush: CommandSpec = {
  operands: "unknown",
  changesTree: true,
  clears: "-u --include-untracked -a --all",
  runs: "-p --patch",
  reads: "--pathspec-from-file",
  valued: "-m --message",
};
const writesSettings = (command: string): CommandSpec => ({
  asks: `${command} writes hooks or the user's settings.`,
});
const transport = `
    --upload-pack -u --exec --receive-pack --server-option -o --push-option -c --config --template
    --recurse-submodules`;

export const gitSubcommands: Record<string, CommandSpec> = {
  log: logs,
  show: diffs,
  diff: diffs,
  "diff-tree": diffs,
  "diff-index": diffs,
  "diff-files": diffs,
  "format-patch": { ...diffs, writes: "--output", makes: "-o --output-directory", edits: "" },
  shortlog: logs,
  reflog: {
    ...logs,
    subcommands: {
      show: logs,
    },
  },
  whatchanged: logs,
  blame: { operands: "read", valued: "-L --date", reads: "--contents -S --ignore-revs-file" },
  annotate: { operands: "read", valued: "-L" },
  status: { operands: "unknown" },
  branch: {
    operands: "none",
    valued: "-u --set-upstream-to --sort --format --contains --merged --no-merged --points-at",
    runs: "--edit-description",
  },
  tag: {
    operands: "none",
    valued: "-m --message --sort --format --points-at",
    runs: "-u --local-user",
    reads: "-F --file",
  },
  add: {
    operands: "unknown",
    judge: "git",
    valued: "--chmod",
    reads: "--pathspec-from-file",
    runs: "-e --edit -i --interactive -p --patch",
  },
  commit: {
    operands: "unknown",
    valued:
      "-m -C -c --message --author --date --fixup --squash --cleanup --trailer --reuse-message",
    reads: "-F --file -t --template --pathspec-from-file",
    runs: "-e --edit --gpg-sign -S",
  },
  "rev-parse": { operands: "none", valued: "--default --prefix --git-path --resolve-git-dir" },
  "ls-files": { operands: "unknown", reads: "-X --exclude-from" },
  "cat-file": {
    operands: "unknown",
    runs: "--filters --textconv --batch-command",
    judge: "git",
  },
  "ls-remote": { operands: "none", runs: transport, judge: "git" },
  clone: {
    operands: "write",
    skipFirst: true,
    runs: transport,
    valued: "-b -j --branch --depth --jobs --origin --shallow-since --filter",
    lists: "--reference --reference-if-able",
    writes: "--separate-git-dir",
    judge: "git-clone",
  },
  fetch: {
    operands: "none",
    runs: transport,
    valued: "--depth --shallow-since -j --jobs --refmap",
    judge: "git",
  },
  pull: {
    changesTree: true,
    operands: "none",
    runs: `${transport} -x -S --gpg-sign`,
    valued: "-s -X --strategy --strategy-option --depth",
    judge: "git",
  },
  push: {
    operands: "none",
    runs: "--receive-pack --exec --push-option -o",
    valued: "--repo --force-with-lease",
    judge: "git",
  },
  remote: { operands: "none", judge: "git" },
  archive: {
    operands: "read",
    skipFirst: true,
    recursive: "always",
    fallback: ".",
    runs: "--exec --remote",
    writes: "-o --output",
    reads: "--add-file",
    valued: "--format --prefix --add-virtual-file",
  },
  bundle: { operands: "write", skipFirst: true },
  bisect: {
    operands: "unknown",
    subcommands: {
      run: { asks: "git bisect run executes its arguments.", launches: true, strict: true },
      visualize: { asks: "git bisect visualize starts a viewer." },
      view: { asks: "git bisect view starts a viewer." },
    },
  },
  submodule: {
    operands: "unknown",
    judge: "git",
    subcommands: {
      foreach: { asks: "git submodule foreach executes its arguments." },
      update: {
        operands: "unknown",
        spelled: "git submodule update fetches foreign code and follows its configuration.",
        runs: "--merge --rebase --reference",
      },
      add: { asks: "git submodule add brings foreign code in." },
    },
  },
  rebase: {
    changesTree: true,
    operands: "none",
    runs: "-x --exec -i --interactive --edit-todo -S --gpg-sign",
    valued: "-s -X --onto --strategy --strategy-option",
  },
  merge: {
    changesTree: true,
    operands: "none",
    runs: "-e --edit -S --gpg-sign",
    valued: "-m -s -X --strategy --strategy-option",
    reads: "-F --file",
  },
  "cherry-pick": {
    changesTree: true,
    operands: "none",
    runs: "-e --edit -S --gpg-sign",
    valued: "-m -s -X",
  },
  revert: { changesTree: true, operands: "none", runs: "-e --edit -S --gpg-sign", valued: "-m" },
  grep: {
    operands: "unknown",
    judge: "git",
    recorded: {
      by: "",
      but: "-l -L -c -q --name-only --files-with-matches --files-without-match --count --quiet",
    },
    runs: "-O --open-files-in-pager",
    valued: "-e -A -B -C --max-depth -m",
    reads: "-f",
  },
  config: { judge: "git-config", operands: "none" },
  stash: {
    ...stashPush,
    strict: true,
    subcommands: {
      show: stashes,
      list: stashes,
      push: stashPush,
      save: stashPush,
      pop: { operands: "none", changesTree: true },
      apply: { operands: "none", changesTree: true },
      branch: { operands: "none", changesTree: true },
    },
  },
  checkout: {
    changesTree: true,
    clears: "-f --force",
    judge: "git-paths",
    operands: "unknown",
    valued: "-b -B --conflict",
    runs: "-p --patch",
  },
  switch: {
    changesTree: true,
    clears: "-f --force --discard-changes",
    operands: "none",
    valued: "-c -C --create",
  },
  restore: {
    judge: "git-paths",
    operands: "none",
    valued: "-s --source",
    reads: "--pathspec-from-file",
    runs: "-p --patch",
  },
  reset: {
    changesTree: true,
    clears: "--hard --merge",
    operands: "unknown",
    reads: "--pathspec-from-file",
    runs: "-p --patch",
  },
  rm: { judge: "git-paths", operands: "delete", recursive: "-r" },
  lfs: {
    operands: "unknown",
    subcommands: {
      install: writesSettings("git lfs install"),
      update: writesSettings("git lfs update"),
      uninstall: writesSettings("git lfs uninstall"),
    },
  },
  mv: { operands: "move", recursive: "always" },
  clean: {
    operands: "delete",
    valued: "-e --exclude",
    runs: "-i --interactive",
    recursive: "always",
    fallback: ".",
  },
  apply: {
    judge: "git-apply",
    operands: "read",
    valued: "-p -C --exclude --include --directory --whitespace",
    edits: "--unsafe-paths",
    runs: "--build-fake-ancestor",
  },
  am: { judge: "git-apply", operands: "read", valued: "-p -C", runs: "-S --gpg-sign" },
  "sparse-checkout": { clears: true, changesTree: true, operands: "unknown" },
  worktree: { operands: "write", skipFirst: true, valued: "-b -B --reason" },
  init: { operands: "write", fallback: ".", runs: "--template", writes: "--separate-git-dir" },
  difftool: { asks: "git difftool runs a configured program." },
  mergetool: { asks: "git mergetool runs a configured program." },
  "filter-branch": { asks: "git filter-branch runs its arguments." },
  "send-email": { asks: "git send-email runs programs and sends mail." },
  instaweb: { asks: "git instaweb starts a server." },
  daemon: { asks: "git daemon starts a server." },
  ...gitPlumbing,
  "for-each-repo": { asks: "git for-each-repo runs git in other folders." },
  maintenance: {
    operands: "none",
    subcommands: {
      start: { asks: "git maintenance start makes commands run later." },
      register: writesSettings("git maintenance register"),
      unregister: writesSettings("git maintenance unregister"),
    },
  },
  "symbolic-ref": { operands: "none", valued: "-m" },
  "check-ignore": { operands: "unknown" },
  "check-attr": { operands: "unknown" },
  "range-diff": diffs,
  "update-ref": { operands: "none", valued: "-m" },
  hook: { asks: "git hook runs hook scripts." },
  notes: {
    operands: "none",
    reads: "-F --file",
    valued: "-m",
    subcommands: {
      add: { operands: "none", reads: "-F --file", valued: "-m", runs: "-e" },
      append: { operands: "none", reads: "-F --file", valued: "-m", runs: "-e" },
      edit: { asks: "git notes edit runs an editor." },
    },
  },
  "for-each-ref": { operands: "none", runs: "--shell --perl --python --tcl" },
  help: { asks: "git help opens a viewer." },
};

export const git: CommandSpec = {
  valued:
    "--super-prefix --list-cmds --attr-source -c --config-env --git-dir --work-tree --namespace",
  lists: "-C",
  runs: "-c --config-env --exec-path --git-dir --work-tree --namespace -p --paginate",
  strict: true,
  operands: "none",
  subcommands: gitSubcommands,
};
