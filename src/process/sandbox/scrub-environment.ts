// The environment a command gets: what programs need to find their way, never what could be a key.

const names = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TERM",
  "COLORTERM",
  "NO_COLOR",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "CI",
  "XDG_CONFIG_HOME",
  "XDG_CACHE_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "JAVA_HOME",
  "GOPATH",
  "GOROOT",
  "CARGO_HOME",
  "RUSTUP_HOME",
  "PYENV_ROOT",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
  "NVM_DIR",
  "VOLTA_HOME",
  "PNPM_HOME",
  "GEM_HOME",
  "SDKMAN_DIR",
]);
const proxies = new Set(["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"]);

/** The allow-listed part of `source`; a proxy address with a password in it is left out. */
export function scrubEnvironment(source: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(source))
    if (value !== undefined && passes(name, value))
      kept[name] = name === "PATH" ? absoluteEntries(value) : value;
  return kept;
}

/** An empty or relative entry would make whatever folder a command runs in a place to take programs from. */
function absoluteEntries(path: string): string {
  return path
    .split(":")
    .filter((entry) => entry.startsWith("/"))
    .join(":");
}

function passes(name: string, value: string): boolean {
  if (names.has(name) || /^LC_[A-Z]+$/.test(name)) return true;
  return proxies.has(name.toUpperCase()) && !value.includes("@");
}
