import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  numbered,
  toJsonLines,
  transcriptLines,
  type Step,
} from "../../../test/support/transcript-lines.ts";
import { tempProject } from "../../testing/temp-project.ts";
import { programsOf } from "../claims/runs/programs-of.ts";
import { ledgerBuilder, readLedger, type Ledger } from "./ledger.ts";

const file = "one\ntwo();\nthree();\nfour();\nfive();\n";

function ledgerOf(
  steps: Step[],
  options: { root?: string; cwd?: string; dialect?: "retinue" | "claude-code" } = {},
): Ledger {
  const { root = "/repo", cwd = root, dialect } = options;
  const builder = ledgerBuilder({ root });
  for (const line of transcriptLines(steps, { cwd, ...(dialect ? { dialect } : {}) }))
    builder.add(line);
  return builder.ledger();
}

/** Asked in any order, a run in memory tells what its transcript would. */
test("a record in memory is read when it is asked for, and says the same", () => {
  const read = (path: string, text: string): Step => ({
    tool: "Read",
    input: { file_path: `/repo/src/${path}` },
    output: numbered(text),
  });
  const reads = [read("a.ts", "one\ntwo();"), read("b.ts", "other"), read("a.ts", "one\nchanged")];
  const search: Step = { tool: "Grep", input: { pattern: "one" }, output: "src/b.ts:2:one();" };
  const asked: ((ledger: Ledger) => unknown)[] = [
    (ledger) => ledger.showed("src/a.ts", "two();"),
    (ledger) => ledger.seen("src/a.ts", [2, 2]),
    (ledger) => ledger.seen("src/b.ts", [1, 2]),
    (ledger) => ledger.showed("src/none.ts", "one"),
    (ledger) => [...ledger.seenPaths].sort(),
    (ledger) => ledger.reader().read("src/a.ts"),
    (ledger) => ledger.final.text,
  ];
  for (const steps of [reads, [...reads, search], [search, ...reads]]) {
    const lines = transcriptLines(steps, { cwd: "/repo" });
    const whole = ledgerOf(steps);
    for (let from = 0; from < asked.length; from++) {
      const kept = ledgerBuilder({ root: "/repo", isKept: true });
      for (const line of lines) kept.add(line);
      const ledger = kept.ledger();
      for (const ask of [...asked.slice(from), ...asked.slice(0, from)])
        expect(ask(ledger)).toEqual(ask(whole));
    }
  }
});

