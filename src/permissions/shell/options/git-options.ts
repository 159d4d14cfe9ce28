// Known options of git and its subcommands, in the form of known-options.ts.

const diff = `
  -# -a -b -B=~ -c -C=~ -D -i -l~ -m -M=~ -p -P -q -r -R -s -S~ -t -u -U~ -w -W -z -0 -1 -2 -3 -G~ -n~
  --abbrev=~ --anchored~ --binary --break-rewrites=~ --cached --cc --check --color=~ --color-moved=~
  --color-words=~ --compact-summary --cumulative --date~ --diff-algorithm~ --diff-filter~ --dirstat=~
  --dst-prefix~ --exit-code --find-copies=~ --find-copies-harder --find-renames=~ --full-index
  --function-context --histogram --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol
  --ignore-space-at-eol --ignore-space-change --ignore-submodules=~ --indent-heuristic
  --inter-hunk-context~ --irreversible-delete --line-prefix~ --merge-base --minimal --name-only
  --name-status --no-color --no-ext-diff --no-index --no-patch --no-prefix --no-renames
  --no-textconv --numstat --patch --patch-with-stat --patience --pickaxe-all --pickaxe-regex --quiet
  --raw --relative=~ --shortstat --src-prefix~ --staged --stat=~ --stat-width~ --summary
  --text --unified~ --word-diff=~ --word-diff-regex~ --ws-error-highlight~ --combined-all-paths
`;
const log = `
  ${diff} -E -F -g -L~ --abbrev-commit --after~ --all --all-match --ancestry-path --author~
  --author-date-order --before~ --bisect --boundary --branches=~ --cherry --cherry-mark --cherry-pick
  --children --committer~ --count --date-order --decorate=~ --decorate-refs~ --decorate-refs-exclude~
  --dense --exclude~ --extended-regexp --first-parent --fixed-strings --follow --format~
  --full-history --glob~ --graph --grep~ --grep-reflog~ --invert-grep --left-only --left-right
  --log-size --max-count~ --max-parents~ --merge --merges --min-parents~ --no-abbrev-commit
  --no-decorate --no-max-parents --no-merges --no-min-parents --no-notes --no-walk=~ --not --notes=~
  --objects --oneline --parents --perl-regexp --pretty=~ --regexp-ignore-case --relative-date
  --remotes=~ --remove-empty --reverse --right-only --show-pulls
  --simplify-by-decoration --simplify-merges --since~ --since-as-filter~ --skip~ --source --sparse
  --tags=~ --topo-order --until~ --walk-reflogs --no-expand-tabs --show-linear-break=~
  --encoding~ --no-mailmap --mailmap --no-pager
`;
const remote = `
  -4 -6 -q -v --ipv4 --ipv6 --quiet --verbose --progress --no-progress
`;
const fetch = `
  ${remote} -a -f -j~ -k -n -p -P -t --all --append --atomic --deepen~ --depth~ --dry-run --force
  --jobs~ --keep --multiple --no-recurse-submodules --no-tags --prune --prune-tags --refetch
  --set-upstream --shallow-exclude~ --shallow-since~ --tags --unshallow --update-shallow
  --no-auto-maintenance --no-auto-gc --no-write-fetch-head --show-forced-updates
  --no-show-forced-updates --filter~ --no-prune
`;
const pick = `
  -n -s -x -m~ -X~ --abort --continue --quit --skip --no-commit --signoff --mainline~
  --strategy% --strategy-option~ --allow-empty --allow-empty-message --keep-redundant-commits
  --no-edit --ff --cleanup~ --no-gpg-sign
`;
const stash = `
  -a -k -q -S -u -m~ --all --keep-index --no-keep-index --include-untracked --no-include-untracked
  --message~ --quiet --staged
`;

/** Options that make git print lines of files. */
export const patchOptions = `
  -p -u -U -c -W -L -a --patch --unified --patch-with-stat --patch-with-raw --cc --binary --check
  --function-context --inter-hunk-context --color-words --word-diff --word-diff-regex --color-moved
  --ws-error-highlight --diff-merges --dd --remerge-diff --combined-all-paths --text --pickaxe-all
  --full-index --submodule
`;
/** With these, names and numbers stand for the lines. */
export const nameOptions = `
  -s -q --no-patch --quiet --stat --shortstat --numstat --dirstat --summary --compact-summary
  --name-only --name-status --raw
`;

