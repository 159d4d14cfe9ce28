import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { expectGenerated } from "./generated-doc.ts";
import { apiReference } from "./support/api-reference.ts";
import { roomChanges, walks, walksPage } from "./support/walks.ts";

const page = (): string => `# API reference

Everything that the package exports, made from the sources: what stands here is kept stable, everything else may change. For a walk through it see
[the library](library.md); every example in [examples](../examples) runs as it stands.

# \`import … from "retinue"\`

${apiReference("src/app/index.ts")}

# \`import … from "retinue/testing"\`

${apiReference("src/testing/index.ts")}
`;

test("docs/api.md has every export with its signature", () => {
  expectGenerated("docs/api.md", page());
});

test("what the built package exports is what the reference names", () => {
  const exported = execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      'console.log(JSON.stringify([await import("./dist/app/index.js"), await import("./dist/testing/index.js")].flatMap(Object.keys)))',
    ],
    { encoding: "utf8" },
  );
  const names = [...page().matchAll(/^### `(\w+)`$/gm)].map(([, name]) => name);
  expect(names).toEqual(expect.arrayContaining(JSON.parse(exported) as string[]));
});

test("docs/walks.md names the lines of four walks, each with at most twelve changes of room", () => {
  expectGenerated("docs/walks.md", walksPage());
  for (const walk of walks) expect(roomChanges(walk), walk.title).toBeLessThanOrEqual(12);
});
