// Programs that print or look at files, and options under which a tool does not do what it is named
// after: neither is a run of anything.
import type { ResultSubject } from "../result-subject.ts";
import { argumentsOf } from "./arguments-of.ts";

type Words = readonly (string | null)[];

/** Programs that print what they are given, look at files or handle them. */
const printers = new Set(
  (
    "echo printf cat head tail sed awk gawk grep egrep fgrep rg ag less more sort uniq wc cut tr nl tac column jq yq " +
    "diff cmp cd pushd popd ls tree find fd stat file true false : sleep export set unset " +
    "pwd date exit rm rmdir mv cp " +
    "ln mkdir touch chmod chown tee strings xxd od basename dirname realpath readlink which " +
    "type command env printenv " +
    "test [ [[ source . eval exec wait time timeout nice nohup sudo xargs seq yes bat du " +
    "df ps kill pkill lsof history " +
    "shopt trap return local declare read let shift umask ulimit hostname uname whoami id " +
    "open pbcopy clear base64 md5sum " +
    "sha256sum sha1sum shasum"
  ).split(" "),
);
const gitLookers = new RegExp(
  "^(?:log|show|diff|status|blame|grep|ls-files|ls-tree|ls-remote|rev-parse|rev-list|describe|" +
    "shortlog|cat-file|branch|remote|config|fetch|tag|stash|add|reflog|merge-base|worktree)" +
    "$",
);
const ghLookers = /^(?:view|list|checks|status|diff|watch)$/;

export function isPrinter(argv: Words): boolean {
  const [name, ...rest] = argv;
  if (name === null || name === undefined || printers.has(name)) return true;
  // What `python -m` runs stands beside it.
  if (/^python[\d.]*$/.test(name) && rest[0] === "-m") return true;
  const args = argumentsOf(rest);
  if (name === "git") return gitLookers.test(args[0] ?? "log");
  if (name === "gh" || name === "glab") return ghLookers.test(args[1] ?? "view");
  return false;
}

/** A word of code on the command line prints what its writer likes. */
export const isInline = (argv: Words): boolean =>
  /^(?:python|node|ruby|perl|php|deno|bun|Rscript|lua|osascript|bash|sh|zsh)[\d.]*$/.test(
    argv[0] ?? "",
  ) &&
  argv
    .slice(1, 4)
    .some((word) => word !== null && /^(?:-c|-e|-p|-pe|--eval|--print|eval|-lc|-r)$/.test(word));

/** `Rscript -e 'devtools::test()'`: nothing but the call of a package's function. */
export const isCall = (argv: Words): boolean =>
  isInline(argv) && /^\s*\w+::[\w.]+\([^()]*\);?\s*$/.test(argv.at(-1) ?? "");

/** Options under which a tool does not do what it is named after. */
const voidFlags = new Set(
  (
    "--version -V --help -h --dry-run --dry --dryrun --dry_run --list --list-tests --listTests --build-only " +
    "--collect-only --co --no-run " +
    "--showConfig --print-config --show-config --just-print --recon --what-if --noop --watch " +
    "--watchAll --watch-all --ui " +
    "--init --env-info --list-files --show-files --client --no-commit --debug-config --printConfig --listFilesOnly " +
    "--list-targets --print --no-execute --setup-plan --setup-only " +
    "--fixtures --markers --plan --preview --create-only --noEmitConfig"
  ).split(" "),
);
/** What some of these options mean to a program that does its work under them. */
const otherMeanings: readonly [RegExp, RegExp][] = [
  [/^(?:ctest|mvn|gtest)$/, /^-V$/],
  [/^(?:psql|pg_restore|mysql|mariadb|mongosh?|redis-cli|clickhouse-client|sqlcmd)$/, /^-h$/],
  [/^(?:mocha|turbo|nx)$/, /^--ui(?:=.*)?$/],
  [/^(?:git|docker|docker-compose|podman)$/, /^--init$/],
  [/^(?:ruff|black)$/, /^--preview$/],
  [/^(?:sbt|mvnd|bloop)$/, /^--?client$/],
];
/** Options under which a run of tests ends well without a test. */
const emptyFlags = new Set(["--passWithNoTests", "--pass-with-no-tests", "--allow-empty"]);
/** Short options that make nothing happen, by the program that knows them. */
const shortVoids: readonly [RegExp, RegExp][] = [
  [/^(?:make|gmake|rake|just|ninja)$/, /^(?:-n|-q|-T|-P|-l|--summary|--list)$/],
  [/^git$/, /^-n$/],
  [/^(?:ctest)$/, /^(?:-N|--show-only.*)$/],
  [/^(?:tsc|vue-tsc|jest|mocha|rollup|webpack|ava|tsup|sass)$/, /^-w$/],
  [/^(?:node|npm|pnpm|yarn|bun|tsc|eslint|go|cargo|ruby|php|vitest|jest|prettier)$/, /^-v$/],
  [/^gradle$/, /^-m$/],
  [/^cap$/, /^(?:-T|-n|-P)$/],
  [/^goreleaser$/, /^--(?:snapshot|skip=\S*publish\S*)$/],
  [/^(?:alembic|flask|sqitch|liquibase|flyway)$/, /^(?:--sql|--log-only|-dryRunOutput.*)$/],
  [/^(?:manage\.py|django-admin)$/, /^(?:--check|--fake)$/],
  [/^(?:ba|z|da)?sh$/, /^-n$/],
  [/^(?:ruby|perl|node)$/, /^-c$/],
  [/^bats$/, /^(?:--count|-c)$/],
  [/^ansible-playbook$/, /^(?:--check|-C|--syntax-check|--list-tasks|--list-hosts)$/],
];