export const gitOptions = `
git: --no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs
  --icase-pathspecs --no-replace-objects --version --no-lazy-fetch
git log: ${log}
git show: ${log}
git whatchanged: ${log}
git reflog: ${log}
git reflog show: ${log}
git stash show: ${log} --include-untracked --only-untracked
git stash list: ${log}
git range-diff: ${log} --creation-factor~ --no-dual-color
git format-patch: ${log} -k -v~ --cover-letter --numbered --no-numbered --start-number~
  --subject-prefix~ --rfc --root --signoff --stdout --thread=~ --zero-commit --base~ --to~ --cc~
git shortlog: ${log} -c -e --committer --email --numbered --summary --group~
git rev-list: ${log} --disk-usage=~ --use-bitmap-index --header --timestamp
git diff: ${diff} --ours --theirs --base --format~
git diff-tree: ${diff} --root --no-commit-id --pretty=~ --stdin -v
git diff-index: ${diff}
git diff-files: ${diff}
git status: -b -s -u=~ -v -z --ahead-behind --no-ahead-behind --branch --column=~ --find-renames=~
  --ignored=~ --ignore-submodules=~ --long --no-column --no-renames --porcelain=~ --renames --short
  --show-stash --untracked-files=~ --verbose
git blame: -b -c -e -f -l -L~ -n -p -s -t -w -C=~ -M=~ --abbrev~ --color-by-age --color-lines --date~
  --first-parent --incremental --line-porcelain --porcelain --progress --no-progress --reverse
  --root --show-email --show-name --show-number --show-stats --since~ --ignore-rev~
git annotate: -L~ -l -t -w -M=~ -C=~
git branch: -a -c -C -d -D -f -i -l -m -M -q -r -t=~ -u~ -v -vv --abbrev~ --all --color=~ --column=~
  --contains~ --copy --create-reflog --delete --force --format~ --ignore-case --list --merged=~
  --move --no-color --no-column --no-contains~ --no-merged=~ --no-track --points-at~ --quiet
  --remotes --set-upstream-to~ --show-current --sort~ --track=~ --unset-upstream --verbose
git tag: -a -d -f -l -m~ -n=~ -i -# --annotate --color=~ --column=~ --contains~ --create-reflog
  --delete --force --format~ --ignore-case --list --merged=~ --message~ --no-contains~ --no-merged=~
  --no-sign --points-at~ --sort~ --cleanup~
git add: -A -n -N -u -v --all --chmod~ --dry-run --ignore-errors --ignore-missing --ignore-removal
  --intent-to-add --no-all --refresh --renormalize --sparse --update --verbose
git commit: -a -m~ -n -o -q -s -u=~ -v -z -am~ -C~ --all --allow-empty --allow-empty-message --amend
  --author~ --branch --cleanup~ --date~ --dry-run --fixup~ --include -i --long --message~ --no-edit
  --no-gpg-sign --no-post-rewrite --no-signoff --no-status --no-verify --null --only --porcelain
  --quiet --reset-author --reuse-message~ --short --signoff --squash~ --status --trailer~
  --untracked-files=~ --verbose --verify
git rev-parse: -q --abbrev-ref=~ --absolute-git-dir --all --branches=~ --default~ --disambiguate~
  --exclude~ --flags --git-common-dir --git-dir --glob~ --is-bare-repository --is-inside-git-dir
  --is-inside-work-tree --is-shallow-repository --local-env-vars --no-flags --no-revs --not
  --path-format~ --prefix~ --quiet --remotes=~ --revs-only --shared-index-path --short=~ --show-cdup
  --show-object-format=~ --show-prefix --show-superproject-working-tree --show-toplevel --symbolic
  --symbolic-full-name --tags=~ --verify --end-of-options
git ls-files: -c -d -f -i -k -m -o -s -t -u -v -z -x~ --abbrev=~ --cached --deduplicate --deleted
  --directory --eol --error-unmatch --exclude~ --exclude-standard --full-name --format~ --ignored
  --killed --modified --no-empty-directory --others --recurse-submodules --resolve-undo --sparse
  --stage --unmerged
git ls-tree: -d -l -r -t -z --abbrev=~ --format~ --full-name --full-tree --long --name-only
  --name-status --object-only
git cat-file: -e -p -s -t --allow-unknown-type --batch=~ --batch-check=~ --batch-all-objects
  --unordered
git ls-remote: ${remote} -h -t --branches --exit-code --get-url --heads --refs --sort~ --symref
  --tags
git clone: ${remote} -b~ -j~ -l -n -o~ -s --bare --branch~ --depth~ --dissociate --filter~ --jobs~
  --local --mirror --no-checkout --no-hardlinks --no-local --no-shallow-submodules
  --no-single-branch --no-tags --origin~ --shallow-exclude~ --shallow-since~ --shallow-submodules
  --shared --single-branch --sparse --tags
git fetch: ${fetch}
git pull: ${fetch} -r=~ -s% -X~ --allow-unrelated-histories --autostash --commit --ff --ff-only
  --log=~ --no-autostash --no-commit --no-edit --no-ff --no-log --no-rebase --no-squash --no-stat
  --no-verify --rebase=~ --signoff --squash --stat --strategy% --strategy-option~ --verify
git push: ${remote} -d -f -n -u --all --atomic --delete --dry-run --follow-tags --force
  --force-if-includes --force-with-lease=~ --mirror --no-force-with-lease --no-follow-tags
  --no-recurse-submodules --no-signed --no-thin --no-verify --porcelain --prune --set-upstream
  --tags --thin --verify
git remote: -v --verbose
git remote show: -n
git archive: -l -v --format~ --list --prefix~ --verbose --worktree-attributes -#
git bisect: --no-checkout --first-parent --term-old~ --term-new~
git submodule: -q --quiet --cached
git submodule status: --cached --recursive
git submodule update: -q -f -i -N --init --recursive --depth~ --jobs~ -j~ --force --quiet --no-fetch
  --remote --checkout --no-recommend-shallow --recommend-shallow --single-branch --progress
git submodule init:
git submodule sync: --recursive -q
git submodule summary: --cached --files -n~
git rebase: -f -m -n -q -r=~ -s% -v -X~ --abort --apply --autosquash --autostash
  --committer-date-is-author-date --continue --empty~ --ff --force-rebase --fork-point --ignore-date
  --ignore-whitespace --keep-base --keep-empty --merge --no-autosquash --no-autostash --no-ff
  --no-fork-point --no-keep-empty --no-reapply-cherry-picks --no-rebase-merges --no-stat
  --no-update-refs --no-verify --onto~ --quiet --quit --reapply-cherry-picks --rebase-merges=~ --root
  --signoff --skip --stat --strategy% --strategy-option~ --update-refs --verbose --verify
  --show-current-patch
git merge: -m~ -n -q -s% -v -X~ --abort --allow-unrelated-histories --autostash --cleanup~ --commit
  --continue --ff --ff-only --log=~ --no-autostash --no-commit --no-edit --no-ff --no-log
  --no-progress --no-signoff --no-squash --no-stat --no-verify --no-verify-signatures
  --overwrite-ignore --progress --quiet --quit --signoff --squash --stat --strategy%
  --strategy-option~ --verbose
git cherry-pick: ${pick}
git revert: ${pick}
git grep: -# -a -c -E -F -G -h -H -i -I -l -L -n -o -P -p -q -r -v -w -W -z -A~ -B~ -C~ -e~ -m~
  --after-context~ --all-match --and --basic-regexp --before-context~ --break --cached --color=~
  --column --context~ --count --exclude-standard --extended-regexp --files-with-matches
  --files-without-match --fixed-strings --full-name --function-context --heading --ignore-case
  --invert-match --line-number --max-count~ --max-depth~ --name-only --no-color --no-recursive --not
  --null --only-matching --or --perl-regexp --quiet --recurse-submodules --recursive --show-function
  --text --threads~ --untracked --word-regexp
git config: -l -z --all --bool --get --get-all --get-regexp --get-urlmatch --global --includes --int
  --list --local --name-only --no-includes --null --path --show-origin --show-scope --system --type~
  --worktree
git stash: ${stash}
git stash push: ${stash}
git stash save: ${stash}
git stash pop: --index -q --quiet
git stash apply: --index -q --quiet
git stash drop: -q --quiet
git stash clear:
git stash branch:
git checkout: -b~ -B~ -d -f -l -m -q -t=~ --conflict~ --detach --force --guess
  --ignore-other-worktrees --ignore-skip-worktree-bits --merge --no-guess --no-overlay --no-progress
  --no-track --orphan~ --ours --overlay --overwrite-ignore --progress --quiet --theirs --track=~
git switch: -c~ -C~ -d -f -m -q -t=~ --conflict~ --create~ --detach --discard-changes --force
  --force-create~ --guess --ignore-other-worktrees --merge --no-guess --no-progress --no-track
  --orphan~ --progress --quiet --track=~
git restore: -m -q -s~ -S -W --conflict~ --ignore-skip-worktree-bits --ignore-unmerged --merge
  --no-overlay --no-progress --ours --overlay --progress --quiet --source~ --staged --theirs
  --worktree
git reset: -N -q --hard --keep --merge --mixed --no-quiet --no-refresh --quiet --refresh --soft
git rm: -f -n -q -r --cached --dry-run --force --ignore-unmatch --quiet --sparse
git mv: -f -k -n -v --dry-run --force --verbose --sparse
git clean: -d -e~ -f -n -q -x -X --dry-run --exclude~ --force --quiet
git apply: -C~ -p~ -R -z -v -q -3 --3way --allow-empty --apply --cached --check --exclude~
  --ignore-space-change --ignore-whitespace --include~ --inaccurate-eof --index --intent-to-add
  --no-add --numstat --quiet --recount --reject --reverse --stat --summary --unidiff-zero --verbose
  --whitespace~
git am: -3 -k -q -s -u -b --3way --abort --committer-date-is-author-date --continue
  --ignore-whitespace --keep --keep-cr --no-3way --quiet --quit --resolved --show-current-patch=~
  --signoff --skip
git worktree: -b~ -B~ -d -f -v --detach --force --porcelain --expire~ --no-checkout --checkout
  --guess-remote --lock --reason~ --track --verbose --quiet -q
git init: -b~ -q --bare --initial-branch~ --quiet --shared=~ --object-format~
git describe: --abbrev=~ --all --always --broken=~ --candidates~ --contains --debug --dirty=~
  --exact-match --exclude~ --first-parent --long --match~ --tags
git merge-base: -a --all --fork-point --independent --is-ancestor --octopus
git show-ref: -d -h -q -s --abbrev=~ --branches --dereference --exists --hash=~ --head --heads --quiet
  --tags --verify
git for-each-ref: --contains~ --count~ --exclude~ --format~ --ignore-case --merged=~ --no-contains~
  --no-merged=~ --omit-empty --points-at~ --sort~ --stdin --color=~
git name-rev: --all --always --exclude~ --name-only --no-undefined --refs~ --tags
git cherry: -v --abbrev=~
git count-objects: -v -H --human-readable --verbose
git fsck: --cache --connectivity-only --dangling --full --name-objects --no-dangling
  --no-full --no-progress --no-reflogs --progress --root --strict --tags --unreachable --verbose
git gc: --aggressive --auto --force --keep-largest-pack --no-prune --prune=~ --quiet -q
git symbolic-ref: -d -q -m~ --delete --no-recurse --quiet --recurse --short
git check-ignore: -n -q -v -z --no-index --non-matching --quiet --stdin --verbose
git check-attr: -a -z --all --cached --stdin
git update-index: -q --again --assume-unchanged --chmod~ --no-assume-unchanged --no-skip-worktree
  --refresh --really-refresh --skip-worktree
git notes: --ref~
git notes add: -f -m~ --force --message~
git notes append: -m~ --message~
git notes show:
git notes list:
git show-branch: -a -r --all --color=~ --current --date-order --list --merge-base --more=~ --no-color
  --no-name --remotes --sha1-name --sparse --topics --topo-order
git sparse-checkout: --cone --no-cone --sparse-index --no-sparse-index --skip-checks --stdin
git hash-object: -t~ -w --literally --no-filters --path/ --stdin
git merge-tree: -z --allow-unrelated-histories --merge-base~ --messages --name-only --no-messages
  --write-tree
git lfs others: -a -s -l -n --all --json --long --recent --dry-run --size --debug --name-only
  --include~ -I~ --exclude~ -X~ --verbose --verify-remote
git version: --build-options
git bundle: -q --all --progress --quiet --version~
git var: -l
`;
