// Known options of bash's builtins, of programs that start another one and of those that end one, in
// the form of known-options.ts. A builtin whose words need more stands in tables/builtins.ts too.

export const shellOptions = `
echo:
printf:
pwd: -L -P
readonly: -p
bg:
caller:
dirs: -c -l -p -v -#
disown: -a -h -r
fg:
help: -d -m -s
jobs: -l -n -p -r -s -x
times:
type: -a -f -p -P -t
ulimit: -S -H -a -b -c -d -e -f -i -k -l -m -n -p -q -r -s -t -u -v -x -P -R -T
umask: -p -S
unalias: -a
break:
continue:
exit:
return:
shift:
kill: -# -l -L -s~ -n~ -9 -15 -TERM -KILL -INT -HUP -STOP -CONT -QUIT -USR1 -USR2 -SIGTERM -SIGKILL
  -SIGINT -SIGHUP
pkill: -# -f -x -n -o -u~ -P~ -9 -15 -TERM -KILL -INT -HUP -SIGTERM -SIGKILL --full --exact
killall: -9 -15 -q -v -w -e -TERM -KILL -INT -HUP
timeout: -k~ -s~ -v --foreground --kill-after~ --preserve-status --signal~ --verbose
nice: -n~ --adjustment~ -#
nohup: --
stdbuf: -i~ -o~ -e~ --input~ --output~ --error~
time: -p -v -f~
env: -i -u~ -0 --ignore-environment --unset~ --null
command: -v -V -p
xargs: -0 -r -t -x -d~ -E~ -I~ -L~ -n~ -P~ -s~ --null --no-run-if-empty --delimiter~ --max-args~
  --max-procs~ --max-chars~ --max-lines~ --replace=~ --verbose --exit
`;
