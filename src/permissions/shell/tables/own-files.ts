// Programs that write settings or credentials of their own, in files that the command does not name.
import { onceFor } from "../../once-for.ts";

const npmrc = ".npmrc ~/.npmrc";
const shellStart = "~/.bashrc ~/.zshrc";
const kubeconfig = "~/.kube/config";
const prePush = ".git/hooks/pre-push";

/**
 * By program, then by the words behind it (several with commas between; none: the whole program):
 * the files, `~/` for the home. A star stands for commands that may also only ask (`config get`).
 */
const writers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  aws: {
    "configure *, sso login, login": "~/.aws/config ~/.aws/credentials",
    "eks update-kubeconfig": kubeconfig,
  },
  az: {
    "login, logout, account set, configure, config *": "~/.azure/config",
    "aks get-credentials": kubeconfig,
  },
  bundle: { "config *": ".bundle/config ~/.bundle/config" },
  cargo: { "login, logout": "~/.cargo/credentials.toml" },
  claude: {
    "mcp *": ".mcp.json ~/.claude.json",
    "config *": ".claude/settings.json ~/.claude.json",
    "plugin *": "~/.claude/settings.json",
  },
  composer: { "config *": "~/.config/composer/config.json" },
  conda: { "config *": "~/.condarc", init: shellStart },
  docker: { "login, logout, context *": "~/.docker/config.json" },
  dotnet: {
    "nuget add, nuget remove, nuget update, nuget enable, nuget disable, nuget config *":
      "~/.nuget/NuGet/NuGet.Config",
  },
  gcloud: {
    "config *, auth *, init": "~/.config/gcloud/configurations/config_default",
    "container clusters get-credentials": kubeconfig,
  },
  gem: { "signin, signout, sources *": "~/.gem/credentials ~/.gemrc" },
  gh: {
    "auth *, config *, alias *": "~/.config/gh/config.yml ~/.config/gh/hosts.yml",
    "auth setup-git": "~/.gitconfig",
  },
  git: {
    "lfs install, lfs uninstall": `${prePush} ~/.gitconfig`,
    "lfs update": prePush,
    "maintenance start, maintenance register, maintenance unregister": "~/.gitconfig",
    "init --template, init --separate-git-dir": ".git/hooks/pre-commit",
    "submodule add": ".gitmodules",
  },
  go: { "env -w, env -u": "~/.config/go/env" },
  helm: { "repo add, repo remove, repo rm, registry": "~/.config/helm/repositories.yaml" },
  heroku: { "login, logout": "~/.netrc" },
  husky: { "": ".husky/pre-commit .git/config" },
  kubectl: { "config *": kubeconfig },
  lefthook: { "": ".git/hooks/pre-commit lefthook.yml" },
  mise: { "use, set": "mise.toml" },
  npm: { "config *, c *, set, login, adduser, add-user, logout, token *": npmrc },
  pip: { "config *": "~/.config/pip/pip.conf" },
  pnpm: { "config *, c *, set, login, adduser, logout": npmrc, setup: shellStart },
  poetry: { "config *": "~/.config/pypoetry/config.toml poetry.toml" },
  "pre-commit": {
    "install, uninstall": ".git/hooks/pre-commit",
    autoupdate: ".pre-commit-config.yaml",
  },
  rustup: { "default, override *, set": "~/.rustup/settings.toml" },
  "ssh-keygen": { "": "~/.ssh/id_ed25519" },
  terraform: { "login, logout": "~/.terraform.d/credentials.tfrc.json" },
  yarn: {
    "config *, plugin *, set, login, logout, npm login, npm logout":
      ".yarnrc.yml .yarnrc ~/.yarnrc.yml",
  },
};

/** The same of programs that print what such files hold, as far as these lie in the project. */
const printers: typeof writers = {
  bundle: { config: ".bundle/config" },
  docker: { "compose config, compose convert": ".env" },
  npm: { "config, c, get": ".npmrc" },
  pnpm: { "config, c, get": ".npmrc" },
  poetry: { config: "poetry.toml" },
  terraform: { "output, show, console, state pull, state show": "terraform.tfstate" },
  yarn: { config: ".yarnrc.yml .yarnrc" },
};

type Words = readonly (string | null)[];

/** The files of its own that the program writes, or prints, when it is given these words. */
export function ownFiles(
  program: string,
  words: Words,
): Record<"written" | "printed", readonly string[]> {
  const of = (table: typeof writers): readonly string[] => {
    if (!Object.hasOwn(table, program)) return [];
    const found = linesOf(table[program]!).flatMap(({ commands, files }) =>
      commands.some((command) => isGiven(command, words)) ? files : [],
    );
    return [...new Set(found)];
  };
  return { written: of(writers), printed: of(printers) };
}

type OwnCommand = { steps: string[]; mayAsk: boolean };

const linesOf = onceFor((lines: Readonly<Record<string, string>>) =>
  Object.entries(lines).map(([commands, files]) => ({
    commands: commands.split(", ").map((command) => ({
      steps: command.split(" ").filter((step) => step !== "" && step !== "*"),
      mayAsk: command.endsWith(" *"),
    })),
    files: files.split(" "),
  })),
);

function isGiven({ steps, mayAsk }: OwnCommand, words: Words): boolean {
  const rest = behind(steps, words);
  return rest !== undefined && !(mayAsk && onlyAsks(rest));
}

/** The words behind the command; options and their values may stand between its words. */
function behind(command: readonly string[], words: Words): Words | undefined {
  let rest = words;
  for (const step of command) {
    const isStep = (word: string | null): boolean =>
      word === step || (step.startsWith("--") && word?.startsWith(`${step}=`) === true);
    const at = rest.findIndex((word, index) => isStep(word) && isPassed(rest.slice(0, index)));
    if (at < 0) return undefined;
    rest = rest.slice(at + 1);
  }
  return rest;
}

/** What is only known at run time may be options. */
const isOption = (word: string | null | undefined): boolean =>
  word === null || word?.startsWith("-") === true;

const isPassed = (words: Words): boolean =>
  words.every(
    (word, at) => isOption(word) || (isOption(words[at - 1]) && !words[at - 1]?.includes("=")),
  );

const asking: ReadonlySet<string> = new Set(
  `
    get list ls show info status view inspect describe token current-context get-contexts
    get-clusters get-users list-profiles help --list -l --show --get --help -h`
    .trim()
    .split(/\s+/),
);

/** The first word says what is done; an option may say so where no other stands beside it. */
function onlyAsks([first, ...others]: Words): boolean {
  if (!asking.has(first ?? "")) return false;
  return !isOption(first) || !others.some(isOption);
}
