// Shapes G: how sub-agents write a place of a repository into reports, plans, tables and answers.

const last = (p) => String(p).split("/").pop();
const folder = (p) => String(p).split("/").slice(0, -1).join("/");
const inFolder = (p) => (folder(p) ? `in \`${folder(p)}/\`` : "at the top of the repository");
const esc = (p) => String(p).replace(/ /g, "%20");
const proj = (f) => last(f.pack);
const ws = (f) => `/workspace/${proj(f)}`;
const home = (f) => `/home/dana/src/${proj(f)}`;
const mac = (f) => `/Users/kim/code/${proj(f)}`;

// a shell word
const sh = (w) => (/[^\w./:@%+,=-]/.test(w) ? `"${w}"` : w);

const ticks = (s) => Math.max(0, ...(String(s).match(/`+/g) || []).map((r) => r.length));
const code = (s) => {
  const t = String(s).trim();
  const n = ticks(t);
  if (!n) return `\`${t}\``;
  const q = "`".repeat(n + 1);
  return `${q} ${t} ${q}`;
};
const tcell = (s) => code(s).replace(/\|/g, "\\|");
const box = (info, body) => {
  const text = Array.isArray(body) ? body.join("\n") : String(body);
  const q = "`".repeat(Math.max(3, ticks(text) + 1));
  return `${q}${info || ""}\n${text}\n${q}`;
};
const shift = (lead, text) =>
  text
    .split("\n")
    .map((l) => (lead + l).trimEnd())
    .join("\n");
const lastFilled = (b) => {
  let n = b.length;
  while (n > 1 && !b[n - 1].trim()) n--;
  return n;
};

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "final message, absolute place",
    kind: "bare",
    write: (f) => `Done. I found the spot you were asking about:

\`${ws(f)}/${f.path}:${f.line}\`

No files were changed.
`,
  },
  {
    name: "line N of the file, in words",
    kind: "bare",
    write: (
      f,
    ) => `If you only have time for one thing, read line ${f.line} of \`${f.path}\`. The rest follows from it.
`,
  },
  {
    name: "heading is the place, range",
    kind: "bare",
    ranged: true,
    write: (f) => `### ${f.path}:${f.line}-${f.end}

Looks correct to me. Nothing to change in this section.
`,
  },
  {
    name: "handoff, start here",
    kind: "bare",
    ranged: true,
    write: (f) => `## Handoff

- **Status:** investigation finished, nothing edited
- **Start here:** \`${f.path}\`, lines ${f.line} to ${f.end}
- **Open question:** whether the behaviour is intended
`,
  },
  {
    name: "unchecked task with #L anchor",
    kind: "bare",
    write: (f) => `### Next steps

- [x] Reproduce the report
- [ ] Go through ${f.path}#L${f.line} with the owner
- [ ] Write up the result
`,
  },
  {
    name: "German label Fundstelle, Zeile",
    kind: "bare",
    write: (f) => `**Befund 2** – niedrige Priorität

**Fundstelle:** \`${f.path}\`, Zeile ${f.line}

**Empfehlung:** so lassen und im nächsten Durchgang noch einmal ansehen.
`,
  },
  {
    name: "editor command that jumps to the place",
    kind: "bare",
    write: (f) => `To jump straight to it:

\`\`\`sh
code -g ${sh(`${home(f)}/${f.path}:${f.line}`)}
\`\`\`
`,
  },
  {
    name: "two places in one sentence, begin and end",
    kind: "bare",
    ranged: true,
    write: (
      f,
    ) => `The section in question begins at \`${f.path}:${f.line}\` and ends on line ${f.end} of the same file; I did not look beyond it.
`,
  },

  // ---------------------------------------------------------------- path
  {
    name: "files read, absolute",
    kind: "path",
    write: (f) => `Files I read for this answer:

- \`${mac(f)}/${f.path}\` (complete)
`,
  },
  {
    name: "base name in the sentence, folder in words",
    kind: "path",
    write: (
      f,
    ) => `Most of the logic sits in \`${last(f.path)}\` (${inFolder(f.path)}). I would leave that file alone for now.
`,
  },
  {
    name: "compact tree, folder and file",
    kind: "path",
    write: (f) => `Only one file matters here:

\`\`\`
${folder(f.path) ? `${folder(f.path)}/` : "./"}
└── ${last(f.path)}   ← this one
\`\`\`
`,
  },
  {
    name: "Portuguese table, linked base name",
    kind: "path",
    write: (f) => `#### Arquivos analisados

| Arquivo | Situação |
| --- | --- |
| [${last(f.path)}](${esc(f.path)}) | lido por inteiro, sem pendências |
`,
  },

  // -------------------------------------------------------------- symbol
  {
    name: "bullet, absolute path, line N, name",
    kind: "symbol",
    write: (f) => `Summary of what I found:

- \`${ws(f)}/${f.path}\` line ${f.line}: \`${f.symbol}\`
`,
  },
  {
    name: "call chain, base name and line, file in the lead",
    kind: "symbol",
    write: (f) => `Call chain (\`${last(f.path)}\` is \`${f.path}\`):

outside caller → \`${f.symbol}\` (\`${last(f.path)}:${f.line}\`) → result
`,
  },
  {
    name: "claims table with evidence column",
    kind: "symbol",
    defines: true,
    write: (f) => `| # | Claim | Evidence | Verdict |
|---|---|---|---|
| 1 | ${tcell(f.symbol)} is defined in this repository | \`${f.path}:${f.line}\` | ✅ confirmed |
`,
  },
  {
    name: "legend with a letter for the file",
    kind: "symbol",
    write: (f) => `Short names used below: **[A]** = \`${f.path}\`

| Name | Place |
|---|---|
| ${tcell(f.symbol)} | [A] line ${f.line} |
`,
  },
  {
    name: "Japanese labels",
    kind: "symbol",
    write: (f) => `### 調査結果

- **ファイル:** \`${f.path}\`
- **行:** ${f.line} 行目
- **シンボル:** \`${f.symbol}\`
`,
  },
  {
    name: "name @ place",
    kind: "symbol",
    write: (f) => `Touch points:

* \`${f.symbol}\` @ \`${f.path}:${f.line}\`
`,
  },
  {
    name: "base name as heading, full path below, on line N",
    kind: "symbol",
    defines: true,
    write: (f) => `## 1. \`${last(f.path)}\`

Full path: \`${home(f)}/${f.path}\`

The definition of \`${f.symbol}\` is on line ${f.line}. I have nothing to object to here.
`,
  },
  {
    name: "plain chat answer",
    kind: "symbol",
    plain: true,
    defines: true,
    write: (
      f,
    ) => `Yes, it is there: ${f.symbol} is defined in ${f.path} on line ${f.line}. You don't need to add it again.
`,
  },
  {
    name: "tags file entry",
    kind: "symbol",
    plain: true,
    defines: true,
    write: (f) => `From the tag index (name, file, line of the definition):

\`\`\`
${f.symbol}\t${f.path}\t${f.line}
\`\`\`
`,
  },
  {
    name: "path::name without a line",
    kind: "symbol",
    lineless: true,
    write: (f) => `**Affected (file::name):** \`${f.path}::${f.symbol}\`

**Risk:** low. **Effort:** small.
`,
  },
  {
    name: "Spanish sentence, range",
    kind: "symbol",
    ranged: true,
    defines: true,
    write: (
      f,
    ) => `**Respuesta:** \`${f.symbol}\` está definido en \`${f.path}\`, líneas ${f.line} a ${f.end}. No hace falta cambiar nada más.
`,
  },
  {
    name: "json finding, absolute, start and end line",
    kind: "symbol",
    ranged: true,
    plain: true,
    write: (f) => `Machine-readable result:

\`\`\`json
{
  "file": "${ws(f)}/${f.path}",
  "startLine": ${f.line},
  "endLine": ${f.end},
  "name": "${f.symbol}",
  "note": "no action needed"
}
\`\`\`
`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "fence right under an absolute place",
    kind: "code",
    write: (f) => `The line that decides it:

\`${home(f)}/${f.path}:${f.line}\`
${box(f.lang, f.code)}
`,
  },
  {
    name: "Line N of the base name reads, full path in parentheses",
    kind: "code",
    write: (f) => `Line ${f.line} of \`${last(f.path)}\` (\`${f.path}\`) reads:

${box(f.lang, String(f.code).trim())}

That is all there is to it.
`,
  },
  {
    name: "proposed diff that drops the line",
    kind: "code",
    write: (f) => `Suggestion (not applied): drop this one line.

${box("diff", [
  `--- a/${f.path}`,
  `+++ b/${f.path}`,
  `@@ -${f.line} +${f.line - 1},0 @@`,
  `-${f.code}`,
])}
`,
  },
  {
    name: "block quote with place and fence",
    kind: "code",
    write: (f) => `Reviewer note 3:

${shift("> ", `**${f.path}**, line ${f.line}\n\n${box(f.lang, f.code)}`)}

Fine as it is; I only wanted to have it on record.
`,
  },
  {
    name: "nested list, number arrow code",
    kind: "code",
    write: (f) => `- Evidence
  - \`${f.path}\`
    - ${f.line} → ${code(f.code)}
`,
  },
  {
    name: "footnote with place and quotation",
    kind: "code",
    write: (f) => `The behaviour is deliberate as far as I can tell.[^1]

[^1]: \`${f.path}\`, l. ${f.line}: ${code(f.code)}
`,
  },
  {
    name: "ripgrep output under the file name",
    kind: "code",
    gutter: true,
    write: (f) => `This is the hit I followed:

${box("", [f.path, `${f.line}:${f.code}`])}
`,
  },
  {
    name: "compiler pointer with bars",
    kind: "code",
    gutter: true,
    write: (f) => {
      const n = String(f.line);
      const pad = " ".repeat(n.length);
      return `I mark the line the way a compiler would:

${box("text", [
  "note: this is the line meant above",
  `${pad}--> ${f.path}:${n}`,
  `${pad} |`,
  `${n} | ${f.code}`,
  `${pad} |`,
])}
`;
    },
  },

  // --------------------------------------------------------------- block
  {
    name: "base name with lines as heading, path and fence below",
    kind: "block",
    ranged: true,
    write: (f) => `### ${last(f.path)} (lines ${f.line}-${f.end})
Path: \`${f.path}\`
${box(f.lang, f.block)}
`,
  },
  {
    name: "File absolute, Lines label, fence right below",
    kind: "block",
    ranged: true,
    write: (f) => `**File:** \`${mac(f)}/${f.path}\`
**Lines ${f.line}–${f.end}:**
${box(f.lang, f.block)}

Verified against the current checkout.
`,
  },
  {
    name: "title and lines attributes in the info string",
    kind: "block",
    ranged: true,
    write: (f) => `For reference, unchanged:

${box(`${f.lang || "text"} title="${f.path}" lines="${f.line}-${f.end}"`, f.block)}
`,
  },
  {
    name: "sed command with its output",
    kind: "block",
    ranged: true,
    write: (f) => `What I ran and what came back:

${box("console", [`$ sed -n '${f.line},${f.end}p' ${sh(f.path)}`, ...f.block])}
`,
  },
  {
    name: "French lead-in, number and colon gutter",
    kind: "block",
    gutter: true,
    write: (f) => `**Extrait de** \`${f.path}\` (numéros de ligne à gauche) :

${box(
  "",
  f.block.slice(0, lastFilled(f.block)).map((l, i) => `${f.line + i}: ${l}`.trimEnd()),
)}
`,
  },
  {
    name: "Chinese table, one row per line",
    kind: "block",
    gutter: true,
    write: (f) => `文件：\`${f.path}\`

| 行号 | 代码 |
|---:|:---|
${f.block
  .map((l, i) => [f.line + i, l])
  .filter(([, l]) => l.trim())
  .slice(0, 8)
  .map(([n, l]) => `| ${n} | ${tcell(l)} |`)
  .join("\n")}
`,
  },

  // -------------------------------------------------------------- create
  {
    name: "plan phase, file to be created",
    kind: "create",
    planned: true,
    write: (f) => `### Phase 2: Extract the helper

- **Create:** \`${f.path}\` (does not exist yet)
- **Done when:** the test suite passes without further changes
`,
  },
  {
    name: "git summary, create mode",
    kind: "create",
    write: (f) => `Committed. The summary of the commit shows the new file:

\`\`\`
 create mode 100644 ${f.path}
\`\`\`
`,
  },
];
