// Shapes F: ways in which sub-agents write down a reference to a place in a repository.
// First half of each kind: plain and frequent; second half: odd, yet clear to a reader.

// ------------------------------------------------------------------ helpers
const longest = (s, c) => {
  let best = 0;
  let now = 0;
  for (const ch of String(s)) {
    now = ch === c ? now + 1 : 0;
    if (now > best) best = now;
  }
  return best;
};
// inline code, trimmed, safe for backticks inside
const q = (s) => {
  const t = String(s).trim();
  const n = longest(t, "`");
  if (!n) return `\`${t}\``;
  const d = "`".repeat(n + 1);
  return `${d} ${t} ${d}`;
};
const box = (info, body) => {
  const t = Array.isArray(body) ? body.join("\n") : String(body);
  const d = "`".repeat(Math.max(3, longest(t, "`") + 1));
  return `${d}${info || ""}\n${t}\n${d}`;
};
const shift = (by, text) => text.replace(/^(?=.)/gm, by);
const quote = (text) => text.replace(/^/gm, "> ").replace(/^> $/gm, ">");
const pipe = (s) => s.replace(/\|/g, "\\|");

const file = (f) => f.path.slice(f.path.lastIndexOf("/") + 1);
const folder = (f) => (f.path.includes("/") ? f.path.slice(0, f.path.lastIndexOf("/") + 1) : "./");
const name = (f) => String(f.pack).split("/").pop();
const abs = (f, root) => `${root}/${name(f)}/${f.path}`;

const SHARP =
  /^(py|python|rb|ruby|sh|bash|zsh|shell|ya?ml|toml|pl|perl|r|exs?|elixir|jl|julia|nix|make(file)?|docker(file)?)$/i;
const TWO = /^(lua|sql|hs|haskell|elm|ada)$/i;
const note = (f, text) =>
  `${SHARP.test(f.lang || "") ? "#" : TWO.test(f.lang || "") ? "--" : "//"} ${text}`;
const lead = (l) => /^[ \t]*/.exec(l || "")[0];

