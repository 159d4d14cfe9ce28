import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { toolBench, type ToolBench } from "../../../test/support/tool-bench.ts";

let bench: ToolBench;
beforeEach(() => void (bench = toolBench()));
afterEach(() => bench.close());

const text = (path: string): string => readFileSync(join(bench.ws, path), "utf8");
const call = (name: string, input: Record<string, unknown>) => bench.call(name, input);
const read = (file_path: string) => call("Read", { file_path });
const edit = (file_path: string, old_string: string, new_string: string) =>
  call("Edit", { file_path, old_string, new_string });
const editAll = (file_path: string, old_string: string, new_string: string) =>
  call("Edit", { file_path, old_string, new_string, replace_all: true });

describe("Edit", () => {
  test("replaces one exact piece, keeps the mode, tells the ledger both hashes", async () => {
    const full = bench.write("run.sh", "#!/bin/sh\necho old\n");
    chmodSync(full, 0o750);
    await read("run.sh");
    const result = await edit("run.sh", "echo old", "echo $& new");
    expect(text("run.sh")).toBe("#!/bin/sh\necho $& new\n");
    expect(statSync(full).mode & 0o777).toBe(0o750);
    expect(result.text).toContain(
      "run.sh was edited (1 replacement).\n     1\t#!/bin/sh\n     2\techo $& new",
    );
    expect(result.facts).toMatchObject({
      path: full,
      created: false,
      replacements: 1,
      before: expect.stringMatching(/^[0-9a-f]{64}$/),
      after: expect.stringMatching(/^[0-9a-f]{64}$/),
      diff: expect.stringContaining("-echo old\n+echo $& new"),
    });
    expect(readdirSync(bench.ws)).toEqual(["run.sh"]);
  });

  test("refuses text that is not there, and text that is there three times, with the lines", async () => {
    bench.write("a.ts", "x();\nfoo\nx();\n  bar( 1 );\nx();\n");
    await read("a.ts");
    expect(await edit("a.ts", "nope", "y")).toMatchObject({
      isError: true,
      text: expect.stringMatching(/not found \(0 matches\)\. Read the file again/),
    });
    expect(await edit("a.ts", "bar(  1 )", "y")).toMatchObject({
      isError: true,
      text: expect.stringContaining("other white space"),
    });
    expect(await edit("a.ts", "     2\tfoo", "y")).toMatchObject({
      isError: true,
      text: expect.stringContaining("leave out the numbers"),
    });
    expect(await edit("a.ts", "x();", "y();")).toMatchObject({
      isError: true,
      text: expect.stringContaining("ambiguous: 3 matches, on lines 1, 3, 5"),
    });
    expect(await edit("a.ts", "x();", "x();")).toMatchObject({
      isError: true,
      text: expect.stringContaining("nothing would change"),
    });
    expect(text("a.ts")).toBe("x();\nfoo\nx();\n  bar( 1 );\nx();\n");
    expect((await editAll("a.ts", "x();", "y();")).facts).toMatchObject({ replacements: 3 });
    expect(text("a.ts")).toBe("y();\nfoo\ny();\n  bar( 1 );\ny();\n");
  });

  test("keeps CRLF and BOM", async () => {
    bench.write("win.txt", "\uFEFFone\r\ntwo\r\nthree\r\n");
    await read("win.txt");
    expect((await edit("win.txt", "one\ntwo", "1\n2\n2b")).isError).toBeUndefined();
    expect(text("win.txt")).toBe("\uFEFF1\r\n2\r\n2b\r\nthree\r\n");
  });

  test("leaves mixed line endings as they are", async () => {
    bench.write("mixed.txt", "one\r\ntwo\nthree\r\n");
    await read("mixed.txt");
    await edit("mixed.txt", "two\nthree", "2\n3");
    expect(text("mixed.txt")).toBe("one\r\n2\n3\r\n");
  });

  test("wants the file read first, and unchanged since", async () => {
    bench.write("a.txt", "hello");
    expect(await edit("a.txt", "hello", "bye")).toMatchObject({
      isError: true,
      text: expect.stringContaining("was not read in this run. Read it first."),
    });
    await read("a.txt");
    bench.write("a.txt", "hello!");
    expect(await edit("a.txt", "hello", "bye")).toMatchObject({
      isError: true,
      text: expect.stringContaining("changed since it was read"),
    });
    expect(text("a.txt")).toBe("hello!");
    await read("a.txt");
    expect((await edit("a.txt", "hello", "bye")).isError).toBeUndefined();
    expect((await edit("a.txt", "bye", "later")).isError).toBeUndefined();
    expect(text("a.txt")).toBe("later!");
  });

  test("TOOLS-22: of two runs that edit one file the second is told that it changed", async () => {
    bench.write("shared.txt", "base");
    const other = bench.again();
    await read("shared.txt");
    await other.call("Read", { file_path: "shared.txt" });
    const input = (new_string: string) => ({
      file_path: "shared.txt",
      old_string: "base",
      new_string,
    });
    const results = await Promise.all([
      bench.call("Edit", input("mine")),
      other.call("Edit", input("theirs")),
    ]);
    expect(results.filter((result) => result.isError)).toHaveLength(1);
    expect(results.find((result) => result.isError)!.text).toContain("changed since it was read");
    expect(text("shared.txt")).toBe(results[0].isError ? "theirs" : "mine");
    expect(readdirSync(bench.ws)).toEqual(["shared.txt"]);
  });

  test("refuses what is not UTF-8, what would grow without bound, and what is not there", async () => {
    bench.write("latin.txt", Buffer.from([0x61, 0xfc, 0x62]));
    await read("latin.txt");
    expect(await edit("latin.txt", "a", "b")).toMatchObject({
      isError: true,
      text: expect.stringContaining("not valid UTF-8"),
    });
    bench.write("many.txt", "a".repeat(100_000));
    await read("many.txt");
    expect(await editAll("many.txt", "a", "b".repeat(10_000))).toMatchObject({
      isError: true,
      text: expect.stringContaining("would grow beyond"),
    });
    expect(text("many.txt")).toBe("a".repeat(100_000));
    expect(await edit("man.txt", "a", "b")).toMatchObject({
      isError: true,
      text: expect.stringContaining('did you mean "many.txt"'),
    });
    expect(await edit("many.txt", "", "b")).toMatchObject({
      isError: true,
      text: expect.stringContaining("old_string is empty"),
    });
    expect((await edit("new.txt", "", "fresh")).facts).toMatchObject({ created: true });
    expect(text("new.txt")).toBe("fresh");
  });
});

