import { expect, test } from "vitest";
import { SourceFile } from "./source-file.ts";

test.each(["a\nb\n}\n", "a\nb\n}", "a\r\nb\r\n}\r\n"])(
  "lines come without their breaks, the last one too: %j",
  (text) => {
    const file = new SourceFile("x.js", text);
    expect(file.lineCount).toBe(3);
    expect([1, 2, 3, 4].map((line) => file.line(line))).toEqual(["a", "b", "}", ""]);
  },
);

test("finds code whatever its spacing, never across a word's middle", () => {
  const file = new SourceFile("x.js", "if (a  ==  b) {\n\n\treturn total;\n}\n");
  expect(file.find("if(a==b){\nreturn total;")).toEqual([{ line: 1, endLine: 3 }]);
  expect(file.find("return tot")).toEqual([]);
});

test("a name may carry a sigil, and a name with hyphens ends where no hyphen goes on", () => {
  const file = new SourceFile(
    "x.scss",
    "$teal-700: red;\n$teal-700-dark: black;\n--teal-700: blue;\nmy-teal-700: 1;\n",
  );
  expect(file.linesWith("teal-700")).toEqual([1, 3]);
});
