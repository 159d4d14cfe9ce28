// Build tools: which target they build is the rule's business, options that move them elsewhere are
// not.
import type { CommandSpec } from "../command-spec.ts";

/** Properties of maven that choose tests and checks, and reach no further. */
const plainProperties = [
  "test|it\\.test|groups|excludedGroups|skipTests|skipITs|maven\\.test\\.skip|failIfNoTests",
  "surefire\\.fail[A-Za-z]+|style\\.color|spotless\\.check\\.skip|checkstyle\\.skip",
].join("|");

const mvn: CommandSpec = {
  tasks: "",
  operands: "unknown",
  judge: "mvn",
  valued: "-D --define -pl --projects -T --threads -rf --resume-from",
  runs: "-f --file -s --settings -gs --global-settings -D --define",
  harmless: Object.fromEntries(
    ["-D", "--define"].map((name) => [
      name,
      new RegExp(String.raw`^(?:${plainProperties})(?:=[\w.#*+,!-]*)?$`),
    ]),
  ),
};

/** Subcommands that bring code in or send something away. */
const asking = (program: string, names: string): Record<string, CommandSpec> =>
  Object.fromEntries(
    names.split(" ").map((name) => [name, { asks: `${program} ${name} brings in foreign code.` }]),
  );

/** `CMAKE_BUILD_TYPE=Release`, `BUILD_TESTING=ON`: names no program, place or option of one. */
const plainDefinition = new RegExp(
  "^(?!\\w*(?:COMPILER|LAUNCHER|LINKER|TOOL|PROGRAM|EXECUTABLE|COMMAND|FLAGS|INCLUDE|PATH|FILE|DIR" +
    "|PREFIX|RULE|EMULATOR|LIBRAR|MODULE|URL))[A-Z][A-Z\\d_]*(?::(?:BOOL|STRING))?=[\\w.+-]*$",
);

export const builderCommands: Record<string, CommandSpec> = {
  make: {
    tasks: "",
    judge: "make",
    operands: "none",
    valued: "-W -o --what-if --new-file --old-file --assume-new --assume-old",
    runs: "-f --file --makefile -C --directory -I --include-dir -E --eval --debug",
  },
  gmake: {
    tasks: "",
    judge: "make",
    operands: "none",
    runs: "-f --file --makefile -C --directory -I --include-dir -E --eval",
  },
  just: {
    tasks: "",
    operands: "unknown",
    judge: "make",
    runs: "-f --justfile -d --working-directory --shell --shell-arg --chooser --dotenv-path --set -c --command",
  },
  ninja: { tasks: "", operands: "unknown", runs: "-f -C -t", valued: "-j -k -l -d" },
  cmake: {
    operands: "unknown",
    judge: "cmake",
    edits: "--build --install",
    runs: "-P -C -E --toolchain --debugger -D",
    valued: "-G -D",
    harmless: { "-D": plainDefinition },
  },
  mvn,
  gradle: {
    tasks: "",
    operands: "unknown",
    runs: `
      -b --build-file -p --project-dir -I --init-script -g --gradle-user-home --include-build -D -c
      --settings-file`,
  },
  webpack: { operands: "unknown", runs: "-c --config --entry", makes: "-o --output-path" },
  vite: { operands: "unknown", runs: "-c --config", makes: "--outDir" },
  rollup: {
    operands: "unknown",
    runs: "-c --config -p --plugin --configPlugin",
    makes: "-o --file -d --dir",
  },
  esbuild: { operands: "unknown", runs: "--servedir", makes: "--outfile --outdir --metafile" },
  meson: { options: "anywhere", operands: "unknown", runs: "--native-file --cross-file" },
  task: { tasks: "--", operands: "unknown", judge: "make", runs: "-t --taskfile -d --dir" },
  bazel: {
    options: "anywhere",
    operands: "unknown",
    runs: `
      --run_under --bazelrc --workspace_status_command --override_repository --output_user_root
      --output_base --action_env --tool_tag --shell_executable --host_jvm_args --server_javabase
      --override_module --repo_env --test_env --remote_executor --remote_cache --crosstool_top
      --extra_toolchains`,
  },
  gradlew: {
    tasks: "",
    operands: "unknown",
    runs: `
      -b --build-file -p --project-dir -I --init-script -g --gradle-user-home --include-build -D -c
      --settings-file`,
  },
  mvnw: mvn,
  ant: {
    tasks: "",
    operands: "unknown",
    runs: "-f -file -buildfile -lib -logger -listener -D",
    singleDash: true,
  },
  rake: {
    tasks: "",
    operands: "unknown",
    judge: "make",
    code: "-e --execute -p --execute-print -E --execute-continue",
    runs: "-f --rakefile -r --require -I --libdir -C",
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
  turbo: {
    tasks: "--",
    operands: "unknown",
    subcommands: asking("turbo", "gen generate login link unlink daemon scan"),
  },
  swift: { operands: "unknown", runs: "--package-path -e", lists: "--build-path" },
  nx: {
    options: "anywhere",
    operands: "unknown",
    runs: "--runner",
    subcommands: {
      ...asking("nx", "add import init migrate generate g new connect login"),
      exec: {
        launches: true,
        strict: true,
        operands: "none",
        spelled: "nx exec runs any program.",
      },
    },
  },
};
