import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isNewer, releasedChangelog } from "./release.mjs";

describe("the changelog of a release", () => {
  it("gets the version and the day in place of the unreleased heading", () => {
    const text = "# Changelog\n\n## Unreleased\n\n- A.\n\n## 0.1.0 (2026-01-01)\n\n- B.\n";
    const released = releasedChangelog(text, "0.2.0", "2026-02-02");
    expect(released).toBe(text.replace("## Unreleased", "## 0.2.0 (2026-02-02)"));
  });
  it.each([
    ["no unreleased part", "# Changelog\n\n## 0.1.0 (2026-01-01)\n\n- B.\n", /no part headed/],
    ["an empty one", "# Changelog\n\n## Unreleased\n\n## 0.1.0 (x)\n\n- B.\n", /says nothing/],
  ])("is refused with %s", (_, text, message) => {
    expect(() => releasedChangelog(text, "0.2.0", "2026-02-02")).toThrow(message);
  });
});

it.each([
  ["0.2.0", "0.1.9", true],
  ["0.1.0", "0.1.0", false],
  ["0.0.9", "0.1.0", false],
  ["1.0.0", "0.9.9", true],
])("%s after %s is newer: %s", (next, now, newer) => expect(isNewer(next, now)).toBe(newer));

describe("a release of a clone", () => {
  let folder;
  const git = (...args) =>
    execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
  const release = (...args) =>
    spawnSync("node", [join(process.cwd(), "scripts/release.mjs"), ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "release-"));
    writeFileSync(
      join(folder, "package.json"),
      '{\n  "name": "retinue-release-test",\n  "version": "0.1.0"\n}\n',
    );
    writeFileSync(join(folder, "CHANGELOG.md"), "# Changelog\n\n## Unreleased\n\n- A.\n");
    git("init", "--quiet");
    git("config", "user.email", "t@example.com");
    git("config", "user.name", "t");
    git("add", "-A");
    git("commit", "--quiet", "-m", "Start");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("refuses what is no newer version, and a tree with changes", () => {
    expect(release("0.0.1")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("not above 0.1.0"),
    });
    expect(release()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("give the version"),
    });
    writeFileSync(join(folder, "left.txt"), "x");
    expect(release("0.2.0").stderr).toContain("left.txt");
    rmSync(join(folder, "left.txt"));
  });

  it("asks npm what it would publish and writes nothing", () => {
    const { status, stdout } = release("0.2.0", "--dry-run");
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/would release 0\.2\.0: \d+ files/),
    ]);
    expect(git("status", "--porcelain")).toBe("");
  });

  it("makes one commit and one tag", () => {
    expect(release("0.2.0").status).toBe(0);
    expect(git("log", "-1", "--format=%s")).toBe("Release 0.2.0");
    expect(git("tag", "--list")).toBe("v0.2.0");
    expect(readFileSync(join(folder, "CHANGELOG.md"), "utf8")).toMatch(
      /## 0\.2\.0 \(\d{4}-\d\d-\d\d\)/,
    );
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version).toBe("0.2.0");
  });
});
