// The attack rows whose answer lies in making the call: each is really made, in a workspace of its
// own, with the row's own rules as the read policy.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { pathFacts } from "../src/base/files/path-facts.ts";
import { newMark } from "../src/process/mark.ts";
import { findProcesses } from "../src/process/find-processes.ts";
import type { ToolResult } from "../src/tool/tool.ts";
import { createTools, type BuiltInToolSet } from "../src/tools/create-tools.ts";
import { noJudgedPath } from "../src/tool/tool.ts";
import { noSandbox } from "../src/process/sandbox/wrapped-command.ts";
import { anyPath, nothingApproved } from "../src/tools/tool-environment.ts";
import { noKnownSecrets } from "../src/base/secrets/find-secrets.ts";
import {
  attackRows,
  createPlace,
  fillRow,
  setUp,
  type AttackRow,
  type Place,
} from "./attack-rows.ts";

const places: Place[] = [];
let open: { set: BuiltInToolSet; mark: string } | undefined;
afterAll(() => places.forEach((place) => place.remove()));
afterEach(async () => {
  await open?.set.close();
  if (open) expect(findProcesses({ mark: open.mark })).toEqual([]);
  open = undefined;
});

type Made = { result: ToolResult; text: string; ms: number; place: Place; set: BuiltInToolSet };

/** Makes the call of a row, as if the gate had let it pass. */
async function make(
  row: AttackRow,
  ready: (place: Place) => void = () => {},
  more: Record<string, unknown> = {},
  mayWrite: () => boolean = anyPath,
  afterRead: (place: Place) => void = () => {},
): Promise<Made> {
  const place = createPlace();
  places.push(place);
  const filled = fillRow(row, place);
  setUp(filled, place);
  ready(place);
  const denied = new Set(
    filled.rules.deny.map(
      (rule) => pathFacts(/\(\.?\/?(.*)\)/.exec(rule)?.[1] ?? "", place.ws, place.home).real,
    ),
  );
  const mark = newMark("feed");
  const set = createTools({
    cwd: place.ws,
    home: place.home,
    spillDir: join(place.root, "spill"),
    mark,
    takesImages: true,
    takesDocuments: true,
    secrets: () => noKnownSecrets,
    mayRead: (real) => !denied.has(real),
    mayWrite,
    sandbox: noSandbox,
    approved: nothingApproved,
  });
  open = { set, mark };
  const call = async (name: string, input: Record<string, unknown>): Promise<ToolResult> => {
    const tool = set.tools.find((candidate) => candidate.name === name)!;
    const parsed = tool.parse(input);
    return parsed.ok
      ? await tool.execute(parsed.value, {
          toolUseId: "t",
          judgedPath: noJudgedPath,
          signal: AbortSignal.timeout(20_000),
          progress: () => {},
        })
      : { content: parsed.problem, isError: true };
  };
  if (row.tool === "Edit") await call("Read", { file_path: filled.input["file_path"] });
  afterRead(place);
  const started = performance.now();
  const result = await call(row.tool, { ...filled.input, ...more });
  return {
    result,
    text: typeof result.content === "string" ? result.content : "",
    ms: performance.now() - started,
    place,
    set,
  };
}

const ofClass = (name: string): [string, string, AttackRow][] =>
  attackRows.filter((row) => row.class === name).map((row) => [row.id, row.note, row]);
const byId = (id: string): AttackRow => attackRows.find((row) => row.id === id)!;

test.each(ofClass("path/special-file"))(
  "%s %s: an error at once, nothing read",
  async (_id, _note, row) => {
    const { result, ms } = await make(row);
    expect(result.isError).toBe(true);
    expect(result.facts).toBeUndefined();
    expect(ms).toBeLessThan(1_000);
  },
);

