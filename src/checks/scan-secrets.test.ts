import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { tempProject } from "../testing/temp-project.ts";
import { scanSecrets } from "./scan-secrets.ts";

const token = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
const line = `export const token = "${token}";`;

describe.each(["with git", "without git"])("%s", (kind) => {
  test.each<[string, Record<string, string>, string[]]>([
    ["a token in the code", { "src/a.ts": `\n${line}\n` }, ["src/a.ts:2: github-token"]],
    [
      "one in a test",
      {
        "src/a.test.ts": line,
        "test/b.ts": line,
        "tests/test_c.py": line,
        "spec/fixtures/d.json": line,
      },
      [],
    ],
    [
      "one on a line that is marked as all right",
      { "src/a.ts": `${line} // gitleaks:allow\n`, "b.py": `${line} # pragma: allowlist secret` },
      [],
    ],
    [
      "a type behind a name is none, a value is one: in quotes, in a text of several lines, in a remark",
      {
        "src/a.ts": "export type Key = { secret: Uint8Array; credentials: S3Credentials };\n",
        "src/b.ts": 'export const key = { secret: "k9Qz7LmX2vB4nW8r" };\n',
        "src/c.ts": "const text = `\nsecret: k9Qz7LmX2vB4nW8r\n`;\n// secret: Zx81kLmQ77vB2nWe\n",
        "src/d.py": 'text = """\nclient_secret: k9Qz7LmX2vB4nW8r\n"""\n',
        "e.yml": "secret: k9Qz7LmX2vB4nW8r\n",
      },
      [
        "e.yml:1: secret",
        "src/b.ts:1: secret",
        "src/c.ts:2: secret",
        "src/c.ts:4: secret",
        "src/d.py:2: secret",
      ],
    ],
    [
      "what is built or installed",
      { "node_modules/x/a.js": line, "dist/a.js": line, ".gitignore": "node_modules\ndist\n" },
      [],
    ],
  ])("%s", async (_name, files, expected) => {
    using project = tempProject(files);
    if (kind === "with git") execFileSync("git", ["init", "-q"], { cwd: project.root });
    const { passed, errors, reason } = await scanSecrets(project.root);
    expect({ passed, errors }).toEqual({ passed: expected.length === 0, errors: expected });
    expect(reason).not.toContain(token);
    if (JSON.stringify(files).includes("test_c"))
      expect(reason).toContain("4 places in tests and fixtures passed over");
  });
});

test("a folder of links, pipes and unreadable things is gone through", async () => {
  using project = tempProject({ "a.ts": line });
  execFileSync("sh", ["-c", "ln -s / root; mkfifo pipe; ln -s nowhere gone"], {
    cwd: project.root,
  });
  expect((await scanSecrets(project.root)).errors).toHaveLength(1);
});
