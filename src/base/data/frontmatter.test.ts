import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFrontmatter } from "./frontmatter.ts";
import { cpuMs } from "../../testing/cpu-ms.ts";

const known = new Set([
  "name",
  "description",
  "tools",
  "disallowedTools",
  "model",
  "color",
  "permissionMode",
  "hooks",
  "mcpServers",
  "skills",
  "maxTurns",
  "argument-hint",
]);
const read = (text: string) => readFrontmatter(text, known);
const file = (...lines: string[]): string => ["---", ...lines, "---", "Body."].join("\n");
const codes = (text: string): string[] => read(text).issues.map((issue) => issue.code);

describe("frontmatter as it is found in the wild", () => {
  test("strict YAML is read as YAML, without a word", () => {
    const result = read(
      file("name: a", "description: does things", "tools: [Read, Grep]", "maxTurns: 5"),
    );
    expect(result).toMatchObject({
      kind: "strict",
      data: { name: "a", description: "does things", tools: ["Read", "Grep"], maxTurns: 5 },
      body: "Body.",
      issues: [],
    });
    expect(result.entries.get("tools")?.line).toBe(4);
  });

  test("an unquoted colon in the description", () => {
    const result = read(file("name: a", "description: Use this: it works: well", "tools: Read"));
    expect(result.kind).toBe("tolerant");
    expect(result.data).toEqual({
      name: "a",
      description: "Use this: it works: well",
      tools: "Read",
    });
    expect(result.issues).toMatchObject([{ line: 3, severity: "warning", code: "tolerant-yaml" }]);
  });

  test("a text that begins on the next line, indented, and has a colon further down", () => {
    const result = read(
      file(
        "name: a",
        "description:",
        "    Plans a trip.",
        "",
        "    Auf Deutsch: plant eine Reise.",
        "model: opus",
      ),
    );
    expect(result.data).toEqual({
      name: "a",
      description: "Plans a trip.\n\nAuf Deutsch: plant eine Reise.",
      model: "opus",
    });
  });

  test("a text that goes on without indentation is called that", () => {
    const result = read(
      file("name: a", "description: Begins here", "", "and goes on here.", "model: opus"),
    );
    expect(result.data).toMatchObject({
      description: "Begins here\n\nand goes on here.",
      model: "opus",
    });
    expect(result.issues[0]?.message).toContain("neither `key: value` nor indented text");
  });

  test("literal \\n and examples on one line", () => {
    const text = String.raw`description: Use it when asked.\n\nExamples:\n<example>\nContext: x\nuser: "fix it"\nassistant: "I will"\n</example>`;
    const result = read(file("name: a", text, "model: sonnet"));
    expect(result.data).toMatchObject({ name: "a", model: "sonnet" });
    expect(result.data["description"]).toContain(String.raw`\nuser: "fix it"\nassistant:`);
  });

  test("unindented example text whose speakers look like keys", () => {
    const result = read(
      file(
        "name: a",
        "description: Use it so:",
        "<example>",
        "Context: a bug",
        "user: fix: it",
        "assistant: using the agent",
        "result: fixed",
        "</example>",
        "tools: Read, Edit",
        "color: blue",
      ),
    );
    expect(Object.keys(result.data)).toEqual(["name", "description", "tools", "color"]);
    expect(result.data["description"]).toContain(
      "user: fix: it\nassistant: using the agent\nresult: fixed\n</example>",
    );
    expect(result.data["tools"]).toBe("Read, Edit");
  });

  test("speakers without any tag around them", () => {
    const result = read(
      file(
        "name: a",
        "description: Helps.",
        "user: please: go",
        "assistant: going",
        "model: haiku",
      ),
    );
    expect(result.data).toEqual({
      name: "a",
      description: "Helps.\nuser: please: go\nassistant: going",
      model: "haiku",
    });
  });

  test("a block whose text is not indented", () => {
    const result = read(
      file("name: a", "description: |", "First line: with colon", "second line", "tools: Read"),
    );
    expect(result.data).toEqual({
      name: "a",
      description: "First line: with colon\nsecond line",
      tools: "Read",
    });
  });

  test("a key indented by one space", () => {
    expect(read(file("name: a", " description: b", "tools: Read")).data).toEqual({
      name: "a",
      description: "b",
      tools: "Read",
    });
    expect(read(file(" name: a", "description: b")).data).toEqual({ name: "a", description: "b" });
  });

  test.each([
    ["tools: *", "tools", "*"],
    ["argument-hint: [a] [b]", "argument-hint", "[a] [b]"],
    ["color: #fff", "color", "#fff"],
    ["model: @cf/meta", "model", "@cf/meta"],
    ["model: `opus`", "model", "`opus`"],
    ["description: *important* thing", "description", "*important* thing"],
    ['description: "quoted" start: then more', "description", '"quoted" start: then more'],
    ["description: 'don't: stop'", "description", "don't: stop"],
    ['description: "say "hi": now"', "description", 'say "hi": now'],
    ["description: 100% sure: yes", "description", "100% sure: yes"],
    ["description: a\tb: c", "description", "a\tb: c"],
    ["description:no space", "description", "no space"],
    ["model:\u00A0opus", "model", "opus"],
  ])("%s", (line, key, expected) => {
    const result = read(file("name: a", line));
    expect(result.data[key]).toBe(expected);
    expect(result.issues.every((issue) => issue.severity === "warning")).toBe(true);
  });

  test("lists indented with tabs, and items with colons", () => {
    expect(
      read(file("name: a", "tools:", "\t- Read", "\t- Grep", "description: x")).data["tools"],
    ).toEqual(["Read", "Grep"]);
    expect(
      read(file("name: a", "tools:", "  - Bash(git log: *)", "  - Read", "description: x: y")).data[
        "tools"
      ],
    ).toEqual(["Bash(git log: *)", "Read"]);
  });

  test("nested values keep their structure beside a broken description", () => {
    const result = read(
      file(
        "name: a",
        "description: x: y",
        "hooks:",
        "  PreToolUse:",
        "    - matcher: Bash",
        "      hooks:",
        "        - type: command",
        "          command: ./check.sh",
      ),
    );
    expect(result.data["hooks"]).toEqual({
      PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./check.sh" }] }],
    });
  });

  test("a nested value that cannot be read is an error with its line, not a silent gap", () => {
    const result = read(file("name: a", "description: d", "hooks:", "  PreToolUse: [", "  x: }"));
    expect(result.data).not.toHaveProperty("hooks");
    expect(result.issues).toContainEqual(
      expect.objectContaining({
        severity: "error",
        code: "unreadable-value",
        line: expect.any(Number) as number,
      }),
    );
  });

  test("numbers keep the way they were written beside their value", () => {
    expect(read(file("name: 007")).entries.get("name")?.source).toBe("007");
    expect(read(file("name: NO")).data["name"]).toBe("NO");
  });

  test.each([
    ["BOM", "\uFEFF---\nname: a\n---\nBody."],
    ["CRLF", "---\r\nname: a\r\n---\r\nBody."],
    ["CR alone", "---\rname: a\r---\rBody."],
    ["spaces after the marks", "--- \nname: a\n---\t\nBody."],
    ["blank lines first", "\n\n---\nname: a\n---\nBody."],
    ["a comment first", "<!-- made by hand -->\n---\nname: a\n---\nBody."],
    ["a fence around it all", "```markdown\n---\nname: a\n---\nBody."],
    ["more dashes", "-----\nname: a\n-----\nBody."],
    ["three dots at the end", "---\nname: a\n...\nBody."],
    ["the body glued to the end", "---\nname: a\n---Body."],
    ["every key indented", "---\n  name: a\n---\nBody."],
  ])("%s", (_name, text) => {
    expect(read(text)).toMatchObject({ data: { name: "a" }, body: "Body." });
  });

  test("a second block in the body is body text", () => {
    expect(read("---\nname: x\n---\nbody\n---\nname: y\n---")).toMatchObject({
      data: { name: "x" },
      body: "body\n---\nname: y\n---",
    });
  });
});

