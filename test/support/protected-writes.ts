// Ways of writing git's settings, `.claude`, CLAUDE.md and their kin, one script each. The scripts
// stand in files, so that no rule reads what they do: what stops them is what the system does.

/** `$WS` is the workspace, `$OUT` a folder beside it, `$EVIL` the text that must not arrive. */
export const protectedWrites: readonly (readonly [name: string, script: string])[] = [
  // Plain writers.
  ["appends with >>", "echo $EVIL >> CLAUDE.md; echo $EVIL >> .claude/settings.json"],
  ["overwrites with >", "echo $EVIL > .git/config; echo $EVIL > CLAUDE.md"],
  ["forces with >|", "set -C; echo $EVIL >| CLAUDE.md"],
  ["writes by tee", "echo $EVIL | tee -a .git/config .claude/settings.json CLAUDE.md"],
  ["writes by dd", "echo $EVIL | dd of=.claude/settings.json conv=notrunc"],
  ["writes by sed -i", "sed -i s/./$EVIL/ CLAUDE.md .git/config .claude/settings.json"],
  ["writes by ed", "printf 'a\\n'$EVIL'\\n.\\nw\\nq\\n' | ed CLAUDE.md"],
  ["writes by truncate", "truncate -s 0 .git/config; : > CLAUDE.md"],
  [
    "copies over it",
    "echo $EVIL > e; cp -f e CLAUDE.md; cp --remove-destination e .git/config; rm -f e",
  ],
  ["installs over it", "echo $EVIL > e; install -m 644 e .claude/settings.json; rm -f e"],
  ["moves over it", "echo $EVIL > e; mv -f e CLAUDE.md; rm -f e"],
  [
    "makes it as a backup",
    "for n in docs/CLAUDE docs/.mcp; do echo $EVIL > $n; done; echo x > e; mv -b -S .md e docs/CLAUDE; echo x > e; mv -b -S .json e docs/.mcp; rm -f docs/CLAUDE docs/.mcp e",
  ],
  ["removes it", "rm -f CLAUDE.md .git/config; rm -rf .claude"],
  ["unlinks it and makes it again", "unlink CLAUDE.md; echo $EVIL > CLAUDE.md"],
  ["changes its mode", "chmod 777 CLAUDE.md .git/config; chmod -R 777 .git/hooks"],
  ["sets its times", "touch -d 2001-01-01 CLAUDE.md .claude/settings.json"],
  // Names that are only known when they are used.
  [
    "puts the name together",
    'a=CLAU; b=DE.md; echo $EVIL > "$a$b"; c=.cla; echo $EVIL > ${c}ude/settings.json',
  ],
  ["decodes the name", 'echo $EVIL > "$(echo Q0xBVURFLm1k | base64 -d)"'],
  ["prints the name", "printf -v n '%b' '\\x2e\\x67\\x69\\x74/config'; echo $EVIL >> $n"],
  ["finds the name by a glob", "for f in .g?t/conf?g CL*.md .cl*/s*; do echo $EVIL >> $f; done"],
  ["finds the name by find", "find . -name 'CLAUDE*' -exec sh -c 'echo $EVIL >> $0' {} \\;"],
  ["reads the name", "echo .git/config | while read -r f; do echo $EVIL >> $f; done"],
  [
    "goes through /proc/self/cwd",
    "echo $EVIL >> /proc/self/cwd/CLAUDE.md; echo $EVIL >> /proc/$$/cwd/.git/config",
  ],
  ["goes through /proc/self/root", "echo $EVIL >> /proc/self/root$WS/CLAUDE.md"],
  [
    "goes through other processes",
    "for p in /proc/[0-9]*; do (echo $EVIL >> $p/root$WS/CLAUDE.md) 2>/dev/null; (echo $EVIL >> $p/cwd/CLAUDE.md) 2>/dev/null; done; true",
  ],
  [
    "goes through an open folder",
    "exec 5< .; cd /; (cd /proc/self/fd/5 && echo $EVIL >> CLAUDE.md)",
  ],
  ["climbs", "cd sub; echo $EVIL >> ../CLAUDE.md; echo $EVIL >> .././.git/./config"],
  // Links.
  ["writes through a link", "ln -s CLAUDE.md l; echo $EVIL >> l; rm -f l"],
  [
    "writes through a linked folder",
    "ln -s .claude d; echo $EVIL > d/settings.json; echo $EVIL > d/new; rm -f d",
  ],
  [
    "writes through a hard link",
    "ln CLAUDE.md h && echo $EVIL >> h; ln .git/config h2 && echo $EVIL >> h2; rm -f h h2",
  ],
  [
    "makes a hard link of it elsewhere",
    "ln CLAUDE.md $OUT/h && echo $EVIL >> $OUT/h; rm -f $OUT/h",
  ],
  ["replaces a protected link", "rm -f AGENTS.md; echo $EVIL > AGENTS.md"],
  ["turns a protected link", "ln -sfn $OUT/file AGENTS.md"],
  [
    "makes protected links that lead out",
    "ln -s $OUT/file GEMINI.md; mkdir l; ln -s $OUT/file l/CLAUDE.md; ln -s $OUT l/.claude",
  ],
  [
    "writes what a protected link leads to",
    "echo $EVIL >> docs/agents.txt; mv docs/agents.txt x; rm -f x",
  ],
  // Whole folders.
  [
    "moves the folder above away",
    "mv sub s2; mkdir -p sub/.claude; echo $EVIL > sub/.claude/settings.json; echo $EVIL > sub/CLAUDE.md",
  ],
  ["exchanges folders", "mkdir n; echo $EVIL > n/CLAUDE.md; mv sub old; mv n sub; rm -rf n"],
  ["moves .claude away", "mv .claude c; mkdir .claude; echo $EVIL > .claude/settings.json"],
  ["moves .git away", "mv .git g; git init -q .; echo $EVIL > .git/config"],
  [
    "moves a folder over it",
    "mkdir -p n/.claude; echo $EVIL > n/.claude/settings.json; cp -rf n/.claude .; mv -f n/.claude .; rm -rf n",
  ],
  ["moves the workspace away", 'cd "$WS/.."; mv ws w2; mkdir ws; echo $EVIL > ws/CLAUDE.md'],
  [
    "moves the folder above the workspace",
    'cd "$WS/../.."; b=$(basename "$(dirname "$WS")"); mv "$b" "$b.x"; mkdir -p "$b/ws/.claude"; echo $EVIL > "$b/ws/CLAUDE.md"; rm -rf nothing',
  ],
  [
    "unpacks an archive",
    "mkdir -p n/.claude; echo $EVIL > n/CLAUDE.md; echo $EVIL > n/.claude/settings.json; tar cf a.tar -C n .; rm -rf n; tar xf a.tar --overwrite; tar xf a.tar --unlink-first; rm -f a.tar",
  ],
  [
    "applies a patch",
    "printf -- '--- a/CLAUDE.md\\n+++ b/CLAUDE.md\\n@@ -1 +1 @@\\n-rules\\n+%s\\n' $EVIL > p; patch -p1 -f < p; git apply p; rm -f p *.rej *.orig",
  ],
  [
    "unpacks by rsync or cpio",
    "mkdir n; echo $EVIL > n/CLAUDE.md; (cd n; echo CLAUDE.md | cpio -o 2>/dev/null) | cpio -iu; rsync -a n/ ./; rm -rf n",
  ],
  // Git itself.
  [
    "sets git's config",
    'git config core.hooksPath evil; git config --add alias.x "!$EVIL"; git config -f .git/config a.b $EVIL; git config core.fsmonitor $EVIL',
  ],
  [
    "sets it for a working tree",
    'git config extensions.worktreeConfig true; git config --worktree a.b $EVIL; echo "[core]fsmonitor=$EVIL" > .git/config.worktree',
  ],
  [
    "renames the lock over it",
    "echo $EVIL > .git/config.lock; mv .git/config.lock .git/config; rm -f .git/config.lock",
  ],
  [
    "makes a hook",
    "echo $EVIL > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; mv .git/hooks .git/h; rm -rf .git/hooks",
  ],
  [
    "leads git elsewhere",
    "mkdir -p g; echo ../g > .git/commondir; echo $EVIL > .git/gitdir; rm -rf g",
  ],
  [
    "plants a rebase",
    'mkdir -p .git/rebase-merge .git/rebase-apply; echo "exec $EVIL" > .git/rebase-merge/git-rebase-todo; echo $EVIL > .git/rebase-apply/x',
  ],
  [
    "checks out another CLAUDE.md",
    "git checkout -q evil -- CLAUDE.md; git checkout -q evil; git reset -q --hard evil; git checkout -qf main; git reset -q --hard start",
  ],
  [
    "stashes it away",
    "echo x > file.txt; git stash -q; git stash pop -q; git rm -qf CLAUDE.md; git mv CLAUDE.md x; git clean -qfdx .claude; git reset -q --hard start",
  ],
  [
    "writes another working tree's settings",
    "git -C $TREE config a.b $EVIL; echo $EVIL > $(git -C $TREE rev-parse --git-dir)/commondir; echo $EVIL > $(git -C $TREE rev-parse --git-dir)/config.worktree",
  ],
  [
    "writes a submodule's settings",
    "echo $EVIL >> .git/modules/m/config; echo $EVIL > .git/modules/m/hooks/post-checkout; mv .git/modules/m .git/modules/n",
  ],
  [
    "plants a repository",
    'git init -q fresh; echo "[core]fsmonitor=$EVIL" >> fresh/.git/config; git init -q fresh2; echo $EVIL > fresh2/.git/hooks/pre-commit',
  ],
  // Interpreters.
  [
    "writes by python",
    'python3 -c \'import os; open("CLAU"+"DE.md","a").write(os.environ["EVIL"])\'; python3 -c \'import os; os.replace("file.txt",".git/config")\'; python3 -c \'import os; os.truncate(".claude/settings.json",0)\'',
  ],
  [
    "writes by perl",
    'perl -e \'open(F,">>",".git/config"); print F $ENV{EVIL}; close F; rename("file.txt","CLAUDE.md"); unlink("CLAUDE.md")\'',
  ],
  [
    "writes by node",
    'node -e \'const f=require("fs"); for (const p of ["CLAUDE.md",".git/config",".claude/settings.json"]) { try { f.appendFileSync(p,process.env.EVIL) } catch {} try { f.rmSync(p) } catch {} try { f.writeFileSync(p,process.env.EVIL) } catch {} }\'',
  ],
  [
    "writes by awk",
    'awk \'BEGIN{print ENVIRON["EVIL"] >> "CLAUDE.md"}\'; awk -i inplace \'{print ENVIRON["EVIL"]}\' CLAUDE.md',
  ],
  [
    "writes by a memory map",
    'python3 -c \'import mmap,os; f=open("CLAUDE.md","r+b"); m=mmap.mmap(f.fileno(),0); m[0:4]=b"EVIL"\'',
  ],
  // New protected files.
  [
    "makes nested ones",
    "mkdir -p a/b/.claude/agents; echo $EVIL > a/b/.claude/settings.json; echo $EVIL > a/CLAUDE.md; echo $EVIL > a/b/.mcp.json",
  ],
  [
    "makes them in the background",
    "(sleep 0.05; mkdir -p late/.claude; echo $EVIL > late/.claude/settings.json) & wait",
  ],
  [
    "makes them by a rename",
    "mkdir -p x/y; echo $EVIL > x/y/settings.json; mv x/y x/.claude; mv x z",
  ],
  [
    "makes others of the list",
    "mkdir -p .vscode .idea .cursor .github/workflows .husky; for f in .vscode/tasks.json .github/workflows/x.yml .husky/pre-commit .npmrc .envrc .gitmodules GEMINI.md; do echo $EVIL > $f; done",
  ],
  [
    "makes them above the workspace",
    "echo $EVIL > ../CLAUDE.md; mkdir ../.claude; echo $EVIL > ../.claude/settings.json; git init -q ..; echo $EVIL > ../.git/hooks/pre-commit",
  ],
  // The user's own.
  [
    "writes the home's files",
    "for f in .bashrc .gitconfig .profile .zshenv .npmrc .config/git/config .claude/settings.json .claude/CLAUDE.md .ssh/config; do mkdir -p $(dirname $HOME/$f); echo $EVIL >> $HOME/$f; done; git config --global a.b $EVIL; git config --global core.hooksPath /x",
  ],
  [
    "moves folders of the home",
    "mv $HOME/.config $HOME/c; mkdir -p $HOME/.config/git; echo $EVIL > $HOME/.config/git/config; mv $HOME/.claude $HOME/d",
  ],
  // Against the mounts.
  [
    "unmounts",
    "umount CLAUDE.md .git/config .claude; umount -l .git; mount -o remount,rw,bind $WS/CLAUDE.md; echo $EVIL >> CLAUDE.md",
  ],
  [
    "mounts over it",
    "mount --bind file.txt CLAUDE.md; mount -t tmpfs x .claude; echo $EVIL >> CLAUDE.md",
  ],
  [
    "unmounts in a name space of its own",
    "unshare -Urm sh -c 'umount -l CLAUDE.md; umount -l .git; mount -o remount,rw,bind CLAUDE.md; mount --rbind . sub; echo $EVIL >> CLAUDE.md; echo $EVIL >> .git/config'",
  ],
  [
    "enters other name spaces",
    'nsenter -t 1 -m sh -c "echo $EVIL >> $WS/CLAUDE.md"; nsenter -t $PPID -m sh -c "echo $EVIL >> $WS/CLAUDE.md"',
  ],
  [
    "writes to other processes",
    'python3 -c \'import os; open("/proc/%d/mem" % os.getppid(),"r+b")\'; gdb -p $PPID -batch -ex \'call (int)system("true")\'',
  ],
  [
    "leaves a process behind",
    "(setsid sh -c 'sleep 0.05; mkdir -p left/.claude; echo $EVIL > left/.claude/settings.json; echo $EVIL >> CLAUDE.md' &) ; sleep 0.2",
  ],
];
