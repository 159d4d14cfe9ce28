// Environment variables: the few that are harmless to hand to any command, and those that turn data into code.

/** A command may be given these by `NAME=value command` or `export`; every other name asks, because some program somewhere executes it. */
const harmless = new Set(
  `NODE_ENV CI LANG LANGUAGE TZ FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES TERM COLORTERM DEBUG VERBOSE LOG_LEVEL LOGLEVEL PORT HOST
  RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONUTF8 GOOS GOARCH CGO_ENABLED APP_ENV RAILS_ENV RACK_ENV FLASK_ENV MIX_ENV
  TEST TESTING VITEST JEST_WORKER_ID HUSKY DO_NOT_TRACK NEXT_TELEMETRY_DISABLED SOURCE_DATE_EPOCH GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL
  GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE TF_IN_AUTOMATION DEBIAN_FRONTEND NODE_NO_WARNINGS BROWSERSLIST_IGNORE_OLD_DATA GH_PROMPT_DISABLED`.split(
    /\s+/,
  ),
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

/** Names that the shell itself or common programs execute, search or split by. Even an unexported assignment to these asks. */
const dangerous =
  /^(?:PATH|CDPATH|HOME|IFS|ENV|PS[0-4]|SHELL|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|GLOBIGNORE|OPTIND|OPTARG|HIST\w*|PROMPT_\w*|BASH\w*|LD_\w+|DYLD_\w+|GIT_\w+|GH_\w+|SSH_\w+|PAGER|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESS\w*|MANOPT|MANPATH|NODE_\w+|NPM_\w+|npm_\w+|YARN_\w+|PNPM_\w+|COREPACK_\w+|BUN_\w+|DENO_\w+|PYTHON\w*|PIP_\w+|VIRTUAL_ENV|CONDA_\w+|UV_\w+|PERL\w*|RUBY\w*|GEM_\w+|BUNDLE_\w+|JAVA_\w*|_JAVA_OPTIONS|JDK_\w+|JAVA\w*|CLASSPATH|MAVEN_\w+|GRADLE_\w+|PHP\w*|COMPOSER_\w+|LUA_\w+|R_\w+|JULIA_\w+|CARGO\w*|RUST\w*|GO\w+|CC|CXX|CPP|LD|AR|AS|NM|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|MAKE\w*|GNUMAKEFLAGS|MFLAGS|CMAKE_\w+|GCC_\w+|COMPILER_PATH|LIBRARY_PATH|C_INCLUDE_PATH|CPATH|TAR_\w+|GZIP|ZIPOPT|UNZIP|RSYNC_\w+|RIPGREP_\w+|GREP_\w+|AWKPATH|AWKLIBPATH|FZF_\w+|BAT_\w+|CURL_\w+|WGETRC|\w*_PROXY|\w*_proxy|SSL_\w+|OPENSSL_\w+|GPG_\w+|GNUPGHOME|KUBECONFIG|DOCKER_\w+|COMPOSE_\w+|AWS_\w+|AZURE_\w+|GOOGLE_\w+|XDG_\w+|TMPDIR|TMP|TEMP|TERMINFO\w*|TERMCAP|LOCPATH|NLSPATH|TEXTDOMAIN\w*|HOSTALIASES|RES_OPTIONS|LOCALDOMAIN|MALLOC_\w+|GCONV_PATH|GETCONF_DIR|NIS_PATH|INPUTRC|MAIL\w*|FCEDIT|FPATH|ZDOTDIR|SUDO_\w+|EXINIT|VIM\w*|INFOPATH|PG\w+|MYSQL_\w+|DISPLAY|WAYLAND_\w+|DBUS_\w+|ELECTRON_\w+|CLAUDE\w*|ANTHROPIC\w*|RETINUE\w*|OLDPWD|PWD|EUID|UID|PPID|RANDOM|LINENO|SECONDS|FUNCNAME|DIRSTACK|EXECIGNORE|INSIDE_EMACS|TIMEFORMAT|TMOUT|histchars|auto_resume|COMP_\w+|COMPREPLY|READLINE_\w+|MAPFILE|REPLY|COPROC|CHILD_MAX|FIGNORE|IGNOREEOF)$/;

/** May be handed to a command without asking. */
export function isHarmlessVariable(name: string, value: string | null): boolean {
  if (harmless.has(name) || /^LC_[A-Z]+$/.test(name)) return true;
  const values = harmlessValues.get(name);
  return values !== undefined && value !== null && values.test(value);
}

/** Asks even as a plain shell variable. */
export function isDangerousVariable(name: string, value: string | null): boolean {
  return (dangerous.test(name) || !/^[A-Za-z_]\w*$/.test(name)) && !isHarmlessVariable(name, value);
}
