// Shapes D: how agents write down where in a repository something stands.
// The first half of each kind is plain, the second half odd.

const file = (p) => p.slice(p.lastIndexOf("/") + 1);
const folder = (p) => p.slice(0, Math.max(0, p.lastIndexOf("/")));
const pack = (f) => file(String(f.pack));
const posix = (f, root) => `${root}/${pack(f)}/${f.path}`;
const windows = (f) => `C:\\src\\${pack(f)}\\${f.path.replace(/\//g, "\\")}`;

const ticks = (s, least) => {
  let n = least;
  for (const m of s.matchAll(/`+/g)) n = Math.max(n, m[0].length + 1);
  return "`".repeat(n);
};
// an inline span; spaces at both ends only where the text has backticks
const span = (s) => {
  const t = String(s).trim();
  const q = ticks(t, 1);
  return t.includes("`") ? `${q} ${t} ${q}` : q + t + q;
};
const inCell = (s) => span(s).replaceAll("|", "\\|");
const box = (info, ...lines) => {
  const text = lines.flat().join("\n");
  const q = ticks(text, 3);
  return `${q}${info || ""}\n${text}\n${q}`;
};
const quoted = (s) => `'${String(s).replaceAll("'", "'\\''")}'`;
const comment = (f, s) => {
  const lang = String(f.lang || "").toLowerCase();
  if (
    /^(py|python|rb|ruby|sh|bash|shell|zsh|ya?ml|toml|perl|pl|r|exs?|elixir|julia|jl|nix|make|makefile|dockerfile)$/.test(
      lang,
    )
  )
    return `# ${s}`;
  if (/^(sql|lua|haskell|hs|elm|ada)$/.test(lang)) return `-- ${s}`;
  return `// ${s}`;
};

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "answer first, absolute path with a line",
    kind: "bare",
    write: (
      f,
    ) => `Found it. The code you asked about starts at \`${posix(f, "/home/dev")}:${f.line}\`.

I changed nothing and ran no tests.
`,
  },
  {
    name: "files I read, lines in parentheses",
    kind: "bare",
    ranged: true,
    write: (f) => `**Files I read for this answer**

* \`${posix(f, "/workspace")}\` (lines ${f.line}-${f.end})
`,
  },
  {
    name: "ticked checklist, from line to line",
    kind: "bare",
    ranged: true,
    write: (f) => `## Review checklist

- [x] Went through \`${f.path}\` from line ${f.line} to line ${f.end}
- [x] Wrote the summary
- [ ] Talk it over with the maintainers
`,
  },
  {
    name: "full path in the scope, base name with a line below",
    kind: "bare",
    write: (f) => `Scope of this pass: \`${f.path}\`

Open points:

1. \`${file(f.path)}:${f.line}\` needs a second pair of eyes.
2. Everything else can wait.
`,
  },
  {
    name: "German label, Zeilen bis",
    kind: "bare",
    ranged: true,
    write: (f) => `### Befund 2 (gering)

**Fundstelle:** \`${f.path}\`, Zeilen ${f.line} bis ${f.end}
**Bewertung:** kein Handlungsbedarf
`,
  },
  {
    name: "compiler style, line in round brackets",
    kind: "bare",
    write: (f) => `The analyser leaves a single remark, on this line:

${box("text", `${f.path}(${f.line}): note: consider splitting this up`)}

I would leave it as it is.
`,
  },
  {
    name: "Japanese label, line span",
    kind: "bare",
    ranged: true,
    write: (f) => `## 調査結果

- **該当箇所:** \`${f.path}\` の ${f.line}〜${f.end} 行目
- **対応:** 不要
`,
  },
  {
    name: "letter for the file, two places in one sentence",
    kind: "bare",
    ranged: true,
    write: (f) => `Short names used in this note: **A** = \`${f.path}\`.

The part in question begins at A:${f.line} and its last line is A:${f.end}.
`,
  },

  // ---------------------------------------------------------------- path
  {
    name: "files checked, nothing to change",
    kind: "path",
    write: (f) => `## Files checked

- \`${f.path}\`: read in full, nothing to change
`,
  },
  {
    name: "short tree, folder on one line, arrow note",
    kind: "path",
    write: (f) =>
      `The layout, reduced to what matters here:

${box(
  "",
  `${pack(f)}/`,
  folder(f.path)
    ? [`└── ${folder(f.path)}/`, `    └── ${file(f.path)}   ← start reading here`]
    : [`└── ${file(f.path)}   ← start reading here`],
)}
`,
  },
  {
    name: "Windows path",
    kind: "path",
    write: (
      f,
    ) => `My checkout of ${f.pack} is in \`C:\\src\\${pack(f)}\`. The file to open is \`${windows(f)}\`.
`,
  },
  {
    name: "git show command",
    kind: "path",
    write: (f) => `To look at the file without switching branches:

${box("sh", `git show HEAD:${/[^\w./@+-]/.test(f.path) ? quoted(f.path) : f.path}`)}
`,
  },

  // -------------------------------------------------------------- symbol
  {
    name: "one-sentence answer, defined at line N, absolute",
    kind: "symbol",
    defines: true,
    write: (
      f,
    ) => `**Answer:** \`${f.symbol}\` is defined in \`${posix(f, "/Users/mara/code")}\` at line ${f.line}.
`,
  },
  {
    name: "file heading, table Line | Name",
    kind: "symbol",
    write: (f) => `## \`${f.path}\`

| Line | Name | Remark |
|---:|---|---|
| ${f.line} | ${inCell(f.symbol)} | read, fine as it is |
`,
  },
  {
    name: "chain of arrows on one line",
    kind: "symbol",
    write: (
      f,
    ) => `**Chain:** caller → \`${f.symbol}\` (\`${f.path}:${f.line}\`) → back to the caller
`,
  },
  {
    name: "review nit with the place up front",
    kind: "symbol",
    write: (f) => `Approved, with one remark.

**Nit** (\`${f.path}\`, line ${f.line}): the name \`${f.symbol}\` on this line says little to a newcomer. A short comment would help.
`,
  },
  {
    name: "handoff, lines of an absolute path",
    kind: "symbol",
    ranged: true,
    write: (f) => `# Handoff

Done so far: reading only.

**Where to pick up:** the part that starts with \`${f.symbol}\`, lines ${f.line}-${f.end} of \`${posix(f, "/root/projects")}\`.
`,
  },
  {
    name: "risk list, Where and Name as sub-bullets",
    kind: "symbol",
    write: (f) => `- **R3. Behaviour may differ between platforms**
  - Where: \`${f.path}:${f.line}\`
  - Name to look for on that line: \`${f.symbol}\`
  - Likelihood: low
`,
  },
  {
    name: "path::name with the line in parentheses",
    kind: "symbol",
    plain: true,
    write: (f) => `Places looked at, written as file::name:

- \`${f.path}::${f.symbol}\` (line ${f.line})
`,
  },
  {
    name: "trail as a tree, at sign before the place",
    kind: "symbol",
    plain: true,
    write: (f) => `How I got there, seen from the top:

${box("", "(entry point)", `└─ ${f.symbol} @ ${f.path}:${f.line}`, "   └─ (nothing below it)")}
`,
  },
  {
    name: "ctags entry",
    kind: "symbol",
    plain: true,
    defines: true,
    write: (f) => `The tags file (name, file, line) has this entry for the definition:

${box("", `${f.symbol}\t${f.path}\t${f.line};"`)}
`,
  },
  {
    name: "French sentence, à la ligne",
    kind: "symbol",
    write: (
      f,
    ) => `**Constat.** Le nom \`${f.symbol}\` figure à la ligne ${f.line} du fichier \`${f.path}\`. Aucune correction n'est nécessaire.
`,
  },
  {
    name: "Chinese table",
    kind: "symbol",
    write: (f) => `### 相关代码

| 文件 | 行号 | 名称 |
|------|------|------|
| \`${f.path}\` | 第 ${f.line} 行 | ${inCell(f.symbol)} |
`,
  },
  {
    name: "search command and its hit, no line",
    kind: "symbol",
    plain: true,
    lineless: true,
    write: (f) => `I looked for the name in that file, and it is there:

${box("console", `$ grep -lF -- ${quoted(f.symbol)} ${/[^\w./@+-]/.test(f.path) ? quoted(f.path) : f.path}`, f.path)}
`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "absolute place as a label, fence right under it",
    kind: "code",
    write: (f) => `This is the line that decides it.

\`${posix(f, "/home/dev")}:${f.line}\`
${box(f.lang, f.code)}
`,
  },
  {
    name: "file as heading, Line N with a colon, fence",
    kind: "code",
    write: (f) => `### ${span(f.path)}

Line ${f.line}:

${box(f.lang, f.code)}

No other line of this file is involved.
`,
  },
  {
    name: "cause bullet with the code, place underneath",
    kind: "code",
    write: (f) => `**Root cause**

- The line ${span(f.code)}
  - stands in \`${posix(f, "/workspace")}\`, line ${f.line}
`,
  },
  {
    name: "prose, base name, full path in the last sentence",
    kind: "code",
    write: (
      f,
    ) => `Line ${f.line} of \`${file(f.path)}\` is ${span(f.code)}, so the answer to your question is yes. (Full path of the file: \`${f.path}\`.)
`,
  },
  {
    name: "sed command and its output",
    kind: "code",
    write: (f) =>
      box(
        "console",
        `$ sed -n '${f.line}p' ${/[^\w./@+-]/.test(f.path) ? quoted(f.path) : f.path}`,
        f.code,
      ) + "\n",
  },
  {
    name: "proposed diff that deletes the line",
    kind: "code",
    write: (
      f,
    ) => `Proposal, **not applied**: drop line ${f.line}, which today reads as shown after the minus.

${box(
  "diff",
  `--- a/${f.path}`,
  `+++ b/${f.path}`,
  `@@ -${f.line} +${f.line - 1},0 @@`,
  `-${f.code}`,
)}
`,
  },
  {
    name: "block quotation with its source below",
    kind: "code",
    write: (f) => `The source itself says:

> ${span(f.code)}
>
> — \`${f.path}\`, line ${f.line}
`,
  },
  {
    name: "Portuguese fields on one line",
    kind: "code",
    write: (f) => `**Arquivo:** \`${f.path}\` · **Linha:** ${f.line} · **Trecho:**

${box(f.lang, f.code)}
`,
  },

  // --------------------------------------------------------------- block
  {
    name: "absolute path, lines in words, fence",
    kind: "block",
    ranged: true,
    write: (
      f,
    ) => `Here is the section, copied from \`${posix(f, "/Users/mara/code")}\`, lines ${f.line} to ${f.end}:

${box(f.lang, f.block)}
`,
  },
  {
    name: "base name and lines as heading, file label, fence",
    kind: "block",
    ranged: true,
    write: (f) => `### ${span(file(f.path))}, lines ${f.line}–${f.end}

File: \`${f.path}\`

${box(f.lang, f.block)}
`,
  },
  {
    name: "File and Lines bullets, only the first lines shown",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) => {
      const rest = f.block.length - 3;
      return `- File: \`${f.path}\`
- Lines: ${f.line}-${f.end}${rest > 0 ? " (only the first three are shown)" : ""}

${box(f.lang, f.block.slice(0, 3), rest > 0 ? [comment(f, `... ${rest} more line${rest > 1 ? "s" : ""}`)] : [])}
`;
    },
  },
  {
    name: "cat -n cut with sed",
    kind: "block",
    ranged: true,
    gutter: true,
    write: (f) =>
      box(
        "console",
        `$ cat -n ${/[^\w./@+-]/.test(f.path) ? quoted(f.path) : f.path} | sed -n '${f.line},${f.end}p'`,
        f.block.map((l, i) => `${String(f.line + i).padStart(6)}\t${l}`),
      ) + "\n",
  },
  {
    name: "merged diff that only adds",
    kind: "block",
    ranged: true,
    write: (
      f,
    ) => `The merged commit added what is now lines ${f.line}-${f.end} of the file (\`git show -U0\`):

${box(
  "diff",
  `--- a/${f.path}`,
  `+++ b/${f.path}`,
  `@@ -${f.line - 1},0 +${f.line},${f.block.length} @@`,
  f.block.map((l) => `+${l}`),
)}
`,
  },
  {
    name: "title in the info string, Spanish lead",
    kind: "block",
    ranged: true,
    write: (f) => `Fragmento tal como está hoy en el repositorio:

${box(`${f.lang || "text"} title="${f.path}, líneas ${f.line}-${f.end}"`, f.block)}
`,
  },

  // -------------------------------------------------------------- create
  {
    name: "plan step, new file",
    kind: "create",
    planned: true,
    write: (f) => `### Step 2: Add the new file

- Create \`${f.path}\` (does not exist yet)
- Nothing else is touched in this step
`,
  },
  {
    name: "commit output, create mode",
    kind: "create",
    write: (f) => `Committed. Git confirms the new file:

${box("", ` create mode 100644 ${f.path}`)}
`,
  },
];
