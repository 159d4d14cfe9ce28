// Compilers that check, linters, formatters and test runners.
import type { CommandSpec } from "../command-spec.ts";
import { plainWarning } from "./interpreters.ts";

const plainData = /\.(?:jsonc?|ya?ml|toml)$/;

export const checkerCommands: Record<string, CommandSpec> = {
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
    valued: "--rule --ext --max-warnings --global --ignore-pattern",
    flags: "--cache",
    runs: "-c --config --rulesdir --resolve-plugins-relative-to --plugin --parser",
    names: "-f --format --env",
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
      format: { operands: "format", fallback: ".", checks: "--check --diff", shows: "--diff" },
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
  rustfmt: { operands: "format", checks: "--check", shows: "--check", reads: "--config-path" },
  shellcheck: {
    operands: "read",
    includes: "-x -a --external-sources --check-sourced",
  },
  flake8: { operands: "unknown", shows: "--show-source" },
  pycodestyle: { operands: "unknown", shows: "--show-source --show-pep8" },
  isort: {
    operands: "format",
    checks: "-c --check --check-only --diff",
    shows: "--diff",
    writes: "-o --output",
    runs: "--settings-path --settings-file --sp --src-path --virtual-env",
  },
  gofmt: { operands: "unknown", shows: "-d", edits: "-w", writes: "-cpuprofile", singleDash: true },
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
  ctest: {
    operands: "unknown",
    runs: "-S --script -SP --build-and-test --launch",
    writes: "-O --output-log --output-junit",
  },
  rspec: {
    operands: "unknown",
    names: "-f --format",
    runs: "-r --require -I -O --options",
    writes: "-o --out",
  },
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
  "pre-commit": {
    operands: "unknown",
    runs: "-c --config",
    subcommands: {
      install: { asks: "pre-commit install writes hooks." },
      uninstall: { asks: "pre-commit uninstall changes hooks." },
      autoupdate: { asks: "pre-commit autoupdate changes which hooks run." },
    },
  },
  husky: { asks: "husky writes hooks and git's settings." },
  lefthook: { asks: "lefthook writes and runs hooks." },
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
  storybook: {
    options: "anywhere",
    operands: "unknown",
    valued: "-c --config-dir",
    runs: "-c --config-dir",
    harmless: { "-c": /^\.storybook\/?$/, "--config-dir": /^\.storybook\/?$/ },
  },
  shfmt: { operands: "read", edits: "-w --write", valued: "-i -ln" },
};
