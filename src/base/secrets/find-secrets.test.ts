import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSecrets, maskSecrets, secretValues } from "./find-secrets.ts";
import { cpuMs } from "../../testing/cpu-ms.ts";

const a = (length: number): string =>
  "a1B2c3D4e5F6g7H8i9J0".repeat(Math.ceil(length / 20)).slice(0, length);
const hex = (length: number): string =>
  "0123456789abcdef".repeat(Math.ceil(length / 16)).slice(0, length);
// Joined at run time so that no scanner of repositories takes these made-up values for real ones.
const join = (...parts: string[]): string => parts.join("");

const tokens: [string, string][] = [
  ["aws-access-key", "AKIAZ7VQ3XJ2NB4MK9PL"],
  ["aws-access-key", "ASIAZ7VQ3XJ2NB4MK9PL"],
  ["github-token", `ghp_${a(36)}`],
  ["github-token", `gho_${a(36)}`],
  ["github-token", `github_pat_${a(22)}_${a(59)}`],
  ["gitlab-token", `glpat-${a(20)}`],
  ["slack-token", join("xoxb-", "123456789012-123456789012-AbCdEfGhIjKlMnOpQrStUvWx")],
  ["google-api-key", `AIza${a(35)}`],
  ["google-oauth-token", `ya29.${a(60)}`],
  ["anthropic-key", `sk-ant-api03-${"A".repeat(40)}`],
  ["openai-key", `sk-proj-${a(48)}`],
  ["openai-key", `sk-${a(48)}`],
  ["openrouter-key", `sk-or-v1-${hex(64)}`],
  ["stripe-key", join("sk_", "live_", a(24))],
  ["stripe-webhook-secret", `whsec_${a(32)}`],
  ["npm-token", `npm_${a(36)}`],
  ["pypi-token", `pypi-AgEIcHlwaS5vcmc${a(60)}`],
  ["sendgrid-key", `SG.${a(22)}.${a(43)}`],
  ["twilio-key", `SK${hex(32)}`],
  ["hugging-face-token", `hf_${a(34)}`],
  ["digitalocean-token", `dop_v1_${hex(64)}`],
  ["telegram-token", `123456789:AA${a(33)}`],
  ["vault-token", `hvs.${a(24)}`],
  ["azure-client-secret", `abc8Q~${a(34)}`],
  ["jwt", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${a(43)}`],
  [
    "private-key",
    `-----BEGIN RSA PRIVATE KEY-----\n${a(64)}\n${a(64)}\n-----END RSA PRIVATE KEY-----`,
  ],
  [
    "private-key",
    `-----BEGIN OPENSSH PRIVATE KEY-----\\n${a(64)}\\n-----END OPENSSH PRIVATE KEY-----`,
  ],
  [
    "private-key",
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n${a(64)}\n-----END PGP PRIVATE KEY BLOCK-----`,
  ],
];

describe("tokens with a known format", () => {
  test.each(tokens)(
    "masks a %s alone, in prose, in quotes and in a JSON text: %s",
    (kind, token) => {
      for (const wrap of [
        "X",
        "the key is X.",
        `k="X";`,
        "[X]",
        JSON.stringify({ text: "first\nX\nlast" }).replace("X", "X"),
      ]) {
        const masked = maskSecrets(wrap.replace("X", () => token));
        expect(masked).toContain(`[masked ${kind}]`);
        expect(masked).not.toContain(token.slice(8, 30));
      }
    },
  );

  test("masks a private key whose end was cut off", () => {
    expect(maskSecrets(`log: -----BEGIN PRIVATE KEY-----\n${a(64)}\n${a(40)}`)).toBe(
      "log: [masked private-key]",
    );
  });
});

const contexts: [string, string][] = [
  ["password", "connect ECONNREFUSED postgres://admin:Sup3rS3cret@db/x"],
  ["password", "postgresql://user:Sup3rS3cret@x@db:5432/app"],
  ["password", "https://bot:tok3n-Value@git.example.com/r.git"],
  ["secret", `DB_PASSWORD=${"Tr0ub4dor&3x".replace("&", "_")}`],
  ["secret", `const apiKey = "9f8A7c6D5e4B3a2Z";`],
  ["secret", `{"client_secret": "9f8A7c6D5e4B3a2Z"}`],
  ["secret", `{\\"client_secret\\": \\"9f8A7c6D5e4B3a2Z\\"}`],
  ["secret", `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY`],
  ["secret", `//registry.example/:_authToken=0a1b2c3d-4e5f-aaaa-Zbbb-6a7b8c9d0e1f`],
  ["secret", `if (password === "9f8A7c6D5e4B3a2Z")`],
  ["secret", `export DB_PASSWORD=hunter2x`],
  ["secret", `mysql --password 9f8A7c6D5e4B3a2Z`],
  ["secret", `os.environ["API_KEY"] = '9f8A7c6D5e4B3a2Z'`],
  ["authorization", `curl -H "Authorization: Bearer 9f8A7c6D5e4B3a2Z1y2X"`],
  ["authorization", `"authorization": "Basic dXNlcjpTdXAzclMzY3JldA=="`],
];

test.each(contexts)("masks a %s by what stands before it: %s", (kind, text) => {
  expect(maskSecrets(text)).toContain(`[masked ${kind}]`);
  expect(maskSecrets(text)).not.toMatch(
    /@x@|9f8A7c6D|Sup3rS3cret|tok3n-Value|Tr0ub4dor|wJalr|0a1b2c3d|hunter2x|dXNlcjpT/,
  );
});

