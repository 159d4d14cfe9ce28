import fc from "fast-check";
import { expect, test } from "vitest";
import { candidatesIn, everyCandidate } from "./secret-candidates.ts";
import { tokenRules } from "./secret-rules.ts";
import { findSecrets } from "./find-secrets.ts";

const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const plain = lower + lower.toUpperCase() + digits;
const from = (characters: string, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters.split("")), maxLength, size: "max" });
const value = fc.oneof(
  from(plain, 70),
  from(`${digits}abcdef`, 70),
  from(lower.toUpperCase() + digits, 70),
  from(`${plain}_-`, 70),
  from(`${plain}+/=_~.%`, 70),
);
const hint = fc.constantFrom(
  ...tokenRules.flatMap(({ hints }) => hints),
  "glpat-",
  "glc_",
  "gldt-",
  "sk-ant-api03-",
  "sk-proj-",
  "sk_live_",
  "xoxb-",
  "xapp-1-",
  "pypi-AgE",
  "hooks.slack.com/services/",
  "discord.com/api/webhooks/12345678/",
  "123456789:AA",
  "dop_v1_",
  "dckr_pat_",
  "shpat_",
  "sq0atp-",
  "lin_api_",
  "figd_",
  "sntrys_",
  "sb_secret_",
  "pscale_tkn_",
  "?sig=",
  "abc8Q~",
  "eyJhbGciOiJI.eyJ",
);
const token = fc.tuple(hint, value).map((parts) => parts.join(""));
const dotted = fc
  .tuple(
    fc.constantFrom("M", "N", "x", ""),
    from(`${plain}_-`, 27),
    from(plain, 8),
    from(plain, 60),
  )
  .map(([head, ...parts]) => head + parts.join("."));
const name = fc.constantFrom(
  "password",
  "PASSWD",
  "passphrase",
  "pass",
  "pwd",
  "secret",
  "secret_access_key",
  "secret_-key",
  "token",
  "authToken",
  "publickeytoken",
  "PUBLICKEYTOKEN",
  "refresh-token",
  "api.key",
  "API_KEY",
  "master key",
  "credentials",
  "connection_string",
  "Authorization",
  "proxy-authorization",
  "key",
  "word",
  "string",
);
const separator = fc.constantFrom(
  ":",
  "=",
  ":=",
  "=>",
  "===",
  "::",
  " : ",
  "\t=",
  "': '",
  '": "',
  '\\":\\"',
  "\"] = '",
  " Bearer ",
  ": Basic ",
  "         = ",
  '"""""=',
);
const option = fc
  .tuple(
    fc.constantFrom("--", "-", " --", ".--", "x-", "---", "--a-very-long-option-x-"),
    name,
    fc.constantFrom(" ", "  ", "\t", "     ", "="),
  )
  .map((parts) => parts.join(""));
const bearer = fc
  .tuple(fc.constantFrom("Bearer ", "bearer\t", "BEARER    ", "bearer     ", "xbearer "), value)
  .map((parts) => parts.join(""));
const address = fc
  .tuple(
    fc.constantFrom("https://", "://", ":/"),
    fc.constantFrom("user", "", "a b", "a@b"),
    fc.constantFrom(":", ""),
    from(plain, 12),
    fc.constantFrom("@", ""),
  )
  .map((parts) => parts.join(""));
const pem = fc
  .tuple(
    fc.constantFrom("-----", "------", "----"),
    fc.constantFrom("BEGIN RSA PRIVATE KEY", "BEGIN PRIVATE KEY BLOCK", "BEGIN PUBLIC KEY"),
    fc.constantFrom("-----\n", "-----\\n"),
    value,
  )
  .map((parts) => parts.join(""));
const other = fc.constantFrom(
  " ",
  "\t",
  "\n",
  "\\n",
  "-",
  "--",
  "-----",
  ".",
  "_",
  "/",
  "@",
  "~",
  '"',
  "'",
  "`",
  "]",
  "é",
  "ſ",
  "\u212a",
  "\ud800",
  "😀",
  ",",
  ";",
  "some plain words ",
);
const text = fc
  .array(fc.oneof(token, dotted, name, separator, option, bearer, address, pem, value, other), {
    maxLength: 9,
  })
  .map((parts) => parts.join(""));

test("leaves out no rule that would have found something", () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(text, fc.constantFrom([], ["some plain words", "abcdef"]), (sample, known) => {
      const thorough = findSecrets(sample, known, everyCandidate);
      for (const { kind } of thorough) kinds.add(kind);
      expect(findSecrets(sample, known)).toEqual(thorough);
    }),
    { numRuns: 5_000, seed: 20 },
  );
  expect(kinds.size).toBeGreaterThan(40);
});

test("every token rule can be found by its hints", () => {
  for (const { kind, hints, shape } of tokenRules)
    expect([
      kind,
      hints.every(({ length }) => length >= 2),
      hints.length > 0 || shape !== undefined,
    ]).toEqual([kind, true, true]);
});

test.each([
  "The item is described in the catalogue under its key: colour, size and weight - as on its label.",
  "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  "/home/me/project/src/transcripts/transcript-writer.ts",
  "const limit: string = items.length;",
])("an ordinary text is done with after one look: %s", (ordinary) => {
  const { tokens, contexts } = candidatesIn(ordinary);
  expect([...tokens, ...contexts]).toEqual([]);
});
