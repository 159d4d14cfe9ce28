// Known options of package managers, build tools and test runners, in the form of known-options.ts.

const npmCommon = `
  -w~ -ws -s -q -d -f -g -S -D -E -O -P --workspace~ --workspaces --include-workspace-root
  --if-present --silent --quiet --verbose --loglevel~ --json --long --parseable --force --global
  --no-color --color=~ --dry-run --no-audit --audit=~ --no-fund --fund=~ --no-progress --progress=~
  --no-save --save --save-dev --save-exact --save-optional --save-peer --save-prod --omit~
  --include~ --legacy-peer-deps --strict-peer-deps --prefer-offline --prefer-online --offline
  --ignore-scripts --no-package-lock --package-lock-only --package-lock=~ --production --only~
  --depth~ --all --audit-level~ --no-bin-links --no-optional --foreground-scripts --version --help
  --install-links --workspaces=~
`;
const pnpmCommon = `
  -r -w -D -P -O -E -g -s -F~ --recursive --filter~ --workspace-root --silent --reporter%
  --loglevel~ --parallel --stream --aggregate-output --no-bail --bail --if-present --frozen-lockfile
  --no-frozen-lockfile --prefer-offline --offline --ignore-scripts --prod --production --dev
  --no-optional --save-dev --save-prod --save-exact --save-optional --json --depth~ --long --color
  --no-color --fix-lockfile --force --lockfile-only --shamefully-hoist --strict-peer-dependencies
  --no-sort --sort --workspace-concurrency~ --version --latest -L --interactive
`;
const yarnCommon = `
  -s -D -E -P -O -W --silent --frozen-lockfile --immutable --immutable-cache --dev --exact --peer
  --optional --production=~ --ignore-scripts --non-interactive --no-progress --verbose --offline
  --prefer-offline --json --flat --force --ignore-engines --ignore-optional --network-timeout~
  --check-files --inline-builds --mode~ --pattern~ --level~ --groups~ --version --latest --all -A
  --recursive -R
`;
const cargoCommon = `
  -p~ -j~ -v -vv -q -F~ --package~ --workspace --all --exclude~ --lib --bin~ --bins --example~
  --examples --test~ --tests --bench~ --benches --all-targets --features~ --all-features
  --no-default-features --release -r --profile~ --target~ --jobs~ --keep-going --verbose --quiet
  --color~ --message-format~ --locked --offline --frozen --no-run --no-fail-fast
  --ignore-rust-version --timings --doc --future-incompat-report
`;
const goBuild = `
  -a -n -v -x -p~ -race -msan -asan -cover -covermode~ -coverpkg~ -work -asmflags! -buildmode~
  -buildvcs=~ -installsuffix~ -linkshared -mod~ -modcacherw -pgo< -tags~ -trimpath -json -#
`;
const goTest = `
  ${goBuild} -run~ -bench~ -benchmem -benchtime~ -count~ -cpu~ -failfast -fullpath -fuzz~ -fuzztime~
  -fuzzminimizetime~ -list~ -parallel~ -short -shuffle~ -skip~ -timeout~ -vet~ -c -args
`;
const pipCommon = `
  -q -v -U --quiet --verbose --upgrade --no-cache-dir --no-deps --pre --user --upgrade-strategy~
  --force-reinstall --disable-pip-version-check --no-input --progress-bar~ --no-build-isolation
  --no-color --timeout~ --retries~ --only-binary~ --no-binary~ --break-system-packages --dry-run
  --exists-action~ --require-hashes --ignore-installed -I --prefer-binary --no-warn-script-location
`;
const uvCommon = `
  -q -v --quiet --verbose --frozen --locked --no-sync --all-extras --extra~ --group~ --all-groups
  --only-group~ --no-dev --dev --no-cache -n --offline --no-progress --color~ --package~
  --all-packages --upgrade -U --upgrade-package~ -P~ --exact --no-group~ --system --only-dev
  --reinstall --no-editable --isolated
`;
const tests = `
  -t~ -i -w -u -b -o --run --watch=~ --no-watch --ci --coverage=~ --verbose --silent=~ --bail=~
  --testNamePattern~ --testPathPattern~ --testPathPatterns~ --testPathIgnorePatterns~
  --passWithNoTests --runInBand --maxWorkers~ --onlyChanged --updateSnapshot --watchAll=~
  --no-coverage --no-cache --forceExit --detectOpenHandles --json --listTests --showConfig
  --clearCache --clearMocks --color --colors --no-color --logHeapUsage --randomize --shard~
  --testTimeout~ --hookTimeout~ --retry~ --project~ --exclude~ --hideSkippedTests --reporter%
  --threads=~ --no-threads --no-isolate --isolate=~ --fileParallelism=~ --no-file-parallelism
  --poolOptions.threads.singleThread --poolOptions.forks.singleFork --update --changed=~ --related
  --ui --open --inspect=! --typecheck --globals --dom --allowOnly --expand --findRelatedTests
  --collectCoverage=~ --collectCoverageFrom~ --coverageReporters% --coverageProvider%
  --coverageThreshold~ --coverage.reporter% --coverage.enabled=~ --coverage.include~
  --coverage.exclude~ --minWorkers~ --no-open --standalone --workerThreads --config=! -s -f -g~
  --grep~ --timeout~ --disable-console-intercept --no-watchman --errorOnDeprecated --noStackTrace
  --useStderr --reporters%
`;