describe("Write", () => {
  const write = (file_path: string, content: string) => call("Write", { file_path, content });

  test("creates files with their folders, and replaces only what it knows", async () => {
    const made = await write("deep/er/new.txt", "one\ntwo\n");
    expect(made).toMatchObject({
      text: "deep/er/new.txt was created (2 lines).",
      facts: { created: true, before: null, bytes: 8 },
    });
    expect((await write("deep/er/new.txt", "three")).text).toContain("was replaced (1 line)");
    bench.write("foreign.txt", "precious");
    expect(await write("foreign.txt", "x")).toMatchObject({
      isError: true,
      text: expect.stringContaining("Read it first"),
    });
    expect(text("foreign.txt")).toBe("precious");
    expect((await write("empty.txt", "")).facts).toMatchObject({ bytes: 0 });
  });

  test.each([
    ["a directory", "dir", /is a directory/],
    ["a FIFO", "fifo", /is a FIFO/],
    ["below a file", "file/x", /a part of its path is a file/],
    ["the kernel's folders", "/proc/sys/kernel/x", /never read or written/],
    ["a device", "/dev/null", /never read or written/],
  ])("refuses %s", async (_what, path, message) => {
    mkdirSync(join(bench.ws, "dir"));
    bench.write("file", "x");
    execFileSync("mkfifo", [join(bench.ws, "fifo")]);
    expect(await write(path, "x")).toMatchObject({
      isError: true,
      text: expect.stringMatching(message),
    });
  });

  test("writes through a link to where it really leads, and not out of the workspace", async () => {
    mkdirSync(join(bench.root, "out"));
    writeFileSync(join(bench.root, "out/there.txt"), "precious");
    bench.write("real.txt", "old");
    symlinkSync("real.txt", join(bench.ws, "alias.txt"));
    symlinkSync("../out", join(bench.ws, "way-out"));
    symlinkSync("../out/not-yet.txt", join(bench.ws, "broken"));
    await read("alias.txt");
    expect((await write("alias.txt", "new")).facts).toMatchObject({
      path: join(bench.ws, "real.txt"),
    });
    expect(text("real.txt")).toBe("new");
    await read("way-out/there.txt");
    for (const path of ["way-out/there.txt", "way-out/new.txt", "broken"])
      expect(await write(path, "x")).toMatchObject({
        isError: true,
        text: expect.stringContaining("may not be written"),
      });
    expect(readdirSync(join(bench.root, "out"))).toEqual(["there.txt"]);
    expect(readFileSync(join(bench.root, "out/there.txt"), "utf8")).toBe("precious");
  });

  test("PATH-TOCT-003: refuses a path that leads elsewhere than when it was allowed", async () => {
    mkdirSync(join(bench.ws, "d"));
    mkdirSync(join(bench.ws, ".git/hooks"), { recursive: true });
    const strict = bench.again({}, join(bench.ws, "d/f"));
    expect(
      (await strict.call("Write", { file_path: "d/f", content: "one" })).isError,
    ).toBeUndefined();
    renameSync(join(bench.ws, "d"), join(bench.ws, "aside"));
    symlinkSync(".git/hooks", join(bench.ws, "d"));
    for (const [tool, more] of [
      ["Write", { content: "x" }],
      ["Edit", { old_string: "", new_string: "x" }],
      ["Read", {}],
    ] as const) {
      expect(await strict.call(tool, { file_path: "d/f", ...more })).toMatchObject({
        isError: true,
        text: expect.stringContaining("leads to another place than when it was allowed"),
      });
    }
    expect(readdirSync(join(bench.ws, ".git/hooks"))).toEqual([]);
  });

  test("asks the write policy again at the last moment", async () => {
    let asked = 0;
    const strict = bench.again({ mayWrite: () => ++asked < 2 });
    expect(await strict.call("Write", { file_path: "x.txt", content: "x" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("may not be written"),
    });
    expect(readdirSync(bench.ws)).toEqual([]);
  });

  test("nothing lands outside when the folder is swapped for a link while it works", async () => {
    mkdirSync(join(bench.root, "out"));
    const decoy = join(bench.root, "decoy");
    for (let round = 0; round < 30; round++) {
      mkdirSync(join(bench.ws, "d"), { recursive: true });
      let looks = 0;
      const racing = bench.again({
        mayWrite: () => {
          // The second look comes right before the rename: the worst moment.
          if (++looks === 1 + (round % 2)) {
            renameSync(join(bench.ws, "d"), `${decoy}${round}`);
            symlinkSync(join(bench.root, "out"), join(bench.ws, "d"));
          }
          return true;
        },
      });
      const result = await racing.call("Write", { file_path: join(bench.ws, "d/f"), content: "x" });
      expect(readdirSync(join(bench.root, "out"))).toEqual([]);
      if (round % 2 === 0) expect(result.isError).toBe(true);
      execFileSync("rm", ["-rf", join(bench.ws, "d")]);
    }
  });

  test("a file that somebody else created meanwhile is not overwritten", async () => {
    const racing = bench.again({
      mayWrite: (real) => (existsSync(real) || writeFileSync(real, "theirs"), true),
    });
    const result = await racing.call("Write", { file_path: "x.txt", content: "mine" });
    expect(result.isError).toBe(true);
    expect(text("x.txt")).toBe("theirs");
  });

  test("TOOLS-23: a full disk leaves the original as it was", async (context) => {
    if (process.getuid?.() !== 0 || process.platform !== "linux") {
      if (process.env["CI"] === "true") throw new Error("this test mounts a tmpfs and needs root");
      context.skip("mounting a tmpfs needs root");
    }
    const small = join(bench.ws, "small");
    mkdirSync(small);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small]);
    try {
      bench.write("small/a.txt", "precious\n".repeat(1_000));
      await read("small/a.txt");
      expect(await write("small/a.txt", "x".repeat(200_000))).toMatchObject({
        isError: true,
        text: "small/a.txt was not written: the disk is full. The file is as it was.",
      });
      expect(text("small/a.txt")).toBe("precious\n".repeat(1_000));
      expect(readdirSync(small)).toEqual(["a.txt"]);
      expect((await edit("small/a.txt", "precious\n".repeat(3), "kept\n")).isError).toBe(true);
      expect((await write("small/a.txt", "short")).isError).toBeUndefined();
    } finally {
      execFileSync("umount", [small]);
    }
  });

  test.each<[string, "sync" | "writeFile", () => Promise<void>, RegExp, string]>([
    [
      "that cannot confirm is told with a warning",
      "sync",
      () =>
        Promise.reject(
          Object.assign(new Error("EINVAL: invalid argument, fsync"), { code: "EINVAL" }),
        ),
      /was created[^]*Warning: this file system cannot confirm/,
      "words",
    ],
    [
      "that kept nothing is an error, and the file is as it was",
      "writeFile",
      () => Promise.resolve(),
      /was not written: the file system kept 0 of 5 bytes/,
      "old",
    ],
  ])("TOOLS-24: a file system %s", async (_name, method, broken, message, left) => {
    // Of the real disk only the one call is replaced: no file system of this machine fails so.
    const handle = await open(bench.write("probe", ""), "r");
    const spy = vi
      .spyOn(Object.getPrototypeOf(handle) as typeof handle, method)
      .mockImplementation(broken);
    await handle.close();
    if (left === "old") bench.write("a.txt", left);
    if (left === "old") await read("a.txt");
    const result = await write("a.txt", "words");
    spy.mockRestore();
    expect(result.text).toMatch(message);
    expect(text("a.txt")).toBe(left);
    expect(readdirSync(bench.ws).sort()).toEqual(["a.txt", "probe"]);
  });

  test("refuses more than the limit", async () => {
    expect(await write("big", "x".repeat(52_428_801))).toMatchObject({
      isError: true,
      text: expect.stringContaining("Write takes up to 52428800 bytes"),
    });
  });
});
