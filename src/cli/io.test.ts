import { expect, test } from "vitest";
import { withoutControls } from "./io.ts";

test.each([
  [
    "the colours of a command",
    "\u001b[31mred\u001b[39m \u001b[1mbold\u001b[22m \u001b[2mdim\u001b[22m",
    "\u001b[31mred\u001b[39m \u001b[1mbold\u001b[22m \u001b[2mdim\u001b[22m",
  ],
  ["tabs, lines and any writing", "a\tb\nc 漢 🛡️ é", "a\tb\nc 漢 🛡️ é"],
  ["no cursor movement", "a\u001b[2J\u001b[1Ab", "a[2J[1Ab"],
  ["no window title", "\u001b]0;owned\u0007x", "]0;ownedx"],
  [
    "no text that is there and cannot be seen",
    "\u001b[8mhidden\u001b[30mblack",
    "[8mhidden[30mblack",
  ],
  ["no one-character controls", "a\u009b2Jb\u0090c\u0007\b", "a2Jbc"],
  ["no return to the start of the line", "safe\rrm -rf /", "saferm -rf /"],
  ["no reordering", "a\u202egnp.exe\u2066", "agnp.exe"],
])("to a terminal goes, or does not: %s", (_what, given, expected) => {
  expect(withoutControls(given)).toBe(expected);
});
