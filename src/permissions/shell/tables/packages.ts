// Build tools and package managers. Which script or target they run is the rule's business; options
// that move them elsewhere are not.
import type { CommandSpec } from "./command-spec.ts";
import { plainWarning } from "./interpreters.ts";

const launcher: CommandSpec = { launches: true, strict: true, operands: "none" };
const runner = (sentence: string): CommandSpec => ({ ...launcher, spelled: sentence });

const npm: CommandSpec = {
  options: "anywhere",
  operands: "unknown",
  valued: "--workspace -w --loglevel --omit --include --tag --otp --access",
  runs: `
    --prefix -C --script-shell --userconfig --globalconfig --node-options --shell --git --registry
    --scripts-prepend-node-path --editor --viewer --init-module --cafile --onload-script --call -c
    --package -p`,
  subcommands: {
    exec: { asks: "npm exec downloads and runs a package." },
    x: { asks: "npm x downloads and runs a package." },
    explore: { asks: "npm explore runs a shell." },
    edit: { asks: "npm edit runs an editor." },
    "set-script": { asks: "npm set-script writes scripts." },
    config: { operands: "none", asks: "npm config changes where code comes from." },
    c: { asks: "npm config changes where code comes from." },
    set: { asks: "npm set changes where code comes from." },
    pkg: {
      spelled: "npm pkg can change what scripts run.",
      operands: "none",
      subcommands: {
        set: { spelled: "npm pkg set changes what scripts run.", operands: "none" },
        delete: { spelled: "npm pkg delete changes what scripts run.", operands: "none" },
      },
    },
    init: { asks: "npm init downloads and runs a package." },
    create: { asks: "npm create downloads and runs a package." },
  },
};

const plain: CommandSpec = { operands: "unknown" };
const cargoCommands: Record<string, CommandSpec> = Object.fromEntries(
  `
    build b check c test t run r bench doc d clean clippy fmt fix tree metadata search update add
    remove rm fetch vendor version verify-project generate-lockfile locate-project pkgid package
    publish login logout owner yank nextest llvm-cov audit deny machete hack expand`
    .trim()
    .split(/\s+/)
    .map((name) => [name, plain]),
);
const cargoSpecial: Record<string, CommandSpec> = {
  clippy: { operands: "unknown", edits: "--fix", handsOn: "rustc" },
  rustc: { operands: "unknown", handsOn: "rustc", names: "--crate-type" },
  rustdoc: { operands: "unknown", handsOn: "rustdoc" },
  fmt: { operands: "format", fallback: ".", checks: "--check", handsOn: "rustfmt" },
  test: { operands: "unknown", handsOn: "cargo-test" },
  t: { operands: "unknown", handsOn: "cargo-test" },
  bench: { operands: "unknown", handsOn: "cargo-test" },
  fix: { operands: "unknown", edits: "--allow-dirty --allow-staged --allow-no-vcs --broken-code" },
  new: { operands: "write" },
  init: { operands: "write" },
  install: {
    spelled: "cargo install builds and installs foreign programs.",
    operands: "unknown",
    runs: "--git --path --root --index --registry --config",
  },
};