export const shapes = [
  // -------------------------------------------------------------------- bare
  {
    name: "closing line of a chat answer, absolute path, line in words",
    kind: "bare",
    write: (f) => `Short version: the behaviour is intended, not a regression.

The place to look at is \`${abs(f, "/home/dev/projects")}\`, line ${f.line}.
`,
  },
  {
    name: "file list in full on top, short name with line below",
    kind: "bare",
    write: (f) => `**Files read**
- \`${f.path}\` (below: \`${file(f)}\`)

**What I would look at first**
1. \`${file(f)}:${f.line}\`, because the rest follows from it
`,
  },
  {
    name: "ticked checklist item, line in words",
    kind: "bare",
    write: (f) => `## Verification

- [x] Read the ticket and its comments
- [x] Checked line ${f.line} of \`${f.path}\` by eye
- [ ] Not done: a run on a second machine
`,
  },
  {
    name: "handoff, not touched, range after a colon",
    kind: "bare",
    ranged: true,
    write: (f) => `### Left for the next session

**\`${f.path}:${f.line}-${f.end}\`**: not touched. Please read it before you merge.
`,
  },
  {
    name: "both ends of a section as two places in one sentence",
    kind: "bare",
    ranged: true,
    write: (
      f,
    ) => `The section in question opens at \`${f.path}:${f.line}\` and ends at \`${f.path}:${f.end}\`; I read it twice and have no remarks.
`,
  },
  {
    name: "Fundstelle, German label",
    kind: "bare",
    write: (f) => `#### Befund 3

**Fundstelle:** \`${f.path}\`, Zeile ${f.line}
**Einstufung:** gering

Kein Handlungsbedarf vor dem nächsten Release.
`,
  },
  {
    name: "Windows path with backslashes",
    kind: "bare",
    write: (f) => `Opened in the editor on the build machine:

    C:\\src\\${name(f)}\\${f.path.replace(/\//g, "\\")}:${f.line}
`,
  },
  {
    name: "linter output, line and column",
    kind: "bare",
    write: (f) => `One remark is left after the clean-up:

${box("text", `${f.path}:${f.line}:1: info: reviewed by hand, no change needed`)}
`,
  },

  // -------------------------------------------------------------------- path
  {
    name: "Relevant files, absolute, at the end of a report",
    kind: "path",
    lineless: true,
    write: (f) => `Relevant files:
- ${/\s/.test(f.path) ? q(abs(f, "/workspace")) : abs(f, "/workspace")}
`,
  },
  {
    name: "name-status lines of a commit summary",
    kind: "path",
    lineless: true,
    write: (f) => `Commit touches a single file:

${box("", `M\t${f.path}`)}
`,
  },
  {
    name: "folder and file in two columns",
    kind: "path",
    lineless: true,
    write: (f) => `| Folder | File | Read? |
| --- | --- | --- |
| \`${folder(f)}\` | \`${file(f)}\` | yes, in full |
`,
  },
  {
    name: "対象ファイル, Japanese label",
    kind: "path",
    lineless: true,
    write: (f) => `## 調査結果

- **対象ファイル**:\`${f.path}\`
- **結論**:問題は見つかりませんでした。
`,
  },

  // ------------------------------------------------------------------ symbol
  {
    name: "sentence, name on line N of an absolute path",
    kind: "symbol",
    write: (f) => `Found it.

${q(f.symbol)} is on line ${f.line} of \`${abs(f, "/Users/mara/code")}\`.
`,
  },
  {
    name: "call chain with inline arrows, short name, full path above",
    kind: "symbol",
    write: (f) => `All of this happens in \`${f.path}\`:

incoming call → ${q(f.symbol)} (\`${file(f)}:${f.line}\`) → result to the caller
`,
  },
  {
    name: "table What | Where with short name, absolute path under it",
    kind: "symbol",
    write: (f) => `| # | What | Where |
|---|------|-------|
| 1 | ${pipe(q(f.symbol))} | \`${file(f)}\` line ${f.line} |

Full path: \`${abs(f, "/home/runner/work")}\`
`,
  },
  {
    name: "file heading, name with lines in parentheses",
    kind: "symbol",
    ranged: true,
    write: (f) => `**${f.path}**
- ${q(f.symbol)} (lines ${f.line}–${f.end}): the part the ticket is about
- everything else: unrelated
`,
  },
  {
    name: "call graph with branches in a fence, place in brackets",
    kind: "symbol",
    plain: true,
    write: (f) => `Who does what, from the top:

${box("", ["entry point", "├── reads the settings", `└── ${f.symbol}   [${f.path}:${f.line}]`])}
`,
  },
  {
    name: "question and answer",
    kind: "symbol",
    write: (f) => `**Q: Where does ${q(f.symbol)} live?**

A: In \`${f.path}\`, at line ${f.line}.
`,
  },
  {
    name: "pick-up note with at sign and L",
    kind: "symbol",
    write: (f) => `## Handoff

State: green, nothing uncommitted.
Pick up at: ${q(f.symbol)} @ L${f.line} in \`${f.path}\`
`,
  },
  {
    name: "path and name joined by two colons",
    kind: "symbol",
    lineless: true,
    write: (f) => `Step 2 of the plan starts from \`${f.path}::${f.symbol}\`, which stays as it is.
`,
  },
  {
    name: "start and end of a name in one sentence, file named first",
    kind: "symbol",
    ranged: true,
    write: (
      f,
    ) => `In \`${f.path}\` two line numbers are worth keeping in mind: ${f.line}, where ${q(f.symbol)} stands, and ${f.end}, the last line of the part I reviewed.
`,
  },
  {
    name: "mermaid node with the place under the name",
    kind: "symbol",
    plain: true,
    write: (f) => `${box("mermaid", [
      "flowchart TD",
      '    A["caller"] --> B',
      `    B["${f.symbol}<br/>${f.path}:${f.line}"]`,
    ])}
`,
  },
  {
    name: "Fichier, Ligne, Symbole, French labels",
    kind: "symbol",
    write: (f) => `### Point d’entrée

- **Fichier :** \`${f.path}\`
- **Ligne :** ${f.line}
- **Symbole :** ${q(f.symbol)}
`,
  },
  {
    name: "位置 and 第 N 行, Chinese labels",
    kind: "symbol",
    write: (f) => `1. **位置**:\`${f.path}\` 第 ${f.line} 行
   **符号**:${q(f.symbol)}
   **结论**:无需修改。
`,
  },

  // -------------------------------------------------------------------- code
  {
    name: "absolute path with line as a label, fence right under it",
    kind: "code",
    write: (f) => `This is the statement you asked about.

\`${abs(f, "/home/dev/projects")}:${f.line}\`
${box(f.lang, f.code)}
`,
  },
  {
    name: "file in the heading, Line N label, fence",
    kind: "code",
    write: (f) => `### 2. \`${f.path}\`

Line ${f.line}:
${box(f.lang, f.code)}

No other line of the file needs attention.
`,
  },
  {
    name: "short name in the sentence, absolute path in the list below",
    kind: "code",
    write: (f) => `\`${file(f)}\` says ${q(f.code)} on line ${f.line}, so the answer is yes.

Files referenced:
- \`${abs(f, "/workspace")}\`
`,
  },
  {
    name: "bullet, place, arrow, quoted line",
    kind: "code",
    write: (f) => `Evidence:

* \`${f.path}:${f.line}\` → ${q(f.code)}
`,
  },
  {
    name: "quoted review remark, place in bold over the line",
    kind: "code",
    write: (f) => `${quote(`**\`${f.path}\`**, line ${f.line}\n\n${q(f.code)}`)}

