// Programs that run other programs' text: languages, editors, shells.
import type { CommandSpec } from "../command-spec.ts";

const shell: CommandSpec = { judge: "shell", operands: "none" };
const compiler: CommandSpec = {
  judge: "compiler",
  includes: "-E",
  operands: "unknown",
  makes: "-o -MF",
  writes: "-dumpdir -save-temps -aux-info",
  runs: `
    -fplugin -wrapper -B -specs -Xlinker -Xassembler -Xpreprocessor -Xclang -load -fpass-plugin
    -fplugin-arg -fuse-ld -no-canonical-prefixes --config`,
};
/** Without a module that would be imported for its category. */
export const plainWarning = /^[a-z]+(?::[^:]*(?::\w*(?::[^:]*){0,2})?)?$/;
/** Switches of python that write nothing and load nothing. */
const plainSwitch =
  /^(?:dev|utf8(?:=\d)?|importtime|faulthandler|frozen_modules=\w+|tracemalloc(?:=\d+)?|no_debug_ranges)$/;
const executes = (name: string): CommandSpec => ({ asks: `${name} runs what it is given.` });
const editor = (name: string): CommandSpec => ({
  asks: `${name} can run shell commands and write any file.`,
});

/**
 * deno shuts programs in unless an option lets them out; an address among the files is code from
 * elsewhere.
 */
const denoCode: CommandSpec = {
  operands: "execute",
  runs: `
    -A --allow-all --allow-run --allow-ffi -P --permission-set --import-map --config -c --preload
    --import --env-file --cert --location --v8-flags --lock`,
  writes: "--coverage --junit-path",
  valued: "--filter --ignore --seed",
  flags:
    "--allow-read --allow-env --allow-net --allow-write --allow-sys --allow-import --no-check --unstable --parallel",
};

const each = (names: string, make: (name: string) => CommandSpec): Record<string, CommandSpec> =>
  Object.fromEntries(names.split(" ").map((name) => [name, make(name)]));