const mvn: CommandSpec = {
  operands: "unknown",
  valued: "-D --define -pl --projects -T --threads -rf --resume-from",
  runs: "-f --file -s --settings -gs --global-settings -D --define",
  harmless: Object.fromEntries(
    ["-D", "--define"].map((name) => [
      name,
      /^(?:test|it\.test|groups|excludedGroups|skipTests|skipITs|maven\.test\.skip|failIfNoTests|surefire\.fail[A-Za-z]+|style\.color|spotless\.check\.skip|checkstyle\.skip)(?:=[\w.#*+,!-]*)?$/,
    ]),
  ),
};

/** A configuration that holds no code. */
const plainData = /\.(?:jsonc?|ya?ml|toml)$/;

export const packageCommands: Record<string, CommandSpec> = {
  npm,
  pnpm: {
    options: "anywhere",
    operands: "unknown",
    valued: "-F --filter --loglevel --reporter",
    runs: "-C --dir --prefix --script-shell --config --registry --shell-mode -c --modules-dir --store-dir --hook",
    subcommands: {
      dlx: { asks: "pnpm dlx downloads and runs a package." },
      create: { asks: "pnpm create downloads and runs a package." },
      exec: { ...runner("pnpm exec runs any program."), runs: "-c --shell-mode" },
      config: { asks: "pnpm config changes where code comes from." },
    },
  },
  yarn: {
    options: "anywhere",
    operands: "unknown",
    runs: `
      --use-yarnrc --cwd --modules-folder --registry --scripts-prepend-node-path --cache-folder
      --global-folder --plugins --yarn-path`,
    subcommands: {
      dlx: { asks: "yarn dlx downloads and runs a package." },
      create: { asks: "yarn create downloads and runs a package." },
      exec: runner("yarn exec runs any program."),
      node: { asks: "yarn node runs its arguments." },
      config: { asks: "yarn config changes where code comes from." },
      plugin: { asks: "yarn plugin adds code to yarn." },
      set: { asks: "yarn set changes which yarn runs." },
    },
  },
  npx: {
    ...launcher,
    runs: "-c --call -p --package --prefix --registry --userconfig --node-options -y --yes --shell --script-shell",
  },
  bunx: { ...launcher, runs: "-p --package --bun" },
  pnpx: { ...launcher, runs: "-p --package" },
  uvx: { ...launcher, runs: "--from --with --index-url --extra-index-url --index -p --python" },
  pipx: {
    operands: "unknown",
    subcommands: {
      run: {
        ...runner("pipx run downloads and runs a package."),
        runs: "--spec --index-url --pip-args",
      },
    },
  },
  corepack: { asks: "corepack changes which package managers run." },
  make: {
    judge: "make",
    operands: "none",
    valued: "-W -o --what-if --new-file --old-file --assume-new --assume-old",
    runs: "-f --file --makefile -C --directory -I --include-dir -E --eval --debug",
  },
  gmake: {
    judge: "make",
    operands: "none",
    runs: "-f --file --makefile -C --directory -I --include-dir -E --eval",
  },
  just: {
    operands: "unknown",
    runs: "-f --justfile -d --working-directory --shell --shell-arg --chooser --dotenv-path --set -c --command",
  },
  ninja: { operands: "unknown", runs: "-f -C -t", valued: "-j -k -l -d" },
  cmake: {
    operands: "unknown",
    judge: "cmake",
    edits: "--build --install",
    runs: "-P -C -E --toolchain --debugger -D",
    valued: "-G",
  },
  cargo: {
    options: "anywhere",
    operands: "unknown",
    valued:
      "-p -j --package --features --target --profile --test --example --bench --message-format --color",
    harmless: { "--target": /^[\w-]+$/ },
    runs: "--target --config --manifest-path -C -Z --target-dir --lockfile-path --registry --index --git",
    subcommands: { ...cargoCommands, ...cargoSpecial },
  },
  go: {
    options: "anywhere",
    operands: "unknown",
    runs: "-exec -toolexec -C -modfile -overlay -vettool -ldflags -gcflags -compiler",
    makes: "-o -coverprofile",
    writes: "-cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir",
    valued: "-run -count -timeout -tags -bench -p",
    singleDash: true,
    subcommands: {
      generate: { asks: "go generate runs commands that files name." },
      install: {
        spelled: "go install builds and installs foreign programs.",
        operands: "unknown",
        runs: "-toolexec -C -modfile -overlay",
        singleDash: true,
      },
      get: { spelled: "go get brings foreign code in.", operands: "unknown", singleDash: true },
      tool: { ...runner("go tool runs a tool of the distribution."), runs: "-n" },
      env: { operands: "none", runs: "-w -u", singleDash: true },
      run: {
        operands: "execute",
        strict: true,
        runs: "-exec -toolexec -C -modfile -overlay",
        singleDash: true,
      },
    },
  },
  pip: {
    options: "anywhere",
    operands: "unknown",
    writes: "--log -d --dest --src --report",
    subcommands: { config: { asks: "pip config changes where code comes from." } },
    runs: `
      --index-url -i --extra-index-url --find-links -f --trusted-host --proxy --target -t --prefix
      --root --config-settings --python --global-option`,
    reads: "-r --requirement -c --constraint -e --editable",
  },
  pip3: {
    options: "anywhere",
    operands: "unknown",
    writes: "--log -d --dest --src --report",
    subcommands: { config: { asks: "pip config changes where code comes from." } },
    runs: `
      --index-url -i --extra-index-url --find-links -f --trusted-host --proxy --target -t --prefix
      --root --python`,
    reads: "-r --requirement -c --constraint -e --editable",
  },
  uv: {
    options: "anywhere",
    operands: "unknown",
    runs: `
      --directory --project --config-file --index-url --extra-index-url --default-index --index
      --with --python -p`,
    subcommands: {
      run: {
        ...runner("uv run runs any program."),
        runs: `
          --with --with-editable --with-requirements --index-url --extra-index-url --index
          --directory --project --python -p --env-file`,
        valued: "--group --extra --package",
      },
      tool: { asks: "uv tool downloads and runs packages." },
    },
  },
  poetry: {
    options: "anywhere",
    operands: "unknown",
    runs: "-C --directory -P --project",
    subcommands: {
      run: runner("poetry run runs any program."),
      config: { asks: "poetry config changes where code comes from." },
    },
  },
  pipenv: { operands: "unknown", subcommands: { run: runner("pipenv run runs any program.") } },
  hatch: { operands: "unknown", subcommands: { run: runner("hatch run runs any program.") } },
  pdm: { operands: "unknown", subcommands: { run: runner("pdm run runs any program.") } },
  rye: { operands: "unknown", subcommands: { run: runner("rye run runs any program.") } },
  conda: {
    options: "anywhere",
    operands: "unknown",
    subcommands: {
      run: { ...runner("conda run runs any program."), valued: "-n -p --name --prefix --cwd" },
      config: { asks: "conda config changes where code comes from." },
    },
  },
  mise: {
    operands: "unknown",
    subcommands: {
      exec: runner("mise exec runs any program."),
      x: runner("mise x runs any program."),
    },
  },
  asdf: { operands: "unknown", subcommands: { exec: runner("asdf exec runs any program.") } },
  tox: {
    operands: "unknown",
    subcommands: {
      exec: runner("tox exec runs any program."),
      e: runner("tox exec runs any program."),
    },
    runs: "-c --conf --root --workdir -x --override",
  },
  nox: { operands: "unknown", runs: "-f --noxfile" },
  gem: { operands: "unknown", runs: "--source -s --config-file --install-dir -i" },
  bundle: {
    options: "anywhere",
    operands: "unknown",
    runs: "--gemfile --path",
    subcommands: {
      exec: runner("bundle exec runs any program."),
      config: { asks: "bundle config changes where code comes from." },
    },
  },
  composer: {
    options: "anywhere",
    operands: "unknown",
    runs: "-d --working-dir",
    subcommands: {
      exec: { asks: "composer exec runs a program." },
      config: { asks: "composer config changes where code comes from." },
    },
  },
  mvn,
  gradle: {
    operands: "unknown",
    runs: `
      -b --build-file -p --project-dir -I --init-script -g --gradle-user-home --include-build -D -c
      --settings-file`,
  },
  tsc: {
    operands: "unknown",
    lists: "-p --project -b --build",
    makes: "--outDir --outFile --declarationDir",
    writes: "--generateTrace --tsBuildInfoFile --generateCpuProfile",
    responseFiles: true,
    valued: "--target --module --lib --jsx --moduleResolution",
  },
  eslint: {
    operands: "unknown",
    valued: "--rule --ext --max-warnings --global --env --ignore-pattern",
    flags: "--cache",
    runs: "-c --config --rulesdir --resolve-plugins-relative-to --plugin --parser",
    names: "-f --format",
    edits: "--fix",
    writes: "-o --output-file --cache-location --cache-file",
  },
  prettier: {
    operands: "unknown",
    runs: "--config --plugin --plugin-search-dir --find-config-path",
    edits: "-w --write",
  },
  jest: {
    operands: "unknown",
    writes: "--outputFile --coverageDirectory --cacheDirectory",
    names: "--reporters --testEnvironment --env",
    flags: "--coverage --cache",
    runs: `
      --testResultsProcessor --testSequencer --globalTeardown --snapshotSerializers --watchPlugins
      --prettierPath --modulePaths --preset --filter -c --config --rootDir --setupFiles
      --setupFilesAfterEnv --globalSetup --runner --testRunner --transform --resolver`,
  },
  vitest: {
    options: "anywhere",
    operands: "unknown",
    writes: "--outputFile --coverage.reportsDirectory",
    flags: "--coverage --browser --typecheck --run",
    runs: `
      --execArgv --poolOptions.forks.execArgv --poolOptions.threads.execArgv
      --poolOptions.vmForks.execArgv --poolOptions.vmThreads.execArgv
      --coverage.customProviderModule --runner --diff --workspace --snapshotEnvironment
      --typecheck.checker --browser.provider --sequence.sequencer --globalSetup --setupFiles -c
      --config -r --root --dir`,
    names: "--reporter --environment --pool --coverage.provider",
  },
  pytest: {
    operands: "unknown",
    makes: "--junitxml --junit-xml",
    writes: "--log-file --debug --report-log --resultlog --cov-report",
    responseFiles: true,
    runs: "-p -c --rootdir --confcutdir -o --override-ini --pyargs --import-mode --basetemp --pdbcls --pastebin -W",
    flags: "--co --collect-only --cov --cov-report --pdb --lf --ff",
    valued: "-p -k -m -n -W --maxfail --tb --durations --cov-fail-under --cov-report",
    harmless: { "-p": /^no:[\w.-]+$/, "-W": plainWarning, "--cov-report": /^[\w-]*$/ },
  },
  mypy: {
    operands: "unknown",
    responseFiles: true,
    runs: "--install-types --config-file --python-executable --custom-typeshed-dir --shadow-file",
    writes:
      "--html-report --xml-report --txt-report --junit-xml --linecount-report --any-exprs-report --cache-dir",
  },
  ruff: {
    options: "anywhere",
    operands: "unknown",
    runs: "--config",
    edits: "--fix --fix-only --unsafe-fixes --add-noqa",
    writes: "-o --output-file --cache-dir",
    subcommands: {
      format: { operands: "format", fallback: ".", checks: "--check --diff" },
    },
  },
  black: {
    operands: "write",
    recursive: "always",
    checks: "--check --diff",
    valued: "-l -t --line-length --target-version --include --exclude",
    reads: "--config",
    writes: "--cache-dir",
  },
  rustfmt: { operands: "format", checks: "--check", reads: "--config-path" },
  isort: {
    operands: "format",
    checks: "-c --check --check-only --diff",
    writes: "-o --output",
    runs: "--settings-path --settings-file --sp --src-path --virtual-env",
  },
  gofmt: { operands: "unknown", edits: "-w", writes: "-cpuprofile", singleDash: true },
  rubocop: {
    operands: "unknown",
    edits: "-a -A --autocorrect --autocorrect-all --auto-gen-config",
    writes: "-o --out --cache-root",
    runs: "-r --require -c --config --plugin",
  },
  mocha: {
    operands: "unknown",
    names: "-u --ui -R --reporter",
    runs: `
      -r --require --config --package --opts --file --import --loader --node-option -n
      --experimental-loader`,
    writes: "--reporter-option --reporter-options -O",
  },
  coverage: {
    operands: "unknown",
    subcommands: {
      run: { spelled: "coverage run runs a program.", operands: "execute", strict: true },
    },
    writes: "--data-file --debug-file",
    makes: "-o -d --directory",
    runs: "--rcfile",
  },
  biome: {
    options: "anywhere",
    operands: "unknown",
    edits: "--write --fix --apply --apply-unsafe",
    runs: "--config-path",
  },
  webpack: { operands: "unknown", runs: "-c --config --entry", makes: "-o --output-path" },
  vite: { operands: "unknown", runs: "-c --config", makes: "--outDir" },
  rollup: {
    operands: "unknown",
    runs: "-c --config -p --plugin --configPlugin",
    makes: "-o --file -d --dir",
  },
  esbuild: { operands: "unknown", runs: "--servedir", makes: "--outfile --outdir --metafile" },
  ctest: {
    operands: "unknown",
    runs: "-S --script -SP --build-and-test --launch",
    writes: "-O --output-log --output-junit",
  },
  meson: { operands: "unknown", runs: "--native-file --cross-file" },
  task: { operands: "unknown", runs: "-t --taskfile -d --dir" },
  bazel: {
    operands: "unknown",
    runs: `
      --run_under --bazelrc --workspace_status_command --override_repository --output_user_root
      --output_base --action_env --tool_tag --shell_executable --host_jvm_args --server_javabase
      --override_module --repo_env --test_env --remote_executor --remote_cache --crosstool_top
      --extra_toolchains`,
  },
  gradlew: {
    operands: "unknown",
    runs: `
      -b --build-file -p --project-dir -I --init-script -g --gradle-user-home --include-build -D -c
      --settings-file`,
  },
  mvnw: mvn,
  ant: {
    operands: "unknown",
    runs: "-f -file -buildfile -lib -logger -listener -D",
    singleDash: true,
  },
  rake: {
    operands: "unknown",
    code: "-e --execute -p --execute-print -E --execute-continue",
    runs: "-f --rakefile -r --require -I --libdir -C",
  },
  rspec: {
    operands: "unknown",
    names: "-f --format",
    runs: "-r --require -I -O --options",
    writes: "-o --out",
  },
  dotnet: {
    options: "anywhere",
    operands: "unknown",
    lists: "--project",
    judge: "msbuild",
    valued: `
      -p -c -f -r -v -l --logger --collect --filter --configuration --framework --runtime
      --verbosity`,
    names: "-l --logger --collect",
    harmless: { "--collect": /^(?:XPlat )?Code Coverage$/ },
    makes: "-o --output",
    writes: "--results-directory --diag",
    responseFiles: true,
    runs: `
      --test-adapter-path -s --settings --configfile --source --packages --additionalprobingpath
      --depsfile --additional-deps`,
    subcommands: {
      exec: { asks: "dotnet exec runs a program." },
      format: { operands: "format", fallback: ".", checks: "--verify-no-changes" },
    },
  },
  swift: { operands: "unknown", runs: "--package-path -e", lists: "--build-path" },
  phpunit: {
    operands: "unknown",
    runs: "-c --configuration --bootstrap -d --prepend --extension --printer --loader --include-path --test-suffix",
    writes: `
        --log-junit --log-teamcity --log-events-text --testdox-html --testdox-text --coverage-html
        --coverage-clover --coverage-xml --coverage-php --coverage-text --coverage-cobertura
        --coverage-crap4j --cache-directory --cache-result-file --generate-baseline`,
    valued: "--filter --group --exclude-group --testsuite",
  },
  pylint: {
    operands: "unknown",
    names: "-f --output-format",
    runs: "--init-hook --load-plugins --rcfile",
    writes: "--output",
    valued: "-d --disable -e --enable -j --jobs",
  },
  playwright: {
    options: "anywhere",
    operands: "unknown",
    names: "--reporter",
    writes: "--output",
    valued: "-g --grep --project --workers -j",
  },
  markdownlint: {
    operands: "unknown",
    valued: "-c --config -i --ignore -p --ignore-path",
    runs: "-r --rules -c --config",
    harmless: { "-c": plainData, "--config": plainData },
    edits: "-f --fix",
    writes: "-o --output",
  },
  "markdownlint-cli2": { operands: "unknown", runs: "--config", edits: "--fix" },
  nx: {
    options: "anywhere",
    operands: "unknown",
    runs: "--runner",
    subcommands: { exec: runner("nx exec runs any program.") },
  },
  shfmt: { operands: "read", edits: "-w --write", valued: "-i -ln" },
};
