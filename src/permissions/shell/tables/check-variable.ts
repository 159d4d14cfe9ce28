// Environment variables: the few that are harmless to hand to any command, and those that turn data
// into code.
import { ask, type Concern } from "../analysis.ts";

type Patterns = { names: ReadonlySet<string>; starts: string[]; ends: string[] };

/** Names, beginnings (`GIT_*`) and endings (`*PAGER`) of names. */
function patternsOf(text: string): Patterns {
  const words = text.trim().split(/\s+/);
  return {
    names: new Set(words.filter((word) => !word.includes("*"))),
    starts: words.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1)),
    ends: words.filter((word) => word.startsWith("*")).map((word) => word.slice(1)),
  };
}

const matches = ({ names, starts, ends }: Patterns, name: string): boolean =>
  names.has(name) ||
  starts.some((start) => name.startsWith(start)) ||
  ends.some((end) => name.endsWith(end));

/**
 * A command may be given these by `NAME=value command` or `export`; every other name asks, because
 * some program somewhere executes it.
 */
const harmless = new Set(
  `NODE_ENV CI LANG LANGUAGE TZ FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES TERM
  COLORTERM DEBUG VERBOSE LOG_LEVEL LOGLEVEL PORT HOST RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED
  PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONUTF8 GOOS GOARCH CGO_ENABLED APP_ENV RAILS_ENV
  RACK_ENV FLASK_ENV MIX_ENV TEST TESTING VITEST JEST_WORKER_ID HUSKY DO_NOT_TRACK
  NEXT_TELEMETRY_DISABLED SOURCE_DATE_EPOCH GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS
  GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
  GIT_COMMITTER_DATE TF_IN_AUTOMATION DEBIAN_FRONTEND NODE_NO_WARNINGS
  BROWSERSLIST_IGNORE_OLD_DATA GH_PROMPT_DISABLED`.split(/\s+/),
);

/** Names that programs execute, but with a value that means "nothing". */
const harmlessValues = new Map([
  ["PAGER", /^(?:cat)?$/],
  ["GIT_PAGER", /^(?:cat)?$/],
  ["MANPAGER", /^(?:cat)?$/],
  ["GH_PAGER", /^(?:cat)?$/],
  ["EDITOR", /^(?:true|:)$/],
  ["GIT_EDITOR", /^(?:true|:)$/],
  ["GIT_SEQUENCE_EDITOR", /^(?:true|:)$/],
  ["BROWSER", /^(?:none|true)$/],
]);

/**
 * Names that the shell itself or common programs execute, search or split by. Even an unexported
 * assignment to these asks.
 */
const dangerous = patternsOf(`
  PATH CDPATH HOME IFS ENV PS0 PS1 PS2 PS3 PS4 SHELL SHELLOPTS BASHOPTS POSIXLY_CORRECT
  GLOBIGNORE OPTIND OPTARG HIST* PROMPT_* BASH* LD_* DYLD_* GIT_* GH_* SSH_* PAGER *PAGER
  *EDITOR VISUAL BROWSER LESS* MANOPT MANPATH NODE_* NPM_* npm_* YARN_* PNPM_* COREPACK_* BUN_*
  DENO_* PYTHON* PIP_* VIRTUAL_ENV CONDA_* UV_* PERL* RUBY* GEM_* BUNDLE_* JAVA_* _JAVA_OPTIONS
  JDK_* JAVA* CLASSPATH MAVEN_* GRADLE_* PHP* COMPOSER_* LUA_* R_* JULIA_* CARGO* RUST* GO* CC
  CXX CPP LD AR AS NM CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKE* GNUMAKEFLAGS MFLAGS CMAKE_* GCC_*
  COMPILER_PATH LIBRARY_PATH C_INCLUDE_PATH CPATH TAR_* GZIP ZIPOPT UNZIP RSYNC_* RIPGREP_*
  GREP_* AWKPATH AWKLIBPATH FZF_* BAT_* CURL_* WGETRC *_PROXY *_proxy SSL_* OPENSSL_* GPG_*
  GNUPGHOME KUBECONFIG DOCKER_* COMPOSE_* AWS_* AZURE_* GOOGLE_* XDG_* TMPDIR TMP TEMP TERMINFO*
  TERMCAP LOCPATH NLSPATH TEXTDOMAIN* HOSTALIASES RES_OPTIONS LOCALDOMAIN MALLOC_* GCONV_PATH
  GETCONF_DIR NIS_PATH INPUTRC MAIL* FCEDIT FPATH ZDOTDIR SUDO_* EXINIT VIM* INFOPATH PG*
  MYSQL_* DISPLAY WAYLAND_* DBUS_* ELECTRON_* CLAUDE* ANTHROPIC* RETINUE* OLDPWD PWD EUID UID
  PPID RANDOM LINENO SECONDS FUNCNAME DIRSTACK EXECIGNORE INSIDE_EMACS TIMEFORMAT TMOUT
  histchars auto_resume COMP_* COMPREPLY READLINE_* MAPFILE REPLY COPROC CHILD_MAX FIGNORE
  IGNOREEOF`);

