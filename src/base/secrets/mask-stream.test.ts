import { expect, test } from "vitest";
import { maskStream } from "./mask-stream.ts";
import { maskSecrets } from "./find-secrets.ts";

const letters = (count: number, from = 0): string =>
  Array.from(
    { length: count },
    (_, index) =>
      "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"[(from + index * 17) % 56],
  ).join("");
const github = `ghp_${letters(36)}`;
const jwt = `eyJ${letters(300)}.eyJ${letters(7_000, 3)}.${letters(80, 5)}`;
const key = Array.from({ length: 26 }, (_, index) => letters(64, index)).join("\n");
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----`;

function through(text: string, sizes: () => number, known: readonly string[] = []): string {
  const bytes = Buffer.from(text);
  let out = "";
  const stream = maskStream(known, (piece) => (out += piece));
  for (let at = 0; at < bytes.length;) {
    const size = Math.max(1, sizes());
    stream.write(bytes.subarray(at, at + size));
    at += size;
  }
  stream.close();
  return out;
}

/** Piece lengths from a seed. */
function random(seed: number, below: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
}

const filler = (lines: number): string =>
  Array.from(
    { length: lines },
    (_, index) => `line ${index}: nothing of interest, grün und größer\r\n`,
  ).join("");

test.each([
  ["a token in a line", `${filler(3)}token is ${github} here\n${filler(3)}`],
  ["a token in the last line, which does not end", `${filler(3)}and ${github}`],
  [
    "a value known by its name",
    `${filler(2)}"password": "hX7!kq92Lmvv"\n${filler(2)}DB_PASSWORD=abc123\n`,
  ],
  ["a password in an address", `postgres://user:s3cr3tpass@db/x\n${filler(2)}`],
  ["a long token", `Authorization: Bearer ${jwt}\n${filler(40)}`],
  [
    "tokens in one line of a megabyte",
    `${"x, ".repeat(150_000)}${github} ${"y, ".repeat(150_000)}api_key='${letters(40)}' ${jwt} ${"z, ".repeat(30_000)}`,
  ],
  ["a private key", `${filler(2)}${pem}\n${filler(2)}`],
  ["a private key as one line of JSON", `${filler(2)}{"k": ${JSON.stringify(pem)}}\n`],
  ["nothing", filler(300)],
])("masks %s as if it had come in one piece", (_name, text) => {
  const whole = maskSecrets(text);
  for (const sizes of [
    () => 65_536,
    () => (text.length > 100_000 ? 4_001 : 1),
    ...[1, 2, 3, 4].map((seed) => random(seed, 200)),
  ]) {
    const out = through(text, sizes);
    for (const secret of [
      github,
      letters(40),
      jwt.slice(0, 60),
      "hX7!kq92Lmvv",
      "abc123",
      "s3cr3tpass",
      ...key.split("\n"),
    ])
      expect(out.includes(secret)).toBe(false);
    expect(out.replace("-----BEGIN RSA PRIVATE KEY-----\n[masked", "[masked")).toBe(whole);
  }
});

test("masks values that are known to be secret, also one of several lines", () => {
  const known = ["Tr0ub4dor&3-horse", "first-line-of-it\nsecond-line-of-it"];
  const out = through(
    `a Tr0ub4dor&3-horse b\nfirst-line-of-it\nsecond-line-of-it\nc`,
    () => 5,
    known,
  );
  expect(out).toBe("a [masked environment] b\n[masked environment]\n[masked environment]\nc");
});

test("passes whole lines on at once, and a line without an end before it fills the memory", () => {
  const passed: string[] = [];
  const stream = maskStream([], (piece) => passed.push(piece));
  stream.write(Buffer.from("ready on port 80"));
  expect(passed).toEqual([]);
  stream.write(Buffer.from("80\nnext"));
  expect(passed).toEqual(["ready on port 8080\n"]);
  for (let times = 0; times < 100; times++) stream.write(Buffer.from(".".repeat(1_000)));
  expect(passed.join("").length).toBeGreaterThan(60_000);
  stream.close();
  expect(passed.join("")).toBe(`ready on port 8080\nnext${".".repeat(100_000)}`);
});

test("a key that never ends holds back no more than a key can be long", () => {
  let out = "";
  const stream = maskStream([], (piece) => (out += piece));
  stream.write(Buffer.from("-----BEGIN PRIVATE KEY-----\n"));
  for (let line = 0; line < 2_000; line++) stream.write(Buffer.from(`${letters(64, line)}\n`));
  expect(out).toContain("[masked private-key]");
  expect(out.length).toBeGreaterThan(50_000);
  stream.close();
});
