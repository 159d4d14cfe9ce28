import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { expectGenerated } from "./generated-doc.ts";
import { apiReference } from "./support/api-reference.ts";
import { roomChanges, walks, walksPage } from "./support/walks.ts";

const page = (): string => `# API reference

This page lists everything that the package exports. It is made from the sources. What stands here is kept stable;
everything else may change. [The library](library.md) explains the same with programs; the tests run every program on
that page and in [examples](../examples).

A type that is only a part of another has no name of its own here. Write it by its place:
\`AgentResult["metrics"]\`, \`Assessment["checks"][number]\`.

Options and events are written in camelCase. Ids and results are written in snake_case, as they stand in JSON output
and in transcripts.

# \`import … from "retinue"\`

${apiReference("src/app/index.ts")}

# \`import … from "retinue/testing"\`

${apiReference("src/testing/index.ts")}
`;

test("docs/api.md has every export with its signature", () => {
  expectGenerated("docs/api.md", page());
});

test("the package root exports at most 138 names, each with a sentence, each function with an example", () => {
  const entries = apiReference("src/app/index.ts").split(/^### /m).slice(1);
  expect(entries.length).toBeLessThanOrEqual(138);
  const bare = entries.filter((entry) => !/^`\w+`\n\n(?!Example:)[A-Z`].*[.:]/.test(entry));
  expect(bare.map((entry) => entry.split("\n")[0])).toEqual([]);
  expect(
    entries
      .filter((entry) => entry.includes("Example: none."))
      .map((entry) => entry.split("\n")[0]),
  ).toEqual([]);
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
