import { describe, expect, test } from "vitest";
import { isPlainFilter } from "./plain-filter.ts";

describe("programs of jq and yq that only look at their input", () => {
  test.each([
    ".",
    ".a[] | select(.b > 1) | .c",
    '.scripts | to_entries[] | "\\(.key)=\\(.value | tostring)"',
    "{name, size: .bytes, env: .x}",
    '.["env"] // "load" | @sh',
    "reduce .[] as $item (0; . + $item.n)",
    ".a |= ascii_downcase # env",
    'if .a == "x" then .b else empty end',
    ".. | .image? | select(. != null)",
  ])("%s", (text) => expect(isPlainFilter(text)).toBe(true));

  test.each([
    "env",
    "env, (def env: 1; .)",
    "a::env",
    "$ENV.HOME",
    "[1, env, 2]",
    "{a: env}",
    '"\\(env.HOME)"',
    '"\\("a" + "\\(env)")"',
    'include "x"; .',
    'load("/etc/passwd")',
    'eval("loa" + "d_str(\\"x\\")")',
    "input_filename",
    "$__prog_args",
    "strenv(X)",
    "inputs | debug",
    '"open',
    "(.a",
    "{(env): 1}",
    '{"a": env}',
    'system("x")',
  ])("not %s", (text) => expect(isPlainFilter(text)).toBe(false));
});
