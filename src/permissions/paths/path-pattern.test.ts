import fc from "fast-check";
import ignore from "ignore";
import { describe, expect, test } from "vitest";
import { compilePattern, coversPath, mayCoverGlob, reachBelow } from "./path-pattern.ts";

const covers = (pattern: string, path: string): boolean =>
  coversPath(compilePattern(pattern, { anchored: false }), path.split("/"));
const meets = (pattern: string, glob: string): boolean =>
  mayCoverGlob(compilePattern(pattern, { anchored: false }), glob.split("/"));

describe("coversPath", () => {
  test.each([
    ["secrets/**", "secrets/a", true],
    ["secrets/**", "secrets", false],
    ["secrets/**", "secretsX/a", false],
    ["secrets/**", "secrets/a\nb", true],
    ["src/**", "vendor/src/a.ts", false],
    ["src", "vendor/src/a.ts", true],
    [".env", "a/b/.env", true],
    [".aws/", ".aws/credentials", true],
    ["**/*.pem", "a/b/c.pem", true],
    ["**/*.pem", "c.pem", true],
    ["a/**/z", "a/z", true],
    ["a/**/z", "a/b/c/z/d", true],
    ["a/**/z", "a/b/c", false],
    ["*.{ts}", "a.ts", false],
    ["file[0-9].txt", "file7.txt", true],
    ["file[!0-9].txt", "file7.txt", false],
    ["\\*.txt", "a.txt", false],
    ["**", "any/thing", true],
    ["*", "any/thing", true],
  ])("%j over %j: %s", (pattern, path, expected) => {
    expect(covers(pattern, path)).toBe(expected);
  });

  test("agrees with git's rules as the package ignore knows them", () => {
    const segment = fc.stringMatching(/^[ab.*?]{1,4}$/).filter((text) => !/^\.+$/.test(text));
    const pattern = fc.tuple(
      fc.boolean(),
      fc.array(fc.oneof(segment, fc.constant("**")), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
    );
    const path = fc.array(
      fc.stringMatching(/^[ab.]{1,4}$/).filter((text) => !/^\.+$/.test(text)),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(pattern, path, ([rooted, parts, below], segments) => {
        const text = `${rooted ? "/" : ""}${parts.join("/")}${below ? "/**" : ""}`;
        const reference = ignore({ ignorecase: false }).add(text).ignores(segments.join("/"));
        expect(
          coversPath(compilePattern(text.replace(/^\//, ""), { anchored: rooted }), segments),
          `${text} over ${segments.join("/")}`,
        ).toBe(reference);
      }),
      { numRuns: 3_000 },
    );
  });

  test("does not slow down on patterns that defeat backtracking matchers", () => {
    const pattern = compilePattern(`${"*a".repeat(40)}b`, { anchored: true });
    const started = performance.now();
    expect(coversPath(pattern, ["a".repeat(2_000)])).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe("mayCoverGlob", () => {
  test.each([
    [".env", ".e*", true],
    [".env", ".en?", true],
    [".env", ".[a-f]nv", true],
    [".env", "*", false],
    [".env", "*env", false],
    ["secrets/**", "s*/a", true],
    ["secrets/**", "src/*", false],
    ["*.pem", "*.ts", false],
    ["*.pem", "k*", true],
    ["a*c", "*b*", true],
  ])("%j against %j: %s", (pattern, glob, expected) => {
    expect(meets(pattern, glob)).toBe(expected);
  });

  test("finds every name that fits both", () => {
    const text = fc.stringMatching(/^[ab*?]{1,6}$/);
    const name = fc.stringMatching(/^[ab]{1,6}$/);
    fc.assert(
      fc.property(text, text, name, (a, b, common) => {
        fc.pre(covers(a, common) && covers(b, common) && !a.includes("**") && !b.includes("**"));
        expect(meets(a, b)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

test.each([
  ["secrets/a", [], { literals: ["secrets/a"] }],
  ["secrets/a", ["src"], "nothing"],
  ["secrets/**", ["secrets"], "unknown"],
  ["secrets", ["secrets", "x"], "everything"],
  [".env", ["src"], "unknown"],
])("what %j reaches below %j: %j", (pattern, segments, expected) => {
  expect(reachBelow(compilePattern(pattern, { anchored: false }), segments)).toEqual(expected);
});
