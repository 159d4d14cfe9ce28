import { expect, test } from "vitest";
import { displayWidth, escaped, oneLine, printable } from "./printable.ts";
import { cpuMs } from "../../testing/cpu-ms.ts";

test.each([
  ["colours", "\u001b[31mred\u001b[0m", "red"],
  ["cursor movement", "a\u001b[2A\u001b[Kb", "ab"],
  ["window titles", "\u001b]0;owned\u0007x", "x"],
  ["hyperlinks", "\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["C1 controls", "\u009b31mred", "red"],
  ["carriage returns that overwrite", "safe\rrm -rf /", "safe\nrm -rf /"],
  ["text reordering", "a\u202egnp.exe", "agnp.exe"],
  ["zero-width characters", "pass\u200bword", "password"],
  ["tag characters", "hi\u{e0041}\u{e0042}", "hi"],
  ["lone surrogates", "a\ud800b", "a\ufffdb"],
  ["plain text", "tab\there\nnext ✓ é 漢", "tab\there\nnext ✓ é 漢"],
])("removes %s", (_name, given, expected) => {
  expect(printable(given)).toBe(expected);
});

test("an approval shows every hidden character", () => {
  expect(escaped("a\n\u001b[2K\u202eb\\")).toBe("a\\n\\u{1b}[2K\\u{202e}b\\\\");
});

test.each([
  ["a soft hyphen", "a\u00adb", "a\\u{ad}b"],
  ["a filler that looks like a blank", "rm\u3164x", "rm\\u{3164}x"],
  ["a blank that is none", "rm\u00a0-rf", "rm\\u{a0}-rf"],
  ["an empty Braille cell", "a\u2800b", "a\\u{2800}b"],
  ["a selector that carries data", "a\u{e0100}b\ufe00", "a\\u{e0100}b\\u{fe00}"],
  ["private characters", "\ue000", "\\u{e000}"],
])("an approval shows %s", (_name, given, expected) => {
  expect(escaped(given)).toBe(expected);
});

test("an approval shows what can be seen as it is", () => {
  expect(escaped("Ünïcode 漢字 🛡️ e\u0301 ✓")).toBe("Ünïcode 漢字 🛡️ e\u0301 ✓");
});

test("a line is flat and cut", () => {
  expect(oneLine("a\n\n  b   c", 10)).toBe("a b c");
  expect(oneLine("abcdefgh", 5)).toBe("abcd…");
});

test("a line is cut by the columns it takes on a terminal, never inside a character", () => {
  expect(oneLine("漢字漢字", 5)).toBe("漢字…");
  expect(oneLine("🔍🔍🔍", 4)).toBe("🔍…");
  expect(oneLine("e\u0301e\u0301e\u0301", 3)).toBe("e\u0301e\u0301e\u0301");
  expect(oneLine("x".repeat(5_000), Infinity)).toHaveLength(5_000);
  expect(displayWidth("a漢🔍e\u0301 ✓")).toBe(8);
});

test("an unfinished sequence of any length costs linear time", () => {
  const time = (size: number): number => {
    const text = "\u001b]".repeat(size);
    return cpuMs(() => void printable(text));
  };
  time(1_000);
  expect(time(100_000) / Math.max(1, time(10_000))).toBeLessThan(40);
});
