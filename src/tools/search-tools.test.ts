// Grep and Glob, each case by both engines: what differs between them is a bug.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toolBench, type ToolBench } from "../../test/support/tool-bench.ts";
import { findRipgrep } from "./search/ripgrep-engine.ts";

let bench: ToolBench;
const engines: Record<string, ToolBench> = {};

beforeAll(() => {
  bench = toolBench();
  mkdirSync(join(bench.ws, ".git"));
  const files: Record<string, string | Buffer> = {
    ".env": "KEY=1\n",
    ".git/config": "KEY inside git\n",
    ".gitignore":
      "# comment\n*.log\n!keep.log\n/build/\nnode_modules/\nsecret[0-9].txt\ndocs/**/draft.md\n",
    "a.ts": "export const KEY = 1;\nconst other = 2;\nfunction foo() {\n  return KEY;\n}\n",
    "a/b.ts": "import { KEY } from '../a';\nlet x;\n",
    "a/.gitignore": "local.txt\n",
    "a/local.txt": "KEY\n",
    "a-b.ts": "nothing\n",
    "src/deep/er/c.js": "var key = 'lower';\n// KEY\n// KEY KEY\n\n\n\n// end\n",
    "src/x.test.ts": "KEY\n",
    "src/README.md": "# KEY\n",
    "src/crlf.txt": "one\r\nKEY two\r\nthree\r\n",
    "src/with space.txt": "KEY\n",
    "src/new\nline.txt": "KEY\n",
    "src/ümlaut.txt": "KEY grün\n",
    "app.log": "KEY\n",
    "keep.log": "KEY\n",
    "build/out.js": "KEY\n",
    "sub/build/out.js": "KEY\n",
    "node_modules/p/index.js": "KEY\n",
    "secret1.txt": "KEY\n",
    "docs/x/y/draft.md": "KEY\n",
    "docs/x/final.md": "KEY\n",
    "binary.bin": Buffer.from("KEY\0KEY\n"),
    "latin.txt": Buffer.from([0x4b, 0x45, 0x59, 0x20, 0xfc, 0x0a]),
    "nested/.git/HEAD": "ref",
    "nested/inner.log": "KEY\n",
    "empty.txt": "",
    "no-newline.txt": "x\nKEY",
    "long.txt": `KEY ${"z".repeat(50_000)}\n`,
    ".hidden/h.txt": "KEY\n",
    "multi.txt": "begin\n  middle KEY\nend\nbegin\nend\n",
  };
  for (const [path, content] of Object.entries(files)) bench.write(path, content);
  mkdirSync(join(bench.root, "out"));
  writeFileSync(join(bench.root, "out/outside.txt"), "KEY\n");
  symlinkSync("../out", join(bench.ws, "link-dir"));
  symlinkSync("../out/outside.txt", join(bench.ws, "link-file"));
  execFileSync("mkfifo", [join(bench.ws, "fifo")]);
  const installed = findRipgrep([]);
  engines["built-in"] = bench.again({ ripgrep: false });
  if (installed) engines["ripgrep"] = bench.again({ ripgrep: installed });
  const shipped = join(
    import.meta.dirname,
    `../../node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`,
  );
  if (existsSync(shipped)) engines["shipped ripgrep"] = bench.again({ ripgrep: shipped });
});
afterAll(() => bench.close());

async function same(tool: string, input: Record<string, unknown>): Promise<string> {
  expect(Object.keys(engines).length).toBeGreaterThan(1);
  const answers = new Map<string, string>();
  for (const [name, engine] of Object.entries(engines))
    answers.set(name, (await engine.call(tool, input)).text);
  const expected = answers.get("built-in")!;
  for (const [name, answer] of answers) expect(answer, name).toBe(expected);
  return expected;
}

const searched = [
  ".env",
  ".hidden/h.txt",
  "a/b.ts",
  "a.ts",
  "docs/x/final.md",
  "keep.log",
  "latin.txt",
  "long.txt",
  "multi.txt",
  "nested/inner.log",
  "no-newline.txt",
  "src/README.md",
  "src/crlf.txt",
  "src/deep/er/c.js",
  "src/new\nline.txt",
  "src/with space.txt",
  "src/x.test.ts",
  "src/ümlaut.txt",
  "sub/build/out.js",
];