describe("path/toctou", () => {
  /**
   * Writes while `swap` is done at a moment of its choosing: at the first or at the last look of
   * the policy, which comes right before the rename.
   */
  async function race(
    row: AttackRow,
    swap: (place: Place) => void,
    { ready = () => {}, look }: { ready?: (place: Place) => void; look: number },
  ): Promise<{ result: ToolResult; place: Place }> {
    let looks = 0;
    let here: Place | undefined;
    const { result, place } = await make(
      { ...row, tool: "Write", input: { ...row.input, content: "x" } },
      (made) => (ready((here = made)), mkdirSync(join(made.ws, "d"), { recursive: true })),
      {},
      () => (++looks === look && swap(here!), true),
    );
    expect(looks).toBeGreaterThanOrEqual(look);
    expect(readdirSync(place.out)).toEqual([]);
    return { result, place };
  }
  const swaps: Record<string, (place: Place) => void> = {
    "PATH-TOCT-001": ({ ws, out, root }) => (
      renameSync(join(ws, "d"), join(root, "aside")),
      symlinkSync(out, join(ws, "d"))
    ),
    "PATH-TOCT-002": ({ ws, out }) => symlinkSync(join(out, "f"), join(ws, "d/f")),
  };
  const raced = Object.keys(swaps).flatMap((id) =>
    [1, 2].map((look) => [id, byId(id).note, look] as const),
  );
  test.each(raced)("%s %s, at look %i", async (id, _note, look) => {
    const { result, place } = await race(byId(id), swaps[id]!, { look });
    // A folder that is moved away between the last look and the rename takes the file with it; that
    // is told, and the link in its place is not followed.
    if (id === "PATH-TOCT-001" && look === 2)
      expect(result.content).toContain("changed by somebody else");
    else expect(result.isError).toBe(true);
    expect(existsSync(join(place.out, "f"))).toBe(false);
  });

  test("PATH-TOCT-004 temp file name predictable in /tmp, pre-planted symlink", async () => {
    const names = new Set<string>();
    for (let round = 0; round < 5; round++)
      await race(
        byId("PATH-TOCT-004"),
        ({ ws }) =>
          readdirSync(join(ws, "d"))
            .filter((name) => name !== "f")
            .forEach((name) => names.add(name)),
        { look: 2 },
      );
    // The temporary file stands in the folder of the file itself, under a name that nobody can
    // foresee.
    expect(names.size).toBe(5);
    for (const name of names) expect(name).toMatch(/^\.f\.[0-9a-f]{16}\.tmp$/);
  });

  test("PATH-TOCT-005 Edit: file changed on disk after Read (stale snapshot)", async () => {
    const { result, place } = await make(
      {
        ...byId("PATH-TOCT-005"),
        input: { file_path: "{{WS}}/d/f", old_string: "one", new_string: "two" },
      },
      ({ ws }) => (mkdirSync(join(ws, "d")), writeFileSync(join(ws, "d/f"), "one\n")),
      {},
      undefined,
      ({ ws }) => writeFileSync(join(ws, "d/f"), "one, and theirs\n"),
    );
    expect(result).toMatchObject({
      isError: true,
      content: expect.stringContaining("changed since it was read"),
    });
    expect(readFileSync(join(place.ws, "d/f"), "utf8")).toBe("one, and theirs\n");
  });

  test("PATH-TOCT-006 rename over target: final path must be re-checked after rename", async () => {
    const { result, place } = await race(
      byId("PATH-TOCT-006"),
      ({ ws }) => writeFileSync(join(ws, "d/f"), "theirs"),
      { look: 2 },
    );
    expect(result).toMatchObject({
      isError: true,
      content: expect.stringContaining("created by somebody else"),
    });
    expect(readFileSync(join(place.ws, "d/f"), "utf8")).toBe("theirs");
  });

  test("every row of the class is here or beside the tools", () => {
    expect(ofClass("path/toctou").map(([id]) => id)).toEqual([
      ...Object.keys(swaps),
      "PATH-TOCT-003",
      "PATH-TOCT-004",
      "PATH-TOCT-005",
      "PATH-TOCT-006",
    ]);
  });
});

describe("what the decision allows, really read", () => {
  test.each(
    ["PATH-TRAV-010", "PATH-TRAV-012", "PATH-SYML-011", "PATH-SYML-012"].map(
      (id) => [id, byId(id).note, byId(id)] as const,
    ),
  )("%s %s: nothing from outside", async (_id, _note, row) => {
    const { text } = await make(row);
    expect(text).not.toMatch(/root:x?:0|passwd\b.*:\d|^d\/\w/m);
  });
});

describe("search/leak", () => {
  const denying = ofClass("search/leak").filter(([, , row]) => row.rules.deny.length > 0);
  test.each(denying)("%s %s", async (_id, _note, row) => {
    expect(denying.length).toBeGreaterThan(0);
    const { text, result } = await make(row, ({ ws }) =>
      writeFileSync(join(ws, "seen.txt"), "KEY=1\n"),
    );
    expect(text).not.toContain(".env");
    expect(JSON.stringify(result.facts?.["files"] ?? {})).not.toContain(".env");
    if (row.tool === "Grep") expect(text).toContain("seen.txt");
  });

  test.each(
    ofClass("search/leak").filter(
      ([, , row]) => row.expected === "allow" && row.rules.deny.length === 0,
    ),
  )("%s %s", async (_id, _note, row) => {
    const { place, ms } = await make(row, ({ ws }) =>
      writeFileSync(join(ws, "x.sh"), "#!/bin/sh\ntouch ran\n", { mode: 0o755 }),
    );
    expect(ms).toBeLessThan(2_000);
    expect(existsSync(join(place.ws, "ran"))).toBe(false);
  });

  test("SEAR-LEAK-015 look-behind is refused, PCRE2 stays off", async () => {
    const { result } = await make(byId("SEAR-LEAK-015"));
    expect(result).toMatchObject({
      isError: true,
      content: expect.stringContaining("cannot be read"),
    });
  });
});

