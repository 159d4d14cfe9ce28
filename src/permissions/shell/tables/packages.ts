// Build tools and package managers. Which script or target they run is the rule's business; options that move them elsewhere are not.
import type { CommandSpec } from "./command-spec.ts";

const npm: CommandSpec = {
  operands: "unknown",
  valued: "--workspace -w --loglevel --omit --include --tag --otp --access",
  runs: "--prefix -C --script-shell --userconfig --globalconfig --node-options --shell --git --registry --scripts-prepend-node-path --editor --viewer --init-module --cafile --onload-script --call -c --package -p",
  subcommands: { exec: { asks: "npm exec downloads and runs a package." }, x: { asks: "npm x downloads and runs a package." }, explore: { asks: "npm explore runs a shell." }, edit: { asks: "npm edit runs an editor." }, "set-script": { asks: "npm set-script writes scripts." }, config: { operands: "none", asks: "npm config changes where code comes from." }, init: { asks: "npm init downloads and runs a package." }, create: { asks: "npm create downloads and runs a package." } },
};

export const packageCommands: Record<string, CommandSpec> = {
  npm,
  pnpm: { operands: "unknown", valued: "-F --filter --loglevel --reporter", runs: "-C --dir --prefix --script-shell --config --registry --shell-mode -c --modules-dir --store-dir --hook", subcommands: { dlx: { asks: "pnpm dlx downloads and runs a package." }, exec: { operands: "unknown", runs: "-c --shell-mode" }, config: { asks: "pnpm config changes where code comes from." } } },
  yarn: { operands: "unknown", runs: "--use-yarnrc --cwd --modules-folder --registry --scripts-prepend-node-path --cache-folder --global-folder --plugins --yarn-path", subcommands: { dlx: { asks: "yarn dlx downloads and runs a package." }, config: { asks: "yarn config changes where code comes from." }, plugin: { asks: "yarn plugin adds code to yarn." }, set: { asks: "yarn set changes which yarn runs." } } },
  npx: { operands: "unknown", strict: true, runs: "-c --call -p --package --prefix --registry --userconfig --node-options -y --yes --shell --script-shell" },
  bunx: { operands: "unknown", strict: true, runs: "-p --package --bun" },
  make: { judge: "make", operands: "none", valued: "-W -o --what-if --new-file --old-file --assume-new --assume-old", runs: "-f --file --makefile -C --directory -I --include-dir -E --eval --debug" },
  gmake: { judge: "make", operands: "none", runs: "-f --file --makefile -C --directory -I --include-dir -E --eval" },
  just: { operands: "unknown", runs: "-f --justfile -d --working-directory --shell --shell-arg --chooser --dotenv-path --set -c --command" },
  ninja: { operands: "unknown", runs: "-f -C -t", valued: "-j -k -l -d" },
  cmake: { operands: "unknown", runs: "-P -C -E --toolchain --build --install --debugger", valued: "-G" },
  cargo: { operands: "unknown", valued: "-p -j --package --features --target --profile --test --example --bench --message-format --color", runs: "--config --manifest-path -C -Z --target-dir --lockfile-path --registry --index --git" },
  go: { operands: "unknown", runs: "-exec -toolexec -C -modfile -overlay -vettool -ldflags -gcflags -compiler", writes: "-o", valued: "-run -count -timeout -tags -bench -p", singleDash: true, subcommands: { generate: { asks: "go generate runs commands that files name." }, env: { operands: "none", runs: "-w -u", singleDash: true }, run: { operands: "execute", runs: "-exec -toolexec", singleDash: true } } },
  pip: { operands: "unknown", runs: "--index-url -i --extra-index-url --find-links -f --trusted-host --proxy --target -t --prefix --root --config-settings --python --global-option", reads: "-r --requirement -c --constraint" },
  pip3: { operands: "unknown", runs: "--index-url -i --extra-index-url --find-links -f --trusted-host --proxy --target -t --prefix --root --python", reads: "-r --requirement -c --constraint" },
  uv: { operands: "unknown", runs: "--directory --project --config-file --index-url --extra-index-url --default-index --index --with --python -p" },
  poetry: { operands: "unknown", runs: "-C --directory -P --project" },
  gem: { operands: "unknown", runs: "--source -s --config-file --install-dir -i" },
  bundle: { operands: "unknown", runs: "--gemfile --path", subcommands: { exec: { operands: "unknown" } } },
  composer: { operands: "unknown", runs: "-d --working-dir", subcommands: { exec: { asks: "composer exec runs a program." }, config: { asks: "composer config changes where code comes from." } } },
  mvn: { operands: "unknown", runs: "-f --file -s --settings -gs --global-settings -D --define" },
  gradle: { operands: "unknown", runs: "-b --build-file -p --project-dir -I --init-script -g --gradle-user-home --include-build -D -c --settings-file" },
  tsc: { operands: "unknown", lists: "-p --project", writes: "--outDir --outFile --declarationDir", valued: "--target --module --lib --jsx --moduleResolution" },
  eslint: { operands: "unknown", runs: "-c --config --rulesdir --resolve-plugins-relative-to --plugin --parser -f --format", edits: "--fix", writes: "-o --output-file --cache-location" },
  prettier: { operands: "unknown", runs: "--config --plugin --plugin-search-dir --find-config-path", edits: "-w --write" },
  jest: { operands: "unknown", runs: "-c --config --rootDir --setupFiles --setupFilesAfterEnv --globalSetup --runner --testRunner --reporters --transform --resolver" },
  vitest: { operands: "unknown", runs: "-c --config -r --root --dir --reporter --environment --pool" },
  pytest: { operands: "unknown", runs: "-p -c --rootdir --confcutdir -o --override-ini --pyargs --import-mode --basetemp --pdbcls", valued: "-k -m -n --maxfail --tb --durations" },
};