describe("Grep", () => {
  test("names the files in path order: hidden ones too; ignored, binary, linked and version-control files not", async () => {
    expect((await same("Grep", { pattern: "KEY" })).split("\n")).toEqual(
      searched.join("\n").split("\n"),
    );
  });

  test("shows lines with numbers and context, and counts", async () => {
    expect(await same("Grep", { pattern: "KEY", path: "a.ts", output_mode: "content" })).toBe(
      "a.ts:1:export const KEY = 1;\na.ts:4:  return KEY;",
    );
    expect(
      await same("Grep", { pattern: "KEY", glob: "*.js", output_mode: "content", "-C": 1 }),
    ).toBe(
      "src/deep/er/c.js-1-var key = 'lower';\nsrc/deep/er/c.js:2:// KEY\nsrc/deep/er/c.js:3:// KEY KEY\nsrc/deep/er/c.js-4-\n--\nsub/build/out.js:1:KEY",
    );
    expect(
      await same("Grep", {
        pattern: "end|var",
        path: "src/deep",
        output_mode: "content",
        "-A": 1,
        "-n": false,
      }),
    ).toBe(
      "src/deep/er/c.js:var key = 'lower';\nsrc/deep/er/c.js-// KEY\n--\nsrc/deep/er/c.js:// end",
    );
    expect(
      await same("Grep", { pattern: "KEY", path: "src", output_mode: "count", glob: "*.{js,md}" }),
    ).toBe("src/README.md:1\nsrc/deep/er/c.js:2");
  });

  test.each([
    [{ pattern: "key", "-i": true, glob: "*.js" }, "src/deep/er/c.js\nsub/build/out.js"],
    [{ pattern: "KEY", type: "ts" }, "a/b.ts\na.ts\nsrc/x.test.ts"],
    [{ pattern: "KEY", type: "ts", glob: "!*.test.ts" }, "a/b.ts\na.ts"],
    [{ pattern: "KEY", glob: "src/**/*.js" }, "src/deep/er/c.js"],
    [
      { pattern: "KEY", glob: "*.md, *.js" },
      "docs/x/final.md\nsrc/README.md\nsrc/deep/er/c.js\nsub/build/out.js",
    ],
    [{ pattern: "^KEY$", path: "src", glob: "*.txt" }, "src/new\nline.txt\nsrc/with space.txt"],
    [{ pattern: "KEY two$", path: "src" }, "No matches found."],
    [{ pattern: "grün" }, "src/ümlaut.txt"],
    [{ pattern: "--pre=sh" }, "No matches found."],
    [{ pattern: "x", glob: "--pre=./x.sh" }, "No matches found."],
    [{ pattern: "KEY", path: "app.log" }, "app.log"],
    [{ pattern: "KEY", path: "binary.bin" }, "No matches found."],
    [
      { pattern: "KEY", head_limit: 2 },
      ".env\n.hidden/h.txt\n(more results follow; go on with offset 2, or narrow the search)",
    ],
    [
      { pattern: "KEY", head_limit: 1, offset: 2 },
      "a/b.ts\n(more results follow; go on with offset 3, or narrow the search)",
    ],
    [{ pattern: "KEY", offset: 500 }, "No results beyond offset 500; there are 19."],
    [
      { pattern: "begin.*?end", multiline: true, output_mode: "content" },
      "multi.txt:1:begin\nmulti.txt:2:  middle KEY\nmulti.txt:3:end\nmulti.txt:4:begin\nmulti.txt:5:end",
    ],
    [{ pattern: "(a+)+$", glob: "long.txt" }, "No matches found."],
    [{ pattern: "two", path: "src/crlf.txt", output_mode: "content" }, "src/crlf.txt:2:KEY two"],
    [{ pattern: "KEY", path: "../out", output_mode: "content" }, undefined],
    [{ pattern: "KEY", path: "link-dir" }, undefined],
  ])("answers %j the same by every engine", async (input, expected) => {
    expect(await same("Grep", input)).toBe(
      expected ?? `${join(bench.root, "out/outside.txt")}${"output_mode" in input ? ":1:KEY" : ""}`,
    );
  });

  test("cuts long lines", async () => {
    const text = await same("Grep", { pattern: "KEY", path: "long.txt", output_mode: "content" });
    expect(text).toMatch(/^long\.txt:1:KEY z+… \(line cut\)$/);
    expect(text.length).toBeLessThan(1_100);
  });

  test.each([
    ["a pattern that cannot be read", { pattern: "(?<=a)b" }, /cannot be read/],
    ["an open bracket", { pattern: "a(" }, /cannot be read/],
    [
      "an unknown type",
      { pattern: "x", type: "typescrip" },
      /type "typescrip" is not known; did you mean "typescript"/,
    ],
    ["a type that is an option", { pattern: "x", type: "--pre=./x.sh" }, /is not known/],
    [
      "a path that is not there",
      { pattern: "x", path: "srv" },
      /srv does not exist; did you mean "src"/,
    ],
    ["a FIFO", { pattern: "x", path: "fifo" }, /is a FIFO/],
    ["the kernel's folders", { pattern: "x", path: "/proc" }, /never read/],
    ["a glob with open braces", { pattern: "x", glob: "{a,b" }, /unbalanced/],
  ])("says what is wrong with %s", async (_what, input, message) => {
    for (const engine of Object.values(engines))
      expect(await engine.call("Grep", input)).toMatchObject({
        isError: true,
        text: expect.stringMatching(message),
      });
  });
});

