// Shapes E: how sub-agents point at places in their final messages, reviews, plans and handoffs.
// f: path, line, end, symbol, code (one line), block (lines line..end), lang, pack

const longestTicks = (s) =>
  (String(s).match(/`+/g) || []).reduce((n, m) => Math.max(n, m.length), 0);

const code = (s) => {
  const n = longestTicks(s);
  return n ? `${"`".repeat(n + 1)} ${s} ${"`".repeat(n + 1)}` : `\`${s}\``;
};
const inCell = (s) => code(s).replace(/\|/g, "\\|");
const fenced = (info, body) => {
  const text = [].concat(body).join("\n");
  const bar = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return [bar + (info || ""), text, bar].join("\n");
};
const indent = (pad, text) => text.replace(/^(?=.)/gm, pad);

const name = (p) => p.slice(p.lastIndexOf("/") + 1);
const folder = (p) => (p.includes("/") ? p.slice(0, p.lastIndexOf("/") + 1) : "./");
const checkout = (f) => String(f.pack).split("/").pop();
const abs = (f, home) => `${home}/${checkout(f)}/${f.path}`;
const href = (p) => p.replace(/ /g, "%20");
const shell = (p) => (/[^\w./@+-]/.test(p) ? `'${p}'` : p);

export const shapes = [
  // ================================================================ bare
  {
    // frequent
    name: "relevant files, absolute path with a line",
    kind: "bare",
    write: (f) => `Relevant file paths (absolute):

- \`${abs(f, "/home/dev/work")}:${f.line}\`

No files were modified.
`,
  },
  {
    // frequent
    name: "full path first, then line N of the bare name",
    kind: "bare",
    write: (
      f,
    ) => `I only needed one file, \`${f.path}\`. If you want to check my reading, start at line ${f.line} of \`${name(f.path)}\`.
`,
  },
  {
    // frequent
    name: "link with an absolute target and line",
    kind: "bare",
    write: (
      f,
    ) => `Most likely cause is at [${name(f.path)}:${f.line}](${href(abs(f, "/Users/mara/code"))}:${f.line}). I have not run the test suite.
`,
  },
  {
    // frequent
    name: "handoff checklist, L-range",
    kind: "bare",
    ranged: true,
    write: (f) => `## Handoff

- [x] Reproduced the report
- [ ] Re-read \`${f.path}\` L${f.line}-L${f.end} before touching anything
- [ ] Ask for a second review
`,
  },
  {
    // odd
    name: "two places of one file in a sentence, second without name",
    kind: "bare",
    ranged: true,
    write: (
      f,
    ) => `Compare \`${f.path}:${f.line}\` with \`:${f.end}\` a little further down in the same file; one was written with the other in mind.
`,
  },
  {
    // odd
    name: "German, Fundstelle with Zeilen",
    kind: "bare",
    ranged: true,
    write: (f) => `### Befund 3

**Fundstelle:** \`${f.path}\`, Zeilen ${f.line} bis ${f.end}
**Schwere:** gering

Keine Änderung nötig, nur zur Kenntnis.
`,
  },
  {
    // odd
    name: "compiler-style location with a column",
    kind: "bare",
    write: (f) => `From the linter's output:

${fenced("text", `${f.path}:${f.line}:1: note: consider splitting this up`)}
`,
  },
  {
    // odd
    name: "legend gives the file a letter",
    kind: "bare",
    write: (f) => `Files, cited by letter below:

**[A]** \`${f.path}\`

Open points:

1. [A], line ${f.line}: unclear to me why this is needed.
`,
  },

  // ================================================================ path
  {
    // frequent
    name: "files examined, absolute, no backticks",
    kind: "path",
    lineless: true,
    write: (f) => `**Files examined**

- ${abs(f, "/workspace")} (read completely)
`,
  },
  {
    // frequent
    name: "folder line with one branch in a fence",
    kind: "path",
    lineless: true,
    write: (f) => `Layout, cut down to what the task touches:

${fenced("", [folder(f.path), `└── ${name(f.path)}`])}
`,
  },
  {
    // odd
    name: "French table Fichier | Rôle",
    kind: "path",
    lineless: true,
    write: (f) => `## Fichiers concernés

| Fichier | Rôle |
| --- | --- |
| \`${f.path}\` | contient la logique examinée ici |
`,
  },
  {
    // odd
    name: "diffstat of a commit summary",
    kind: "path",
    lineless: true,
    write: (f) => `Committed locally, not pushed:

${fenced("", [` ${f.path} | 4 ++--`, " 1 file changed, 2 insertions(+), 2 deletions(-)"])}
`,
  },

  // ============================================================== symbol
  {
    // frequent
    name: "call chain on one line with arrows",
    kind: "symbol",
    write: (
      f,
    ) => `**Call chain:** entry point → \`${f.symbol}\` (\`${f.path}:${f.line}\`) → return to the caller
`,
  },
  {
    // frequent
    name: "File label with absolute path, name and line below",
    kind: "symbol",
    defines: true,
    write: (f) => `**File:** \`${abs(f, "/home/dev/work")}\`

1. \`${f.symbol}\` (line ${f.line}) is the definition you asked about.
2. I read it, but I have not executed it.
`,
  },
  {
    // frequent
    name: "bare file name on line N, full path in parentheses",
    kind: "symbol",
    defines: true,
    write: (
      f,
    ) => `Yes, it exists. \`${f.symbol}\` is declared in \`${name(f.path)}\` on line ${f.line} (full path: \`${abs(f, "/root/repos")}\`).
`,
  },
  {
    // frequent
    name: "audit table with a verdict per row",
    kind: "symbol",
    write: (f) => `## Claims checked

| # | Claim | Verdict | Evidence |
|---|-------|---------|----------|
| 1 | \`${f.symbol}\` is part of ${checkout(f)} | ✅ holds | \`${f.path}\` line ${f.line} |
`,
  },
  {
    // frequent
    name: "chat answer to a where-question",
    kind: "symbol",
    defines: true,
    write: (f) => `**Where does \`${f.symbol}\` come from?**

From \`${f.path}\`. The declaration is on line ${f.line}; I have not looked into who uses it.
`,
  },
  {
    // frequent
    name: "file bullet, lines A-B sub-bullet before the name",
    kind: "symbol",
    ranged: true,
    write: (f) => `What I looked at:

* \`${f.path}\`
  * lines ${f.line}-${f.end}: \`${f.symbol}\`, read closely
  * everything else: skimmed
`,
  },
  {
    // odd
    name: "Japanese, line number after the path",
    kind: "symbol",
    defines: true,
    write: (f) => `## 調査結果

- \`${f.symbol}\` は \`${f.path}\` の ${f.line} 行目で定義されている。
- 変更は不要。
`,
  },
  {
    // odd
    name: "Chinese table 符号 | 行号 | 文件",
    kind: "symbol",
    write: (f) => `| 符号 | 行号 | 文件 |
| --- | ---: | --- |
| \`${f.symbol}\` | ${f.line} | \`${f.path}\` |
`,
  },
  {
    // odd
    name: "JSON object as the whole answer",
    kind: "symbol",
    plain: true,
    write: (f) =>
      fenced(
        "json",
        JSON.stringify(
          {
            name: f.symbol,
            location: { path: abs(f, "/workspace"), startLine: f.line },
            confidence: 0.9,
          },
          null,
          2,
        ),
      ) + "\n",
  },
  {
    // odd
    name: "ASCII call tree, place in square brackets",
    kind: "symbol",
    plain: true,
    write: (f) => `Who ends up where:

${fenced("", ["outside caller", `└─ ${f.symbol}  [${f.path}:${f.line}]`, "   └─ (nothing below is of interest)"])}
`,
  },
  {
    // odd
    name: "mermaid node with the place on its second row",
    kind: "symbol",
    plain: true,
    write: (f) =>
      fenced("mermaid", [
        "flowchart TD",
        `  A["outside caller"] --> B["${f.symbol}<br/>${f.path}:${f.line}"]`,
        '  B --> C["result"]',
      ]) + "\n",
  },
  {
    // odd
    name: "path::name without a line",
    kind: "symbol",
    lineless: true,
    defines: true,
    write: (f) => `Definitions involved, written as file::name:

- \`${f.path}::${f.symbol}\`
`,
  },

  // ================================================================ code
  {
    // frequent
    name: "File label absolute, Line label, fence",
    kind: "code",
    write: (f) => `**File:** \`${abs(f, "/home/dev/work")}\`
**Line ${f.line}:**
${fenced(f.lang, f.code)}
`,
  },
  {
    // frequent
    name: "line N is the one that matters, inline",
    kind: "code",
    write: (
      f,
    ) => `I went through \`${f.path}\` top to bottom. Line ${f.line} is the one that matters: ${code(f.code.trim())}
`,
  },
  {
    // frequent
    name: "bold bare name with line, quote after a dash, full path last",
    kind: "code",
    write: (f) => `1. **${name(f.path)}:${f.line}** – ${code(f.code.trim())}

Full path of the file: \`${abs(f, "/Users/mara/code")}\`
`,
  },
  {
    // frequent
    name: "file heading, table Line | Code | Note",
    kind: "code",
    write: (f) => `### ${f.path}

| Line | Code | Note |
|-----:|------|------|
| ${f.line} | ${inCell(f.code.trim())} | fine as it is |
`,
  },
  {
    // odd
    name: "proposed diff that removes the line",
    kind: "code",
    write: (f) => `Proposal only, nothing has been applied. The line could go:

${fenced("diff", [`--- a/${f.path}`, `+++ b/${f.path}`, `@@ -${f.line} +${f.line - 1},0 @@`, `-${f.code}`])}
`,
  },
  {
    // odd
    name: "Spanish, en la línea N se lee",
    kind: "code",
    write: (f) => `**Evidencia.** En la línea ${f.line} del archivo \`${f.path}\` se lee:

${fenced(f.lang, f.code.trim())}
`,
  },
  {
    // odd
    name: "block quotation with the source beneath",
    kind: "code",
    write: (f) => `> ${code(f.code.trim())}
>
> — ${f.path}, line ${f.line}

I would leave a comment there for the next reader.
`,
  },
  {
    // odd
    name: "ripgrep output grouped under the file name",
    kind: "code",
    write: (f) => `Output of \`rg --heading -n\`, shortened to the hit in question:

${fenced("", [f.path, `${f.line}:${f.code}`])}
`,
  },

  // =============================================================== block
  {
    // frequent
    name: "File and Lines labels, fence right under",
    kind: "block",
    ranged: true,
    write: (f) => `**File:** \`${abs(f, "/workspace")}\`
**Lines ${f.line}-${f.end}:**
${fenced(f.lang, f.block)}
`,
  },
  {
    // frequent
    name: "heading with bare name and lines, path beneath, fence",
    kind: "block",
    ranged: true,
    write: (f) => `### ${name(f.path)} (lines ${f.line}–${f.end})
Path: \`${f.path}\`

${fenced(f.lang, f.block)}
`,
  },
  {
    // frequent
    name: "gutter with colons under an absolute path",
    kind: "block",
    gutter: true,
    write: (f) => `\`${abs(f, "/root/repos")}\`:

${fenced(
  f.lang,
  f.block.map((l, i) => `${f.line + i}: ${l}`.trimEnd()),
)}
`,
  },
  {
    // odd
    name: "sed command and its output in a list item",
    kind: "block",
    ranged: true,
    write: (f) => `- Verified by printing the lines:

${indent("  ", fenced("console", [`$ sed -n '${f.line},${f.end}p' ${shell(f.path)}`, ...f.block]))}
`,
  },
  {
    // odd
    name: "hunk of a commit that added the lines",
    kind: "block",
    write: (f) => `My commit adds these lines (they are in the working tree now):

${fenced("diff", [`+++ b/${f.path}`, `@@ -${f.line - 1},0 +${f.line},${f.block.length} @@`, ...f.block.map((l) => `+${l}`)])}
`,
  },
  {
    // odd
    name: "Portuguese, shortened excerpt with [...]",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) => {
      const last = f.block.findLastIndex((l) => l.trim());
      const cut = last > 2;
      const kept = cut ? [f.block[0], f.block[1], "[...]", f.block[last]] : f.block;
      return `**Trecho** (linhas ${f.line} a ${f.end} de \`${f.path}\`${cut ? ", meio omitido" : ""}):

${fenced(f.lang, kept)}
`;
    },
  },

  // ============================================================== create
  {
    // frequent
    name: "plan table, Action New",
    kind: "create",
    planned: true,
    lineless: true,
    write: (f) => `## Implementation plan

| Step | Action | File |
|------|--------|------|
| 1 | New file, does not exist yet | \`${f.path}\` |
`,
  },
  {
    // frequent
    name: "done message, created under an absolute path",
    kind: "create",
    lineless: true,
    write: (f) => `Done. I created one file and changed nothing else:

- \`${abs(f, "/home/dev/work")}\` (new)
`,
  },
];
