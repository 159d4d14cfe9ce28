// What a repository asks of its reader: the list only where no single file answers, one search for many names,
// and at every look the files as they are now.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryReader, type RepositoryReader } from "./reader.ts";
import { Repository } from "./repository.ts";
import { treeReader } from "./tree-reader.ts";

/** A reader in memory that counts what is asked of it; its search is that of git: whole words, sorted. */
function counting(
  files: Record<string, string>,
): RepositoryReader & { lists: number; searches: number } {
  const reader = memoryReader(files);
  const holds = (path: string, word: string): boolean =>
    new RegExp(`\\b${word}\\b`).test(files[path] ?? "");
  return {
    ...reader,
    lists: 0,
    searches: 0,
    list() {
      this.lists += 1;
      return reader.list();
    },
    search(words, any) {
      this.searches += 1;
      return Object.keys(files)
        .filter((path) =>
          any ? words.some((word) => holds(path, word)) : words.every((word) => holds(path, word)),
        )
        .sort();
    },
  };
}

describe("a file that is named", () => {
  test("is known by opening it, without a list", () => {
    const reader = counting({ "src/a.ts": "export const a = 1;\n" });
    const repo = new Repository(reader);
    expect(repo.kindOf("src/a.ts")).toBe("file");
    expect(repo.open("src/a.ts")).toMatchObject({ ok: true });
    expect(reader.lists).toBe(0);
  });

  test("is looked up in the list where it cannot be opened", () => {
    const repo = new Repository(counting({ "src/a.ts": "" }));
    expect(repo.kindOf("src")).toBe("directory");
    expect(repo.kindOf("src/b.ts")).toBe("none");
    expect(repo.endingIn("a.ts")).toEqual(["src/a.ts"]);
  });

  test("is found by the composed form of its name", () => {
    const repo = new Repository(memoryReader({ "src/u\u0308ber.ts": "x\n" }));
    expect(repo.kindOf("src/\u00fcber.ts")).toBe("file");
    expect(repo.open("src/\u00fcber.ts")).toMatchObject({ ok: true });
  });

  test("counts as listed once it was found, though the list leaves it out", () => {
    const reader = memoryReader({ "a.ts": "", "ignored/b.ts": "b\n" });
    const repo = new Repository({ ...reader, list: () => ({ paths: ["a.ts"], complete: true }) });
    expect(repo.kindOf("ignored/b.ts")).toBe("file");
    expect(repo.isListed("ignored/b.ts")).toBe(true);
  });
});

describe("words", () => {
  const files = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, index) => [`z${1_500 - index}.ts`, `name${index} shared\n`]),
  );

  test("that are expected are searched for together", () => {
    const reader = counting(files);
    const repo = new Repository(reader);
    repo.expect(["name1", "name2", "nowhere"]);
    expect(repo.filesWith("name1").map(({ path }) => path)).toEqual(["z1499.ts"]);
    expect(repo.filesWith("name2").map(({ path }) => path)).toEqual(["z1498.ts"]);
    expect(repo.filesWith("nowhere")).toEqual([]);
    expect(reader.searches).toBe(1);
  });

  test("of which more are expected than one search takes are indexed at once", () => {
    const reader = counting(files);
    const repo = new Repository(reader);
    const names = Array.from({ length: 80 }, (_, index) => `name${index}`);
    repo.expect(names);
    expect(names.every((name) => repo.filesWith(name).length === 1)).toBe(true);
    expect(reader.searches).toBe(0);
  });

  test("are found in the order of the list, searched for or indexed", () => {
    const searched = new Repository(counting(files)).filesWith("shared", 3);
    const indexed = new Repository(memoryReader(files)).filesWith("shared", 3);
    expect(searched.map(({ path }) => path)).toEqual(["z1500.ts", "z1499.ts", "z1498.ts"]);
    expect(indexed.map(({ path }) => path)).toEqual(searched.map(({ path }) => path));
  });
});

test("every repository sees the files as they are, however often the tree was walked", () => {
  const folder = mkdtempSync(join(tmpdir(), "repository-"));
  try {
    // Old enough that what the folder holds may be kept.
    const long = new Date(Date.now() - 60_000);
    for (let round = 0; round < 4; round++) {
      writeFileSync(join(folder, "a.ts"), `export const round = ${round};\n`);
      writeFileSync(join(folder, `new-${round}.ts`), "");
      if (round === 2) rmSync(join(folder, "new-0.ts"));
      utimesSync(folder, long, long);
      const repo = new Repository(treeReader(folder));
      const state = repo.open("a.ts");
      expect(state.ok && state.file.text).toContain(`round = ${round}`);
      expect(repo.hasName(`new-${round}.ts`)).toBe(true);
      expect(repo.hasName("new-0.ts")).toBe(round < 2);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("numbers and single letters narrow no search that an index answers", () => {
  const repo = new Repository(memoryReader({ "a.js": "const key = 'hard-coded-123';\n" }));
  expect(repo.pathsWithAll(["const", "key", "hard", "coded", "123", "x"])).toEqual(["a.js"]);
  expect(repo.pathsWithAll(["const", "soft", "123"])).toEqual([]);
});
