// Forty ways in which coding agents write a reference down.
const run = (s) => Math.max(0, ...(String(s).match(/`+/g) || []).map((m) => m.length));
// inline code that survives backticks in the text
const span = (s) => {
  const n = run(s);
  if (!n) return "`" + s + "`";
  const t = "`".repeat(n + 1);
  return `${t} ${s} ${t}`;
};
const cell = (s) => s.replace(/\|/g, "\\|");
const ticks = (body) => "`".repeat(Math.max(3, run(body) + 1));
const fence = (info, body) => {
  const t = ticks(body);
  return `${t}${info}\n${body}\n${t}`;
};
const indent = (text, by) =>
  text
    .split("\n")
    .map((l) => (l ? by + l : l))
    .join("\n");
const quote = (text) =>
  text
    .split("\n")
    .map((l) => (l ? "> " + l : ">"))
    .join("\n");
const base = (p) => p.split("/").pop();
const url = (p) => p.replace(/ /g, "%20").replace(/\(/g, "%28").replace(/\)/g, "%29");
const hash =
  /^(py|python|rb|ruby|sh|bash|shell|zsh|yaml|yml|toml|perl|pl|r|elixir|ex|exs|make|makefile|dockerfile|nim|julia|jl)$/i;
const dash2 = /^(lua|sql|haskell|hs|elm)$/i;
const mark = (f) => (hash.test(f.lang || "") ? "#" : dash2.test(f.lang || "") ? "--" : "//");
const body = (f) => f.block.join("\n");
const tree = (f, note) => {
  const parts = f.path.split("/");
  return [
    `${f.pack}/`,
    ...parts.map(
      (p, i) => "    ".repeat(i) + "└── " + p + (i < parts.length - 1 ? "/" : `   ← ${note}`),
    ),
  ].join("\n");
};

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "code references list",
    kind: "bare",
    write: (f) =>
      `## Code References

- \`${f.path}:${f.line}\` - Main entry for this behaviour
`,
  },
  {
    name: "lines in parentheses, en dash",
    kind: "bare",
    ranged: true,
    write: (f) =>
      `The relevant logic in ${f.pack} is concentrated in one place: \`${f.path}\` (lines ${f.line}–${f.end}).
`,
  },
  {
    name: "codex web citation",
    kind: "bare",
    ranged: true,
    write: (f) =>
      `**Summary**

* The existing handling already covers the empty case.【F:${f.path}†L${f.line}-L${f.end}】
`,
  },
  {
    name: "link with L-range anchor",
    kind: "bare",
    ranged: true,
    write: (f) =>
      `For the details see [${base(f.path)}:${f.line}-${f.end}](${url(f.path)}#L${f.line}-L${f.end}).
`,
  },

  // -------------------------------------------------------------- symbol
  {
    name: "file heading, bullet with (line N)",
    kind: "symbol",
    write: (f) =>
      `### \`${f.path}\`

- **\`${f.symbol}\`** (line ${f.line}) — the piece the rest of this module is built around
`,
  },
  {
    name: "on line N of file, in words",
    kind: "symbol",
    write: (f) =>
      `I traced this through the code. On line ${f.line} of \`${f.path}\`, \`${f.symbol}\` is defined, and that is where the behaviour comes from.
`,
  },
  {
    name: "table What / Where it lives / Ln",
    kind: "symbol",
    write: (f) =>
      `| What | Where it lives | Ln | Notes |
|:-----|:---------------|---:|:------|
| \`${cell(f.symbol)}\` | \`${cell(f.path)}\` | ${f.line} | definition |
`,
  },
  {
    name: "tree with arrow note",
    kind: "symbol",
    write: (f) =>
      `Where things are:

${fence("", tree(f, `${f.symbol} (L${f.line})`))}
`,
  },
  {
    name: "call flow in a fence, brackets",
    kind: "symbol",
    write: (f) =>
      `**Flow**

${fence(
  "text",
  `user action
   │
   ▼
${f.symbol}   [${f.path}:${f.line}]
   │
   ▼
result shown to the user`,
)}
`,
  },
  {
    name: "symbol as link text, #L anchor",
    kind: "symbol",
    write: (f) =>
      `Everything funnels through [\`${f.symbol}\`](${url(f.path)}#L${f.line}), so that is the place to look first.
`,
  },
  {
    name: "codex absolute link with colon line",
    kind: "symbol",
    write: (f) =>
      `The definition of \`${f.symbol}\` is in [${base(f.path)}](/Users/dev/src/${url(f.pack)}/${url(f.path)}:${f.line}). Tests pass locally.
`,
  },
  {
    name: "severity finding with Location field",
    kind: "symbol",
    write: (f) =>
      `#### 3. [MEDIUM] Error context is lost

- **Location:** \`${f.path}:${f.line}\` (\`${f.symbol}\`)
- **Impact:** Failures are hard to diagnose in production.
- **Confidence:** High
`,
  },
  {
    name: "German prose, Zeile",
    kind: "symbol",
    write: (f) =>
      `Der Einstiegspunkt ist klar erkennbar: \`${f.symbol}\` ist in \`${f.path}\`, Zeile ${f.line}, definiert.
`,
  },
  {
    name: "Chinese prose, 第 N 行",
    kind: "symbol",
    write: (f) =>
      `- **核心定义**：\`${f.symbol}\` 定义在 \`${f.path}\` 第 ${f.line} 行。
`,
  },
  {
    name: "footnote",
    kind: "symbol",
    write: (f) =>
      `The bulk of the work is delegated to \`${f.symbol}\`[^1], which the callers treat as a black box.

[^1]: Defined at \`${f.path}:${f.line}\`.
`,
  },
  {
    name: "definition list",
    kind: "symbol",
    write: (f) =>
      `\`${f.symbol}\`
: Defined in \`${f.path}\` at L${f.line}. Central to how ${f.pack} does this.
`,
  },
  {
    name: "html details with code tags",
    kind: "symbol",
    write: (f) =>
      `<details>
<summary>Supporting evidence</summary>

<p>Definition of <code>${f.symbol}</code>: <code>${f.path}</code>, line ${f.line}.</p>

</details>
`,
  },
  {
    name: "plain parenthesis",
    kind: "symbol",
    plain: true,
    write: (f) =>
      `Root cause found. The value is produced by ${f.symbol} (${f.path}:${f.line}) and is then passed along unchanged.
`,
  },
  {
    name: "nested list file > symbol, L-range",
    kind: "symbol",
    ranged: true,
    write: (f) =>
      `1. **Core**
   - \`${f.path}\`
     - \`${f.symbol}\`: L${f.line}-L${f.end}
       - self-contained
`,
  },
  {
    name: "yaml record",
    kind: "symbol",
    write: (f) =>
      fence(
        "yaml",
        `- id: F-02
  severity: low
  file: ${f.path}
  line: ${f.line}
  symbol: ${f.symbol}`,
      ) + "\n",
  },
  {
    name: "lineless key files with em dash",
    kind: "symbol",
    lineless: true,
    write: (f) =>
      `**Key files**

* \`${f.path}\` — defines \`${f.symbol}\`
`,
  },
  {
    name: "checklist with arrow",
    kind: "symbol",
    write: (f) =>
      `## Verified

- [x] \`${f.symbol}\` → \`${f.path}:${f.line}\`
`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "bullet place em dash code",
    kind: "code",
    write: (f) =>
      `Findings:

- \`${f.path}:${f.line}\` — ${span(f.code)}
`,
  },
  {
    name: "line N reads",
    kind: "code",
    write: (f) =>
      `I checked this directly: line ${f.line} of \`${f.path}\` reads ${span(f.code)}.
`,
  },
  {
    name: "table # / File:Line / Snippet / Verdict",
    kind: "code",
    write: (f) =>
      `| # | File:Line | Snippet | Verdict |
|---|-----------|---------|---------|
| 1 | \`${cell(f.path)}:${f.line}\` | ${cell(span(f.code))} | ✅ OK |
`,
  },
  {
    name: "File / Line / Evidence fields",
    kind: "code",
    write: (f) =>
      `### M-1: Implicit assumption about the input

**File:** \`${f.path}\`
**Line:** ${f.line}
**Evidence:** ${span(f.code)}
**Severity:** Minor
`,
  },
  {
    name: "grep -n output in a fence",
    kind: "code",
    write: (f) =>
      `The search has a single relevant hit:

${fence("", `${f.path}:${f.line}:${f.code}`)}
`,
  },
  {
    name: "fence with place comment at line end",
    kind: "code",
    write: (f) =>
      `The statement in question:

${fence(f.lang || "", `${f.code}  ${mark(f)} ${f.path}:${f.line}`)}
`,
  },
  {
    name: "file heading, bold L-number bullet",
    kind: "code",
    write: (f) =>
      `#### ${span(f.path)}

* **L${f.line}**: ${span(f.code)}
`,
  },
  {
    name: "French prose, à la ligne",
    kind: "code",
    write: (f) =>
      `À la ligne ${f.line} du fichier \`${f.path}\`, on trouve ${span(f.code)}, ce qui confirme le comportement observé.
`,
  },
  {
    name: "blockquote with attribution",
    kind: "code",
    write: (f) =>
      `The source says it itself:

> ${span(f.code)}
>
> — *\`${f.path}\`, line ${f.line}*
`,
  },

  // --------------------------------------------------------------- block
  {
    name: "cursor citation fence start:end:path",
    kind: "block",
    ranged: true,
    write: (f) =>
      `Here is the current implementation:

${fence(`${f.line}:${f.end}:${f.path}`, body(f))}
`,
  },
  {
    name: "bold label over fence",
    kind: "block",
    ranged: true,
    write: (f) =>
      `**\`${f.path}:${f.line}-${f.end}\`**
${fence(f.lang || "", body(f))}
`,
  },
  {
    name: "Read tool gutter with arrow",
    kind: "block",
    ranged: true,
    gutter: true,
    write: (f) =>
      `From \`${f.path}\` (lines ${f.line}-${f.end}):

${fence("", f.block.map((l, i) => `${String(f.line + i).padStart(6)}→${l}`).join("\n"))}
`,
  },
  {
    name: "pipe gutter under a heading",
    kind: "block",
    gutter: true,
    write: (f) =>
      `### ${span(f.path)}

${fence(f.lang || "", f.block.map((l, i) => `${String(f.line + i).padStart(String(f.line + f.block.length).length)} | ${l}`).join("\n"))}
`,
  },
  {
    name: "place comment as first fence line",
    kind: "block",
    ranged: true,
    write: (f) => fence(f.lang || "", `${mark(f)} ${f.path}:${f.line}-${f.end}\n${body(f)}`) + "\n",
  },
  {
    name: "sed command and output",
    kind: "block",
    ranged: true,
    write: (f) => fence("console", `$ sed -n '${f.line},${f.end}p' ${f.path}\n${body(f)}`) + "\n",
  },
  {
    name: "diff of added lines, now in the file",
    kind: "block",
    ranged: true,
    write: (f) =>
      `Done. These lines are now in the file:

${fence(
  "diff",
  `--- a/${f.path}
+++ b/${f.path}
@@ -${f.line - 1},0 +${f.line},${f.block.length} @@
${f.block.map((l) => "+" + l).join("\n")}`,
)}
`,
  },
  {
    name: "abridged excerpt, ellipsis in the middle",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) =>
      `\`${f.path}\`, lines ${f.line} to ${f.end} (abridged):

${fence(f.lang || "", [...f.block.slice(0, 2), `${f.block[1].match(/^\s*/)[0]}...`, ...f.block.slice(-2)].join("\n"))}
`,
  },
  {
    name: "fence nested in a numbered finding",
    kind: "block",
    ranged: true,
    write: (f) =>
      `1. **Worth knowing before touching this** (\`${f.path}\` L${f.line}–L${f.end}):

${indent(fence(f.lang || "", body(f)), "   ")}

   This is the only code path involved.
`,
  },
];