Fine as it is; I only wondered about the wording.
`,
  },
  {
    name: "sed command with its output",
    kind: "code",
    write: (
      f,
    ) => `${box("console", [`$ sed -n '${f.line}p' ${/\s/.test(f.path) ? `'${f.path}'` : f.path}`, f.code])}
`,
  },
  {
    name: "proposed diff, the line as context",
    kind: "code",
    write: (f) => `Proposal, not applied. One comment after the existing line:

${box("diff", [
  `--- a/${f.path}`,
  `+++ b/${f.path}`,
  `@@ -${f.line},1 +${f.line},2 @@`,
  ` ${f.code}`,
  `+${lead(f.code)}${note(f, "see the design notes")}`,
])}
`,
  },
  {
    name: "En la línea N, Spanish sentence over a fence",
    kind: "code",
    write: (f) => `En la línea ${f.line} de \`${f.path}\` aparece:

${box(f.lang, f.code)}

Coincide con lo que describe la incidencia.
`,
  },

  // ------------------------------------------------------------------- block
  {
    name: "File and Lines on one line, absolute, fence below",
    kind: "block",
    ranged: true,
    write: (f) => `**File:** \`${abs(f, "/Users/mara/code")}\` · **Lines:** ${f.line}-${f.end}

${box(f.lang, f.block)}
`,
  },
  {
    name: "short name with lines A to B as heading, full path above",
    kind: "block",
    ranged: true,
    write: (f) => `I looked at one file, \`${f.path}\`.

#### ${file(f)}, lines ${f.line} to ${f.end}

${box(f.lang, f.block)}
`,
  },
  {
    name: "numbers with a colon in front of every line",
    kind: "block",
    gutter: true,
    write: (f) => `From \`${f.path}\`:

${box(
  "",
  f.block.map((l, i) => `${f.line + i}: ${l}`.trimEnd()),
)}
`,
  },
  {
    name: "title and anchor in the info string",
    kind: "block",
    ranged: true,
    write: (f) => `The passage, unchanged:

${box(`${f.lang || "text"} title="${f.path}#L${f.line}-L${f.end}"`, f.block)}
`,
  },
  {
    name: "diff hunk, all lines as context, one comment added",
    kind: "block",
    ranged: true,
    write: (
      f,
    ) => `Suggested for lines ${f.line}-${f.end} (nothing is removed, a comment follows at the end):

${box("diff", [
  `--- a/${f.path}`,
  `+++ b/${f.path}`,
  `@@ -${f.line},${f.block.length} +${f.line},${f.block.length + 1} @@`,
  ...f.block.map((l) => ` ${l}`),
  `+${lead(f.block[f.block.length - 1])}${note(f, "end of the reviewed part")}`,
])}
`,
  },
  {
    name: "Trecho, Portuguese label in a nested list, middle left out",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) => {
      let z = f.block.length - 1;
      while (z > 2 && !f.block[z].trim()) z--;
      return `- Análise do módulo
  - **Trecho:** \`${f.path}\`, linhas ${f.line} a ${f.end} (meio omitido)

${shift("    ", box(f.lang, [f.block[0], f.block[1], `${lead(f.block[1])}${note(f, "[...]")}`, f.block[z]]))}
`;
    },
  },

  // ------------------------------------------------------------------ create
  {
    name: "plan table, Action Create",
    kind: "create",
    planned: true,
    write: (f) => `### Phase 1: files

| Action | File | Status |
|--------|------|--------|
| Create | \`${f.path}\` | planned, does not exist yet |
`,
  },
  {
    name: "final message, new file written, absolute path",
    kind: "create",
    write: (f) => `Done. I created one new file:

- \`${abs(f, "/home/dev/projects")}\`

No existing file was changed.
`,
  },
];
