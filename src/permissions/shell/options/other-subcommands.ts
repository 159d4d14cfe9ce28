// Subcommands that need no entry of their own: they have the options of `NAME others` and nothing
// dangerous about them. `any`: the program runs scripts that the project names itself.

const lines = `
npm: run run-script rum urn test t tst start stop restart install i in ins add ci clean-install ic
  install-test it uninstall unlink remove rm r un update up upgrade udpate outdated ls list la ll
  view info show v audit fund prune dedupe ddp find-dupes pack version root bin prefix whoami ping
  doctor why explain query rebuild rb link ln search s se help diff sbom
  shrinkwrap completion
npm pkg: get
pnpm: any
yarn: any
bun: any
nx: any
turbo: any
next: dev build start lint info telemetry
vitest: any
ruff: check format rule version clean linter config
rails: test spec routes db:migrate db:migrate:status db:seed db:setup db:create db:rollback db:test:prepare server s
  generate g assets:precompile stats about zeitwerk:check
jj: log status st diff show describe desc new commit bookmark branch op squash rebase edit abandon
  git
playwright: test install show-report merge-reports
cypress: run verify info version
biome: check lint format ci version explain rage start stop
cargo: build b check c test t run r bench doc d clean clippy fmt fix tree metadata search update add
  remove rm fetch vendor version verify-project generate-lockfile locate-project pkgid package
  nextest llvm-cov audit deny machete hack expand
go: build test vet install list mod get fmt generate clean doc version env tool work telemetry help
go mod: tidy download verify why graph vendor init edit
go work: init use sync edit vendor
golangci-lint: run linters version config
pip: install uninstall list show freeze check index search cache inspect debug hash wheel help
pip3: install uninstall list show freeze check index search cache inspect debug hash wheel help
uv: sync add remove lock tree export version python venv pip build cache self help
poetry: install add remove update lock show check build version env search list about self sync
uv python: list find dir install pin
uv cache: clean prune dir
uv self: version
poetry env: info list activate
poetry self: show
pre-commit: run clean gc validate-config
coverage: run report html xml json lcov combine erase debug
bundle: install update check list show outdated info lock add remove clean doctor pristine
gem: list search info install uninstall outdated query specification environment contents which
composer: install update require remove show outdated validate dump-autoload dumpautoload
  check-platform-reqs audit why why-not licenses search status diagnose test lint run-script about
  info suggests fund
dotnet: build test run restore publish clean format list add remove new pack sln tool nuget watch
  help ef
dotnet tool: list restore
dotnet nuget: locals
dotnet sln: list add remove
swift package: resolve update describe show-dependencies dump-package clean reset init
swift: build test run package
terraform state: list show pull
terraform providers: schema
terraform workspace: list show select new
terraform: init validate fmt show output state providers version graph get workspace refresh
docker: ps images logs inspect pull push stop start restart kill rm rmi stats top port version info
  events diff history tag network volume image system search pause unpause wait rename update
  context builder
docker buildx: ls inspect du version
docker context: ls list inspect show
docker network: ls list inspect create rm remove connect disconnect prune
docker volume: ls list inspect create rm remove prune
docker image: ls list inspect rm prune pull push tag history
docker system: df info events prune
docker builder: prune
docker compose: up down ps logs pull push start stop restart rm config images top kill pause unpause
  events port version ls create watch wait stats
docker-compose: up down ps logs pull push start stop restart rm config images top kill pause unpause
  events port version ls create
docker container: ls list ps logs inspect stop start restart rm prune stats top kill
podman: ps images logs inspect pull push stop start restart kill rm rmi stats top port version info
  history tag network volume image search
kubectl: get describe logs apply delete create rollout scale top explain api-resources api-versions
  version cluster-info label annotate diff wait set patch auth expose autoscale cordon uncordon
  drain taint events replace
kubectl rollout: status history restart undo pause resume
kubectl auth: can-i whoami
helm repo: list ls update
helm dependency: list ls build update
helm dep: list ls build update
helm: list ls status get history template lint install upgrade uninstall rollback repo search show
  dependency dep version test env package pull create
rustup: show update check component target toolchain which doc man
brew: list ls info search outdated deps uses update upgrade install uninstall cleanup doctor config
  leaves services
brew services: list info
hg: log history status st diff identify id summary branch branches bookmarks tags heads parents paths
  annotate cat files locate manifest add addremove commit ci update up pull push merge revert resolve
  forget remove rm rename mv copy cp graft rebase shelve unshelve tag tip verify version root outgoing
  incoming
svn: log status st stat diff di info cat list ls blame update up add commit ci revert checkout co
  cleanup resolve resolved delete rm mkdir move mv copy cp lock unlock
bazel: build test query cquery aquery info version clean run coverage fetch sync shutdown mod analyze-profile
meson: setup configure compile test install introspect dist init
mix: test compile format deps deps.get deps.compile deps.tree deps.update deps.clean clean credo
  dialyzer docs help ecto.create ecto.migrate ecto.rollback ecto.reset ecto.setup ecto.drop
  ecto.gen.migration phx.routes phx.server hex.info hex.outdated hex.audit xref coveralls release
openssl: version x509 dgst rand base64 verify req rsa pkey ec asn1parse crl list ciphers passwd speed
  prime enc
redis-cli: get GET mget MGET set SET del DEL keys KEYS scan SCAN ttl TTL type TYPE info INFO ping PING
  dbsize DBSIZE exists EXISTS hget HGET hgetall HGETALL hkeys HKEYS lrange LRANGE llen LLEN smembers
  SMEMBERS scard SCARD zrange ZRANGE zcard ZCARD strlen STRLEN xlen XLEN xrange XRANGE
git: rev-list ls-tree write-tree verify-commit cherry name-rev count-objects fsck prune repack pack-refs
  merge-tree sparse-checkout show-branch var gc describe merge-base show-ref version
git lfs: track untrack ls-files status fetch pull push checkout prune env version locks lock unlock
  fsck logs migrate
git stash: pop apply drop clear branch list show push save
git submodule: status update init sync summary
git notes: show list remove prune
git reflog: expire delete exists
git bisect: start good bad skip reset log terms replay new old
git remote: show get-url update prune add remove rename rm set-url set-head set-branches
deno: run test check fmt lint bench info doc cache task types add remove install coverage outdated
mise tasks: ls info deps
conda env: list create update export remove
mise: run r tasks ls list current version doctor which env
conda: list info env search install create update activate deactivate
rustup toolchain: list install uninstall
crystal: spec build run tool docs deps version
storybook: dev build
rclone: ls lsf lsl lsd size check version about tree md5sum
`;

export const otherSubcommands: Readonly<Record<string, string>> = Object.fromEntries(
  lines
    .replaceAll(/\n[ \t]+/g, " ")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(": ") as [string, string]),
);
