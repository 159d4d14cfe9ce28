// Known options of containers, network tools and languages, in the form of known-options.ts.

const pod = `
  -n~ -A -o~ -l~ -w -L~ --namespace~ --all-namespaces --output~ --selector~ --watch --show-labels
  --sort-by~ --field-selector~ --no-headers --label-columns~ --ignore-not-found --chunk-size~
  --show-kind --limit~
`;
const docker = `
  -a -q -f~ -n~ -l -s --all --quiet --filter~ --format~ --no-trunc --last~ --latest --size --digests
  --tree
`;
const gh = `
  -R~ -L~ -s~ -q~ -w -t~ -b~ -a~ -A~ -l~ -m~ -B~ -H~ -S~ -r~ -e~ -c -d -p~ -v -T=~ --repo~ --limit~
  --state~ --json~ --jq~ --web --title~ --body~ --assignee~ --author~ --label~ --milestone~ --base~
  --head~ --search~ --reviewer~ --draft --fill --fill-first --fill-verbose --dry-run --project~
  --comments --comment~ --app~ --mention~ --approve --request-changes --add-label~ --remove-label~
  --add-assignee~ --remove-assignee~ --add-reviewer~ --remove-reviewer~ --add-project~
  --remove-project~ --squash --merge --rebase --auto --admin --delete-branch --subject~
  --match-head-commit~ --disable-auto --watch --required --fail-fast --interval~ --name-only --patch
  --color~ --undo --reason~ --branch~ --workflow~ --event~ --commit~ --user~ --status~ --created~
  --all --log --log-failed --job~ --attempt~ --exit-status --compact --ref~ --raw-field~ --failed
  --debug --verbose --language~ --topic~ --visibility~ --archived --fork=~ --source --sort~ --order~
  --owner~ --created~ --updated~ --stars~ --notes~ --generate-notes --notes-start-tag~ --prerelease
  --latest=~ --target~ --verify-tag --exclude-drafts --exclude-pre-releases --private --public
  --internal --description~ --homepage~ --yes --lock-reason~ --duplicate-of~ --readme --edit-last
  --add-readme --detach --force --recurse-submodules --recover~ --no-maintainer-edit --cleanup-tag
`;