describe("what the agent was shown", () => {
  test.each<[string, Step, (number | null)[]]>([
    [
      "Read, by its facts",
      {
        tool: "Read",
        input: { file_path: "src/a.ts" },
        output: numbered("two();\nthree();", 2),
        facts: { path: "/repo/src/a.ts", lines: [2, 3], sha256: "x" },
      },
      [2, 3],
    ],
    [
      "Read, as Claude Code prints it",
      {
        tool: "Read",
        input: { file_path: "/repo/src/a.ts" },
        output: "     1→one\n     2→two();\n\n<system-reminder>be careful</system-reminder>",
      },
      [1, 2],
    ],
    [
      "Grep with numbers",
      {
        tool: "Grep",
        input: { pattern: "three" },
        output: "src/a.ts:3:three();\nsrc/a.ts-4-four();",
      },
      [3, 4],
    ],
    [
      "Grep in one file",
      { tool: "Grep", input: { pattern: "three", path: "src/a.ts" }, output: "3:three();" },
      [3],
    ],
    ["cat", { tool: "Bash", input: { command: "cat src/a.ts" }, output: file }, [1, 2, 3, 4, 5]],
    [
      "sed",
      {
        tool: "Bash",
        input: { command: "cd src && sed -n '2,3p' a.ts" },
        output: "two();\nthree();",
      },
      [2, 3],
    ],
    [
      "grep in a shell",
      {
        tool: "Bash",
        input: { command: "grep -rn 'four' src | head -5" },
        output: "src/a.ts:4:four();",
      },
      [4],
    ],
    [
      "a read that failed",
      { tool: "Read", input: { file_path: "src/a.ts" }, output: numbered(file), isError: true },
      [],
    ],
    [
      "words of the model",
      {
        tool: "Bash",
        input: { command: "echo 'src/a.ts:3:three();'" },
        output: "src/a.ts:3:three();",
      },
      [],
    ],
    [
      "text that a stream editor made",
      { tool: "Bash", input: { command: "sed -n 's/.*/three();/p' src/a.ts" }, output: "three();" },
      [],
    ],
    [
      "text that a search replaced",
      { tool: "Bash", input: { command: "rg -n -r 'x' three src" }, output: "src/a.ts:3:x" },
      [],
    ],
    [
      "what it wrote itself",
      { tool: "Write", input: { file_path: "src/a.ts", content: file }, output: "ok" },
      [],
    ],
    [
      "a list of names",
      {
        tool: "Grep",
        input: { pattern: "x", output_mode: "files_with_matches" },
        output: "src/a.ts",
      },
      [],
    ],
  ])("%s", (_name, step, lines) => {
    const ledger = ledgerOf([step]);
    expect([1, 2, 3, 4, 5].filter((line) => ledger.seen("src/a.ts", [line, line]))).toEqual(lines);
  });

  test("a range counts when all of it was shown, and a text wherever it stood", () => {
    const ledger = ledgerOf([
      { tool: "Read", input: { file_path: "src/a.ts" }, output: numbered("two();\nthree();", 2) },
    ]);
    expect([
      ledger.seen("src/a.ts", [2, 3]),
      ledger.seen("src/a.ts", [1, 3]),
      ledger.seen("src/b.ts", [2, 3]),
    ]).toEqual([true, false, false]);
    expect([ledger.showed("src/a.ts", "  three();"), ledger.showed("src/a.ts", "one")]).toEqual([
      true,
      false,
    ]);
  });

  test("a transcript of another checkout is read relative to its own folder", () => {
    const ledger = ledgerOf(
      [{ tool: "Read", input: { file_path: "/home/ci/work/src/a.ts" }, output: numbered(file) }],
      { root: "/repo", cwd: "/home/ci/work" },
    );
    expect(ledger.seen("src/a.ts", [1, 5])).toBe(true);
  });

  test("a result without a call, and one told in a prompt, prove nothing", () => {
    const builder = ledgerBuilder({ root: "/repo" });
    builder.add({
      type: "user",
      cwd: "/repo",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "toolu_9", content: numbered(file) }],
      },
    });
    builder.add({
      type: "user",
      cwd: "/repo",
      message: { role: "user", content: `Read src/a.ts:\n${numbered(file)}` },
    });
    expect(builder.ledger()).toMatchObject({ toolUses: 0, effectiveUses: 0, seenPaths: [] });
  });
});

