// The programs that can prove a claim, as data: which words of a command line run tests, build, check
// types, lint, format, deliver. A word with a dash must be among the options; `*` is any word.
import type { ResultSubject } from "../../result-subject.ts";

export type Ecosystem =
  | "js"
  | "python"
  | "go"
  | "rust"
  | "jvm"
  | "ruby"
  | "php"
  | "dotnet"
  | "elixir"
  | "swift"
  | "c"
  | "any";

/** Claims that a run proves, the first one first. `fixes`: it changes what it finds, so it proves less. */
export type KnownTool = {
  subjects: readonly ResultSubject[];
  ecosystem: Ecosystem;
  calls: readonly string[];
  fixes: boolean;
};

/** A line: claims, "fixing" where it is no check, the ecosystem, the calls. */
const rows = `
tests js: vitest, jest, mocha, ava, tap, tape, jasmine, karma start, cypress run, uvu
tests+types js: deno test
tests js: playwright test, node --test, tsx --test, bun test, c8, nyc, lab, qunit
tests js: react-scripts test, vue-cli-service test:unit, ng test, wtr, web-test-runner, nx test
tests js: testcafe, codeceptjs run, turbo test, turbo run test, lerna run test
tests python: pytest, py.test, unittest, nose2, nosetests, tox, nox, behave, trial, ward
tests python: manage.py test, django-admin test, hatch test, robot, green, stestr run, doctest
tests python: coverage run, slipcover
tests+build+types go: go test, gotestsum, ginkgo, richgo test
tests+build+types rust: cargo test, cargo nextest run, cargo t, cargo tarpaulin, cargo llvm-cov
tests+build+types jvm: mvn test, mvn package, sbt test, lein test
tests+build+types+checks jvm: mvn verify, mvn install, gradle check, gradle build
tests+build+types jvm: gradle test, mill test, clojure -M:test
tests+build+types jvm: gradle *Test, gradle testDebugUnitTest, ant test
tests ruby: rspec, rake test, rake spec, rails test, minitest, cucumber, rake, m, parallel_rspec
tests php: phpunit, pest, codecept run, artisan test, paratest, simple-phpunit, behat, phpspec run
tests+build+types dotnet: dotnet test, vstest, xunit.console, nunit3-console
tests+build elixir: mix test, mix coveralls
tests+build+types swift: swift test, xcodebuild test, flutter test, dart test, xctest
tests c: ctest, meson test, make test, make check, ninja test, bazel test, buck2 test, zig test
tests c: cabal test, stack test, zig build test, dune test, dune runtest, nimble test
tests c: crystal spec
tests any: bats, shellspec, busted, prove, roundup, shunit2, terraform test, kuttl test
tests any: hurl --test
build js: vite build, webpack, rollup, esbuild, parcel build, next build, nuxt build, astro build
build js: tsup, ng build, react-scripts build, vue-cli-service build, swc, microbundle, ncc build
build js: turbo build, turbo run build, nx build, lerna run build, bun build, svelte-kit build
build js: gatsby build, remix build, expo export, electron-builder, rspack build, unbuild, pkgroll
build+types js: eleventy, docusaurus build, storybook build, tsc -b, tsc --build
build python: build, poetry build, hatch build, setup.py build, setup.py bdist_wheel, uv build
build python: flit build, mkdocs build, sphinx-build, py_compile, compileall, maturin build
build python: pyinstaller
build+types go: go build, go install, goreleaser build, go vet
build+types rust: cargo build, cargo check, cargo b, cargo c, rustc, trunk build, wasm-pack build
build+types rust: cargo tauri build, cargo clippy, cargo bench, cargo run
build+types jvm: mvn compile, mvn test-compile, gradle assemble, gradle compileJava, javac
build+types jvm: gradle *compile*, gradle build, gradle assemble*, sbt compile, kotlinc, scalac
build+types dotnet: dotnet build, dotnet publish, dotnet run, msbuild
build elixir: mix compile, mix release
build+types swift: swift build, xcodebuild build, xcodebuild, flutter build
build ruby: gem build, jekyll build, rake build, assets:precompile
build c: make, cmake --build, ninja, meson compile, gcc, g++, clang, clang++, bazel build, cc, c++
build c: zig build, cabal build, stack build, dune build, nim c, crystal build, ghc, buck2 build
build any: docker build, docker compose build, docker buildx build, podman build, nix build, hugo
build any: terraform validate, packer build, latexmk, pdflatex
types+build js: tsc, vue-tsc, svelte-check, flow check, astro check, deno check, tsgo, attw
types python: mypy, pyright, basedpyright, pyre check, pytype, ty check, dmypy run
types php: phpstan analyse, psalm, phpstan
types ruby: srb tc, steep check
types elixir: mix dialyzer
types+build rust: cargo check, cargo c
types+build go: go vet, staticcheck
lint js: eslint, oxlint, biome check, biome lint, biome ci, tslint, standard, xo, stylelint
lint js: next lint, ng lint, deno lint, turbo lint, turbo run lint, nx lint, htmlhint, jshint
lint js: markdownlint, markdownlint-cli2, commitlint, knip, publint, svelte-check
lint python: ruff check, ruff, flake8, pylint, pycodestyle, pydocstyle, bandit, vulture
lint python: prospector
lint go: golangci-lint run, golangci-lint, go vet, staticcheck, revive, golint
lint rust: cargo clippy, clippy-driver, cargo deny check, cargo audit
lint jvm: gradle lint, gradle ktlintCheck, gradle detekt, gradle checkstyleMain
lint jvm: mvn checkstyle:check, ktlint, detekt, checkstyle, spotbugs, pmd, gradle spotlessCheck
lint jvm: mvn spotless:check
lint ruby: rubocop, standardrb, reek, brakeman, erblint
lint php: phpcs, php-cs-fixer check, pint --test, phpstan analyse, phpstan, psalm, phpmd, php -l
lint dotnet: dotnet format --verify-no-changes
lint elixir: mix credo
lint swift: swiftlint, swiftlint lint, dart analyze, flutter analyze
lint c: clang-tidy, cppcheck, cpplint
lint any: shellcheck, hadolint, yamllint, actionlint, tflint, ansible-lint, sqlfluff lint
lint any: buf lint, pre-commit run, prek run, trunk check, semgrep, vale, helm lint
lint any: kube-linter lint, super-linter
security js: npm audit, pnpm audit, yarn audit, yarn npm audit, bun audit, snyk test, retire
security python: bandit, pip-audit, safety check, safety scan
security go: govulncheck, gosec
security rust: cargo audit, cargo deny check
security ruby: brakeman, bundle audit, bundler-audit
security php: composer audit
security any: semgrep, gitleaks, trufflehog, trivy, grype, osv-scanner, checkov, tfsec, detect-secrets scan
format js: prettier --check, prettier -c, prettier --list-different, biome format, biome ci
format js: deno fmt --check, oxfmt --check, dprint check, biome check
format python: black --check, ruff format --check, isort --check, isort --check-only, yapf --diff
format go: gofmt -l, gofmt -d, goimports -l, gofumpt -l
format rust: cargo fmt --check, rustfmt --check
format any: terraform fmt -check, mix format --check-formatted, clang-format --dry-run, shfmt -d
format jvm: gradle spotlessCheck, mvn spotless:check
format php: php-cs-fixer fix --dry-run, php-cs-fixer check, pint --test
format fixing any: prettier --write, prettier -w, black, isort, gofmt -w, rustfmt, oxfmt
format fixing any: cargo fmt, go fmt, mix format, ruff format, dprint fmt, terraform fmt, deno fmt
format fixing any: goimports -w, gradle spotlessApply, dotnet format, shfmt -w, mvn spotless:apply
format fixing php: php-cs-fixer fix, pint, phpcbf, ecs check --fix, rector process
format fixing any: clang-format -i, swiftformat, ktlint -F, google-java-format -i, standardrb --fix
deploy any: vercel, vercel deploy, vercel --prod, netlify deploy, fly deploy, flyctl deploy
deploy any: wrangler deploy, wrangler publish, wrangler pages deploy, firebase deploy
deploy any: serverless deploy, sls deploy, cdk deploy, terraform apply, tofu apply, pulumi up
deploy any: kubectl apply, kubectl rollout, kubectl set image, helm upgrade, helm install
deploy any: helmfile apply, helmfile sync, gcloud app deploy, gcloud run deploy
deploy any: gcloud functions deploy, aws deploy, aws s3 sync, aws s3 cp
deploy any: aws lambda update-function-code, aws ecs update-service, aws cloudformation deploy
deploy any: sam deploy, eb deploy, heroku container:release, railway up, render deploys create
deploy any: az webapp deploy, az webapp up, ansible-playbook, cap deploy, kamal deploy
deploy any: docker stack deploy, docker compose up, surge, gh-pages, argocd app sync, nomad run
deploy any: amplify publish, skaffold run, copilot deploy, gh workflow run
deploy any: supabase functions deploy, mix deploy, git push heroku, git push dokku, rsync, scp
deploy any: cf push, dokku deploy, waypoint up, ssh, convex deploy, cap production deploy
deploy any: cap staging deploy, cap * deploy, gcloud deploy, doctl apps create-deployment, eas update
deploy any: kubectl create, kubectl replace, kubectl scale, kustomize build, flux reconcile, oc apply
deploy any: docker service update, docker compose pull, az containerapp up, az functionapp deploy
deploy any: func azure functionapp publish, deployctl deploy, modal deploy, sst deploy, nixos-rebuild switch
publish any: npm publish, pnpm publish, yarn publish, yarn npm publish, bun publish, cargo publish
publish any: jsr publish, twine upload, poetry publish, uv publish, flit publish, hatch publish
publish any: gem push, docker push, mvn deploy, gradle publish, gradle publish*, dotnet nuget push
publish any: nuget push, mix hex.publish, vsce publish, ovsx publish, lerna publish
publish any: changeset publish, semantic-release, release-it, gh release create
publish any: goreleaser release, goreleaser, cargo release, podman push, helm push, crane push
publish any: docker buildx build --push, skopeo copy, oras push, dart pub publish
publish any: flutter pub publish, np, deno publish, pod trunk push, npx publish, wally publish
publish any: luarocks upload, twine, git push --tags, npm dist-tag add, gh release upload, nx release
publish any: changeset publish, cargo workspaces publish, sbt publish, lein deploy, stack upload
commit any: git commit, git cherry-pick, git merge, git revert, jj commit, gh pr merge, sl commit
commit any: git am, npm version, pnpm version, yarn version, lerna version, cargo release, release-it
commit any: semantic-release, bump2version, bumpversion, bump-my-version, np, jj describe
push any: git push, jj git push, gh pr create, hub push, sl push, gt submit, gh repo sync
push any: git subtree push
merge any: gh pr create, gh pr merge, glab mr create, glab mr merge, git merge, hub pull-request
merge any: gt submit
migration any: prisma migrate deploy, prisma migrate dev, prisma db push, alembic upgrade
migration any: rails db:migrate, rake db:migrate, manage.py migrate, knex migrate:latest
migration any: sequelize db:migrate, flyway migrate, typeorm migration:run, liquibase update
migration any: goose up, diesel migration run, sqlx migrate run, mix ecto.migrate, artisan migrate
migration any: drizzle-kit migrate, drizzle-kit push, dbmate up, migrate up, atlas migrate apply
migration any: doctrine:migrations:migrate, flask db upgrade, dotnet ef database update
migration any: supabase db push, supabase migration up, kysely migrate:latest
migration any: sea-orm-cli migrate up, psql, mvn flyway:migrate, gradle flywayMigrate
migration any: sqitch deploy, php bin/console doctrine:migrations:migrate, console doctrine:migrations:migrate
migration any: mikro-orm migration:up, gradle update, mvn liquibase:update, hasura migrate apply
migration any: rails db:prepare, rails db:schema:load, ent migrate, bun migrate, node-pg-migrate up
`;

export const knownTools: readonly KnownTool[] = rows
  .trim()
  .split("\n")
  .map((line) => {
    const [lead, calls] = line.split(": ") as [string, string];
    const words = lead.split(" ");
    return {
      subjects: words[0]!.split("+") as ResultSubject[],
      ecosystem: words.at(-1) as Ecosystem,
      calls: calls.split(", "),
      fixes: words.includes("fixing"),
    };
  });