export const buildOptions = `
npm: ${npmCommon}
npm others: ${npmCommon} -a
pnpm: ${pnpmCommon}
pnpm others: ${pnpmCommon}
yarn: ${yarnCommon}
yarn others: ${yarnCommon}
npx: -q --no --no-install --quiet --silent --offline --prefer-offline --version
bunx: --silent --no-install --version
uvx: -q -v --quiet --verbose --version
bun: --silent --version --watch --hot --smol --no-install --bail=~ --timeout~ --coverage
  --frozen-lockfile --production -d --dev -g --global --exact --no-save --verbose --revision
bun others: -t~ --test-name-pattern~ --silent --watch --bail=~ --timeout~ --coverage
  --frozen-lockfile --production -d --dev -g --global --exact --no-save --verbose --filter~ --minify
  --sourcemap=~ --target~ --format~ --update-snapshots --rerun-each~ --only --todo --elide-lines~
make: -B -d -e -h -i -j=~ -k -l=~ -n -o~ -p -q -r -R -s -S -t -v -w -W~ -O=~ --always-make --dry-run
  --ignore-errors --jobs=~ --just-print --keep-going --load-average=~ --no-builtin-rules
  --no-print-directory --output-sync=~ --print-data-base --print-directory --question --quiet --recon
  --silent --touch --trace --version --warn-undefined-variables --max-load=~
gmake: -B -i -j=~ -k -n -s -w --dry-run --jobs=~ --keep-going --silent --no-print-directory
just: -l -n -q -v -u --list --dry-run --quiet --verbose --summary --dump --evaluate --show~ --yes
  --one --version --unsorted
ninja: -j~ -k~ -l~ -n -v -d~ --version --quiet
cmake: -B+ -S/ -G~ -A~ -T~ -L -LA -LAH -N --build+ --install+ --config~ --target~ -t~ --parallel=~
  -j=~ --preset~ --list-presets=~ --fresh --verbose -v --log-level~ --version --clean-first -Wno-dev
  -Wdev --warn-uninitialized
ctest: -V -VV -N -Q -F -R~ -E~ -L~ -LE~ -I~ -j=~ -C~ --output-on-failure --verbose --extra-verbose
  --parallel=~ --rerun-failed --stop-on-failure --timeout~ --test-dir/ --preset~ --tests-regex~
  --exclude-regex~ --show-only=~ --progress --quiet --repeat~ --no-tests~
meson: --buildtype~ --reconfigure --wipe -D~ --prefix~ --version
cargo: -v -q --version -V --list --verbose --quiet --color~ --locked --offline --frozen
cargo others: ${cargoCommon} -i --invert=~ --prune~ --depth~ --prefix~ --no-dedupe --duplicates
  --edges~ -e~ --charset~ --format-version~ --no-deps --filter-platform~
  --document-private-items --check --all --emit~ --edition~ --dry-run --aggressive --precise~
  --recursive --allow-dirty --dev --build --optional --no-optional --rename~ --rev~ --branch~ --tag~
  --vers~ --force -f -E~ --no-capture --nocapture --partition~ --retries~ --status-level~
  --failure-output~ --success-output~ --final-status-level~ --no-verify --list --limit~ --deny~ -D~
  --ignore~ --summary-only --html --lcov --text --fail-under-lines~ --all-targets
go: -version
go build: ${goBuild}
go test: ${goTest}
go vet: ${goBuild} -c~
go install: ${goBuild}
go run: ${goBuild}
go list: ${goBuild} -m -f~ -deps -e -export -find -test -u -versions -compiled -retracted -reuse<
go mod: -v -go~ -compat~ -e -x -json -m -graph -print -vendor
go get: -d -t -u=~ -v -x -insecure
go fmt: -n -x -mod~
go generate: -n -v -x -run~ -skip~
go clean: -cache -testcache -modcache -fuzzcache -i -n -r -x
go doc: -all -c -cmd -short -src -u
go version: -m -v
go env: -json -changed
go tool: -n
go work: -v -r -use~
go telemetry:
go help:
gofmt: -d -e -l -s -r~
cargo-test: -q --nocapture --no-capture --show-output --exact --ignored --include-ignored --test --list
  --bench --quiet --test-threads~ --skip~ --color~ --format~ --report-time --shuffle --shuffle-seed~
  --force-run-in-process --exclude-should-panic
rustdoc: -v --test --document-private-items --edition~ --cfg~ --crate-name~ -A~ -W~ -D~ -F~
pip: ${pipCommon} --version -V
pip others: ${pipCommon} --format~ --outdated -o --uptodate --not-required --local -l --path/
  --exclude~ -f -y --yes --all --files --no-clean --no-index
pip3: ${pipCommon} --version -V
pip3 others: ${pipCommon} --format~ --outdated -o --uptodate --not-required --local -l --exclude~ -f
  -y --yes --all --files --no-clean --no-index
uv: -q -v --quiet --verbose --version -V --no-cache -n --offline --no-progress --color~ --no-config
uv others: ${uvCommon} --format~ --outdated --tree --strict --depth~ --no-dedupe --invert
  --universal --output-format~ --seed --no-annotate --no-header --generate-hashes --all --check
  --dry-run --bump~ --short --script --bare --lib --app --no-readme
uv run: ${uvCommon} -m~ --module~
uv pip: ${uvCommon} ${pipCommon}
poetry: -q -v -n --quiet --verbose --no-interaction --no-ansi --version -V --no-plugins --no-cache
poetry others: -q -v -n -G~ -E~ -D --no-interaction --no-root --with~ --without~ --only~ --sync
  --all-extras --extras~ --dev --group~ --no-dev --dry-run --tree --latest --outdated --no-update
  --lock --format~ --optional --compile --only-main --check --all --no-ansi --why --top-level
pytest: -# -h -i -k~ -l -m~ -n~ -q -qq -r~ -rA -rf -rs -s -v -vv -vvv -x -W~ --co --collect-only
  --color~ --cov=~ --cov-append --cov-branch --cov-fail-under~ --cov-report~ --no-cov --deselect~
  --dist~ --durations~ --durations-min~ --exitfirst --ff --failed-first --fixtures --ignore~
  --ignore-glob~ --last-failed --lf --markers --maxfail~ --nf --new-first --no-header --no-summary
  --numprocesses~ --pdb --quiet --randomly-seed~ --reruns~ --reruns-delay~ --runxfail --setup-only
  --setup-plan --setup-show --show-capture~ --showlocals --no-showlocals --stepwise --sw
  --strict-markers --strict-config --tb~ --timeout~ --verbose --verbosity~ --version --asyncio-mode~
  --benchmark-only --benchmark-skip --disable-warnings --disable-pytest-warnings --snapshot-update
  --log-cli-level~ --log-level~ --capture~ --cache-clear --cache-show=~ --keep-duplicates
  --full-trace --xfail-tb --forked --junit-prefix~
unittest: -v -q -f -b -c -k~ -s/ -p~ -t/ --verbose --quiet --failfast --buffer --locals --durations~
  --catch
mypy: -# -p~ -m~ -v --strict --ignore-missing-imports --no-error-summary --show-error-codes
  --hide-error-codes --pretty --no-incremental --python-version~ --platform~ --follow-imports~
  --disallow-untyped-defs --check-untyped-defs --warn-unused-ignores --warn-return-any
  --no-implicit-optional --show-column-numbers --show-error-context --exclude~
  --explicit-package-bases --namespace-packages --package~ --module~ --non-interactive
  --disable-error-code~ --enable-error-code~ --no-color-output --version --warn-unreachable
  --no-warn-unused-configs --implicit-optional --allow-untyped-decorators --skip-cache-mtime-checks
ruff: -q -v -s --version --quiet --verbose --silent
ruff check: -q -v -e -n -w --select~ --ignore~ --extend-select~ --extend-ignore~ --fixable~
  --unfixable~ --diff --output-format~ --statistics --show-files --show-settings --preview
  --no-cache --target-version~ --line-length~ --exclude~ --extend-exclude~ --watch --exit-zero
  --exit-non-zero-on-fix --no-fix --isolated --show-fixes --ignore-noqa --force-exclude
  --stdin-filename~ --quiet --per-file-ignores~
ruff format: -q -v --check --diff --no-cache --line-length~ --exclude~ --target-version~ --preview
  --quiet --isolated --force-exclude --range~ --respect-gitignore
ruff rule: --all --output-format~
ruff version:
ruff clean:
black: -q -v -l~ -t~ -S -C --check --diff --color --no-color --fast --safe --line-length~
  --target-version~ --include~ --exclude~ --extend-exclude~ --quiet --verbose --preview
  --skip-string-normalization --workers~ --version --required-version~
isort: -c -q -v --check --check-only --diff --profile~ --quiet --line-length~ -l~ --skip~
  --skip-glob~ --filter-files --atomic
flake8: -q -v -j~ --max-line-length~ --max-complexity~ --select~ --ignore~ --extend-ignore~
  --exclude~ --count --statistics --show-source --per-file-ignores~ --format~ --version
pylint: -j~ -d~ -e~ -E -r~ -s~ -v --disable~ --enable~ --errors-only --jobs~ --score~ --reports~
  --fail-under~ --max-line-length~ --ignore~ --ignore-patterns~ --recursive~ --py-version~ --verbose
  --version
pyright: -p< --project< --outputjson --stats --verbose --pythonversion~ --pythonplatform~ --level~
  --warnings --skipunannotated --version --lib
tsc: -v -w -h --noEmit=~ --pretty=~ --watch --version --skipLibCheck=~ --strict=~ --target~ --module~
  --lib~ --jsx~ --moduleResolution~ --esModuleInterop=~ --allowJs=~ --checkJs=~ --listFiles
  --listEmittedFiles --listFilesOnly --traceResolution --diagnostics --extendedDiagnostics
  --explainFiles --showConfig --force -f --clean --dry -d --verbose --incremental=~ --noUnusedLocals=~
  --noUnusedParameters=~ --noImplicitAny=~ --resolveJsonModule=~ --isolatedModules=~ --declaration=~
  --emitDeclarationOnly=~ --sourceMap=~ --types~ --preserveWatchOutput --noErrorTruncation=~
  --composite=~ --removeComments=~
eslint: -h -v --cache=~ --color --no-color --debug --ext~ --env-info --exit-on-fatal-error
  --global~ --ignore-pattern~ --max-warnings~ --no-error-on-unmatched-pattern --no-eslintrc
  --no-ignore --no-inline-config --no-warn-ignored --print-config --quiet
  --report-unused-disable-directives --rule~ --stats --version --cache-strategy~ --no-cache
  --pass-on-no-patterns --concurrency~ --fix-dry-run
prettier: -c -l -u --check --list-different --ignore-unknown --log-level~ --loglevel~ --no-config
  --no-editorconfig --no-color --parser% --print-width~ --tab-width~ --use-tabs --semi --no-semi
  --single-quote --trailing-comma~ --end-of-line~ --prose-wrap~ --version --cache --no-cache
  --no-error-on-unmatched-pattern --with-node-modules --stdin-filepath~ --file-info< --support-info
  --debug-check --arrow-parens~ --bracket-spacing --jsx-single-quote --quote-props~
jest: ${tests}
vitest: --coverage.provider% ${tests}
vitest others: ${tests}
mocha: ${tests} --spec~ --recursive --exit --parallel --slow~ -R% --extension~
playwright: -g~ -j~ -x --grep~ --grep-invert~ --project~ --workers~ --headed --debug --ui --retries~
  --repeat-each~ --timeout~ --max-failures~ --list --last-failed --pass-with-no-tests --quiet
  --update-snapshots=~ -u=~ --fully-parallel --forbid-only --shard~ --trace~ --only-changed=~ --no-deps
  --version --ignore-snapshots
playwright others: -g~ -j~ -x --grep~ --grep-invert~ --project~ --workers~ --headed --debug --ui
  --retries~ --repeat-each~ --timeout~ --max-failures~ --list --last-failed --pass-with-no-tests
  --quiet --update-snapshots=~ -u=~ --fully-parallel --forbid-only --shard~ --trace~ --only-changed=~
  --no-deps --dry-run --force
cypress others: --spec~ --browser% --headless --headed --env~ --quiet --record=~ --tag~
turbo: --filter~ --force --no-cache --dry=~ --parallel --concurrency~ --continue=~ --output-logs~
  --log-order~ --only --affected --no-daemon --version
turbo others: --filter~ --force --no-cache --dry=~ --parallel --concurrency~ --continue=~
  --output-logs~ --log-order~ --only --affected --no-daemon
nx others: --all --projects~ --exclude~ --parallel=~ --skip-nx-cache --verbose --configuration~ -c~
  --prod --production --base~ --head~ --target~ -t~ --watch --output-style~ --nxBail --graph=>
  --skipNxCache --coverage --ci --testFile~ --testNamePattern~
vite: --host=~ --port~ --open=! --mode~ -m~ --debug=~ --force --strictPort --logLevel~ -l~ --base~
  --minify=~ --sourcemap=~ --watch --clearScreen --emptyOutDir --ssr=~
next others: -p~ -H~ --port~ --hostname~ --turbo --turbopack --profile --debug -d --no-lint
  --experimental-app-only
biome: --version
biome others: --diagnostic-level~ --max-diagnostics~ --no-errors-on-unmatched --skip-errors
  --colors~ --verbose --staged --changed --since~ --files-ignore-unknown~ --reporter%
  --error-on-warnings --formatter-enabled~ --linter-enabled~ --only~ --skip~
rspec: -f~ -e~ -t~ -b -p=~ -c -P~ --tag~ --example~ --fail-fast=~ --order~ --seed~ --only-failures
  --next-failure --dry-run --profile=~ --backtrace --color --no-color --format~ --pattern~ --warnings
  -w --no-profile --force-color --no-fail-fast
rubocop: -d -D -f% -S -l --only~ --except~ --format% --parallel --no-parallel
  --display-cop-names --lint --safe --fail-level~ --fail-fast --force-exclusion --cache~ --no-color
  --list-target-files -L -v --version
rake: -T=~ -P -n -q -s -t=~ -v -A -D=~ --tasks --dry-run --quiet --silent --trace=~ --verbose --all
  --prereqs -m -j=~ --multitask
bundle: --version -v --verbose --no-color --retry=~
bundle others: --jobs=~ -j~ --retry=~ --quiet --local --verbose --without~ --with~ --deployment
  --path~ --full-index --redownload --parseable --strict --filter-strict --patch --minor --major
  --group~ --all --conservative --name-only --paths --only-group~ --skip-install --version~
gem: -v --version
gem others: -a -l -r -q -V --all --local --remote --quiet --verbose --no-document -v~ --version~
  --pre --prerelease --exact --no-ri --no-rdoc --user-install --conservative
composer: -q -v -vv -vvv -n --no-interaction --quiet --verbose --version -V --no-ansi --ansi
  --profile --no-plugins --no-scripts
composer others: -q -v -n -o -a -d~ --no-dev --dev --prefer-dist --prefer-source --no-interaction
  --optimize-autoloader --classmap-authoritative --no-progress --ignore-platform-reqs
  --ignore-platform-req~ --no-scripts --no-plugins --dry-run --with-dependencies -W -w
  --with-all-dependencies --lock --no-update --direct -D --outdated --latest --format~ --tree -t
  --strict --no-check-publish --no-check-all --no-install --locked
phpunit: --filter~ --group~ --exclude-group~ --testsuite~ --stop-on-failure --stop-on-error
  --testdox --no-coverage --colors=~ --verbose -v --debug --order-by~ --list-tests --display-warnings
  --display-deprecations --no-progress --fail-on-warning --fail-on-risky --repeat~
  --random-order-seed~
mvn: -q -e -X -B -U -o -N -T~ -D~ -P~ -pl~ -am -amd -rf~ -fae -ff -fn -ntp -v -V --batch-mode
  --quiet --errors --debug --offline --update-snapshots --non-recursive --threads~
  --activate-profiles~ --projects~ --also-make --also-make-dependents --resume-from~ --fail-at-end
  --fail-fast --fail-never --no-transfer-progress --version --show-version -Dstyle.color~ --define~
mvnw: -q -e -X -B -U -o -N -T~ -D~ -P~ -pl~ -am -amd -ntp --batch-mode --quiet --offline
  --no-transfer-progress --define~ -fae
gradle: -q -i -d -s -S -a -m -t -v -w -x~ --quiet --info --debug --stacktrace --full-stacktrace
  --dry-run --continuous --version --warn --exclude-task~ --tests~ --parallel --no-parallel
  --max-workers~ --offline --refresh-dependencies --rerun-tasks --rerun --build-cache
  --no-build-cache --configuration-cache --no-configuration-cache --continue --no-daemon --daemon
  --console~ --warning-mode~ --no-scan --profile --configure-on-demand --priority~ --all
  --configuration~ --dependency~ --task~ --fail-fast --group~ --stop --status
gradlew: -q -i -d -s -S -a -m -t -v -w -x~ --quiet --info --debug --stacktrace --dry-run
  --continuous --version --warn --exclude-task~ --tests~ --parallel --no-parallel --max-workers~
  --offline --refresh-dependencies --rerun-tasks --build-cache --no-build-cache
  --configuration-cache --continue --no-daemon --daemon --console~ --warning-mode~ --profile
  --all --configuration~ --fail-fast --stop
dotnet: --version --info --list-sdks --list-runtimes -c~ -f~ -r~ -v~ -p~
dotnet others: -c~ -f~ -r~ -v~ -p~ -p:~ -t -l~ --configuration~ --framework~ --runtime~ --verbosity~
  --no-build --no-restore --nologo --filter~ --list-tests --logger~ --collect~ --blame --blame-crash
  --force --no-dependencies --no-incremental --self-contained=~ --sc --interactive --disable-parallel
  --version-suffix~ --outdated --include-transitive --vulnerable --deprecated --format~
  --verify-no-changes --severity~ --include~ --exclude~ --diagnostics~ --version~ --prerelease
  --launch-profile~ --no-launch-profile --project~ --ucr --use-current-runtime
swift others: -c~ -v --configuration~ --filter~ --skip~ --parallel --num-workers~
  --enable-code-coverage --verbose --quiet --product~ --target~ --show-bin-path --list-tests
xcodebuild: -scheme~ -project/ -workspace/ -configuration~ -sdk~ -destination~ -list -version
  -showsdks -quiet
mix: --only~ --failed --trace --seed~ --stale --cover --max-failures~ --exclude~ --include~
  --warnings-as-errors --check-formatted --dry-run --force --all --strict --slowest~ --no-start
`;