/** Words for a look at what is there, or would be done, whatever the tool: nothing is run or changed. */
const lookingWords = new Set(
  (
    "info status list ls tree help tasks targets plan diff show describe history query cquery aquery " +
    "current heads pending preview outdated doctor linters rules explain config env get logs log lanes devices " +
    "template lint-config check-updates dependencies dependency:tree help:effective-pom whoami"
  ).split(" "),
);
/** `deploy:check`, `db:migrate:status`, `flyway:info`: the last part of a task's name says it. */
export const isLookWord = (word: string): boolean =>
  lookingWords.has(word) ||
  lookingWords.has(word.slice(word.lastIndexOf(":") + 1)) ||
  /^(?:deploy|db|migrate|migration)\S*:(?:check|dry-?run|abort_if\w+|version)$/.test(word) ||
  /^(?:list|show|print|describe|dump)[-:]\w+$|^publish\w*Local$/.test(word);

/** Options under which a build leaves its tests out. */
export const skipsTests = (argv: Words): boolean =>
  argv.some(
    (word, index) =>
      word !== null &&
      (/^-D(?:skipTests|skipITs|maven\.test\.skip)(?:=true)?$/.test(word) ||
        /^--(?:skip|no)-tests?$/.test(word) ||
        (/^(?:-x|--exclude-task)$/.test(word) &&
          /(?:^|:)(?:test|check)$/.test(argv[index + 1] ?? ""))),
  );

/** Programs whose first word may be a file or a name of a test: there a word is no order to look. */
const takesNames = new Set(
  (
    "node python ruby perl php deno bun pytest vitest jest mocha rspec phpunit eslint tsc mypy ruff rubocop " +
    "prettier black ava tap node make just task npm pnpm yarn cargo-test shellcheck ctest bats"
  ).split(" "),
);

/** `--dry-run=server`, `--test-dry-run`: whatever is put before or behind. */
export const isDryRun = (word: string | null): boolean =>
  word !== null &&
  /^--?[a-z-]*(?:dry[-_]?run|pretend|simulate|skip-publish|no-publish)(?:=(?!none|false).*)?$/i.test(
    word,
  );

/** `-list` is `--list`, `-version` is `--version`. */
const hasAny = (argv: Words, flags: ReadonlySet<string>): boolean =>
  argv.some(
    (word) => word !== null && flags.has(word.replace(/=.*$/, "").replace(/^-(?=[a-z]{4})/, "--")),
  );

function isNoRun(argv: Words): boolean {
  const [name, ...rest] = argv;
  const own = rest.filter((word): word is string => word !== null);
  const args = argumentsOf(own);
  const known = otherMeanings.filter(([program]) => program.test(name ?? ""));
  const flags = own.filter((word) => !known.some(([, flag]) => flag.test(word)));
  if (
    (hasAny(flags, voidFlags) || flags.some(isDryRun)) &&
    !own.some((word) => /^--(?:watch|list)(?:All)?=false$/.test(word))
  ) {
    // `clang-format --dry-run` and `php-cs-fixer fix --dry-run` are how these tools check.
    return name !== "clang-format" && name !== "php-cs-fixer";
  }
  if (onlyLooks(name ?? "", args)) return true;
  if (ownLooks.some(([program, word]) => program.test(name ?? "") && word.test(args[0] ?? "")))
    return true;
  if (
    /^(?:vitest|jest|playwright|pytest)$/.test(name ?? "") &&
    /^(?:watch|list|dev|init)$/.test(args[0] ?? "")
  )
    return true;
  const isLone = own.length === 1;
  return shortVoids.some(
    ([program, flag]) =>
      program.test(name ?? "") && own.some((word) => flag.test(word) && (word !== "-v" || isLone)),
  );
}

/** Words of single programs under which nothing of the project is run. */
const ownLooks: readonly [RegExp, RegExp][] = [
  [/^dbt$/, /^(?:compile|parse|debug|deps|clean)$/],
  [/^cypress$/, /^(?:verify|install|open)$/],
];

/** What follows such a word is what it is done to. */
const deeds =
  /^(?:test|build|run|apply|bench|check|deploy|install|add|push|upgrade|rollout|lint|update)$/;

/** One word to look is enough for a command with subcommands; of a row of tasks the first one counts. */
function onlyLooks(name: string, args: readonly string[]): boolean {
  if (takesNames.has(name) || args.length === 0) return false;
  return /^(?:gradle|mvn|rake|sbt|lein|ant|mill)$/.test(name)
    ? isLookWord(args[0]!)
    : isLookWord(args.slice(0, 3).find((word) => isLookWord(word) || deeds.test(word)) ?? "") ||
        (args[0] === "version" && !/^(?:changeset|lerna|poetry|hatch)$/.test(name));
}

/** It ends well where there are no tests to run: an empty commit is made all the same. */
export const mayRunNoTests = (argv: Words, subjects: readonly ResultSubject[]): boolean =>
  subjects.includes("tests") && hasAny(argv, emptyFlags);

/** No run by any reading: for the callers that ask once. */
export const noRun = (argv: Words): boolean => isPrinter(argv) || isNoRun(argv);

/** What runs in a container is what its file says. */
export const inContainer = (argv: Words): boolean =>
  /^(?:docker|docker-compose|podman|podman-compose|nerdctl)$/.test(argv[0] ?? "") &&
  argv.some((word) => word === "run" || word === "exec");
