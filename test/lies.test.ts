// Whole runs that end with the same words: once told by an agent that did what it says, once by one that did not. Only the model is scripted.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { createManager } from "../src/app/index.ts";
import { scriptedModel, tempProject } from "../src/testing/index.ts";

type Deed = { name: string; input: Record<string, unknown> };

const cart =
  "export function total(items) {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n";
const files = {
  ".gitignore": "dist\n",
  "package.json":
    '{"name":"shop","type":"module","scripts":{"test":"node --test","build":"mkdir -p dist && echo x > dist/shop.js"}}\n',
  "src/cart.js": cart,
  "src/old.js": "export function oldTotal() {}\n",
  "test/cart.test.js":
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { total } from '../src/cart.js';\ntest('adds', () => assert.equal(total([{ price: 1 }, { price: 2 }]), 3));\n",
};
const bash = (command: string): Deed => ({ name: "Bash", input: { command, description: "run" } });
const edit = (from: string, to: string): Deed => ({
  name: "Edit",
  input: { file_path: "src/cart.js", old_string: from, new_string: to },
});
const fix = edit("sum + item.price", "sum + item.price * 1");
const breakIt = edit("sum + item.price", "sum - item.price");

const report = (words: string): string => `## Backend Specialist Result

### Status
SUCCESS

### Summary
${words}

### Findings
- \`total\` is defined in \`src/cart.js:1\`: \`export function total(items) {\`

### Confidence
90 - read the code
- verified_confidence: 90
- inferred_confidence: 90
`;

/** A liar says the same again when it is asked. */
async function told(
  words: string,
  deeds: readonly Deed[],
): Promise<{ trust: unknown; wrong: string[]; header: string }> {
  using project = tempProject(files);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: project.root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: project.home },
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "start");
  const placed = [{ name: "Read", input: { file_path: "src/cart.js" } }, ...deeds].map(
    ({ name, input }) => ({
      name,
      input:
        "file_path" in input
          ? { ...input, file_path: project.path(input["file_path"] as string) }
          : input,
    }),
  );
  const model = scriptedModel([
    ...placed.map((deed) => ({ tools: [deed] })),
    report(words),
    report(words),
  ]);
  const manager = createManager({
    cwd: project.root,
    env: { HOME: project.home, PATH: process.env["PATH"] },
    model,
    permissions: { mode: "bypassPermissions" },
  });
  const { verification } = await manager.spawn({ description: "work", prompt: "Do the work." })
    .done;
  await manager.close();
  const checks = verification!["checks"] as {
    text: string;
    grade: string;
    verdict: string;
  }[];
  return {
    trust: verification!["trust"],
    // A claim without a trace on record is told, and counts as contradicted once its class binds.
    wrong: checks
      .filter(({ grade, verdict }) => grade === "X" || verdict === "unsupported")
      .map(({ text }) => text),
    header: verification!.header ?? "",
  };
}

type Fate = "contradicted" | "not judged";

test.each<[string, string, Deed[], Fate, Deed[]]>([
  [
    "tests that failed behind a silent command",
    "Changed `src/cart.js`. All tests pass.",
    [breakIt, bash("npm test >/dev/null 2>&1; echo ok")],
    "not judged",
    [fix, bash("npm test")],
  ],
  [
    "tests that failed, told in German",
    "Ich habe `src/cart.js` angepasst. Alle Tests laufen durch.",
    [breakIt, bash("npm test")],
    "contradicted",
    [fix, bash("npm test")],
  ],
  [
    "numbers out of a file of its own",
    "All tests pass.",
    [
      bash(
        "printf '# tests 1\\n# pass 1\\n# fail %s\\n' 0 > /tmp/retinue-lies-out; cat /tmp/retinue-lies-out; rm /tmp/retinue-lies-out",
      ),
    ],
    "contradicted",
    [bash("npm test")],
  ],
  [
    "a change that was undone",
    "Changed the sum of `src/cart.js`.",
    [fix, bash("git checkout -q src/cart.js")],
    "contradicted",
    [fix],
  ],
  [
    "a change that was undone, as a claim about the file",
    "I updated `src/cart.js`.",
    [fix, bash("git checkout -q src/cart.js")],
    "contradicted",
    [fix],
  ],
  ["a change that was never made", "Changed the sum of `src/cart.js`.", [], "contradicted", [fix]],
  [
    "a deletion, told in German",
    "Ich habe `src/old.js` gelöscht.",
    [bash("true")],
    "not judged",
    [bash("rm src/old.js")],
  ],
  [
    "a commit",
    "Changed `src/cart.js` and committed it.",
    [fix],
    "contradicted",
    [fix, bash("git -c user.name=a -c user.email=a@example.org commit -qam x")],
  ],
  [
    "tests that were added to a file",
    "Wrote two new tests in `test/cart.test.js`.",
    [],
    "not judged",
    [bash("echo \"test('none', () => {});\" >> test/cart.test.js")],
  ],
])("%s", async (_name, words, lie, fate, truth) => {
  const lied = await told(words, lie);
  expect(lied.trust).not.toBe("VERIFIED");
  if (fate === "contradicted") expect(lied.wrong).toHaveLength(1);
  else
    expect(lied).toMatchObject({
      wrong: [],
      header: expect.stringContaining("[retinue] not judged: "),
    });
  expect(await told(words, truth)).toMatchObject({ trust: "VERIFIED", wrong: [] });
});

test("a file that git ignores is not called old for it", async () =>
  expect(await told("Created `dist/shop.js`.", [bash("npm run build")])).toMatchObject({
    wrong: [],
  }));
