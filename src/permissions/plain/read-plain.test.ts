import { describe, expect, test } from "vitest";
import { cpuMs } from "../../testing/cpu-ms.ts";
import { readPlain } from "./read-plain.ts";

describe("plain shell", () => {
  test.each([
    "",
    "ls -la src/*.ts",
    "echo 'a b' \"c $d ${e} $? $(pwd)\" f\\ g",
    "a && b || c; d & e\nf",
    "( cd a && ls ) > out 2>&1",
    'for f in a b; do echo "$f"; done | sort',
    'while read -r l; do echo "$l"; done < f',
    "if [ -f a ]; then b; elif c; then d; else e; fi",
    "x=1 y=$(git rev-parse HEAD); echo $x",
    "cat <<'E'\n$(x) `y`\nE",
    "cat <<E\nplain\nE",
    "git commit -m \"$(cat <<'E'\nIt's (fine) `b` )\nE\n)\"",
    "git log HEAD~1 stash@{0} {} a#b # comment",
    "! grep -q a b",
    "time npm test",
    "echo a \\\n  b",
    'grep "a$" f',
  ])("%j is plain", (text) => {
    expect(readPlain(text)).toHaveProperty("script");
  });

  test.each([
    [": 1<(touch x)", "`1<(` at column 3"],
    ["echo $((1))", "`$((` at column 6"],
    ["[[ a ]]", "`[[ ` at column 1"],
    ["echo {a,b}", "`{a,` at column 6"],
    ["a\necho `b`", "``b`` at line 2, column 6"],
    ['echo "a', "at column 6"],
    ["a=(b)", "at column 3"],
    ["f() { a; }", "at column 1"],
    ["cat <<< a", "`<<<` at column 5"],
    ["echo ${x:-a}", "`${x` at column 6"],
    ["echo $'a'", "`$'a` at column 6"],
    ["a |& b", "at column 3"],
    ["a ;; b", "at column 3"],
    ["case a in b) c;; esac", "at column 1"],
    ["echo a>b", "`a>b` at column 6"],
    ["a[0]=b", "at column"],
    ["echo ~user", "at column 6"],
    ["echo a=~/b", "at column"],
    ["cat <<E\n$x\nE", "at column 5"],
    ["cat <<'E'\na", "at column 5"],
    ["echo \r", "at column 6"],
    ["echo \u00e9", "at column 6"],
    ["$(# a\n)", "at column 3"],
    ["l[s] a", "at column 1"],
    ["(", "not closed"],
  ])("%j is not: %s", (text, place) => {
    const reading = readPlain(text);
    expect(reading).not.toHaveProperty("script");
    expect("problem" in reading && reading.problem).toContain(place);
  });

  test("takes time in proportion to the text", () => {
    const text = `echo ${"'a' \"$(b)\" ".repeat(5_000)}`;
    expect(cpuMs(() => expect(readPlain(text)).toHaveProperty("script"), 1)).toBeLessThan(500);
  });
});
