// Builtins of bash that need more than a look at their operands, and those that only steer the
// flow.

/** Steer the flow of the text and touch nothing: they need no rule of their own. */
export const flowBuiltins = new Set([
  "break",
  "continue",
  "return",
  "exit",
  "shift",
  ":",
  "true",
  "false",
]);

/** Change how later text is read, or run text that a parser cannot see. */
export const riskyBuiltins: Record<string, string> = {
  alias: "alias changes what later words mean.",
  bind: "bind attaches commands to keys.",
  compgen: "compgen can run commands.",
  complete: "complete can attach commands.",
  compopt: "compopt changes completion commands.",
  enable: "enable changes which builtins exist and can load libraries.",
  fc: "fc runs earlier commands.",
  history: "history reads and writes files.",
  logout: "logout ends the shell.",
  suspend: "suspend stops the shell.",
};

/** Builtins whose operands name variables: only plain names are inert, a subscript is evaluated. */
export const namingBuiltins: Record<string, { valued: string; code?: string }> = {
  read: { valued: "-a -d -i -n -N -p -t -u" },
  mapfile: { valued: "-d -n -O -s -u -c", code: "-C" },
  readarray: { valued: "-d -n -O -s -u -c", code: "-C" },
  unset: { valued: "" },
  getopts: { valued: "" },
  wait: { valued: "-p" },
};

export const declaringBuiltins = new Set(["declare", "typeset", "local", "export", "readonly"]);

/** Options of `set` that do not change what text means. */
export const harmlessSetOptions = /^(?:[+-][eux]+o?|pipefail|errexit|nounset|xtrace|[+-]o|--)$/;