describe("what is refused", () => {
  test.each([
    ["an alias", "a: &a [x]\nname: *a", "yaml-alias"],
    ["an alias in a file that is broken elsewhere", "d: x: y\na: &a [x]\nname: *a", "yaml-alias"],
    ["a merge key", "<<: {tools: Bash}\nname: x", "yaml-merge"],
    ["a prototype key", "__proto__:\n  a: 1\nname: x", "yaml-prototype"],
    ["a quoted prototype key", '"__proto__":\n  a: 1\nname: x', "yaml-prototype"],
    ["a prototype key inside", "hooks: {__proto__: {a: 1}}\nname: x", "yaml-prototype"],
    ["a constructor key", "constructor:\n  prototype: 1\nname: x", "yaml-prototype"],
    ["a tag", "name: !!js/function 'function(){}'", "yaml-tag"],
    ["a harmless tag", "name: !!str x", "yaml-tag"],
    [
      "a prototype key beside a broken line",
      "description: a: b\n__proto__:\n  a: 1",
      "yaml-prototype",
    ],
    ["deep brackets", `name: x\n${"[".repeat(3000)}`, "yaml-depth"],
    ["deep dashes", `name: x\na:\n  ${"- ".repeat(3000)}`, "yaml-depth"],
    ["deep brackets over lines", `name: x\na: ${"[\n".repeat(3000)}`, "yaml-depth"],
    [
      "too many keys",
      Array.from({ length: 201 }, (_, index) => `k${index}: 1`).join("\n"),
      "yaml-keys",
    ],
    [
      "too many keys in braces",
      `a: {${Array.from({ length: 9000 }, (_, index) => `k${index}: 1`)
        .join(", ")
        .slice(0, 60_000)}}`,
      "yaml-keys",
    ],
    [
      "too many keys in a broken file",
      `description: a: b\n${Array.from({ length: 201 }, (_, index) => `k${index}: 1`).join("\n")}`,
      "yaml-keys",
    ],
  ])("%s", (_name, yaml, code) => {
    const result = read(`---\n${yaml}\n---\nbody`);
    expect(result.kind).toBe("refused");
    expect(result.data).toEqual({});
    expect(result.issues.map((issue) => issue.code)).toContain(code);
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
  });

  test.each([
    ["another language", '---json\n{"name":"x"}\n---\nb', "frontmatter-language"],
    ["code", "---js\nmodule.exports = {}\n---\nb", "frontmatter-language"],
    ["no end", "---\nname: x\ndescription: d\nno end", "frontmatter-unterminated"],
    ["over 64 KB", `---\nname: x\ndescription: ${"d".repeat(70_000)}\n---\nb`, "frontmatter-size"],
    ["not at the start", "# Title\n\n---\nname: x\ndescription: d\n---\nb", "frontmatter-start"],
  ])("%s", (_name, text, code) => {
    expect(read(text).kind).toBe("refused");
    expect(codes(text)).toContain(code);
  });

  test("a value that cannot be read is an error where the key means something, in any spelling, and a warning elsewhere", () => {
    const unreadable = (key: string) =>
      read(file("name: a", "description: b: c", `${key}:`, "  x: [1", "  y: 2", "model: opus"));
    for (const key of ["hooks", "Disallowed_Tools"])
      expect(unreadable(key).issues).toContainEqual(
        expect.objectContaining({ severity: "error", code: "unreadable-value" }),
      );
    expect(unreadable("interfaces")).toMatchObject({ data: { name: "a", model: "opus" } });
    expect(unreadable("interfaces").issues).toContainEqual(
      expect.objectContaining({ severity: "warning", code: "unreadable-value" }),
    );
  });

  test("a known key that stands twice with two values is an error, also below it and where the file is not strict YAML", () => {
    expect(read(file("name: a", "tools: Read", "tools: Bash")).issues).toMatchObject([
      { line: 4, severity: "error", code: "duplicate-key" },
    ]);
    expect(read(file("name: a", "hooks:", "  Stop: [x]", "  Stop: [y]")).issues).toMatchObject([
      {
        line: 5,
        severity: "error",
        code: "duplicate-key",
        message: expect.stringContaining("`hooks.Stop`") as string,
      },
    ]);
    expect(
      read(file("name: a", "description: b: c", "tools: Read", "tools: Bash")).issues,
    ).toMatchObject([
      { code: "tolerant-yaml" },
      { line: 5, severity: "error", code: "duplicate-key" },
    ]);
    expect(
      read(file("name: a", "description: b: c", "hooks:", "  Stop: [x]", "  Stop: [y]")).issues,
    ).toMatchObject([
      { code: "tolerant-yaml" },
      { line: 6, severity: "error", code: "duplicate-key" },
    ]);
  });

  test("a key that only repeats itself, or that means nothing here, is a warning and the first one holds", () => {
    expect(read(file("name: a", "tools: Read", "tools: Read"))).toMatchObject({
      data: { tools: "Read" },
      issues: [{ line: 4, severity: "warning", code: "duplicate-key" }],
    });
    expect(read(file("name: a", "metadata:", "  log: 1", "  log: 2"))).toMatchObject({
      data: { metadata: { log: 1 } },
      issues: [{ line: 5, severity: "warning", code: "duplicate-key" }],
    });
    expect(read(file("name: a", "description: b: c", "shade: 1", "shade: 2"))).toMatchObject({
      data: { shade: 1 },
      issues: [{ code: "tolerant-yaml" }, { line: 5, severity: "warning" }],
    });
  });
});

