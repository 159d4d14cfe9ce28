// Commands whose operands are another command. The inner command is judged as if it stood alone.

export type WrapperSpec = {
  /** Options without a value that change nothing. */
  flags?: string;
  /** Options with a value, so that it is not mistaken for the command. */
  valued?: string;
  /** Options whose value is a file that is written. */
  writes?: string;
  /** Options whose value is a command line in one string. */
  strings?: string;
  /** Options that change what the inner command means: ask. */
  runs?: string;
  /** Option that names the directory of the inner command. */
  chdir?: string;
  /** Operands before the command (`timeout 5 X`). */
  leading?: number;
  /** `NAME=value` operands may stand before the command. */
  assignments?: true;
  /** All operands are joined and given to a shell. */
  joined?: true;
  /** Only behind this option the operands are a command (`jobs -x`). */
  only?: string;
  /** Options that only look a command up (`command -v`). */
  lookup?: string;
  /** Needs no rule of its own. */
  transparent?: true;
  /** Asks whatever the rules say. */
  privilege?: true;
};

export const wrappers: Record<string, WrapperSpec> = {
  timeout: { valued: "-k -s --kill-after --signal", leading: 1, transparent: true },
  gtimeout: { valued: "-k -s --kill-after --signal", leading: 1, transparent: true },
  nice: { valued: "-n --adjustment", transparent: true },
  nohup: { transparent: true },
  stdbuf: { valued: "-i -o -e --input --output --error", transparent: true },
  time: { valued: "-f --format", writes: "-o --output", transparent: true },
  ionice: { valued: "-c -n -p -P -u --class --classdata --pid" },
  chrt: { valued: "-T -P -D", leading: 1 },
  taskset: { leading: 1 },
  numactl: { valued: "-N -m -C -i -p" },
  setsid: {},
  setarch: { leading: 1 },
  linux64: {},
  linux32: {},
  prlimit: { valued: "-p --pid" },
  env: {
    valued: "-u --unset -a --argv0",
    assignments: true,
    chdir: "-C --chdir",
    runs: "-S --split-string",
    strings: "-S --split-string",
  },
  command: { lookup: "-v -V" },
  builtin: {},
  jobs: { only: "-x" },
  exec: { valued: "-a" },
  busybox: {},
  toybox: {},
  caffeinate: { valued: "-t -w" },
  unbuffer: {},
  chronic: {},
  ts: { valued: "-L -n -S -f" },
  "cross-env": { assignments: true },
  "cross-env-shell": { assignments: true, joined: true },
  dotenv: { valued: "-e -c -v -f --file", runs: "-e -f --file" },
  "dotenv-cli": { valued: "-e -c -v", runs: "-e" },
  dotenvx: { valued: "-f", leading: 1, runs: "-f" },
  direnv: { leading: 2 },
  "aws-vault": { leading: 2, valued: "-d --duration --region" },
  catchsegv: {},
  fakeroot: { valued: "-l -s -i -b --lib --faked", runs: "-l --lib --faked" },
  rlwrap: { valued: "-f -H -l", runs: "-z" },
  "xvfb-run": { valued: "-n -s -e -f -w -p" },
  "dbus-run-session": {},
  strace: { valued: "-e -s -p -u -a -I -O -S -P -E -X -b", writes: "-o --output", runs: "-E" },
  ltrace: { valued: "-e -s -p -u -a -l -n -x", writes: "-o --output", runs: "-F --config" },
  valgrind: { runs: "--log-file --tool --trace-children" },
  perf: { leading: 1, writes: "-o" },
  watch: { valued: "-n --interval", joined: true },
  flock: {
    valued: "-w -E --timeout --conflict-exit-code --wait",
    strings: "-c --command",
    leading: 1,
  },
  script: {
    strings: "-c --command",
    valued: "-E -o -T",
    writes: "-O -I -B --log-out --log-in --log-io",
    leading: 1,
  },
  unshare: {
    valued: "-S -G -R -w --setuid --setgid --root --wd --map-user --map-group",
    runs: "-R --root",
  },
  nsenter: { valued: "-t --target -S -G -W --setuid --setgid", privilege: true },
  chroot: { valued: "--userspec --groups", leading: 1, privilege: true },
  proot: { valued: "-r -b -w -q -0", privilege: true },
  sudo: {
    valued:
      "-u -g -h -p -C -T -r -t -U -R -D --user --group --host --prompt --close-from --chdir --chroot --role --type",
    assignments: true,
    privilege: true,
  },
  doas: { valued: "-u -C", privilege: true },
  pkexec: { valued: "--user", privilege: true },
  su: {
    valued: "-s -g -G -w --shell --group",
    strings: "-c --command --session-command",
    leading: 1,
    privilege: true,
  },
  runuser: {
    valued: "-u -g -G -s -w --user --group --shell",
    strings: "-c --command --session-command",
    privilege: true,
  },
  sg: { strings: "-c", leading: 1, privilege: true },
  gosu: { leading: 1, privilege: true },
  setpriv: {
    valued:
      "--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig",
    privilege: true,
  },
  capsh: { privilege: true },
  firejail: { privilege: true },
  arch: {},
  eatmydata: {},
  fakechroot: { valued: "-l -d -s -e -c -b", runs: "-l -e -c" },
  faketime: { leading: 1, valued: "-f" },
  cpulimit: { valued: "-l -p -e -P -c -m --limit --pid" },
  choom: { valued: "-n -p --adjust --pid" },
  coresched: { valued: "-s -d --source --dest" },
  uclampset: { valued: "-m -M -p --util-min --util-max" },
  runcon: { valued: "-t -u -r -l", leading: 1 },
  cgexec: { valued: "-g" },
  setuidgid: { leading: 1, privilege: true },
  schedtool: { valued: "-n -p -a", runs: "-e" },
  trickle: { valued: "-d -u -w -t -l -n" },
  tsocks: {},
  ifne: {},
  lckdo: { leading: 1 },
  pee: { joined: true },
  mispipe: { joined: true },
  "systemd-inhibit": { valued: "--what --who --why --mode" },
  "systemd-cat": { valued: "-t -p --identifier --priority" },
  "dbus-launch": {},
  "gpg-agent": { privilege: true },
  torsocks: { valued: "-a -P -u -p --address --port --user --pass" },
  torify: {},
  proxychains: { runs: "-f" },
  proxychains4: { runs: "-f" },
  "dumb-init": { valued: "-r --rewrite" },
  tini: { valued: "-p -e" },
  "su-exec": { leading: 1, privilege: true },
  chpst: { valued: "-u -U -e -/ -n -l -L -m -d -o -p -f -c -r -t -b", runs: "-e -/" },
  softlimit: { valued: "-m -d -s -l -a -o -p -f -c -r -t" },
  envdir: { leading: 1, privilege: true },
  setlock: { leading: 1 },
  "with-contenv": {},
  sem: { valued: "-j --jobs --id --timeout", joined: true },
};
