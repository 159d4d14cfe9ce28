import { expect, test } from "vitest";
import { testCasesIn } from "../cases/test-cases.ts";

const js = (inside: string): readonly [string, string] => [
  "a.test.js",
  `it("a", async () => {\n${inside}\n});\n`,
];
const py = (inside: string): readonly [string, string] => [
  "test_a.py",
  `def test_a(want):\n${inside.replace(/^/gm, "    ")}\n`,
];
const go = (inside: string): readonly [string, string] => [
  "a_test.go",
  `func TestA(t *testing.T) {\n${inside}\n}\n`,
];
const kt = (inside: string, mark = "= runTest "): readonly [string, string] => [
  "ATest.kt",
  `class ATest {\n    @Test\n    fun a() ${mark}{\n${inside}\n    }\n}\n`,
];
const rs = (inside: string): readonly [string, string] => [
  "tests/a.rs",
  `#[test]\nfn a() {\n${inside}\n}\n`,
];

const cases: readonly (readonly [string, readonly [string, string], readonly string[]])[] = [
  ["plainly", js("  expect(f(1)).toBe(2);"), []],
  ["under a condition", js("  if (f(1)) {\n    expect(f(1)).toBe(2);\n  }"), ["condition"]],
  [
    "on both sides",
    js('  if (out) {\n    expect(out).toBe(2);\n  } else {\n    throw new Error("none");\n  }'),
    [],
  ],
  ["behind a return", js("  return;\n  expect(f(1)).toBe(2);"), ["condition"]],
  ["behind a guard", js("  if (!out) return;\n  expect(out).toBe(2);"), ["condition"]],
  [
    "in a handler that is silent",
    js('  try {\n    expect(f(1)).toBe(2);\n  } catch (e) {\n    console.log("assert", e);\n  }'),
    ["handler"],
  ],
  [
    "in a handler that tells",
    js("  try {\n    expect(f(1)).toBe(2);\n  } catch (e) {\n    fail(e);\n  }"),
    [],
  ],
  [
    "in a loop over a list",
    js("  for (const one of [1, 2]) {\n    expect(f(one)).toBe(2);\n  }"),
    [],
  ],
  [
    "in a chain given back",
    js("  return f(1).then((out) => {\n    expect(out).toBe(2);\n  });"),
    [],
  ],
  [
    "in a promise that is kept",
    js(
      "  await new Promise((resolve) => {\n    f(1).then((out) => {\n      expect(out).toBe(2);\n      resolve();\n    });\n  });",
    ),
    [],
  ],
  ["in a Python condition", py("if f(1):\n    assert f(1) == 2"), ["condition"]],
  ["under what the row says", py("if want is None:\n    assert f(1) == 2"), []],
  [
    "in a Python handler",
    py('try:\n    assert f(1) == 2\nexcept Exception as error:\n    print("unexpected", error)'),
    ["handler"],
  ],
  [
    "in a handler of something else",
    py("try:\n    assert f(1) == 2\nexcept KeyError:\n    pass"),
    [],
  ],
  [
    "in a goroutine with a group",
    go("\tgo func() {\n\t\tassert.Equal(t, 2, F(1))\n\t}()\n\twg.Wait()"),
    [],
  ],
  ["as a report of failure", go("\tif got := F(1); got != 2 {\n\t\tt.Error(got)\n\t}"), []],
  ["in the test's scope", kt("        launch {\n            assertEquals(2, f(1))\n        }"), []],
  [
    "in an arm beside one that fails",
    rs(
      '    match f(1) {\n        Some(x) => assert_eq!(x, 2),\n        None => panic!("none"),\n    }',
    ),
    [],
  ],
];

test.each(cases)("an assertion %s", (_, [path, text], obstacles) => {
  const assertions = testCasesIn(path, text).flatMap((one) => one.assertions);
  expect(assertions.at(-1)?.obstacles).toEqual(obstacles);
});