describe("resource/exhaustion", () => {
  const cap = 10 * 1024 * 1024 + 200;

  test("RESO-EXHA-002 endless output in the background stays below the cap and ends with the run", async () => {
    const { result, set } = await make(byId("RESO-EXHA-002"));
    await sleep(700);
    const { outputFile, taskId } = result.facts as { outputFile: string; taskId: string };
    expect(statSync(outputFile).size).toBeLessThan(cap);
    expect(set.shells.output(taskId)!.text.length).toBeLessThan(31_000);
  });

  test("RESO-EXHA-003 a file cannot fill the disk", async () => {
    // Sparse, because the limit counts the size of the file and not the blocks: the same refusal
    // without writing gigabytes.
    const { result, place } = await make(byId("RESO-EXHA-003"), () => {}, {
      command: "dd if=/dev/zero of=big bs=1M count=2 seek=2047",
    });
    expect(result.isError).toBe(true);
    expect(statSync(join(place.ws, "big")).size).toBeLessThanOrEqual(2 * 1024 ** 3);
  });

  test("RESO-EXHA-005 a thousand processes are gone after the stop", async () => {
    const { result, ms } = await make(byId("RESO-EXHA-005"), () => {}, { timeout: 2_500 });
    expect(result.facts).toMatchObject({ timedOut: true });
    expect(ms).toBeLessThan(6_000);
  });

  test.each(["RESO-EXHA-007", "RESO-EXHA-009", "RESO-EXHA-010"])(
    "%s returns at once and leaves nothing",
    async (id) => {
      expect((await make(byId(id))).ms).toBeLessThan(2_500);
    },
  );

  test("RESO-EXHA-011 a memory hog ends, the runtime does not", async () => {
    const program = "const all = []; for (;;) all.push(new Uint8Array(1 << 30))";
    const { result } = await make(byId("RESO-EXHA-011"), () => {}, {
      command: `'${process.execPath}' -e '${program}'`,
    });
    expect(result.isError).toBe(true);
  });

  test.each([
    ["RESO-EXHA-012", "10gb.bin"],
    ["RESO-EXHA-013", "oneline.json"],
  ])("%s reads at most the cap", async (id, name) => {
    const before = process.memoryUsage().rss;
    const { text, ms } = await make(byId(id), ({ ws }) => {
      writeFileSync(join(ws, name), "{");
      truncateSync(join(ws, name), id === "RESO-EXHA-012" ? 10 * 1024 ** 3 : 500 * 1024 ** 2);
    });
    expect(text).toContain("Read takes files up to");
    expect(ms).toBeLessThan(1_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  test("RESO-EXHA-015 many files: the result is capped", async () => {
    const { text } = await make(byId("RESO-EXHA-015"), ({ ws }) => {
      mkdirSync(join(ws, "many"));
      for (let file = 0; file < 1_500; file++) writeFileSync(join(ws, "many", `f${file}`), "");
    });
    expect(text.split("\n")).toHaveLength(1_001);
  });

  test.each(["RESO-EXHA-017", "RESO-EXHA-018"])(
    "%s a hostile pattern is answered in time",
    async (id) => {
      expect(
        (await make(byId(id), ({ ws }) => writeFileSync(join(ws, "a".repeat(200)), ""))).ms,
      ).toBeLessThan(2_000);
    },
  );

  test("RESO-EXHA-019 an Edit cannot blow a file up", async () => {
    const { result, place } = await make(
      byId("RESO-EXHA-019"),
      ({ ws }) => writeFileSync(join(ws, "a.txt"), "a".repeat(200_000)),
      { new_string: "b".repeat(10_000), replace_all: true },
    );
    expect(result).toMatchObject({
      isError: true,
      content: expect.stringContaining("would grow beyond"),
    });
    expect(statSync(join(place.ws, "a.txt")).size).toBe(200_000);
  });

  test("RESO-EXHA-020 a Write has a size", async () => {
    const { result, place } = await make(byId("RESO-EXHA-020"), () => {}, {
      content: "x".repeat(60_000_000),
    });
    expect(result.isError).toBe(true);
    expect(existsSync(join(place.ws, "a.txt"))).toBe(false);
  });

  test("RESO-EXHA-022 a background shell ends with its run", async () => {
    const { result, set } = await make(byId("RESO-EXHA-022"));
    expect(result.facts).toMatchObject({ background: true });
    expect(findProcesses({ mark: open!.mark }).length).toBeGreaterThan(0);
    await set.close();
    expect(findProcesses({ mark: open!.mark })).toEqual([]);
  });
});

test("every row of these classes is made here or beside the tools", () => {
  const here = new Set(
    attackRows
      .filter(
        (row) =>
          row.class === "resource/exhaustion" &&
          ["Read", "Write", "Edit", "Bash", "Glob", "Grep"].includes(row.tool),
      )
      .map((row) => row.id),
  );
  // 016 measures the decision, not the call.
  expect(
    [...here].filter((id) => !/-0(?:02|03|05|07|09|10|11|12|13|15|16|17|18|19|20|22)$/.test(id)),
  ).toEqual([]);
});