test.each([
  ["plain Markdown", "# Title\n\ntext"],
  ["a rule at the top", "---\n\nJust prose after a rule.\n"],
  ["an example in a fence", "# How to\n\n```markdown\n---\nname: x\n---\n```\n"],
  ["nothing", ""],
])("documentation is silent: %s", (_name, text) => {
  expect(read(text)).toMatchObject({ kind: "none", body: text, issues: [] });
});

test("no text makes it fail, and the body is never changed", () => {
  const line = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "---",
      "name: x",
      "description: a: b",
      "tools: *",
      "<example>",
      "user: x",
      "\t- a",
      "  - b",
      "hooks:",
      "  a: {",
      "|",
      "'",
      '"',
      "&a *a",
      "!!x",
      "\r",
      "? a",
      ": b",
      "- - -",
      "%YAML 1.1",
      "...",
    ),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const text = ["---", ...lines].join("\n");
      const result = read(text);
      expect(text.endsWith(result.body)).toBe(true);
      expect(result.issues.every((issue) => issue.line >= 1)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("takes time in proportion to the text, whatever the text", () => {
  const seeds = [
    "a: b: c\n",
    "user: x\n",
    "<example>\n",
    "- ",
    "  - a: b\n",
    '"',
    "'a': 'b\n",
    "a: |\n",
    "{a: b, ",
    "? a\n: b\n",
    "# c\n",
    "&a ",
    "*a ",
    "\t\t\n",
    "k: [x\n",
    "text text ",
    "description: x\n",
    "!a ",
    "\r",
    "%",
    "`",
  ];
  for (const seed of seeds) {
    const time = (length: number): number => {
      const text = `---\nname: x\ndescription: a: b\n${seed.repeat(Math.ceil(length / seed.length))}\n---\n`;
      return cpuMs(() => void read(text), 2);
    };
    time(2_000);
    // Up to what is read at all; a quadratic step would take sixty-four times as long.
    expect(
      time(64_000) / (time(8_000) + 2),
      `8 times the text made of ${JSON.stringify(seed)}`,
    ).toBeLessThan(20);
  }
});