test("tells the ledger which lines of which files were shown", async () => {
  for (const engine of Object.values(engines)) {
    const { facts } = await engine.call("Grep", {
      pattern: "return",
      path: "a.ts",
      output_mode: "content",
      "-B": 1,
    });
    expect(facts).toMatchObject({
      files: { [join(bench.ws, "a.ts")]: [3, 4] },
      results: 2,
      complete: true,
    });
  }
});

test("never runs a ripgrep that the workspace brings", () => {
  const planted = bench.write("bin/rg", "#!/bin/sh\ntouch planted\n");
  bench.write("tools/node_modules/.bin/rg", "#!/bin/sh\n");
  chmodSync(planted, 0o755);
  symlinkSync(planted, join(bench.root, "out/rg"));
  const path = [
    join(bench.ws, "bin"),
    join(bench.root, "out"),
    join(bench.ws, "tools/node_modules/.bin"),
    "bin",
    "",
    "/nowhere",
  ].join(":");
  expect(findRipgrep([bench.ws], path) ?? "").toMatch(/^$|@vscode/);
  expect(findRipgrep([], join(bench.ws, "bin"))).toBe(planted);
  for (const folder of ["bin", "tools"]) rmSync(join(bench.ws, folder), { recursive: true });
  rmSync(join(bench.root, "out/rg"));
});

