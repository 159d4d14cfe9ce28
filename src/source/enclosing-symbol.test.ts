import { expect, test } from "vitest";
import { enclosingSymbol } from "./enclosing-symbol.ts";
import { SourceFile } from "./source-file.ts";

test.each<[string, string[], (string | null)[]]>([
  [
    "functions",
    [
      "function a() {",
      "  if (x) {",
      "    return 1;",
      "  }",
      "}",
      "const b = (y) => {",
      "  use(y);",
      "};",
      "done();",
    ],
    ["a", "a", "a", "a", null, "b", "b", null, null],
  ],
  [
    "methods of a class",
    ["class Shop {", "  open(key: string) {", "    turn(key);", "  }", "}"],
    ["Shop", "open", "open", "Shop", null],
  ],
  [
    "Python",
    ["class Shop:", "    def open(self):", "        turn()", "LIMIT = 3"],
    ["Shop", "open", "open", null],
  ],
  [
    "a brace on a line of its own",
    ["int main(void)", "{", "  return 0;", "}"],
    [null, null, "main", null],
  ],
  [
    "blocks of tests",
    ["describe('shop', () => {", "  it('opens', () => {", "    open();", "  });", "});"],
    [null, null, null, null, null],
  ],
  ["a name like a word of tests", ["def test(self):", "    run()"], ["test", "test"]],
  ["nothing at all", ["", "x"], [null, null]],
])("%s", (_name, lines, names) => {
  const file = new SourceFile("x", lines.join("\n"));
  expect(lines.map((_, index) => enclosingSymbol(file, index + 1))).toEqual(names);
});