/** Endings of names that some program takes for options, files, programs or places of code. */
const interpreted = patternsOf(`
  *OPTIONS *OPT *OPTS *ARG *ARGS *FLAG *FLAGS *PATH *HOME *CMD *COMMAND *EXEC *EXECUTABLE *SHELL
  *CONFIG *CONF *FILE *FILES *DIR *RC *PRELOAD *EDITOR *HOOK *HOOKS *PROXY *PLUGIN *PLUGINS
  *SUFFIX *REGISTRY *INDEX *LOADER *WRAPPER *LAUNCHER *RUNNER *COMPILER *BIN *PROGRAM *SCRIPT *INIT *LIB
  *LIBS *OUT *OUTPUT *LOG *TRACE *PROFILE
  *REPORT *DUMP *ROOT *PREFIX *REQUIRE *AGENT *DRIVER *TOKEN *KEY *SECRET *PASSWORD`);
/** A number, a switch, a plain word that is no file, or the address of a local service. */
const simpleValue = new RegExp(
  "^(?:[\\w-]{0,64}|v?\\d+(?:\\.\\d+)*" +
    "|[a-z]+://(?:[\\w-]+(?::[\\w-]+)?@)?(?:localhost|127\\.0\\.0\\.1)(?::\\d+)?(?:/[\\w.-]*)*)$",
);

/** May be handed to a command without asking. */
export function isHarmlessVariable(name: string, value: string | null): boolean {
  if (harmless.has(name) || /^LC_[A-Z]+$/.test(name)) return true;
  const isOwn =
    /^[A-Z][A-Z\d_]*$/.test(name) && !matches(dangerous, name) && !matches(interpreted, name);
  if (isOwn && value !== null && simpleValue.test(value)) return true;
  const values = harmlessValues.get(name);
  return values !== undefined && value !== null && values.test(value);
}

/** Asks even as a plain shell variable. */
export function isDangerousVariable(name: string, value: string | null): boolean {
  return (
    (matches(dangerous, name) || !/^[A-Za-z_]\w*$/.test(name)) && !isHarmlessVariable(name, value)
  );
}

/** Nothing that a recipe or a script which forgets its quotes would run. */
const plainValue = /^[\w .,:/@%+=?-]*$/;

/** `exported`: a program will see it. `value` is null when it is only known at run time. */
export function checkVariable(
  name: string,
  value: string | null,
  exported: boolean,
): Concern | undefined {
  const fine = exported ? isHarmlessVariable(name, value) : !isDangerousVariable(name, value);
  if (fine && !(exported && value !== null && !plainValue.test(value))) return undefined;
  const covers =
    value === null || isDangerousVariable(name, value) ? undefined : [`${name}=${value}`];
  return ask("assignment", `Setting ${name} can change what later commands do.`, covers);
}