export const interpreters: Record<string, CommandSpec> = {
  ...each(
    "vi vim nvim view ex ed red nano pico emacs code vimdiff gvim rvim rview emacsclient micro kak hx joe mcedit mc",
    editor,
  ),
  ...each(
    "irb jshell groovy scala kotlin clojure racket sbcl ocaml ghci runghc erl iex octave " +
      "gnuplot latex latexmk pdflatex xelatex lualatex gimp vhs clj bb mongo mongosh duckdb " +
      "expect tclsh wish gdb lldb guile swipl maxima gap sage luajit julia ansible-playbook " +
      "doxygen snakemake scons papermill puppet chef-client chef-apply salt-call",
    executes,
  ),
  // Modules of python that `-m` names.
  ...each(
    "timeit cProfile profile pdb trace runpy pickle asyncio idlelib webbrowser pydoc inspect",
    executes,
  ),
  doctest: { asks: "doctest runs the examples of the file." },
  "json.tool": {
    operands: "read-then-write",
    valued: "--indent",
    flags: "--sort-keys --no-ensure-ascii --json-lines --tab --no-indent --compact",
  },
  zipfile: { operands: "read", runs: "-e --extract -c --create", flags: "-l -t --list --test" },
  tarfile: { operands: "read", runs: "-e --extract -c --create", flags: "-l -t -v --list --test" },
  bash: shell,
  sh: shell,
  dash: shell,
  ash: shell,
  rbash: shell,
  ksh: shell,
  mksh: shell,
  zsh: shell,
  fish: { asks: "fish is a shell whose text cannot be analysed." },
  csh: { asks: "csh is a shell whose text cannot be analysed." },
  tcsh: { asks: "tcsh is a shell whose text cannot be analysed." },
  pwsh: { asks: "pwsh is a shell whose text cannot be analysed." },
  xonsh: { asks: "xonsh is a shell whose text cannot be analysed." },
  nu: { asks: "nu is a shell whose text cannot be analysed." },
  python: {
    last: "-c -m",
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-c -m",
    valued: "-W -X --check-hash-based-pycs",
    runs: "-i -W -X",
    harmless: { "-W": plainWarning, "-X": plainSwitch },
  },
  pypy: {
    last: "-c -m",
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-c -m",
    valued: "-W -X",
  },
  node: {
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-e -p --eval --print",
    reads: "--env-file --env-file-if-exists",
    runs: `
      -r --require --import --loader --experimental-loader --env-file --env-file-if-exists
      --experimental-config-file --conditions -C --inspect --inspect-brk --run --openssl-config
      --diagnostic-dir --redirect-warnings --build-snapshot --snapshot-blob --test-global-setup`,
    flags: "--test --watch --check --cpu-prof --heap-prof",
    names: "--test-reporter",
    writes: `
        --test-reporter-destination --cpu-prof-dir --heap-prof-dir --report-directory --report-dir
        --trace-event-file-pattern`,
  },
  nodejs: {
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-e -p --eval --print",
    runs: "-r --require --import --loader",
  },
  deno: {
    options: "anywhere",
    operands: "unknown",
    subcommands: {
      run: {
        operands: "execute",
        strict: true,
        runs: "--import-map --config -c --allow-ffi --preload --env-file",
      },
      fmt: { operands: "format", fallback: ".", checks: "--check" },
      eval: { asks: "deno eval runs its argument." },
      repl: { asks: "deno repl runs what it reads." },
      test: denoCode,
      bench: denoCode,
      check: denoCode,
    },
  },
  bun: {
    options: "anywhere",
    operands: "unknown",
    subcommands: {
      x: { asks: "bun x downloads and runs a package." },
      exec: { asks: "bun exec runs its argument as a shell would." },
      repl: { asks: "bun repl runs what it reads." },
      upgrade: { asks: "bun upgrade replaces bun." },
      publish: { asks: "bun publish sends the package to everybody." },
      create: { asks: "bun create downloads and runs a package." },
    },
    code: "-e -p --eval --print",
    runs: "-r --preload --cwd --config -c",
  },
  tsx: {
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-e -p --eval --print",
    runs: "-r --require --import --tsconfig",
  },
  "ts-node": {
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-e -p --eval --print",
    runs: "-r --require -P --project -C --compiler",
  },
  perl: {
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-e -E",
    runs: "-n -p -I -M -m -x -d -i -S",
  },
  ruby: {
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-e",
    runs: "-n -p -r -I -C -x -S -i",
    valued: "-E",
  },
  php: {
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-r -R -B -E",
    runs: "-d -c -z -S -t -a -F -f",
  },
  lua: { judge: "interpreter", strict: true, operands: "none", code: "-e", runs: "-l -i" },
  luajit: { judge: "interpreter", strict: true, operands: "none", code: "-e", runs: "-l -i -j -b" },
  Rscript: { judge: "interpreter", strict: true, operands: "none", code: "-e" },
  R: { asks: "R runs what it reads." },
  julia: {
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-e -E --eval --print",
    runs: "-L --load -J --sysimage --project",
  },
  osascript: { judge: "interpreter", strict: true, operands: "none", code: "-e", runs: "-l" },
  tclsh: { judge: "interpreter", strict: true, operands: "none" },
  expect: { judge: "interpreter", strict: true, operands: "none", code: "-c", runs: "-f -i" },
  guile: { judge: "interpreter", strict: true, operands: "none", code: "-c -e", runs: "-l -L" },
  gdb: { asks: "gdb runs programs and its own commands." },
  lldb: { asks: "lldb runs programs and its own commands." },
  m4: { asks: "m4 macros can run commands." },
  dc: { asks: "dc can run shell commands." },
  gcc: compiler,
  "g++": compiler,
  cc: compiler,
  "c++": compiler,
  gfortran: compiler,
  clang: compiler,
  "clang++": compiler,
  ld: {
    operands: "unknown",
    makes: "-o -Map",
    responseFiles: true,
    runs: "-plugin -T -dynamic-linker --dynamic-linker",
  },
  as: { operands: "read", makes: "-o", valued: "-I", responseFiles: true },
  rustc: {
    operands: "read",
    makes: "-o --out-dir",
    valued: "--emit --print --target",
    writes: "--emit --print",
    runs: "-C --codegen -Z -L --extern --sysroot --target",
    harmless: { "--emit": /^[\w,-]+$/, "--print": /^[\w-]+$/, "--target": /^[\w-]+$/ },
    responseFiles: true,
  },
  java: {
    judge: "compiler",
    operands: "unknown",
    lists: "-cp -classpath --class-path -p --module-path",
    runs: "-javaagent -agentpath -agentlib -jar -XX:OnError -XX:OnOutOfMemoryError -Xbootclasspath -D",
  },
  javac: {
    operands: "read",
    makes: "-d -s -h",
    responseFiles: true,
    lists: "-cp -classpath --class-path",
    runs: "-processor -processorpath --processor-path -J -Xplugin",
    valued: "-source -target --release -encoding",
  },
  ghc: { operands: "unknown", code: "-e", makes: "-o", runs: "-pgmF -F -fplugin" },
  elixir: {
    judge: "interpreter",
    strict: true,
    operands: "none",
    code: "-e",
    runs: "-r -pr -S --rpc-eval",
  },
  mix: {
    options: "anywhere",
    operands: "unknown",
    runs: "-e --eval -r --require",
    subcommands: {
      cmd: { asks: "mix cmd runs its arguments." },
      eval: { asks: "mix eval runs its argument." },
      run: { spelled: "mix run runs a program.", operands: "execute" },
    },
  },
  gs: { asks: "gs runs the programs that its files are." },
  groff: { operands: "read", includes: "always", runs: "-U -S -P -L -M -F -I" },
  inkscape: {
    operands: "unknown",
    runs: "--actions --actions-file --shell --with-gui",
    makes: "-o --export-filename",
  },
  blender: {
    operands: "unknown",
    runs: "-P --python --python-expr --python-text --python-console --addons -y --enable-autoexec",
    makes: "-o --render-output",
  },
  soffice: { asks: "soffice runs macros." },
  libreoffice: { asks: "libreoffice runs macros." },
  asciinema: { operands: "unknown", code: "-c --command" },
  crystal: {
    operands: "unknown",
    subcommands: { eval: { asks: "crystal eval runs its argument." } },
  },
  rails: {
    operands: "unknown",
    subcommands: {
      runner: { asks: "rails runner runs its argument." },
      r: { asks: "rails runner runs its argument." },
      console: { asks: "rails console runs what it reads." },
      c: { asks: "rails console runs what it reads." },
      dbconsole: { asks: "rails dbconsole runs what it reads." },
      credentials: { asks: "rails credentials shows secrets." },
    },
  },
  artisan: {
    operands: "unknown",
    subcommands: { tinker: { asks: "artisan tinker runs what it reads." } },
  },
  "git-filter-repo": { asks: "git-filter-repo rewrites history with code from its arguments." },
  exiftool: { operands: "write", runs: "-if -config -p -execute -@ -w -o -tagsFromFile" },
};