describe("what the agent did", () => {
  test("commands with their exit code, in both dialects; a denied one never ran", () => {
    const ours = ledgerOf([
      {
        tool: "Bash",
        input: { command: "npm test" },
        output: "Exit code 1\nTests: 1 failed, 1 total",
        isError: true,
        facts: { command: "npm test", exitCode: 1, signal: null },
      },
      {
        tool: "Bash",
        input: { command: "rm -rf /" },
        output: "permission denied: no rule allows it",
        isError: true,
      },
      {
        tool: "Bash",
        input: { command: "sleep 9 &" },
        output: "started",
        facts: { command: "sleep 9 &", background: true },
      },
    ]);
    expect(
      ours.commands.map(({ command, exitCode, tests }) => [
        command,
        exitCode,
        tests?.failed ?? null,
      ]),
    ).toEqual([
      ["npm test", 1, 1],
      ["sleep 9 &", null, null],
    ]);
    expect(ours).toMatchObject({ toolUses: 3, effectiveUses: 2, deniedCalls: 1, failedCalls: 0 });
    const theirs = ledgerOf(
      [
        {
          tool: "Bash",
          input: { command: "npm run lint" },
          output: "Exit code 2\nbad",
          isError: true,
        },
        {
          tool: "Bash",
          input: { command: "npm run build" },
          output: "done",
          facts: { stdout: "done", stderr: "", interrupted: false },
        },
      ],
      { dialect: "claude-code" },
    );
    expect(theirs.commands.map(({ exitCode }) => exitCode)).toEqual([2, 0]);
  });

  test("files that tools wrote, and files that commands name as written", () => {
    const ledger = ledgerOf([
      {
        tool: "Write",
        input: { file_path: "src/new.ts" },
        output: "ok",
        facts: { path: "/repo/src/new.ts", created: true },
      },
      {
        tool: "Edit",
        input: { file_path: "/repo/src/a.ts" },
        output: "ok",
        facts: { filePath: "/repo/src/a.ts" },
      },
      { tool: "Bash", input: { command: "sed -i s/a/b/ src/c.ts && rm src/d.ts" }, output: "" },
      { tool: "Edit", input: { file_path: "src/e.ts" }, output: "not read yet", isError: true },
    ]);
    expect(ledger.edits.map(({ path, action }) => [path, action])).toEqual([
      ["src/new.ts", "create"],
      ["src/a.ts", "modify"],
      ["src/c.ts", "modify"],
      ["src/d.ts", "delete"],
    ]);
  });

  test("a Write of Claude Code says in its words whether the file is new", () => {
    const ledger = ledgerOf(
      [
        {
          tool: "Write",
          input: { file_path: "/repo/a.ts" },
          output: "File created successfully at: /repo/a.ts",
        },
        {
          tool: "Write",
          input: { file_path: "/repo/b.ts" },
          output: "The file /repo/b.ts has been updated successfully.",
        },
      ],
      { dialect: "claude-code" },
    );
    expect(ledger.edits.map(({ action }) => action)).toEqual(["create", "modify"]);
  });

  test.each<[string, [string, string][]]>([
    ["npm test", [["npm test", "own"]]],
    [
      "cd x && npm  test 2>&1",
      [
        ["cd x", "own"],
        ["npm test", "own"],
      ],
    ],
    [
      "npm test | tail -5",
      [
        ["npm test", "piped"],
        ["tail -5", "own"],
      ],
    ],
    [
      "npm test || true",
      [
        ["npm test", "hidden"],
        ["true", "own"],
      ],
    ],
    [
      "npm test; echo done",
      [
        ["npm test", "piped"],
        ["echo done", "own"],
      ],
    ],
    [
      "npm test; exit 0",
      [
        ["npm test", "hidden"],
        ["exit 0", "own"],
      ],
    ],
    [
      "(cd x && npm test)",
      [
        ["cd x", "own"],
        ["npm test", "own"],
      ],
    ],
  ])("the end of %j proves what it proves", (command, links) => {
    const found = programsOf(command, "/repo").map(({ argv, proof }) => [argv.join(" "), proof]);
    expect(found).toEqual(links);
  });

  test("the final reply is the last one, put together from its lines", () => {
    const builder = ledgerBuilder({ root: "/repo" });
    const line = (id: string, text: string): Record<string, unknown> => ({
      type: "assistant",
      isSidechain: false,
      message: { id, role: "assistant", content: [{ type: "text", text }] },
    });
    for (const one of [
      line("m1", "looking"),
      line("m2", "## Result"),
      { ...line("m9", "someone else"), isSidechain: true },
      line("m2", "the end"),
    ])
      builder.add(one);
    expect(builder.ledger().final.text).toBe("## Result\n\nthe end");
  });
});

test("reads a transcript from disk, damaged lines and spilled text included", async () => {
  using place = tempProject({ "src/a.ts": file });
  const lines = transcriptLines(
    [{ tool: "Read", input: { file_path: "src/a.ts" }, output: numbered(file) }, { say: "done" }],
    { cwd: place.root },
  );
  const path = join(place.home, "s.jsonl");
  mkdirSync(place.home, { recursive: true });
  writeFileSync(
    path,
    `${toJsonLines(lines)}{broken\n[1]\n"x"\n{"type":"user","message":null}\n{"type":"assistant","message":{"content":[null,1,{"type":"tool_use"}]}}\n{"type":"assis`,
  );
  const ledger = await readLedger(path, { root: place.root });
  expect(ledger).toMatchObject({
    toolUses: 1,
    effectiveUses: 1,
    final: { text: "done", agentId: "a0123456789abcdef" },
  });
  expect(ledger.seen("src/a.ts", [1, 5])).toBe(true);
});

test("memory stays bounded: what does not fit counts as not seen", () => {
  const big = "x".repeat(1_000);
  const steps: Step[] = Array.from({ length: 40 }, (_, index) => ({
    tool: "Read",
    input: { file_path: `src/f${index}.ts` },
    output: numbered(
      Array.from({ length: 1_000 }, (_unused, line) => `${index} ${line} ${big}`).join("\n"),
    ),
  }));
  const ledger = ledgerOf(steps);
  expect(ledger.seen("src/f0.ts", [1, 1_000])).toBe(true);
  expect(ledger.seen("src/f39.ts", [1, 1])).toBe(false);
});
