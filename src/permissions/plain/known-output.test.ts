import { expect, test } from "vitest";
import { knownOutput } from "./known-output.ts";
import { readPlain } from "./read-plain.ts";

test.each([
  ["git rev-parse HEAD", "word"],
  ["git rev-parse --short=8 --verify main@{u} 2>/dev/null", "word"],
  ["git merge-base HEAD origin/main", "word"],
  ["git log -1 --format=%H", "word"],
  ["git rev-list --max-parents=0 HEAD", "word"],
  ["date '+%Y-%m-%d'", "word"],
  ["seq 1 3", "word"],
  ["pwd", "folder"],
  ["git rev-parse --output=x", undefined],
  ["git rev-parse -- --output=x", undefined],
  ["git rev-parse ../../x", undefined],
  ["git rev-parse a/../../x", undefined],
  ["git rev-parse /etc/passwd", undefined],
  ["git rev-parse {a,--output=x}", undefined],
  ["git rev-parse HEAD; echo x", undefined],
  ["git rev-parse HEAD | cat", undefined],
  ["git rev-parse HEAD > x", undefined],
  ["A=b git rev-parse HEAD", undefined],
  ["git rev-parse $X", undefined],
  ["git log -1 --format=%s", undefined],
  ["git branch --show-current", undefined],
  ["date +--output=%s", undefined],
  ["seq -f --output=x 1", undefined],
  ["echo x", undefined],
  ["", undefined],
])("%s gives %s", (text, expected) => {
  expect(knownOutput(readPlain(text).script ?? [])).toBe(expected);
});