export const toolOptions = `
fuser: -a -c -l -m -n~ -s -u -v -4 -6 -M -I --all --list-signals --mount --namespace~ --silent --user
  --verbose --ismountpoint
ss: -a -l -n -r -t -u -w -x -o -e -m -p -i -s -4 -6 -0 -f~ -A~ -H -O -Z -z -b -N~ --all --listening
  --numeric --tcp --udp --unix --processes --summary --family~ --query~ --no-header
arp: -a -e -n -v -i~ -H~ --numeric --verbose --device~
terraform: -version -help
terraform others: -no-color -input=~ -lock=~ -lock-timeout~ -refresh=~ -target~ -var~ -json
  -detailed-exitcode -compact-warnings -parallelism~ -upgrade -reconfigure -migrate-state -backend=~
  -get=~ -check -diff -recursive -write=~ -list=~ -raw -destroy -refresh-only -replace~
terraform plan: -no-color -input=~ -lock=~ -lock-timeout~ -refresh=~ -target~ -var~ -json
  -detailed-exitcode -compact-warnings -parallelism~ -destroy -refresh-only -replace~
docker: -D -l~ -v --debug --log-level~ --version --tls
docker others: ${docker} --volumes --force --no-stream --timestamps -t~ --time~ --since~ --until~
  --tail~ --follow --details --platform~ --signal~ --rm --pull~ --type~ --prune --filter~
docker logs: -f -t -n~ --details --follow --since~ --tail~ --timestamps --until~
docker run: -d -i -t -it --rm --init --name~ -e~ --env~ -w~ --workdir~ -u~ --user~ --hostname~ -h~
  --label~ -l~ -m~ --memory~ --cpus~ --restart~ --platform~ --pull~ --detach --interactive --tty
  --read-only --no-healthcheck --stop-timeout~ --shm-size~ --quiet -q --log-driver~ -p~ --publish~
  -P --network-alias~ --tmpfs~
docker create: --name~ -e~ --env~ -w~ -u~ --rm --platform~
docker exec: -d -i -t -it -e~ -w~ -u~ --detach --interactive --tty --env~ --user~ --workdir~
docker build: -q -t~ --build-arg~ --no-cache --pull --quiet --rm --tag~ --target~ --platform~
  --progress~ --label~ --load --push --cache-from< --cache-to> --compress --force-rm --squash
  --network~
docker buildx build: -q -t~ --build-arg~ --no-cache --pull --quiet --tag~ --target~ --platform~
  --progress~ --label~ --load --push --cache-from< --cache-to> --builder~ --provenance~ --sbom~
docker compose: -p~ --project-name~ --ansi~ --progress~ --compatibility --dry-run --parallel~
  --profile~
docker compose others: -a -d -f -q -t~ -v -V -y --abort-on-container-exit --all --attach~ --build
  --detach --exit-code-from~ --force --force-recreate --format~ --follow --index~ --no-build
  --no-color --no-deps --no-log-prefix --no-recreate --no-start --orphans --pull~ --quiet
  --quiet-pull --remove-orphans --rmi~ --scale~ --services --signal~ --since~ --status~ --tail~
  --timeout~ --timestamps --until~ --volumes --wait --wait-timeout~ --images --profiles --no-cache
  --filter~ --parallel~ --ignore-pull-failures --include-deps --stop --watch -n~ --dry-run
  --no-trunc --hash~ --resolve-image-digests --no-interpolate --no-normalize --no-consistency
  --renew-anon-volumes
docker compose exec: -d -e~ -T -u~ -w~ --detach --env~ --index~ --no-TTY --user~ --workdir~ -i
  --interactive=~
docker compose run: -d -e~ -i -l~ -P -T -u~ -w~ --build --detach --env~ --label~ --name~ --no-deps
  --no-TTY --quiet-pull --rm --service-ports --use-aliases --user~ --workdir~ --remove-orphans
docker compose logs: -f -n~ -t --follow --index~ --no-color --no-log-prefix --since~ --tail~
  --timestamps --until~
docker compose build: -q --build-arg~ --no-cache --progress~ --pull --push --quiet
  --with-dependencies --parallel -m~ --memory~
kubectl: -n~ --namespace~ -v~ --request-timeout~ --cluster~ --user~ --warnings-as-errors
kubectl others: ${pod} -c~ -f< -p -k< -R --container~ --filename< --previous --since~ --since-time~
  --tail~ --timestamps --follow --all-containers=~ --prefix --dry-run=~ --wait=~ --timeout~ --for~
  --force --grace-period~ --record --recursive --overwrite --all --cascade=~ --now --replicas~
  --current-replicas~ --image~ --type~ --patch~ --short --client --watch-only --server-side=~
  --field-manager~ --prune --max-log-requests~ --show-managed-fields --to-revision~ --revision~
  --no-headers --containers --heads --api-group~ --namespaced=~ --verbs~ --resource~ -i -q --quiet
kubectl kustomize: -e~ --env~ --as-current-user --network-name~ --helm-api-versions~ --helm-debug
  --helm-kube-version~ -o> --output>
helm others: -n~ -f< -o~ -q -a -A --namespace~ --values< --set~ --set-string~ --set-file<
  --set-json~ --dry-run=~ --debug --wait --timeout~ --create-namespace --install -i --version~
  --output~ --all --all-namespaces --atomic --force --reuse-values --reset-values --history-max~
  --cleanup-on-fail --include-crds --show-only~ -s~ --revision~ --max~ --devel --skip-tests --strict
  --validate --is-upgrade --kube-context~ --filter~ --deployed --failed --pending --short --no-hooks
  --keep-history --dependency-update
gh: -R~ --repo~ --version
gh others: ${gh}
gh run download: -n~ -p~ -R~ --name~ --pattern~ --repo~
gh release download: -p~ -R~ -A~ --pattern~ --repo~ --archive~ --clobber --skip-existing
gh api: -i -q~ -t~ -p~ -H~ -X~ -f~ -F~ --jq~ --template~ --paginate --slurp --include --silent
  --verbose --header~ --cache~ --preview~ --method~ --raw-field~ --field~ --input<
curl: -# -0 -1 -2 -3 -4 -6 -a -A~ -b~ -B -C~ -d~ -e~ -f -F~ -g -G -H~ -i -I -j -J -k -l -L -m~ -M
  -N -O -p -q -r~ -R -s -S -T~ -u~ -v -V -w~ -X~ -y~ -Y~ -z~ -Z --anyauth --basic --compressed
  --compressed-ssh --connect-timeout~ --cookie~ --create-dirs --crlf --data~ --data-ascii~
  --data-binary~ --data-raw~ --data-urlencode~ --digest --fail --fail-early --fail-with-body --form~
  --form-string~ --get --globoff --head --header~ --http1.0 --http1.1 --http2
  --http2-prior-knowledge --http3 --include --insecure --ipv4 --ipv6 --json~ --junk-session-cookies
  --keepalive-time~ --limit-rate~ --list-only --location --max-filesize~ --max-redirs~ --max-time~
  --negotiate --no-buffer --no-keepalive --no-progress-meter --no-sessionid --ntlm --parallel
  --parallel-max~ --path-as-is --post301 --post302 --post303 --progress-bar --range~ --raw
  --referer~ --remote-header-name --remote-name --remote-name-all --remote-time --request~ --retry~
  --retry-all-errors --retry-connrefused --retry-delay~ --retry-max-time~ --show-error --silent
  --speed-limit~ --speed-time~ --ssl-reqd --styled-output --tcp-nodelay --tls-max~ --tlsv1.2
  --tlsv1.3 --tr-encoding --upload-file~ --url-query~ --user~ --user-agent~ --verbose --version
  --write-out~ --xattr --oauth2-bearer~ --ciphers~
wget: -# -4 -6 -A~ -b -c -d -D~ -E -F -H -k -K -l~ -L -m -N -nc -nd -nH -np -nv -p -q -Q~ -r -R~ -S
  -t~ -T~ -U~ -v -w~ -x --accept~ --adjust-extension --backups=~ --background --body-data~
  --compression~ --connect-timeout~ --content-disposition --content-on-error --continue
  --convert-links --cut-dirs~ --delete-after --dns-timeout~ --domains~ --exclude-directories~
  --exclude-domains~ --force-directories --header~ --https-only --ignore-case --inet4-only
  --inet6-only --level~ --limit-rate~ --max-redirect~ --method~ --mirror --no-cache
  --no-check-certificate --no-clobber --no-cookies --no-directories --no-dns-cache
  --no-host-directories --no-http-keep-alive --no-parent --no-proxy --no-verbose --page-requisites
  --password~ --post-data~ --progress~ --protocol-directories --quiet --quota~ --random-wait
  --read-timeout~ --recursive --referer~ --reject~ --restrict-file-names~ --retry-connrefused
  --secure-protocol~ --server-response --show-progress --span-hosts --spider --timeout~
  --timestamping --tries~ --trust-server-names --user~ --user-agent~ --verbose --version --wait~
  --waitretry~
ping: -# -4 -6 -c~ -i~ -n -q -s~ -t~ -W~ -w~ -I~ -a -A -D -f -v
dig: -4 -6 -t~ -x~ -p~ -q~ -b~
nslookup: -type=~ -query=~ -port=~ -timeout=~ -debug
host: -a -c~ -t~ -v -4 -6 -W~ -R~ -T
ssh: -4 -6 -a -C -k -n -q -T -t -V -v -x -y -l~ -p~ -b~ -c~ -m~ -e~
scp: -3 -4 -6 -B -C -p -q -r -v -P~ -l~ -c~
node: -v -h -c --version --help --test --watch --check --trace-warnings --trace-deprecation
  --no-warnings --no-deprecation --enable-source-maps --max-old-space-size~ --test-reporter~
  --test-name-pattern~ --test-only --test-concurrency~ --test-timeout~ --test-force-exit
  --experimental-strip-types --experimental-transform-types --experimental-vm-modules
  --experimental-test-coverage --experimental-test-module-mocks --no-experimental-strip-types
  --unhandled-rejections~ --expose-gc --stack-trace-limit~ --throw-deprecation --pending-deprecation
  --preserve-symlinks --test-update-snapshots --test-isolation~ --test-coverage-include~
  --test-coverage-exclude~ --disable-warning~ --stack-size~ --harmony --v8-options --prof --cpu-prof
  --heap-prof --permission --input-type~ --experimental-sqlite --frozen-intrinsics
python: -# -b -B -d -E -I -O -OO -P -q -s -S -t -u -v -V -x -W~ -X~ --version --help -h
pypy: -B -E -O -s -S -u -v -V -W~ -X~ --version
tsx: --version -v -h
ts-node: -T -v --version --transpile-only --esm --files --swc --type-check --pretty -s
  --skip-project --log-error
perl: -c -v -V -w -W -t -T -0=~ -l=~ -a
ruby: -c -v -w -W=~ -y --version --disable=~ --enable=~ --jit --yjit -h
php: -v -m -i -l -n -q -s -w --version --ini --ri~ -h
deno: --version -V -q --quiet -A
deno others: -q -A --quiet --no-check=~ --check=~ --watch=~ --unstable --allow-read=~ --allow-net=~
  --allow-env=~ --allow-write=~ --allow-sys=~ --allow-import=~ --no-lock --frozen=~ --cached-only
  --fail-fast=~ --parallel --filter~ --ignore~ --doc --shuffle=~ --reporter% --fix --json --all
  --compact --line-width~ --indent-width~ --use-tabs --single-quote --no-semicolons --prose-wrap~
  --ext~ --rules --rules-tags~ --rules-include~ --rules-exclude~ --remote --reload=~ -r=~ --clean
  --no-npm --no-remote --node-modules-dir=~
javac: -verbose -g -nowarn -Xlint=~ -parameters -deprecation -proc:none -encoding~ -source~ -target~
  --release~ --enable-preview -version
java: -version --version -ea -server -showversion --enable-preview -Xmx~ -Xms~ -Xss~
rustc: -O -g -v -V --version --verbose --edition~ --crate-type~ --crate-name~ --test --cfg~ --emit~
  --error-format~ --print~ --explain~ --cap-lints~ -A~ -W~ -D~ -F~ --target~
rustup: -q -v --version -V
rustup others: -q -v --toolchain~ --verbose --profile~ -c~ -t~ --component~ --target~ --force
  --no-self-update --installed
rustfmt: -v -q -l --check --edition~ --verbose --quiet --emit~ --files-with-diff
gcc: -c -E -S -v -w -g -g3 -O -O0 -O1 -O2 -O3 -Os -Og -Ofast -s -static -shared -fPIC -fpic -fPIE
  -pie -pthread -pedantic -Wall -Wextra -Werror -Wpedantic -Wshadow -Wconversion -Wno-unused
  -Wno-unused-parameter -std~ -D~ -U~ -I< -L< -l~ -march~ -mtune~ -m64 -m32 -M -MM -MD -MMD -MP -MT~
  -fsanitize~ -fno-omit-frame-pointer -ffast-math -fopenmp --version -dumpversion -dumpmachine -x~
convert: -resize~ -quality~ -crop~ -rotate~ -strip -flatten -background~ -gravity~ -extent~
  -density~ -colorspace~ -geometry~ -thumbnail~ -trim -alpha~ -auto-orient -append -depth~ -type~
  -units~
magick: -resize~ -quality~ -crop~ -rotate~ -strip -flatten -background~ -gravity~ -extent~ -density~
  -colorspace~ -geometry~ -thumbnail~ -trim -alpha~ -auto-orient -append -depth~
hg: -q -v -r~ -l~ -n -a -m -d -u -U~ -p -w -b -B -I~ -X~ --stat --rev~ --limit~ --git --follow -f
  --graph -G --template~ -T~ --all --quiet --verbose --debug --modified --added --removed --deleted
  --unknown --nodates
svn: -q -v -r~ -l~ -u -c~ -R --limit~ --revision~ --verbose --quiet --show-updates --summarize --xml
  --stop-on-copy --depth~ --non-interactive --diff
jj: -R~ --no-pager --color~ --version
jj others: -r~ -n~ -s -p -m~ -T~ -l~ --revisions~ --revision~ --limit~ --stat --summary --git
  --no-graph --message~ --from~ --to~ --color~ --no-pager --types --name-only --reversed
  --ignore-working-copy --no-edit -d~ -b~ --destination~ --name~ --all
bazel: --noshow_progress --config~ --test_output~ --keep_going -k --jobs~ -j~ --compilation_mode~
  -c~ --verbose_failures --test_filter~ --test_tag_filters~ --build_tests_only
  --nocache_test_results --cache_test_results~ --runs_per_test~ --test_timeout~ --color~ --curses~
  --output~ --notool_deps --noimplicit_deps --show_result~ --test_summary~ --build_tag_filters~
  --local_test_jobs~ --cpu~ --platforms~ --define~ --stamp --nostamp --flaky_test_attempts~
  --noshow_loading_progress
rails others: -p~ -b~ -e~ -v -f -s -n~ --port~ --binding~ --environment~ --verbose --skip-test
  --name~ --seed~
sops: -d --decrypt --input-type~ --output-type~ --extract~
brew: -v --version --prefix=~
brew others: -q -v -d -f -n --quiet --verbose --debug --cask --formula --json=~ --versions
  --installed --dry-run --force --no-quarantine --HEAD --greedy --all --full-name --leaves
shfmt: -d -l -s -i~ -ln~ -bn -ci -sr -kp -fn --diff --list --simplify --indent~
shellcheck: -a -C=~ -e~ -f~ -i~ -o~ -P< -s~ -S~ -V -W~ -x --exclude~ --format~ --severity~ --shell~
  --external-sources --version --norc --color=~ --include~ --enable~
markdownlint: -c< -d -i~ -q --config< --disable~ --enable~ --ignore~ --quiet --dot --json
actionlint: -color -no-color -oneline -verbose -format~ -ignore~ -version
hadolint: --ignore~ --format~ --no-fail --no-color -f~ -V
golangci-lint: --version
golangci-lint others: -v -E~ -D~ -p~ --fast --verbose --timeout~ --enable~ --disable~ --enable-all
  --disable-all --new --new-from-rev~ --skip-dirs~ --tests=~ --build-tags~ --concurrency~
  --out-format% --max-issues-per-linter~ --max-same-issues~ --sort-results --presets~
  --allow-parallel-runners --issues-exit-code~
staticcheck: -checks~ -f~ -tests=~ -version
pre-commit others: -a -v --all-files --files~ --from-ref~ --to-ref~ --hook-stage~
  --show-diff-on-failure --color~ --verbose
tox: -e~ -l -p=~ -q -r -v --listenvs --recreate --quiet --verbose --skip-missing-interpreters=~
  --parallel=~ --notest --version
nox: -s~ -e~ -l -r -R -t~ -k~ -p~ --sessions~ --list --reuse-existing-virtualenvs --tags~
  --keywords~ --no-install --stop-on-first-error -x
coverage: --version
coverage others: -m -i --show-missing --skip-covered --skip-empty --fail-under~ --include~ --omit~
  --precision~ --sort~ --branch --source~ --append -a --keep --ignore-errors --format~ -q --quiet
  --pretty-print --no-skip-covered --title~
protoc: -I< --proto_path< --go_out+ --go_opt~ --go-grpc_out+ --go-grpc_opt~ --python_out+ --pyi_out+
  --cpp_out+ --java_out+ --kotlin_out+ --ruby_out+ --php_out+ --csharp_out+ --objc_out+ --js_out+
  --ts_out+ --include_imports --version
storybook: -p~ --port~ -o+ --output-dir+ --quiet --ci
aws: --region~ --output~ --no-cli-pager --version --query~ --profile~ --no-paginate
gcloud: --format~ --quiet -q --version --filter~ --limit~
yq: -r -P -e -n -M -C -j -y -c --null-input --prettyPrint --no-colors --colors --exit-status
  --raw-output --unwrapScalar=~ --tojson --no-doc --arg~
psql: -A -E -h~ -l -n -p~ -q -t -U~ -d~ -v~ -w -W -x -X -1 -V --csv --dbname~ --host~ --port~
  --username~ --no-password --tuples-only --quiet --list --no-align --no-psqlrc --expanded --version
  -F~ --set~ --single-transaction
`;
