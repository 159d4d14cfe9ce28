import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toolBench, type ToolBench } from "../../../test/support/tool-bench.ts";

let bench: ToolBench;
beforeEach(() => void (bench = toolBench()));
afterEach(() => bench.close());

const read = (file_path: string, more = {}) => bench.call("Read", { file_path, ...more });

test("numbers the lines and tells the ledger what was seen", async () => {
  const full = bench.write("a.txt", "one\r\ntwo\nthree");
  const result = await read("a.txt");
  expect(result.text).toBe("     1\tone\n     2\ttwo\n     3\tthree");
  expect(result.facts).toEqual({
    path: full,
    lines: [1, 3],
    totalLines: 3,
    bytes: 14,
    sha256: createHash("sha256").update("one\r\ntwo\nthree").digest("hex"),
  });
});

test("shows a window and says how to go on", async () => {
  bench.write("long.txt", Array.from({ length: 5_000 }, (_, index) => `l${index + 1}\n`).join(""));
  const first = await read("long.txt");
  expect(first.text).toContain("  2000\tl2000\n");
  expect(first.text).not.toContain("l2001");
  expect(first.text).toContain("(lines 1-2000 of 5000; go on with offset 2001)");
  const window = await read("long.txt", { offset: 4_999, limit: 10 });
  expect(window.text).toBe("  4999\tl4999\n  5000\tl5000\n\n(lines 4999-5000 of 5000)");
  expect(window.facts).toMatchObject({ lines: [4_999, 5_000], totalLines: 5_000 });
  expect(await read("long.txt", { offset: 9_000 })).toMatchObject({
    isError: true,
    text: "long.txt has 5000 lines; offset 9000 is past its end.",
  });
});

test("cuts long lines and says so; one line of many megabytes stays small", async () => {
  bench.write("min.js", `${"x".repeat(20_000_000)}\nend`);
  const result = await read("min.js");
  expect(result.text.length).toBeLessThan(2_300);
  expect(result.text).toContain("… (line cut)");
  expect(result.text).toContain("     2\tend");
  expect(result.text).toContain("(1 line of more than 2000 characters cut)");
});

test("keeps the whole answer within bounds", async () => {
  bench.write("wide.txt", `${"y".repeat(1_900)}\n`.repeat(2_000));
  const result = await read("wide.txt");
  expect(result.text.length).toBeLessThan(420_000);
  expect(result.text).toMatch(/go on with offset \d+\)/);
});

test.each([
  ["a directory", "dir", /dir is a directory, not a file\. Use Glob/],
  ["a FIFO", "fifo", /fifo is a FIFO/],
  ["a link to a FIFO", "to-fifo", /FIFO/],
  ["a socket", "sock", /sock is a socket/],
  ["a device", "/dev/zero", /\/dev, which is never read/],
  ["a link to a device", "to-dev", /\/dev, which is never read/],
  ["the environment of a process", "/proc/self/environ", /\/proc, which is never read/],
  ["a link into /proc", "to-proc/environ", /\/proc, which is never read/],
  ["a binary file", "binary", /binary is a binary file \(6 bytes\)/],
  ["UTF-16", "utf16.txt", /UTF-16 text\. Convert it first/],
  [
    "an absent file with a near name",
    "config.tss",
    /config\.tss does not exist; did you mean "config\.ts"/,
  ],
  ["an absent file with another ending", "config.py", /did you mean "config\.ts"/],
  ["an absent file", "nothing-like-it", /does not exist\. The working directory is \//],
  ["a file as a folder", "config.ts/x", /does not exist/],
  ["a broken link", "broken", /broken does not exist/],
  ["a NUL", "a\0b", /NUL/],
  ["an empty path", "", /empty/],
  ["a huge file", "huge", /Read takes files up to 52428800 bytes\. Search it with Grep/],
])("says what is wrong with %s, at once", async (_what, path, message) => {
  mkdirSync(join(bench.ws, "dir"));
  execFileSync("mkfifo", [join(bench.ws, "fifo")]);
  symlinkSync("fifo", join(bench.ws, "to-fifo"));
  symlinkSync("/dev/zero", join(bench.ws, "to-dev"));
  symlinkSync("/proc/self", join(bench.ws, "to-proc"));
  symlinkSync("gone", join(bench.ws, "broken"));
  bench.write("binary", Buffer.from([1, 2, 0, 3, 4, 5]));
  bench.write("utf16.txt", Buffer.from("\uFEFFhello", "utf16le"));
  bench.write("config.ts", "x");
  truncateSync(bench.write("huge", ""), 10 * 1024 ** 3);
  const server = createServer();
  await new Promise<void>((done) => server.listen(join(bench.ws, "sock"), done));
  const started = performance.now();
  const result = await read(path);
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(result).toMatchObject({ isError: true, text: expect.stringMatching(message) });
  await new Promise((done) => server.close(done));
});

test("shows what is not UTF-8 as far as it can, and says so", async () => {
  bench.write("latin.txt", Buffer.from([0x67, 0x72, 0xfc, 0x6e, 0x0a]));
  expect((await read("latin.txt")).text).toBe(
    "     1\tgr\uFFFDn\n\n(the file is not valid UTF-8; what could not be decoded is shown as \uFFFD)",
  );
});

test("an empty file is no error, a BOM is not shown", async () => {
  bench.write("empty", "");
  bench.write("bom", "\uFEFFhi\n");
  expect(await read("empty")).toMatchObject({
    text: "The file exists and is empty.",
    facts: { lines: [0, 0], totalLines: 0 },
  });
  expect((await read("bom")).text).toBe("     1\thi");
});

test("gives images and documents to models that take them, and a sentence to the others", async () => {
  bench.write("p.png", Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1"));
  bench.write("d.pdf", "%PDF-1.7 rest");
  expect((await read("p.png")).content).toEqual([
    {
      type: "image",
      source: {
        type: "base64",
        media_type: "image/png",
        data: Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1").toString("base64"),
      },
    },
  ]);
  expect((await read("d.pdf")).content).toMatchObject([
    { type: "document", source: { media_type: "application/pdf" } },
  ]);
  const plain = bench.again({ takesImages: false, takesDocuments: false });
  expect(await plain.call("Read", { file_path: "p.png" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("this model takes none"),
  });
  expect(await plain.call("Read", { file_path: "d.pdf" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("this model takes none"),
  });
});

test("neither reads nor suggests what the run may not read, by any name", async () => {
  bench.write(".env", "KEY=1");
  symlinkSync(".env", join(bench.ws, "harmless"));
  const strict = bench.again({ mayRead: (real) => !real.endsWith(".env") });
  for (const file_path of [".env", "harmless"])
    expect(await strict.call("Read", { file_path })).toMatchObject({
      isError: true,
      text: expect.stringContaining("may not be read"),
    });
  expect((await strict.call("Read", { file_path: ".emv" })).text).not.toContain('.env"');
});
