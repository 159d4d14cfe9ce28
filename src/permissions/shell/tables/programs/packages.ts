// Package managers and what runs programs of packages. Which script they run is the rule's business;
// options that move them elsewhere are not.
import type { CommandSpec } from "../command-spec.ts";

const launcher: CommandSpec = { launches: true, strict: true, operands: "none" };
const runner = (sentence: string): CommandSpec => ({ ...launcher, spelled: sentence });

const pipConfig: CommandSpec = { asks: "pip config changes where code comes from." };
const npmConfig: CommandSpec = {
  operands: "none",
  asks: "npm config changes where code comes from.",
};

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
    config: npmConfig,
    c: npmConfig,
    set: npmConfig,
    login: { asks: "npm login stores credentials." },
    adduser: { asks: "npm adduser stores credentials." },
    logout: { asks: "npm logout changes credentials." },
    pkg: {
      spelled: "npm pkg can change what scripts run.",
      operands: "none",
      subcommands: {
        set: { spelled: "npm pkg set changes what scripts run.", operands: "none" },
        delete: { spelled: "npm pkg delete changes what scripts run.", operands: "none" },
      },
    },
    audit: {
      operands: "unknown",
      subcommands: {
        fix: { spelled: "npm audit fix changes which packages are used.", operands: "unknown" },
        signatures: { operands: "none" },
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
    nextest llvm-cov audit deny machete hack expand`
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
      publish: { asks: "pnpm publish sends the package to everybody." },
      server: { asks: "pnpm server starts a server." },
      env: { asks: "pnpm env changes which node runs." },
      setup: { asks: "pnpm setup writes the start files of the shell." },
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
      global: { asks: "yarn global installs programs for every project." },
      publish: { asks: "yarn publish sends the package to everybody." },
      npm: { asks: "yarn npm signs in and sends packages." },
      // The words behind the name are those of yarn itself.
      workspace: { operands: "none", strict: true, judge: "workspace" },
      workspaces: {
        operands: "none",
        subcommands: {
          list: { operands: "none" },
          info: { operands: "none" },
          focus: { operands: "none" },
          run: { operands: "none" },
          foreach: { asks: "yarn workspaces foreach runs any command of yarn." },
        },
      },
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
    subcommands: { config: pipConfig },
    runs: `
      --index-url -i --extra-index-url --find-links -f --trusted-host --proxy --target -t --prefix
      --root --config-settings --python --global-option`,
    reads: "-r --requirement -c --constraint -e --editable",
  },
  pip3: {
    options: "anywhere",
    operands: "unknown",
    writes: "--log -d --dest --src --report",
    subcommands: { config: pipConfig },
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
      use: { asks: "mise use changes which programs run." },
      set: { asks: "mise set changes the environment of programs." },
    },
  },
  asdf: { operands: "unknown", subcommands: { exec: runner("asdf exec runs any program.") } },
  tox: {
    tasks: "-e --",
    operands: "unknown",
    subcommands: {
      exec: runner("tox exec runs any program."),
      e: runner("tox exec runs any program."),
    },
    runs: "-c --conf --root --workdir -x --override",
  },
  nox: { tasks: "-s -e --session --sessions --", operands: "unknown", runs: "-f --noxfile" },
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
};
