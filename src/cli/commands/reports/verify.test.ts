import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../../command.ts";
import type { Io } from "../../io.ts";
import * as module from "./verify.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "retinue-verify-")));

beforeAll(() => {
  mkdirSync(join(root, "src"));
  writeFileSync(
    join(root, "src/auth.ts"),
    "export function login() {\n  return true;\n}\nexport const limit = 3;\n",
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function run(
  args: string[],
  stdin: string,
): Promise<{ code: number; out: string[]; err: string[] }> {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    stdin: Readable.from([Buffer.from(stdin)]) as unknown as Io["stdin"],
    cwd: root,
    env: {},
    interactive: false,
    paint: (_style, text) => text,
    width: () => undefined,
    paintErr: (_style, text) => text,
    signal: new AbortController().signal,
    interrupt: () => undefined,
  };
  return { code: await runCommand(args, io, { module, all: [] }), out, err };
}

test("prints each reference with what really stands there", async () => {
  const { code, out } = await run(
    ["-"],
    "`login` is at `src/auth.ts:4`, see also `src/auth.ts:1`.",
  );
  expect(code).toBe(1);
  expect(out.join("\n")).toContain("✗ wrong_symbol line 1: `src/auth.ts:4`");
  expect(out.join("\n")).toContain(
    "line 4 is `export const limit = 3;`; `login` is defined at src/auth.ts:1",
  );
  expect(out.at(-1)).toMatch(/✓ hold +1: `src\/auth\.ts:1` \(line 1\)/);
  expect(out.at(-1)).toMatch(/^places 1 of 2 hold · trust MIXED$/m);
});

test("a right report ends with 0 and the wire shape", async () => {
  const { code, out } = await run(
    ["--json"],
    "## X Result\n\n### Status\nSUCCESS\n\n### Findings\n\n| ID | Issue | File:Line | Severity |\n|---|---|---|---|\n| A-1 | `login` accepts all | `src/auth.ts:1` | Important |\n\n### Confidence\n90 - read it\n",
  );
  expect(code).toBe(0);
  const answer = JSON.parse(out[0]!) as Record<string, unknown>;
  expect(answer).toMatchObject({
    trust: "VERIFIED",
    tally: { places: { of: 1, hold: 1 } },
    findings: [{ located: true }],
    counts: { verified: 1, flagged: 0 },
    confidence: { claimed: 90, cap: 84 },
    checks: [
      {
        id: "c1",
        kind: "symbol",
        path: "src/auth.ts",
        lines: [1, 1],
        verdict: "verified",
        grade: "E2",
      },
    ],
  });
});

test("a batch answers line by line and goes on after a bad line", async () => {
  const lines = [
    JSON.stringify({ id: "a", root, report: "`src/auth.ts:1` (login)" }),
    "nonsense",
    JSON.stringify({ id: "b", root: join(root, "nowhere"), report: "x" }),
    JSON.stringify({ id: "c", root, report: "`src/auth.ts:9`" }),
  ];
  const { code, out } = await run(["--batch"], lines.join("\n"));
  expect(code).toBe(1);
  const answers = out.map(
    (line) => JSON.parse(line) as { id: unknown; error?: string; checks?: { verdict: string }[] },
  );
  expect(answers.map((answer) => answer.id)).toEqual(["a", null, "b", "c"]);
  expect(
    answers.map(
      (answer) => answer.checks?.map((check) => check.verdict) ?? answer.error?.slice(0, 20),
    ),
  ).toEqual([
    ["verified"],
    "line 2 is not JSON (",
    'the root "' + join(root, "nowhere").slice(0, 10),
    ["out_of_range"],
  ]);
});

test("an unknown format and a missing file are sentences", async () => {
  expect((await run(["--format", "xml"], "")).err.join("")).toContain(
    "text, json, sarif or markdown",
  );
  const missing = await run(["nowhere.md"], "");
  expect(missing.code).toBe(2);
  expect(missing.err.join("")).toContain("cannot be read");
});
