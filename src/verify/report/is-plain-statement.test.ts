// Counter-evidence in documents: only for sentences without a condition or a part of the code.
import { expect, test } from "vitest";
import { memoryReader } from "../../source/reader.ts";
import { assessReport } from "../assess-report.ts";
import { isPlainStatement } from "./is-plain-statement.ts";

test.each([
  ["`login` has no callers.", true],
  ["`Session.init()` is never called.", true],
  ["The `timeout` setting is defined but never used.", true],
  ["When the stream ends, `abort()` is never called.", false],
  ["`notify` is no longer used in the finally block.", false],
  ["Verify `stop` was never called", false],
  ["| main.rs | calls `scroll` | never used |", false],
  ["main.rs:276 calls `scroll()` and nothing else does.", false],
])("%s: %s", (sentence, isPlain) => expect(isPlainStatement(sentence)).toBe(isPlain));

test("a document is told counter-evidence to its plain sentences only", async () => {
  const reader = memoryReader({
    "src/a.ts": "export function login() {\n  return 1;\n}\n",
    "src/b.ts": 'import { login } from "./a.ts";\n\nlogin();\n',
  });
  const plain = "`login` has no callers.";
  const qualified = "After the refactoring `login` has no callers.";
  const countered = async (text: string, document?: string): Promise<number> =>
    (
      await assessReport(text, { reader, ...(document === undefined ? {} : { document }) })
    ).checks.filter(({ verdict }) => verdict === "countered").length;
  expect(await countered(plain, "docs/review.md")).toBe(1);
  expect(await countered(qualified, "docs/review.md")).toBe(0);
});