describe("Glob", () => {
  test.each([
    ["**/*.ts", "a/b.ts\na-b.ts\na.ts\nsrc/x.test.ts"],
    ["*.ts", "a/b.ts\na-b.ts\na.ts\nsrc/x.test.ts"],
    ["./*.ts", "a-b.ts\na.ts"],
    ["src/**/*.{js,md}", "src/README.md\nsrc/deep/er/c.js"],
    [
      "src/*",
      "src/README.md\nsrc/crlf.txt\nsrc/new\nline.txt\nsrc/with space.txt\nsrc/x.test.ts\nsrc/ümlaut.txt",
    ],
    ["**/.env", ".env"],
    ["a?b.ts", "a-b.ts"],
    ["[a-b].ts", "a/b.ts\na.ts"],
    ["[!a].ts", "a/b.ts"],
    ["*.log", "keep.log\nnested/inner.log"],
    ["**/.git/**", "No files found."],
    ["{../,}**/outside.txt", "No files found."],
    ["link-dir/**", "No files found."],
    [`${"*a".repeat(30)}b`, "No files found."],
    ["{a,b}".repeat(22), "No files found."],
  ])("finds %s the same by every engine", async (pattern, expected) => {
    const started = performance.now();
    expect(await same("Glob", { pattern })).toBe(expected);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("starts where an absolute or climbing pattern says", async () => {
    const outside = join(bench.root, "out/outside.txt");
    expect(await same("Glob", { pattern: "../out/*.txt" })).toBe(outside);
    expect(await same("Glob", { pattern: `${bench.root}/out/**` })).toBe(outside);
    expect(await same("Glob", { pattern: "*.js", path: "src" })).toBe("src/deep/er/c.js");
    expect(await same("Glob", { pattern: "/proc/**" })).toMatch(/never read/);
  });

  test("says what is wrong with a pattern or a path", async () => {
    expect(await same("Glob", { pattern: "{a" })).toMatch(/unbalanced/);
    expect(await same("Glob", { pattern: "x".repeat(3_000) })).toMatch(/1 to 2000 characters/);
    expect(await same("Glob", { pattern: "*", path: "a.ts" })).toMatch(
      /is a file; Glob searches folders/,
    );
    expect(await same("Glob", { pattern: "*", path: "gone-away" })).toMatch(/does not exist/);
  });
});

describe("what the run may not read", () => {
  test.each([
    ["Grep", { pattern: "KEY" }],
    ["Grep", { pattern: "KEY", output_mode: "count" }],
    ["Grep", { pattern: "KEY", output_mode: "content", "-C": 3 }],
    ["Grep", { pattern: "KEY", path: ".env" }],
    ["Glob", { pattern: "**/.env" }],
    ["Glob", { pattern: "**" }],
  ])("never appears in %s %j", async (tool, input) => {
    for (const engine of Object.values(engines)) {
      const strict = engine.again({
        ripgrep: engine.environment.ripgrep!,
        mayRead: (real) => !real.endsWith("/.env"),
      });
      const { text } = await strict.call(tool, input);
      if (!("path" in input)) expect(text).not.toMatch(/\.env/);
      else expect(text).toBe(".env may not be read in this run.");
      expect(text).not.toContain("=1");
    }
  });
});

test("a stopped search ends with what it has", async () => {
  for (const engine of Object.values(engines))
    expect((await engine.call("Grep", { pattern: "KEY" }, AbortSignal.abort())).text).toMatch(
      /the search was stopped/,
    );
});

test("outside a repository .gitignore is honoured all the same", async () => {
  const plain = toolBench();
  plain.write(".gitignore", "*.log\n");
  plain.write("sub/a.log", "KEY");
  plain.write("sub/a.txt", "KEY");
  for (const engine of Object.values(engines)) {
    const run = plain.again({ ripgrep: engine.environment.ripgrep! });
    expect((await run.call("Glob", { pattern: "**" })).text).toBe(".gitignore\nsub/a.txt");
    expect((await run.call("Grep", { pattern: "KEY", path: "sub" })).text).toBe("sub/a.txt");
  }
  await plain.close();
});

test("TOOLS-18: a hostile pattern on hostile files does not hold up anybody else", async () => {
  const hostile = toolBench({ ripgrep: false });
  hostile.write("many.txt", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\n".repeat(100_000));
  hostile.write("long.txt", `${"a".repeat(5_000_000)}!`);
  hostile.write(".gitignore", `${"*a".repeat(40)}b\n`);
  hostile.write("a".repeat(200), "x");
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 10);
  expect((await hostile.call("Grep", { pattern: "(a+)+$", glob: "*.txt" })).text).toBe(
    "No matches found.",
  );
  clearInterval(timer);
  expect(longest).toBeLessThan(2_000);
  await hostile.close();
});

test("many files: the answer is capped, and asking for little does not walk everything", async () => {
  const large = toolBench();
  for (let folder = 0; folder < 30; folder++)
    for (let file = 0; file < 50; file++) large.write(`d${folder}/f${file}.txt`, "KEY\n");
  for (const engine of Object.values(engines)) {
    const run = large.again({ ripgrep: engine.environment.ripgrep! });
    expect((await run.call("Glob", { pattern: "**" })).text.split("\n")).toHaveLength(1_001);
    expect((await run.call("Glob", { pattern: "**" })).text).toContain(
      "(more than 1000 files match; narrow the pattern)",
    );
    expect((await run.call("Grep", { pattern: "KEY" })).text).toContain(
      "(more results follow; go on with offset 250",
    );
    expect(
      (await run.call("Grep", { pattern: "KEY", head_limit: 0, output_mode: "count" })).facts,
    ).toMatchObject({ results: 1_500, complete: true });
  }
  await large.close();
});