test.each([
  "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  "commit 86d246e1f0a94b1c8a7d5e3f2b1a0c9d8e7f6a5b",
  `integrity: sha512-${Buffer.from(a(64)).toString("base64")}`,
  `<img src="data:image/png;base64,${Buffer.from(a(900)).toString("base64")}">`,
  "const token = await getToken(request.headers.authorization);",
  "password: string; apiKey?: string | undefined; secret: Buffer",
  "export const accessToken = process.env.ACCESS_TOKEN;",
  "PASSWORD=${DB_PASSWORD} TOKEN=$(cat token) SECRET=<your-secret>",
  "api_key: your_api_key_here, password=changeme, token: xxxxxxxxxxxx",
  "max_tokens: 128000, tokens_used=45123, token: 12345678901",
  "postgres://user:password@localhost/db and https://host:8080/path@2x.png",
  "task-runner-configuration-management-sk-circle-fade-dot",
  "risk-assessmentframeworkdocumentationguide",
  "-----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY----- are the markers",
  "the Bearer authentication scheme is described in the specification",
  "secretKey: this.options.secretKey, passwordField: '#password-input'",
  "if (password.length < 8) throw new Error('password: too short')",
  "import { tokenize } from './tokenizer.ts'; // token => tokenizeNextSymbol",
  "million-token sequences, a two-pass usage, psexec.py -k -no-pass domain.local/Administrator@dc1",
  "aws iam delete-access-key --user-name company2 && az account get-access-token --resource https://x.test",
  "password: 'password123', apiKey = 'my-secret-key-123', token = 'testpass123', Bearer token123",
  'connection_string = "mongodb://localhost:27017/", PublicKeyToken=b03f5f7f11d50a3a, arn:aws:secret:prod/myapp/*',
  "include HttpAuthentication::Token::ControllerMethods2",
  "AKIAIOSFODNN7EXAMPLE and xoxb-your-token-here",
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
])("leaves ordinary text alone: %s", (text) => {
  expect(findSecrets(text)).toEqual([]);
});

test("masks the values of variables that are secret by name, and only those", () => {
  const env = {
    MY_SERVICE_TOKEN: "plain-Value-77",
    PWD: "/home/me",
    SSH_AUTH_SOCK: "/tmp/agent",
    EDITOR: "vim-Value-99",
    DB_PASSWORD: "hunter2222",
    KEY_COUNT: "12345678",
  };
  expect(secretValues(env)).toEqual(["plain-Value-77", "hunter2222"]);
  expect(maskSecrets("got plain-Value-77 and vim-Value-99", secretValues(env))).toBe(
    "got [masked environment] and vim-Value-99",
  );
});

test("a name without a value does not hide the one after it", () => {
  expect(maskSecrets("password= token=abcDEF123456789xyz")).toBe("password= token=[masked secret]");
  expect(maskSecrets("secret: password: token: abcDEF123456789xyz")).toBe(
    "secret: password: token: [masked secret]",
  );
});

test("a secret that another one made look harmless is masked too", () => {
  expect(maskSecrets("token=abcDEF123456789xyz$AKIAZ7VQ3XJ2NB4MK9PL")).toBe(
    "token=[masked secret][masked aws-access-key]",
  );
});

test("the kind that a mask names is no name of what follows it", () => {
  const once = maskSecrets("AKIAZ7VQ3XJ2NB4MK9PL :0*-*1?.A");
  expect(once).toBe("[masked aws-access-key] :0*-*1?.A");
  expect(maskSecrets(once)).toBe(once);
  expect(maskSecrets("access-key :0*-*1?.A")).toBe("access-key :[masked secret]");
});

test("masking twice changes nothing more, and no text makes it fail", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...tokens.map(([, token]) => token),
      ...contexts.map(([, text]) => text),
      "password=",
      "://",
      "eyJ",
      "-----BEGIN PRIVATE KEY-----",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = maskSecrets(pieces.join(" "));
      expect(maskSecrets(once)).toBe(once);
    }),
  );
});

test("takes time in proportion to the text, whatever the text", () => {
  const seeds = [
    "eyJ",
    "eyJaaaaaaaaa.",
    "password=",
    "://a:",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----aaaaaaaaaaaaaaaa",
    "sk-",
    "Bearer a",
    "a1-",
    "aaaa",
    "=========",
    "M".repeat(24) + ".",
    "token: a.b-",
    "--token ",
  ];
  for (const seed of seeds) {
    const time = (length: number): number => {
      const text = seed.repeat(Math.ceil(length / seed.length));
      return cpuMs(() => void maskSecrets(text));
    };
    time(50_000);
    expect(
      (time(400_000) + 2) / (time(50_000) + 2),
      `8 times the text made of ${JSON.stringify(seed)}`,
    ).toBeLessThan(32);
  }
});

describe("rows of attacks.jsonl, class secrets/leak", () => {
  type Row = {
    id: string;
    class: string;
    input: Record<string, string>;
    setup?: { content: string }[];
  };
  const rows = readFileSync(new URL("../../../test/data/attacks.jsonl", import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
  const leaks = rows.filter((row) => row.class === "secrets/leak");
  const secrets = /ghp_a1B2\w+|AKIAZ7VQ3XJ2NB4MK9PL|xoxb-[\w-]+|sk-ant-api03-A+|Sup3rS3cret/g;
  const carrying = leaks.filter((row) => JSON.stringify([row.input, row.setup]).match(secrets));

  test("seven rows carry a secret in the clear", () =>
    expect(carrying.map((row) => row.id)).toHaveLength(7));

  test.each(carrying)("$id: what it carries is masked", (row) => {
    for (const text of [
      ...Object.values(row.input),
      ...(row.setup ?? []).map((file) => file.content),
    ]) {
      expect(maskSecrets(text)).not.toMatch(secrets);
      if (text.match(secrets)) expect(findSecrets(text).length).toBe(text.match(secrets)?.length);
    }
  });
});
